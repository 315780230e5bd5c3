import Faces
import Pixels

/// A triangle mesh with texture coordinates: a face, a billboard or a body.
///
/// Immutable.
package final class SurfaceMesh: Sendable {
  /// Texture coordinates of the vertices, 0...1 to the right and down.
  let textureCoordinates: [Point]
  let triangles: [FaceTopology.Triangle]
  /// For each triangle the neighbours across the edges a to b, b to c, c to a; -1 if none.
  let neighbours: [(Int, Int, Int)]
  /// Which triangles occlude others on turned heads even if not painted: those of the nose.
  let isOccluding: [Bool]
  /// Whether it is a rectangle.
  let isBillboard: Bool
  /// Whether it is visible from both sides.
  let isTwoSided: Bool
  /// For a body its vertices and their normals; empty for others.
  let positions, normals: [Point3]

  private init(
    textureCoordinates: [Point], triangles: [FaceTopology.Triangle], isOccluding: [Bool],
    isBillboard: Bool = false, body: BodyShape? = nil
  ) {
    (self.textureCoordinates, self.triangles, self.isOccluding) = (
      textureCoordinates, triangles, isOccluding
    )
    self.isBillboard = isBillboard
    isTwoSided = body?.isTwoSided ?? isBillboard
    (positions, normals) = (body?.positions ?? [], body?.normals ?? [])
    let welded = body?.welded ?? Array(textureCoordinates.indices)
    var owner: [SIMD2<Int>: Int] = [:]
    func edge(_ a: Int, _ b: Int) -> SIMD2<Int> { SIMD2(welded[a], welded[b]) }
    for (index, t) in triangles.enumerated() {
      for edge in [edge(t.a, t.b), edge(t.b, t.c), edge(t.c, t.a)] { owner[edge] = index }
    }
    neighbours = triangles.map { t in
      func neighbour(_ a: Int, _ b: Int) -> Int { owner[edge(b, a)] ?? -1 }
      return (neighbour(t.a, t.b), neighbour(t.b, t.c), neighbour(t.c, t.a))
    }
  }

  // MARK: Faces

  /// Openings of a face that a texture may leave uncovered.
  package struct Openings: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Between the eyelids.
    package static let eyes = Openings(rawValue: 1)
    /// Between the lips.
    package static let mouth = Openings(rawValue: 2)
  }

  /// The mesh of a face without some of its openings.
  package static func face(without spared: Openings) -> SurfaceMesh {
    faces[spared.rawValue & 3]
  }

  private static let faces: [SurfaceMesh] = (0..<4).map { number in
    let spared = Openings(rawValue: number)
    var triangles = FaceTopology.triangles
    if spared.contains(.eyes) {
      for eye in [Set(MeshIndex.leftEye), Set(MeshIndex.rightEye)] {
        triangles.removeAll { eye.isSuperset(of: [$0.a, $0.b, $0.c]) }
      }
    }
    if !spared.contains(.mouth) { triangles += FaceTopology.mouthTriangles }
    let textureCoordinates = FaceTopology.textureCoordinates
    let nose = Rectangle(x: 0.36, y: 0.34, width: 0.28, height: 0.28)
    return SurfaceMesh(
      textureCoordinates: textureCoordinates, triangles: triangles,
      isOccluding: triangles.map { t in
        [t.a, t.b, t.c].allSatisfy {
          (nose.x...nose.maxX).contains(textureCoordinates[$0].x)
            && (nose.y...nose.maxY).contains(textureCoordinates[$0].y)
        }
      })
  }

  // MARK: Billboards

  /// A rectangle: vertices 0 to 3 are the upper left, upper right, lower left and lower right of
  /// the texture.
  package static let billboard = SurfaceMesh(
    textureCoordinates: [
      Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 0, y: 1), Point(x: 1, y: 1),
    ],
    triangles: [FaceTopology.Triangle(0, 2, 1), FaceTopology.Triangle(1, 2, 3)],
    isOccluding: [false, false], isBillboard: true)

  // MARK: Bodies

  static func body(_ shape: BodyShape) -> SurfaceMesh {
    SurfaceMesh(
      textureCoordinates: shape.textureCoordinates, triangles: shape.triangles,
      isOccluding: Array(repeating: false, count: shape.triangles.count), body: shape)
  }
}
