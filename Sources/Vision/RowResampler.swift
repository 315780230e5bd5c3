import Filters
import Pixels

/// Resamples positions that lie on a line along a picture's row and close together: two rows are
/// blended, then each position interpolates two of the blended samples.
///
/// The sums are integers, so they equal those of interpolating four samples for each position.
final class RowResampler {
  /// The maximum distance of two positions, in columns.
  static let maximumStep = 2

  private let bytes: Grid<UInt8>
  private let blended: Grid<UInt16>

  /// A resampler for up to `width` positions.
  init(width: Int) {
    let columns = Self.maximumStep * width + 2
    bytes = Grid(width: columns, height: 2, of: 0)
    blended = Grid(width: columns, height: 1, of: 0)
  }

  /// Writes a sample for each position.
  ///
  /// `columns` are the ascending columns left of the positions, and `weights` those of the columns
  /// right of them, of 32 or 64. `row` is the row above, and `weight` that of the row below it. All
  /// of them lie inside.
  func resample(
    _ source: SampledComponent, row: Int, weight: Int32, _ columns: Row<Int32>,
    _ weights: Row<Int32>, into out: Row<Int32>
  ) {
    let component = source.component
    let first = Int(columns[0])
    let count = Int(columns[columns.count - 1]) + 2 - first
    let blended = blended.row(0)[..<count]
    BilinearRows.blend(
      blended, component.samples(row: row, from: first, scratch: bytes.row(0)[..<count]),
      component.samples(row: row + 1, from: first, scratch: bytes.row(1)[..<count]),
      UInt16(weight), of: 32 << UInt16(source.vShift))
    Self.interpolate(
      out, blended, columns, weights, of: 32 << source.hShift,
      total: 10 + source.hShift + source.vShift)
  }

  /// Interpolates pairs of `values`, whose first belongs to the first of `columns`.
  @inline(never)
  private static func interpolate(
    _ out: Row<Int32>, _ values: Row<UInt16>, _ columns: Row<Int32>, _ weights: Row<Int32>,
    of one: Int32, total: Int32
  ) {
    let n = out.count
    let (columns, weights) = (columns[..<n], weights[..<n])
    let half = Int32(1) &<< (total &- 1)
    let first = columns[0]
    func pair(_ x: Int) -> Int32 {
      Int32(bitPattern: values.word(at: Int(columns[x] &- first), as: UInt32.self))
    }
    var x = 0
    // Eight at a time; only the loads are scalar.
    while x &+ 8 <= n {
      let both = SIMD8(
        pair(x), pair(x &+ 1), pair(x &+ 2), pair(x &+ 3), pair(x &+ 4), pair(x &+ 5),
        pair(x &+ 6), pair(x &+ 7))
      let weight = weights.lanes(at: x)
      let (a, b) = (both & 0xffff, (both &>> 16) & 0xffff)
      let sum = a &* (one &- weight) &+ b &* weight &+ half
      out.setLanes(sum &>> SIMD8(repeating: total), at: x)
      x &+= 8
    }
    while x < n {
      let both = pair(x)
      let (a, b) = (both & 0xffff, (both &>> 16) & 0xffff)
      out[x] = (a &* (one &- weights[x]) &+ b &* weights[x] &+ half) &>> total
      x &+= 1
    }
  }
}
