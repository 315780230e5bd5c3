package import Pixels

extension SpriteCompositor {
  /// Draws `texture` on a body in `light`, without the parts that a head occludes.
  ///
  /// `shade`, 0...1, is the weight of the light. Otherwise like `draw` for billboards.
  @discardableResult
  package func draw(
    _ texture: SurfaceTexture, body: BodyPlacement, light: BodyLight, shade: Double,
    behind occluder: Occluder? = nil, isSameHead: Bool = false, alpha: Double = 1,
    blend: SpriteBlend = .over, picture: borrowing Picture
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard texture.sprite.space == space, picture.width <= width, alpha > 0,
      !texture.mesh.positions.isEmpty
    else { return false }
    if let occluder, !isSameHead {
      setOccluder(occluder, width: picture.width, height: picture.height)
    }
    let target = SpriteTarget(picture)
    let vertices = bodies.project(texture.mesh, body, light, shade: shade)
    guard let layout = bodies.layout(texture, vertices, height: picture.height),
      let scan = SurfaceScan(
        texture, at: SurfaceVertices(body: vertices),
        head: occluder.flatMap {
          HeadOccluder($0.head, face: occluderLayout, offset: $0.offset)
        }, shading: BodyShading(layout, target), width: picture.width, height: picture.height,
        surfaces)
    else { return false }
    paint(scan, alpha, blend, target, space)
    return true
  }
}
