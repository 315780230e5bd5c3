import Pixels

/// A vertex in the picture, with its texture coordinates.
struct SurfaceCorner: BitwiseCopyable {
  /// Position in pixels of the picture.
  var x, y: Double
  /// The inverse of its depth, in any unit.
  var inverseDepth: Double
  /// Texture coordinates in stored pixels of the level; see `SpriteScan`.
  var u, v: Double

  static let zero = SurfaceCorner(x: 0, y: 0, inverseDepth: 1, u: 0, v: 0)
}

/// A side of a triangle, from its upper end down.
///
/// Adjacent triangles compute bit-identical sides, so that each pixel belongs to exactly one.
struct SurfaceLine: BitwiseCopyable {
  let x, y, slope: Double

  init(_ a: SurfaceCorner, _ b: SurfaceCorner) {
    let isDown = a.y < b.y || (a.y == b.y && a.x <= b.x)
    let (top, bottom) = isDown ? (a, b) : (b, a)
    (x, y) = (top.x, top.y)
    slope = bottom.y > top.y ? (bottom.x - top.x) / (bottom.y - top.y) : 0
  }

  @inline(__always)
  func x(at row: Double) -> Double { x + (row - y) * slope }
}

/// A linear function of the picture's coordinates.
struct SurfacePlane: BitwiseCopyable {
  let value, dx, dy: Double

  init(_ a: Double, _ b: Double, _ c: Double, _ edges: (ab: (Double, Double), ac: (Double, Double)))
  {
    let scale = 1 / (edges.ab.0 * edges.ac.1 - edges.ac.0 * edges.ab.1)
    value = a
    dx = ((b - a) * edges.ac.1 - (c - a) * edges.ab.1) * scale
    dy = ((c - a) * edges.ab.0 - (b - a) * edges.ac.0) * scale
  }

  @inline(__always)
  func evaluate(_ x: Double, _ y: Double) -> Double { value + dx * x + dy * y }
}

/// The columns of a row that a triangle covers.
struct SurfaceSpan: BitwiseCopyable {
  let first, end: Int32
  /// Texture coordinates of its first column, in 1/65536, if the triangle is flat.
  let coordinates: SIMD2<Int32>
  /// Index of the triangle.
  let triangle: UInt16

  /// Covers no pixel.
  static let none = SurfaceSpan(first: 0, end: 0, coordinates: .zero, triangle: 0)

  @inline(__always)
  var columns: Range<Int> { Int(first)..<Int(end) }
}

/// A front-facing triangle, set up for rasterising it row by row.
struct SurfaceTriangle: BitwiseCopyable {
  /// Whether the texture is visible on it; other triangles still occlude.
  let isPainted: Bool
  private let first, end: Int32
  var rows: Range<Int32> { first..<end }
  private let long, upper, lower: SurfaceLine
  private let middle: Double
  private let x, y: Double
  /// Whether it is painted, and perspective distorts texture coordinates so little that they are
  /// linear in the picture.
  let isFlat: Bool
  /// Step of texture coordinates per column in 1/65536, if flat.
  let step: SIMD2<Int32>
  /// Texture coordinates in 1/65536 if flat, else divided by the depth; and the inverse depth:
  /// these are linear in the picture.
  private let u, v, inverseDepth: SurfacePlane
  /// Bounds of its texture coordinates.
  private let lowU, highU, lowV, highV: Double

  /// Columns over which texture coordinates are interpolated linearly.
  private static let segment = 32
  /// Eight times the maximum error of linear texture coordinates on a flat triangle, in pixels of
  /// the texture.
  private static let slack = 1.0

  /// Covers no pixel.
  static let none = SurfaceTriangle(.zero, .zero, .zero, isPainted: false, limits: 0..<0)

  /// Rows are clipped to `limits`.
  init(
    _ a: SurfaceCorner, _ b: SurfaceCorner, _ c: SurfaceCorner, isPainted: Bool, limits: Range<Int>
  ) {
    self.isPainted = isPainted
    var (p, q, r) = (a, b, c)
    if q.y < p.y { swap(&p, &q) }
    if r.y < q.y { swap(&q, &r) }
    if q.y < p.y { swap(&p, &q) }
    (long, upper, lower) = (SurfaceLine(p, r), SurfaceLine(p, q), SurfaceLine(q, r))
    middle = q.y
    let top = max(Self.floor(p.y + 0.5), limits.lowerBound)
    first = Int32(top)
    end = Int32(max(min(Self.floor(r.y + 0.5), limits.upperBound), top))
    (x, y) = (a.x, a.y)
    let edges = (ab: (b.x - a.x, b.y - a.y), ac: (c.x - a.x, c.y - a.y))
    inverseDepth = SurfacePlane(a.inverseDepth, b.inverseDepth, c.inverseDepth, edges)
    (lowU, highU) = (min(a.u, b.u, c.u), max(a.u, b.u, c.u))
    (lowV, highV) = (min(a.v, b.v, c.v), max(a.v, b.v, c.v))
    // Midway between vertices with inverse depths 1 and 1 + e the linear error is e / 4 (2 + e) of
    // the difference.
    let near = max(a.inverseDepth, b.inverseDepth, c.inverseDepth)
    let far = min(a.inverseDepth, b.inverseDepth, c.inverseDepth)
    isFlat = isPainted && (near - far) * max(highU - lowU, highV - lowV) < Self.slack * far
    if isFlat {
      u = SurfacePlane(a.u * 65536, b.u * 65536, c.u * 65536, edges)
      v = SurfacePlane(a.v * 65536, b.v * 65536, c.v * 65536, edges)
    } else {
      u = SurfacePlane(a.u * a.inverseDepth, b.u * b.inverseDepth, c.u * c.inverseDepth, edges)
      v = SurfacePlane(a.v * a.inverseDepth, b.v * b.inverseDepth, c.v * c.inverseDepth, edges)
    }
    step = SIMD2(nearest(u.dx), nearest(v.dx))
  }

  /// Rounds down a `value` above -2^20.
  @inline(__always)
  static func floor(_ value: Double) -> Int { Int(value + 1_048_576) &- 1_048_576 }

  /// The columns whose centres it covers in row `y`: those right of its left side, up to and
  /// including its right side.
  ///
  /// `number` is the triangle's index.
  @inline(__always)
  func span(_ y: Int, _ number: UInt16) -> SurfaceSpan {
    let middleOfRow = Double(y) + 0.5
    let one = long.x(at: middleOfRow)
    let other = middleOfRow <= middle ? upper.x(at: middleOfRow) : lower.x(at: middleOfRow)
    let (first, end) = (nearest(min(one, other)), nearest(max(one, other)))
    let (right, down) = (Double(first) + 0.5 - x, middleOfRow - self.y)
    return SurfaceSpan(
      first: first, end: max(first, end),
      coordinates: SIMD2(nearest(u.evaluate(right, down)), nearest(v.evaluate(right, down))),
      triangle: number)
  }

  /// Writes texture coordinates in 1/65536 for columns of row `y`; element 0 is column
  /// `firstColumn`.
  func writeCoordinates(
    _ y: Int, _ columns: Range<Int>, _ firstColumn: Int, _ us: Row<Int32>, _ vs: Row<Int32>,
    shift: Double
  ) {
    let down = Double(y) + 0.5 + shift - self.y
    var column = columns.lowerBound
    while column < columns.upperBound {
      let count = min(Self.segment, columns.upperBound &- column)
      let right = Double(column) + 0.5 - x
      let start = textureCoordinates(right, down)
      let end = textureCoordinates(right + Double(count &- 1), down)
      let scale = 1 / Double(max(count &- 1, 1))
      SpriteKernels.writeRamp(
        us, vs, at: column &- firstColumn, count: count, from: start,
        SIMD2(
          nearest(Double(end.x &- start.x) * scale), nearest(Double(end.y &- start.y) * scale)))
      column &+= count
    }
  }

  @inline(__always)
  private func textureCoordinates(_ x: Double, _ y: Double) -> SIMD2<Int32> {
    let distance = 1 / inverseDepth.evaluate(x, y)
    // This order of operands maps NaN to a bound.
    let u = max(lowU, min(highU, self.u.evaluate(x, y) * distance))
    let v = max(lowV, min(highV, self.v.evaluate(x, y) * distance))
    return SIMD2(nearest(u * 65536), nearest(v * 65536))
  }
}
