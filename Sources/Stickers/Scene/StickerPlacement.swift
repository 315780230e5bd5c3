package import Faces
package import Pixels

/// Where a sticker lies in a frame: its centre, its size and which way its right side points.
package struct StickerPlacement: Sendable, Equatable {
  /// In pixels of the frame.
  package var center: Point
  package var width, height: Double
  /// Unit vector from the sticker's left to its right.
  package var axis: Point
  /// Where its lower edge lies from its upper one; nil for at right angles to `axis`.
  package var down: Point?
  /// How much of it is seen, 0...1: less on a side of the head that is turned away.
  package var opacity = 1.0
  /// Its corners, for what stands in the head's space.
  package var billboard: Billboard?

  package init(center: Point, width: Double, height: Double, axis: Point = Point(x: 1, y: 0)) {
    (self.center, self.width, self.height, self.axis) = (center, width, height, axis)
  }

  /// What the user changes of how a pack is worn.
  package struct Adjustment: Sendable, Equatable {
    /// Times the item's own width.
    package var scale = 1.0
    /// Added to the item's own, in its units.
    package var offsetX = 0.0
    package var offsetY = 0.0
    /// False keeps all stickers upright.
    package var rotates = true

    package init() {}
  }

  /// The map for `SpriteCompositor.draw` of a sprite with so many pixels.
  package func transform(spriteWidth: Int, spriteHeight: Int) -> Affine {
    let across = axis * (width / Double(max(spriteWidth, 1)))
    let down = fall * (1 / Double(max(spriteHeight, 1)))
    let (dx, dy) = (Double(spriteWidth) / 2, Double(spriteHeight) / 2)
    return Affine(
      a: across.x, b: across.y, c: down.x, d: down.y,
      tx: center.x - across.x * dx - down.x * dy, ty: center.y - across.y * dx - down.y * dy)
  }

  /// From its upper edge to its lower one.
  private var fall: Point { down ?? Point(x: -axis.y, y: axis.x) * height }

  /// Half the size of the upright rectangle about it.
  private var reach: Point {
    Point(
      x: (abs(axis.x) * width + abs(fall.x)) / 2, y: (abs(axis.y) * width + abs(fall.y)) / 2)
  }

  /// Pixels of a frame of this size that it can cover: those of the upright rectangle about it.
  func area(width frameWidth: Int, height frameHeight: Int) -> Double {
    func span(_ center: Double, _ reach: Double, _ size: Int) -> Double {
      max(min(center + reach, Double(size)) - max(center - reach, 0), 0)
    }
    return span(center.x, reach.x, frameWidth) * span(center.y, reach.y, frameHeight)
  }

  /// The same elsewhere.
  func moved(by offset: Point) -> StickerPlacement {
    var moved = self
    moved.center = center + offset
    moved.billboard = billboard?.moved(by: offset)
    return moved
  }

  /// Slid into a frame of this size until a share of its width and height is in it.
  func kept(_ share: Double, width frameWidth: Int, height frameHeight: Int) -> StickerPlacement {
    func slid(_ center: Double, _ size: Double, _ frame: Int) -> Double {
      let margin = (share - 0.5) * size
      // One that is larger than the frame stays.
      return margin < Double(frame) - margin
        ? min(max(center, margin), Double(frame) - margin) : center
    }
    var kept = self
    kept.center.x = slid(center.x, 2 * reach.x, frameWidth)
    kept.center.y = slid(center.y, 2 * reach.y, frameHeight)
    kept.billboard = billboard?.moved(by: kept.center - center)
    return kept
  }

  /// Where `item` lies on `face`, or nil for items of the screen and where nothing is known.
  ///
  /// The centre is the anchor's point, shifted along the face's axes by the offsets times e;
  /// the width is the outer points' distance plus `scaleWidth` e; the turn is that of the line
  /// through the pupils. e is the distance of the pupils: in the picture for items on points of
  /// the 76, so that packs made for them look as they were made; in space for named anchors,
  /// so that a hat keeps its size when the head turns.
  package static func onFace(
    _ item: StickerItem, _ face: HeadFrame, _ adjustment: Adjustment
  ) -> StickerPlacement? {
    let anchor: Point
    let unit: Double
    var width: Double
    switch item.attachment {
    case .screen: return nil
    case .surface: return around(face)
    case .head(let quad):
      var placement = Billboard(item, quad, face, ratio: ratio(item), adjustment)?.placement
      placement?.opacity = opacity(item, face)
      return placement
    case .points(let first, let centre, let last):
      guard let a = face.visionPoint(first), let b = face.visionPoint(last),
        let middle = face.visionPoint(centre)
      else { return nil }
      anchor = middle
      unit = face.pupilDistance
      width = (a - b).length + item.scaleWidth * unit
    case .anchor(let name):
      guard name != .screen else { return nil }
      anchor = face.point(name)
      unit = face.unit
      width = item.scaleWidth * unit
    }
    width *= adjustment.scale
    let right = face.axis
    let up = Point(x: right.y, y: -right.x)
    let center =
      anchor + right * ((item.offsetX + adjustment.offsetX) * unit)
      + up * ((item.offsetY + adjustment.offsetY) * unit)
    var placement = StickerPlacement(
      center: center, width: width, height: width * ratio(item),
      axis: item.rotates && adjustment.rotates ? right : Point(x: 1, y: 0))
    placement.opacity = opacity(item, face)
    return placement
  }

  /// The upright rectangle about a mesh, which is what a surface is known by; nil without one.
  private static func around(_ face: HeadFrame) -> StickerPlacement? {
    guard let mesh = face.mesh else { return nil }
    let (low, high) = MeshIndex.oval.lazy.map { mesh[$0].flat }.corners
    guard low.x.isFinite, low.y.isFinite, high.x.isFinite, high.y.isFinite else { return nil }
    return StickerPlacement(
      center: (low + high) * 0.5, width: high.x - low.x, height: high.y - low.y)
  }

  /// How much is seen of an item on a head that is turned as this one.
  private static func opacity(_ item: StickerItem, _ face: HeadFrame) -> Double {
    guard let angles = item.fadeAngles else { return 1 }
    // Of a head turned to the image's left the left side is the far one.
    let away = item.side * face.yaw
    let gone = (away - angles.lowerBound) / (angles.upperBound - angles.lowerBound)
    return 1 - min(max(gone, 0), 1)
  }

  /// Where `item` lies in a frame of this size, or nil for items on faces.
  ///
  /// At an edge it hangs from the edge's middle; offsets move it right and up.
  package static func onScreen(
    _ item: StickerItem, width: Int, height: Int, _ adjustment: Adjustment
  ) -> StickerPlacement? {
    guard case .screen(let anchor) = item.attachment else { return nil }
    let (frameWidth, frameHeight) = (Double(width), Double(height))
    var itemWidth = item.scaleWidth * adjustment.scale * frameWidth
    if anchor == .cover { itemWidth *= max(1, frameHeight / frameWidth / max(ratio(item), 1e-9)) }
    let itemHeight = itemWidth * ratio(item)
    var center = Point(x: frameWidth / 2, y: frameHeight / 2)
    switch anchor {
    case .top: center.y = itemHeight / 2
    case .bottom: center.y = frameHeight - itemHeight / 2
    case .left: center.x = itemWidth / 2
    case .right: center.x = frameWidth - itemWidth / 2
    case .centre, .cover: break
    }
    center.x += (item.offsetX + adjustment.offsetX) * frameWidth
    center.y -= (item.offsetY + adjustment.offsetY) * frameWidth
    return StickerPlacement(center: center, width: itemWidth, height: itemHeight)
  }

  private static func ratio(_ item: StickerItem) -> Double {
    item.width > 0 ? item.height / item.width : 0
  }
}
