import Filters
import Pixels

/// Reads places that lie along a picture's row and close together: first the two rows about them
/// are mixed, then of each place the two samples about it.
///
/// Sums are integers, so they are those of mixing four samples for each place, to the bit.
final class RowResampler {
  /// Columns from one place to the next, at most.
  static let maximum = 2

  private let bytes: Grid<UInt8>
  private let mixed: Grid<UInt16>

  /// For as many places.
  init(width: Int) {
    let columns = Self.maximum * width + 2
    bytes = Grid(width: columns, height: 2, of: 0)
    mixed = Grid(width: columns, height: 1, of: 0)
  }

  /// Writes a sample for each place.
  ///
  /// `columns` are those left of them, ascending, and `weights`
  /// what the samples right of those count, of 32 or 64; as `row`, of which the one below counts
  /// `weight`. All of them lie inside.
  func resample(
    _ source: SampledComponent, row: Int, weight: Int32, _ columns: Row<Int32>,
    _ weights: Row<Int32>, into out: Row<Int32>
  ) {
    let component = source.component
    let first = Int(columns[0])
    let count = Int(columns[columns.count - 1]) + 2 - first
    let mixed = mixed.row(0)[..<count]
    BilinearRows.blend(
      mixed, component.samples(row: row, from: first, scratch: bytes.row(0)[..<count]),
      component.samples(row: row + 1, from: first, scratch: bytes.row(1)[..<count]),
      UInt16(weight), of: 32 << UInt16(source.vShift))
    Self.mix(
      out, mixed, columns, weights, of: 32 << source.hShift,
      total: 10 + source.hShift + source.vShift)
  }

  /// Mixes pairs of `values`, which begin with the first of `columns`.
  @inline(never)
  private static func mix(
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
    // Eight at once: only reading them takes one after the other.
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
