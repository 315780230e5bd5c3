import Binding
import Frames
import Pixels
import Stickers
import Threads

extension StickerElement {
  /// Draws the stickers of a plan, in order.
  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    guard let compositor, let scene else { return }
    var lastHead: Int?
    var coveredFace: Int?
    scene.updateLight(frame.picture)
    defer { if coveredFace != nil { compositor.setCover(nil, width: 0, height: 0) } }
    for draw in plan.draws where !cancellation.isSet {
      if draw.coveredFace != coveredFace {
        coveredFace = draw.coveredFace
        compositor.setCover(
          scene.cover(of: draw), width: frame.picture.width, height: frame.picture.height)
      }
      let item = plan.pictures.pack.items[draw.item]
      let alpha = item.alpha * draw.alpha * plan.alpha
      if let surface = item.surface {
        compositor.draw(
          plan.pictures.textures[draw.item][draw.frame], on: scene.meshVertices(of: draw),
          offset: draw.offset, shade: surface.shade, alpha: alpha, blend: item.blend,
          picture: frame.picture)
      } else if let quad = item.quad, let billboard = draw.placement.billboard {
        let head = quad.isOccluded ? scene.head(of: draw) : nil
        compositor.draw(
          plan.pictures.textures[draw.item][draw.frame], billboard: billboard,
          behind: head.map {
            .init(head: $0, vertices: scene.meshVertices(of: draw), offset: draw.offset)
          },
          isSameHead: draw.faceIndex == lastHead, alpha: alpha, blend: item.blend,
          picture: frame.picture)
        if head != nil { lastHead = draw.faceIndex }
      } else if let body = item.body, let place = draw.placement.body {
        let head = body.isOccluded ? scene.head(of: draw) : nil
        compositor.draw(
          plan.pictures.textures[draw.item][draw.frame], body: place, light: scene.light(of: draw),
          shade: body.shade,
          behind: head.map {
            .init(head: $0, vertices: scene.meshVertices(of: draw), offset: draw.offset)
          },
          isSameHead: draw.faceIndex == lastHead, alpha: alpha, blend: item.blend,
          picture: frame.picture)
        if head != nil { lastHead = draw.faceIndex }
      } else {
        let sprite = plan.pictures.sprites[draw.item][draw.frame]
        compositor.draw(
          sprite,
          by: draw.placement.transform(spriteWidth: sprite.width, spriteHeight: sprite.height),
          alpha: alpha, blend: item.blend, on: frame.picture)
      }
    }
  }
}
