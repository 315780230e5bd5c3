package import Pixels

/// The topology of the face mesh: its triangles, and the texture coordinates of its points.
///
/// Data of MediaPipe's canonical face model (Apache License 2.0; modules/face_geometry/data,
/// canonical_face_model.obj), as in tfjs-models (face-landmarks-detection, uv_coords and
/// triangulation). The mouth inside the lips is a hole; the eyes are covered.
package enum FaceTopology {
  /// Three indices of the mesh: clockwise in space, and counter-clockwise on a screen whose rows go
  /// down, where the skin faces the viewer.
  package struct Triangle: Sendable, Hashable {
    package let a, b, c: Int

    package init(_ a: Int, _ b: Int, _ c: Int) { (self.a, self.b, self.c) = (a, b, c) }
  }

  /// The texture coordinates of the 468 points: 0...1 to the right and down.
  package static let textureCoordinates: [Point] = stride(from: 0, to: millionths.count, by: 2).map
  {
    Point(x: Double(millionths[$0]) / 1e6, y: Double(millionths[$0 + 1]) / 1e6)
  }

  /// The 880 triangles of the skin, with those over the eyes.
  package static let triangles: [Triangle] = stride(from: 0, to: corners.count, by: 3).map {
    Triangle(Int(corners[$0]), Int(corners[$0 + 1]), Int(corners[$0 + 2]))
  }

  /// The inner contour of the lips from its left corner over the upper lip.
  package static let innerLips = [
    78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95,
  ]

  /// The triangles that close the mouth, between its upper and lower contours.
  package static let mouthTriangles: [Triangle] = {
    let (upper, lower) = (Array(innerLips[0...10]), [78] + innerLips[11...].reversed() + [308])
    return (0..<10).flatMap { i -> [Triangle] in
      var all: [Triangle] = []
      if i > 0 { all.append(Triangle(upper[i], lower[i], upper[i + 1])) }
      if i < 9 { all.append(Triangle(lower[i], lower[i + 1], upper[i + 1])) }
      return all
    }
  }()
}
