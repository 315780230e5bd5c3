import Pixels

/// An edge between a front-facing triangle and none: a part of the silhouette.
struct SurfaceEdge: BitwiseCopyable {
  /// From its upper to its lower end.
  private let x, y, bottom, slope: Double
  /// 1 where what lies right of it is covered, -1 where that lies left of it.
  private let side: Double
  /// Its ends, and how its places in the texture go on along it.
  private let start, end: SurfaceCorner
  private let along: (x: Double, y: Double)
  /// Whether the texture has paint on its triangle.
  let isPainted: Bool
  /// Rows whose pixels it may cover in part, with one more on either side.
  var rows: Range<Int32> { firstRow..<endRow }
  private let firstRow, endRow: Int32

  /// One that is nowhere.
  static let none = SurfaceEdge(.zero, .zero, isPainted: false, limits: 0..<0)

  /// From `a` to `b` as the triangle goes round, counter-clockwise on the screen.
  init(_ a: SurfaceCorner, _ b: SurfaceCorner, isPainted: Bool, limits: Range<Int>) {
    let (top, low) = a.y <= b.y ? (a, b) : (b, a)
    (x, y, bottom) = (top.x, top.y, low.y)
    slope = low.y > top.y ? (low.x - top.x) / (low.y - top.y) : 0
    side = a.y <= b.y ? 1 : -1
    (start, end) = (a, b)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = max(dx * dx + dy * dy, 1e-9)
    along = (dx / square, dy / square)
    self.isPainted = isPainted
    let first = max(SurfaceTriangle.floor(y) - 1, limits.lowerBound)
    firstRow = Int32(first)
    endRow = Int32(max(min(SurfaceTriangle.floor(bottom) + 2, limits.upperBound), first))
  }

  /// The columns it comes near in row `y` or in those beside it.
  @inline(__always)
  func columns(_ row: Int) -> Range<Int> {
    let above = min(max(Double(row) - 0.5, y), bottom)
    let below = min(max(Double(row) + 1.5, y), bottom)
    var (one, other) = (x + (above - y) * slope, x + (below - y) * slope)
    if bottom - y < 1e-6 { (one, other) = (start.x, end.x) }
    let first = SurfaceTriangle.floor(min(one, other)) - 1
    return first..<SurfaceTriangle.floor(max(one, other)) + 2
  }

  /// Writes its own places in the texture beside it, for pixels whose middles are beyond it.
  func writeCoordinates(
    _ row: Int, _ columns: Range<Int>, _ first: Int, _ us: Row<Int32>, _ vs: Row<Int32>
  ) {
    let down = (Double(row) + 0.5 - start.y) * along.y
    for column in columns {
      let position = (Double(column) + 0.5 - start.x) * along.x + down
      let fraction = max(0, min(1, position))
      us[column &- first] = nearest((start.u + (end.u - start.u) * fraction) * 65536)
      vs[column &- first] = nearest((start.v + (end.v - start.v) * fraction) * 65536)
    }
  }

  /// Adds to `sums`, whose element 0 is column `first`, how it changes from column to column how
  /// much of a pixel of this row lies inside.
  ///
  /// The areas of a line's trapezoids, pixel by pixel, as font renderers sum them up (Levien,
  /// "Inside the fastest font renderer in the world", 2016); two more elements than columns. Marks
  /// the blocks of `SurfaceKernels` that it changes.
  func addCoverage(_ row: Int, from first: Int, _ sums: Row<Float>, _ blocks: Row<UInt8>) {
    let (above, below) = (max(y, Double(row)), min(bottom, Double(row) + 1))
    guard below > above else { return }
    let last = Double(sums.count - 2)
    let one = x + (above - y) * slope - Double(first)
    let other = x + (below - y) * slope - Double(first)
    let left = min(max(min(one, other), 0), last)
    let right = min(max(max(one, other), 0), last)
    let depth = side * (below - above)
    let cell = Int(left)
    if right <= Double(cell + 1) {
      let offset = (left + right) / 2 - Double(cell)
      sums[cell] += Float(depth * (1 - offset))
      sums[cell + 1] += Float(depth * offset)
      SurfaceKernels.mark(cell...cell + 1, blocks)
      return
    }
    // From here on `inside` is how much lies right of the line up to the end of each pixel.
    let step = depth / (right - left)
    var before = 0.0
    var total = 0.0
    var column = cell
    while Double(column) < right {
      let from = max(left, Double(column))
      let to = min(right, Double(column + 1))
      let height = (to - from) * step
      let covered = total + height * (Double(column + 1) - (from + to) / 2)
      total += height
      sums[column] += Float(covered - before)
      before = covered
      column += 1
    }
    sums[column] += Float(depth - before)
    SurfaceKernels.mark(cell...column, blocks)
  }
}
