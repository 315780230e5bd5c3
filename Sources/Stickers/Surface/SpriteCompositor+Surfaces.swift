package import Pixels

extension SpriteCompositor {
  /// Draws `texture` on a mesh with vertices at `points`, in pixels of the picture, moved by
  /// `offset`.
  ///
  /// z points away from the camera, in pixels. `shade`, 0...1, is the weight of the face's lighting
  /// (`SurfaceLight`). Otherwise like `draw` for sprites. Returns false, and draws nothing, if the
  /// vertices cannot be those of a face.
  @discardableResult
  package func draw(
    _ texture: SurfaceTexture, on points: [Point3], offset: Point = .zero, shade: Double = 0,
    alpha: Double = 1, blend: SpriteBlend = .over, picture: borrowing Picture
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard texture.sprite.space == space, picture.width <= width, alpha > 0 else { return false }
    let target = SpriteTarget(picture)
    let points = SurfaceVertices(
      points, offset: offset, width: picture.width, height: picture.height)
    let mean = shade > 0 ? SurfaceLight.meanSkinLuma(points, target) : nil
    guard
      let scan = SurfaceScan(
        texture, at: points, light: mean.flatMap { SurfaceLight(target, shade: shade, mean: $0) },
        width: picture.width, height: picture.height, surfaces)
    else { return false }
    paint(scan, alpha, blend, target, space)
    return true
  }

  /// A head that may occlude a billboard: its transform, and the vertices of its mesh in pixels, if
  /// any; both are moved by `offset`.
  package struct Occluder {
    package var head: HeadTransform
    package var vertices: [Point3]
    package var offset: Point

    package init(head: HeadTransform, vertices: [Point3], offset: Point) {
      (self.head, self.vertices, self.offset) = (head, vertices, offset)
    }
  }

  /// Draws `texture` on a billboard in perspective, without the parts that a head occludes.
  ///
  /// `isSameHead` reuses the rasterised head of the last such call: neither the head nor the
  /// picture's size may have changed. Otherwise like `draw` for sprites.
  @discardableResult
  package func draw(
    _ texture: SurfaceTexture, billboard: Billboard, behind occluder: Occluder? = nil,
    isSameHead: Bool = false, alpha: Double = 1, blend: SpriteBlend = .over,
    picture: borrowing Picture
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard texture.sprite.space == space, picture.width <= width, alpha > 0 else { return false }
    if let occluder, !isSameHead {
      setOccluder(occluder, width: picture.width, height: picture.height)
    }
    let head = occluder.flatMap {
      HeadOccluder($0.head, face: occluderLayout, of: billboard, offset: $0.offset)
    }
    guard
      let scan = SurfaceScan(
        texture, at: SurfaceVertices(billboard), head: head, width: picture.width,
        height: picture.height, surfaces)
    else { return false }
    paint(scan, alpha, blend, SpriteTarget(picture), space)
    return true
  }

  /// Sets `occluderLayout`.
  func setOccluder(_ occluder: Occluder, width: Int, height: Int) {
    occluderLayout = rasterizeOccluder(occluder, width: width, height: height)
  }

  /// Rasterises a mesh with its depths as texture coordinates; see `HeadOccluder`.
  private func rasterizeOccluder(_ occluder: Occluder, width: Int, height: Int) -> SurfaceLayout? {
    let mesh = SurfaceMesh.face(without: [])
    let points = SurfaceVertices(
      occluder.vertices, offset: occluder.offset, width: width, height: height)
    guard
      SurfaceLayout.projectVertices(mesh, points, Point(x: 1, y: 1), occluderScratch) != nil
    else { return nil }
    let corners = occluderScratch.corners.row(0)
    for index in 0..<corners.count {
      let depth = points.depth(index) / HeadOccluder.depthScale
      guard abs(depth) < 16_000 else { return nil }
      var corner = corners[index]
      (corner.u, corner.v) = (depth, 0)
      corners[index] = corner
    }
    return SurfaceLayout(mesh, isPainted: Self.allPainted, height: height, occluderScratch)
  }

  private static let allPainted = [Bool](
    repeating: true, count: SurfaceMesh.face(without: []).triangles.count)
}
