import Pixels

/// An edge between a front-facing triangle and none: part of the silhouette.
struct SurfaceEdge: BitwiseCopyable {
  /// Upper end, y of the lower end, and change of x per row.
  private let x, y, bottom, slope: Double
  /// 1 if the covered side is on the right, -1 if on the left.
  private let side: Double
  /// Its ends, and the gradient of the position along it, 0 at `start` and 1 at `end`.
  private let start, end: SurfaceCorner
  private let along: (x: Double, y: Double)
  /// Whether the texture is opaque anywhere on its triangle.
  let isPainted: Bool
  /// Rows with pixels that it may partly cover, and one more on either side.
  var rows: Range<Int32> { firstRow..<endRow }
  private let firstRow, endRow: Int32

  /// An edge without rows.
  static let none = SurfaceEdge(.zero, .zero, isPainted: false, limits: 0..<0)

  /// From `a` to `b` in the triangle's order, counter-clockwise on the screen.
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

  /// The columns near it in `row` and the rows next to it.
  @inline(__always)
  func columns(_ row: Int) -> Range<Int> {
    let above = min(max(Double(row) - 0.5, y), bottom)
    let below = min(max(Double(row) + 1.5, y), bottom)
    var (one, other) = (x + (above - y) * slope, x + (below - y) * slope)
    if bottom - y < 1e-6 { (one, other) = (start.x, end.x) }
    let first = SurfaceTriangle.floor(min(one, other)) - 1
    return first..<SurfaceTriangle.floor(max(one, other)) + 2
  }

  /// Extends the texture beyond it: writes its texture coordinates to pixels whose centres lie
  /// outside.
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

  /// Adds to `sums`, whose element 0 is column `first`, the change of coverage from column to
  /// column.
  ///
  /// Exact areas of the trapezoids under a line, as in font rasterisers (Levien, "Inside the
  /// fastest font renderer in the world", 2016). `sums` has two elements more than there are
  /// columns. Marks the blocks of `SurfaceKernels` that change.
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
      SurfaceKernels.markBlocks(cell...cell + 1, blocks)
      return
    }
    // `total` and `covered` are the areas to the right of the line up to each pixel's end.
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
    SurfaceKernels.markBlocks(cell...column, blocks)
  }
}
