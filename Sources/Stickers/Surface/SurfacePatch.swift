import Pixels

/// A corner of a triangle in the picture: where it is, and where in the texture.
struct SurfaceCorner: BitwiseCopyable {
  /// In pixels of the picture.
  var x, y: Double
  /// How near it is: 1 over its distance, in any unit.
  var nearness: Double
  /// In stored pixels of the texture's level; see `SpriteScan`.
  var u, v: Double

  static let zero = SurfaceCorner(x: 0, y: 0, nearness: 1, u: 0, v: 0)
}

/// A side of a triangle, from its upper end down.
///
/// Two triangles that share it make the same of it to the bit, so no pixel is in both or in neither.
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

/// Something linear in the picture's plane.
struct SurfacePlane: BitwiseCopyable {
  let value, dx, dy: Double

  init(_ a: Double, _ b: Double, _ c: Double, _ plan: (ab: (Double, Double), ac: (Double, Double)))
  {
    let scale = 1 / (plan.ab.0 * plan.ac.1 - plan.ac.0 * plan.ab.1)
    value = a
    dx = ((b - a) * plan.ac.1 - (c - a) * plan.ab.1) * scale
    dy = ((c - a) * plan.ab.0 - (b - a) * plan.ac.0) * scale
  }

  @inline(__always)
  func at(_ x: Double, _ y: Double) -> Double { value + dx * x + dy * y }
}

/// A triangle that faces the viewer, ready to be filled row by row.
struct SurfacePatch: BitwiseCopyable {
  /// Whether there is anything of the texture on it; one without still hides what is behind.
  let isSeen: Bool
  private let first, end: Int32
  var rows: Range<Int32> { first..<end }
  private let long, upper, lower: SurfaceLine
  private let middle: Double
  private let x, y: Double
  /// Places in the texture times nearness, and nearness: linear in the picture, as places are not.
  private let u, v, nearness: SurfacePlane
  /// What its corners span in the texture.
  private let lowU, highU, lowV, highV: Double

  /// Columns over which places in the texture are taken to be linear.
  private static let stretch = 32

  /// One that is nowhere.
  static let none = SurfacePatch(.zero, .zero, .zero, isSeen: false, limits: 0..<0)

  /// Rows are clipped to `limits`.
  init(
    _ a: SurfaceCorner, _ b: SurfaceCorner, _ c: SurfaceCorner, isSeen: Bool, limits: Range<Int>
  ) {
    self.isSeen = isSeen
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
    let plan = (ab: (b.x - a.x, b.y - a.y), ac: (c.x - a.x, c.y - a.y))
    nearness = SurfacePlane(a.nearness, b.nearness, c.nearness, plan)
    u = SurfacePlane(a.u * a.nearness, b.u * b.nearness, c.u * c.nearness, plan)
    v = SurfacePlane(a.v * a.nearness, b.v * b.nearness, c.v * c.nearness, plan)
    (lowU, highU) = (min(a.u, b.u, c.u), max(a.u, b.u, c.u))
    (lowV, highV) = (min(a.v, b.v, c.v), max(a.v, b.v, c.v))
  }

  /// `value` rounded down, for what is over -2^20.
  @inline(__always)
  static func floor(_ value: Double) -> Int { Int(value + 1_048_576) &- 1_048_576 }

  /// The columns whose middles it covers in row `y`: those after its left side up to its right one.
  @inline(__always)
  func columns(_ y: Int) -> Range<Int> {
    let middleOfRow = Double(y) + 0.5
    let one = long.x(at: middleOfRow)
    let other = middleOfRow <= middle ? upper.x(at: middleOfRow) : lower.x(at: middleOfRow)
    let first = Self.floor(min(one, other) + 0.5)
    return first..<max(first, Self.floor(max(one, other) + 0.5))
  }

  /// Writes places in the texture, in 1/65536, for the columns of row `y`; `firstColumn` is
  /// that of element 0.
  @inline(__always)
  func fill(
    _ y: Int, _ columns: Range<Int>, _ firstColumn: Int, _ us: Row<Int32>, _ vs: Row<Int32>,
    shift: Double
  ) {
    let down = Double(y) + 0.5 + shift - self.y
    var column = columns.lowerBound
    while column < columns.upperBound {
      let count = min(Self.stretch, columns.upperBound &- column)
      let right = Double(column) + 0.5 - x
      let start = place(right, down)
      let at = column &- firstColumn
      if count == 1 {
        us[at] = start.u
        vs[at] = start.v
      } else {
        let end = place(right + Double(count &- 1), down)
        let share = Self.shares[count]
        let stepU = Int32(Double(end.u &- start.u) * share)
        let stepV = Int32(Double(end.v &- start.v) * share)
        let (us, vs) = (us[from: at, count: count], vs[from: at, count: count])
        for i in 0..<count {
          us[i] = start.u &+ Int32(truncatingIfNeeded: i) &* stepU
          vs[i] = start.v &+ Int32(truncatingIfNeeded: i) &* stepV
        }
      }
      column &+= count
    }
  }

  /// One over the steps of stretches of so many columns.
  private static let shares: InlineArray<33, Double> = InlineArray {
    $0 > 1 ? 1 / Double($0 - 1) : 0
  }

  @inline(__always)
  private func place(_ x: Double, _ y: Double) -> (u: Int32, v: Int32) {
    let distance = 1 / nearness.at(x, y)
    // In this order what is no number becomes one.
    let u = max(lowU, min(highU, self.u.at(x, y) * distance))
    let v = max(lowV, min(highV, self.v.at(x, y) * distance))
    return (Int32(u * 65536), Int32(v * 65536))
  }
}
