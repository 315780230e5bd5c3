package import Pixels
package import Threads

extension SpriteCompositor {
  /// Draws `texture` on a shape whose corners are at `points`, in pixels of the picture.
  ///
  /// Their z goes away from the camera, in the same unit; all of them are moved by `offset`. The
  /// texture takes over as much of the light on the face as `shade`, 0...1, says (`SurfaceLight`).
  /// As `draw` for sprites otherwise. Nothing is drawn where the points are those of no face.
  @discardableResult
  package func draw(
    _ texture: SurfaceTexture, on points: [Point3], offset: Point = .zero, shade: Double = 0,
    alpha: Double = 1, blend: SpriteBlend = .over, picture: borrowing Picture,
    runner: any SliceRunner
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard texture.sprite.space == space, picture.width <= width, alpha > 0 else { return false }
    let target = SpriteTarget(picture)
    let points = SurfacePoints(
      points, offset: offset, width: picture.width, height: picture.height)
    let mean = shade > 0 ? SurfaceLight.mean(points, target) : nil
    guard
      let scan = SurfaceScan(
        texture, at: points, light: mean.flatMap { SurfaceLight(target, shade: shade, mean: $0) },
        width: picture.width, height: picture.height, surfaces)
    else { return false }
    paint(scan, alpha, blend, target, space, runner)
    return true
  }

  /// What may hide a board: how a head stands, and the points of its mesh, in pixels, if there are
  /// any; both moved by `offset`.
  package struct Hiding {
    package var head: StickerHead
    package var skin: [Point3]
    package var offset: Point

    package init(head: StickerHead, skin: [Point3], offset: Point) {
      (self.head, self.skin, self.offset) = (head, skin, offset)
    }
  }

  /// Draws `texture` on a board, in perspective, but for what a head hides of it.
  ///
  /// With `isSameHead` the head is the one of the last such call, and neither it nor the picture's
  /// size has changed since. As `draw` for sprites otherwise.
  @discardableResult
  package func draw(
    _ texture: SurfaceTexture, board: StickerBoard, behind hiding: Hiding? = nil,
    isSameHead: Bool = false, alpha: Double = 1, blend: SpriteBlend = .over,
    picture: borrowing Picture, runner: any SliceRunner
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard texture.sprite.space == space, picture.width <= width, alpha > 0 else { return false }
    if let hiding, !isSameHead {
      hidingLayout = layFace(hiding, width: picture.width, height: picture.height)
    }
    let cover = hiding.flatMap {
      HeadCover($0.head, face: hidingLayout, hiding: board, offset: $0.offset)
    }
    guard
      let scan = SurfaceScan(
        texture, at: SurfacePoints(board), head: cover, width: picture.width,
        height: picture.height, surfaces)
    else { return false }
    paint(scan, alpha, blend, SpriteTarget(picture), space, runner)
    return true
  }

  /// Lays out a mesh with its depths for places in a texture; see `HeadCover`.
  private func layFace(_ hiding: Hiding, width: Int, height: Int) -> SurfaceLayout? {
    let shape = SurfaceShape.face(sparing: [])
    let points = SurfacePoints(hiding.skin, offset: hiding.offset, width: width, height: height)
    guard
      SurfaceLayout.place(shape, points, Point(x: 1, y: 1), hidingFace) != nil
    else { return nil }
    let corners = hidingFace.corners.row(0)
    for index in 0..<corners.count {
      let depth = points.depth(index) / HeadCover.depthScale
      guard abs(depth) < 16_000 else { return nil }
      var corner = corners[index]
      (corner.u, corner.v) = (depth, 0)
      corners[index] = corner
    }
    return SurfaceLayout(shape, isSeen: Self.all, height: height, hidingFace)
  }

  private static let all = [Bool](
    repeating: true, count: SurfaceShape.face(sparing: []).triangles.count)
}
