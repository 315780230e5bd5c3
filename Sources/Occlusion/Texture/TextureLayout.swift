import Faces
import Pixels

/// The texels of a face's texture: between which points of the mesh each lies.
///
/// The texture coordinates of the mesh map the skin to a square. Eyes, lips and the mouth are left
/// out of comparisons, because they change by themselves.
struct TextureLayout: Sendable {
  /// The texels along each side.
  static let side = 128
  /// Columns of zeros at each side of a row, so that windows and shifts need no checks.
  static let padding = 8
  static let rowLength = side + 2 * padding

  /// A texel inside the mesh.
  struct Texel: Sendable {
    var row, column: Int16
    /// The mesh points around it; its position is a + (b - a) * wb + (c - a) * wc.
    var a, b, c: Int16
    var triangle: Int16
    var wb, wc: Float
  }

  let triangles: [FaceTopology.Triangle]
  /// The texture coordinates of each mesh point in texels, whose centres are whole numbers.
  let points: [SIMD2<Float>]
  let texels: [Texel]
  /// The texels of the eyes, the lips and the mouth, some of them outside the mesh.
  let leftOut: TexelSet
  /// The texels inside the mesh.
  let inside: TexelSet
  /// For each texel how far it is from the outside of the mesh, in texels of a square's side.
  private let depth: [Int]
  /// The areas of the triangles in texels.
  let areas: [Float]

  static let shared = TextureLayout()

  private init() {
    let side = Self.side
    triangles = FaceTopology.triangles + FaceTopology.mouthTriangles
    let points = FaceTopology.textureCoordinates.map {
      SIMD2(Float($0.x * Double(side) - 0.5), Float($0.y * Double(side) - 0.5))
    }
    var texels: [Texel] = []
    var areas: [Float] = []
    var isTaken = [Bool](repeating: false, count: side * side)
    for (number, triangle) in triangles.enumerated() {
      let (a, b, c) = (points[triangle.a], points[triangle.b], points[triangle.c])
      areas.append(Self.cross(b - a, c - a))
      Self.forEachInside(a, b, c, side) { x, y, wb, wc in
        guard !isTaken[y * side + x] else { return }
        isTaken[y * side + x] = true
        texels.append(
          Texel(
            row: Int16(y), column: Int16(x), a: Int16(triangle.a), b: Int16(triangle.b),
            c: Int16(triangle.c), triangle: Int16(number), wb: wb, wc: wc))
      }
    }
    // In the order of memory.
    texels.sort { ($0.row, $0.column) < ($1.row, $1.column) }
    var features = [Bool](repeating: false, count: side * side)
    for ring in [MeshIndex.leftEye, MeshIndex.rightEye, MeshIndex.lips] {
      Self.fill(ring.map { points[$0] }, &features)
    }
    (self.points, self.texels, self.areas) = (points, texels, areas)
    inside = TexelSet(isTaken)
    depth = Self.depths(isTaken)
    var leftOut = TexelSet(features)
    leftOut.dilate(radius: 1)
    self.leftOut = leftOut
  }

  /// Whether a texel is inside the mesh, and farther than `distance` from its outside.
  func isAway(_ x: Int, _ y: Int, from distance: Int) -> Bool {
    depth[y * Self.side + x] > distance
  }

  /// Distances from what is not set, by chessboard moves.
  private static func depths(_ mask: [Bool]) -> [Int] {
    var depth = mask.map { $0 ? side : 0 }
    func lower(_ index: Int, _ offsets: [(Int, Int)]) {
      let (x, y) = (index % side, index / side)
      for (dx, dy) in offsets {
        let (u, v) = (x + dx, y + dy)
        let isInside = u >= 0 && v >= 0 && u < side && v < side
        depth[index] = min(depth[index], 1 + (isInside ? depth[v * side + u] : 0))
      }
    }
    for index in mask.indices where mask[index] {
      lower(index, [(-1, -1), (0, -1), (1, -1), (-1, 0)])
    }
    for index in mask.indices.reversed() where mask[index] {
      lower(index, [(1, 1), (0, 1), (-1, 1), (1, 0)])
    }
    return depth
  }

  private static func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    a.x * b.y - a.y * b.x
  }

  /// Calls `body` with each whole position inside a triangle, clipped to 0..<`limit`, and the
  /// weights of `b` and `c` there.
  static func forEachInside(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ limit: Int,
    _ body: (_ x: Int, _ y: Int, _ wb: Float, _ wc: Float) -> Void
  ) {
    let (ab, ac) = (b - a, c - a)
    let area = cross(ab, ac)
    guard abs(area) > 1e-6, abs(area) < 1e9 else { return }
    func range(_ p: Float, _ q: Float, _ r: Float) -> Range<Int> {
      let low = max(min(p, q, r).rounded(.up), 0)
      let high = min(max(p, q, r).rounded(.down), Float(limit - 1))
      return low <= high ? Int(low)..<Int(high) + 1 : 0..<0
    }
    let tolerance: Float = -1e-4
    let inverse = 1 / area
    for y in range(a.y, b.y, c.y) {
      for x in range(a.x, b.x, c.x) {
        let p = SIMD2(Float(x), Float(y)) - a
        let (wb, wc) = (cross(p, ac) * inverse, cross(ab, p) * inverse)
        if wb >= tolerance, wc >= tolerance, wb + wc <= 1 - tolerance { body(x, y, wb, wc) }
      }
    }
  }

  /// Sets the texels inside a closed ring.
  private static func fill(_ ring: [SIMD2<Float>], _ mask: inout [Bool]) {
    for y in 0..<side {
      for x in 0..<side {
        if Ring.contains(SIMD2(Float(x), Float(y)), ring) { mask[y * side + x] = true }
      }
    }
  }
}
