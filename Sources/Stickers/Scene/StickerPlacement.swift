package import Faces
package import Pixels

/// The placement of a sticker in a frame: centre, size and direction.
package struct StickerPlacement: Sendable, Equatable {
  /// In pixels of the frame, as are sizes.
  package var center: Point
  package var width, height: Double
  /// Unit vector from the sticker's left to its right.
  package var axis: Point
  /// Vector from its upper edge to its lower one; nil if perpendicular to `axis`.
  package var down: Point?
  /// Factor of its alpha, 0...1: below 1 on a side of the head that is turned away.
  package var opacity = 1.0
  /// Its corners, for billboards.
  package var billboard: Billboard?
  /// For bodies the place, and the depth of the middle in pixels.
  package var body: BodyPlacement?
  var bodyDepth = 0.0

  package init(center: Point, width: Double, height: Double, axis: Point = Point(x: 1, y: 0)) {
    (self.center, self.width, self.height, self.axis) = (center, width, height, axis)
  }

  /// The user's adjustment of a pack.
  package struct Adjustment: Sendable, Equatable {
    /// Factor of the item's width.
    package var scale = 1.0
    /// Added to the item's offset, in its units.
    package var offsetX = 0.0
    package var offsetY = 0.0
    /// False keeps all stickers upright.
    package var rotates = true

    package init() {}
  }

  /// The transform for `SpriteCompositor.draw` of a sprite of this size in pixels.
  package func transform(spriteWidth: Int, spriteHeight: Int) -> Affine {
    let across = axis * (width / Double(max(spriteWidth, 1)))
    let down = downVector * (1 / Double(max(spriteHeight, 1)))
    let (dx, dy) = (Double(spriteWidth) / 2, Double(spriteHeight) / 2)
    return Affine(
      a: across.x, b: across.y, c: down.x, d: down.y,
      tx: center.x - across.x * dx - down.x * dy, ty: center.y - across.y * dx - down.y * dy)
  }

  /// Vector from its upper edge to its lower one.
  private var downVector: Point { down ?? Point(x: -axis.y, y: axis.x) * height }

  /// Half the size of its bounding rectangle.
  private var halfExtent: Point {
    Point(
      x: (abs(axis.x) * width + abs(downVector.x)) / 2,
      y: (abs(axis.y) * width + abs(downVector.y)) / 2)
  }

  /// Area in pixels of its bounding rectangle, clipped to a frame of this size.
  func area(width frameWidth: Int, height frameHeight: Int) -> Double {
    func span(_ center: Double, _ halfExtent: Double, _ size: Int) -> Double {
      max(min(center + halfExtent, Double(size)) - max(center - halfExtent, 0), 0)
    }
    return span(center.x, halfExtent.x, frameWidth) * span(center.y, halfExtent.y, frameHeight)
  }

  /// The placement moved by `offset` pixels.
  func moved(by offset: Point) -> StickerPlacement {
    var moved = self
    moved.center = center + offset
    moved.billboard = billboard?.moved(by: offset)
    moved.body = body?.moved(by: offset)
    return moved
  }

  /// Moves it until at least `fraction` of its width and height lies in a frame of this size.
  func keptInFrame(_ fraction: Double, width frameWidth: Int, height frameHeight: Int)
    -> StickerPlacement
  {
    func clamped(_ center: Double, _ size: Double, _ frame: Int) -> Double {
      let margin = (fraction - 0.5) * size
      // A sticker that is larger than the frame stays.
      return margin < Double(frame) - margin
        ? min(max(center, margin), Double(frame) - margin) : center
    }
    var keptInFrame = self
    keptInFrame.center.x = clamped(center.x, 2 * halfExtent.x, frameWidth)
    keptInFrame.center.y = clamped(center.y, 2 * halfExtent.y, frameHeight)
    keptInFrame.billboard = billboard?.moved(by: keptInFrame.center - center)
    keptInFrame.body = body?.moved(by: keptInFrame.center - center)
    return keptInFrame
  }

  /// The placement of `item` on `face`; nil for items of hands and of the screen, and if the face lacks the
  /// points.
  ///
  /// The centre is the anchor's point, moved along the face's axes by the offsets times e; the
  /// width is the distance of the outer points plus `scaleWidth` times e; the rotation is that of
  /// the line through the pupils. e is the pupil distance: in the picture for items on points of
  /// the 76, as their packs expect; in space for named anchors, so that a hat keeps its size when
  /// the head turns.
  package static func onFace(
    _ item: StickerItem, _ face: HeadFrame, _ adjustment: Adjustment
  ) -> StickerPlacement? {
    let anchor: Point
    let unit: Double
    let width: Double
    switch item.attachment {
    case .screen: return nil
    case .surface: return boundingRectangle(face)
    case .head(let quad):
      var placement = Billboard(item, quad, face, aspectRatio: aspectRatio(item), adjustment)?
        .placement
      placement?.opacity = visibility(item, face)
      return placement
    case .body(let body):
      var placement = StickerPlacement(
        item, body, face, adjustment, aspectRatio: aspectRatio(item))
      placement?.opacity = visibility(item, face)
      return placement
    case .points(let first, let centre, let last):
      guard let a = face.visionPoint(first), let b = face.visionPoint(last),
        let middle = face.visionPoint(centre)
      else { return nil }
      anchor = middle
      unit = face.pupilDistance
      width = (a - b).length + item.scaleWidth * unit
    case .anchor(let name):
      guard name != .screen, !name.isOnHand else { return nil }
      anchor = face.point(name)
      unit = face.unit
      width = item.scaleWidth * unit
    }
    var placement = StickerPlacement(
      item, at: anchor, axis: face.axis, unit: unit, width: width, adjustment)
    placement.opacity = visibility(item, face)
    return placement
  }

  /// The placement of an item of this width at a point, moved by its offsets along `axis` and across it in
  /// `unit`s.
  init(
    _ item: StickerItem, at anchor: Point, axis right: Point, unit: Double, width: Double,
    _ adjustment: Adjustment
  ) {
    let up = Point(x: right.y, y: -right.x)
    let center =
      anchor + right * ((item.offsetX + adjustment.offsetX) * unit)
      + up * ((item.offsetY + adjustment.offsetY) * unit)
    let scaled = width * adjustment.scale
    self.init(
      center: center, width: scaled, height: scaled * Self.aspectRatio(item),
      axis: item.rotates && adjustment.rotates ? right : Point(x: 1, y: 0))
  }

  /// The bounding rectangle of the mesh's oval, as the placement of a texture; nil without a mesh.
  private static func boundingRectangle(_ face: HeadFrame) -> StickerPlacement? {
    guard let mesh = face.mesh else { return nil }
    let (low, high) = MeshIndex.oval.lazy.map { mesh[$0].xy }.boundingCorners
    guard low.x.isFinite, low.y.isFinite, high.x.isFinite, high.y.isFinite else { return nil }
    return StickerPlacement(
      center: (low + high) * 0.5, width: high.x - low.x, height: high.y - low.y)
  }

  /// Depth of a billboard or a body in pixels; nil for others.
  var depth: Double? { billboard?.depth ?? (body == nil ? nil : bodyDepth) }

  /// Factor of an item's alpha for the head's yaw.
  private static func visibility(_ item: StickerItem, _ face: HeadFrame) -> Double {
    guard let angles = item.fadeAngles else { return 1 }
    // The left side of a head turned to the image's left is the far one.
    let away = item.side * face.yaw
    let hidden = (away - angles.lowerBound) / (angles.upperBound - angles.lowerBound)
    return 1 - min(max(hidden, 0), 1)
  }

  /// The placement of `item` in a frame of this size; nil for items on faces.
  ///
  /// At an edge it touches the edge's middle; offsets move it right and up.
  package static func onScreen(
    _ item: StickerItem, width: Int, height: Int, _ adjustment: Adjustment
  ) -> StickerPlacement? {
    guard case .screen(let anchor) = item.attachment else { return nil }
    let (frameWidth, frameHeight) = (Double(width), Double(height))
    var itemWidth = item.scaleWidth * adjustment.scale * frameWidth
    if anchor == .cover {
      itemWidth *= max(1, frameHeight / frameWidth / max(aspectRatio(item), 1e-9))
    }
    let itemHeight = itemWidth * aspectRatio(item)
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

  private static func aspectRatio(_ item: StickerItem) -> Double {
    item.width > 0 ? item.height / item.width : 0
  }
}
