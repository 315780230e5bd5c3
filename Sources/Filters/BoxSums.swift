package import Pixels
package import Threads

/// An input of `BoxSums`; valid while its grid lives.
package struct SummedPlane {
  fileprivate let plane: Grid<UInt16>.Rows
  /// The window's radius, at most `BoxSums.maximumRadius`.
  fileprivate let radius: Int
  /// Whether squares are summed.
  fileprivate let isSquared: Bool

  package init(_ plane: Grid<UInt16>, _ radius: Int, isSquared: Bool = false) {
    (self.plane, self.radius, self.isSquared) = (plane.rows, radius, isSquared)
  }
}

/// The reciprocals of the numbers of columns and rows of a window, which turn sums into means.
package typealias InverseCounts = (columns: Row<Float>, rows: Float)

/// Box sums of up to four planes of one size, with their scratch memory.
///
/// Sums of values of at most 10 bits, or squares of at most 20, fit in 31 bits.
package final class BoxSums {
  package static let maximumRadius = 20
  private static let planes = 4
  /// For each thread: window sums and column sums of each plane, and scratch.
  private static let rows = 2 * planes + 1
  private let sums = Grid<Int32>(of: 0)
  private let inverses = Grid<Float>(of: 0)

  package init() {}

  /// Calls `body` for every row with its index, the window sums of each plane, and the reciprocal
  /// counts of the first plane's windows.
  package func forEachRow(
    _ first: SummedPlane, _ second: SummedPlane? = nil, _ third: SummedPlane? = nil,
    _ fourth: SummedPlane? = nil, runner: any SliceRunner,
    _ body: (_ y: Int, _ sums: (_ plane: Int) -> Row<Int32>, _ inverse: InverseCounts) -> Void
  ) {
    let (width, height, radius) = (first.plane.width, first.plane.height, first.radius)
    inverses.resize(width: width, height: 1)
    sums.resize(
      width: BoxSum.rowLength(width, radius: Self.maximumRadius),
      height: Self.rows * max(1, runner.threadCount))
    let columns = inverses.row(0)
    for x in 0..<width {
      columns[x] = 1 / Float(BoxSum.windowLength(at: x, of: width, radius: radius))
    }
    let planes: InlineArray<4, SummedPlane?> = [first, second, third, fourth]
    runner.runSlices(height) { [sums = sums.rows] slice, rows in
      let start = slice * Self.rows
      func row(_ plane: Int) -> Row<Int32> { sums.row(start + plane)[..<width] }
      let boxes = InlineArray<4, BoxSum?> { index in
        planes[index].map {
          BoxSum(
            sums, first: start + Self.planes + index, channels: 1, scratch: start + 2 * Self.planes,
            width: width, radius: $0.radius)
        }
      }
      for index in boxes.indices { boxes[index]?.clear() }
      for y in rows {
        for index in boxes.indices {
          guard let box = boxes[index], let source = planes[index] else { break }
          box.slide(to: y, from: rows.lowerBound, height: height) { row, sign in
            box.add(source, row: row, sign)
          }
          box.writeWindowSums(0, 0..<width, into: row(index))
        }
        body(y, row, (columns, 1 / Float(BoxSum.windowLength(at: y, of: height, radius: radius))))
      }
    }
  }
}

extension BoxSum {
  /// Adds a row of a plane, or its squares, to the column sums, or subtracts it.
  @inline(__always)
  fileprivate func add(_ source: SummedPlane, row: Int, _ sign: Int32) {
    let values = source.plane.row(row)
    if source.isSquared { addSquares(0, values, sign) } else { add(0, values, sign) }
  }

  /// Writes the means of a row of sums, rounded to nearest; its windows are `rows` high.
  package static func writeMeans(
    _ sums: Row<Int32>, radius: Int, rows: Int, into target: Row<UInt16>
  ) {
    let n = target.count
    let sums = sums[..<n]
    func mean(_ x: Int) -> UInt16 {
      let count = windowLength(at: x, of: n, radius: radius) * rows
      return UInt16(truncatingIfNeeded: nearest(Float(sums[x]) / Float(count)))
    }
    let first = min(radius, n)
    let last = max(first, n - radius)
    for x in 0..<first { target[x] = mean(x) }
    let inverse = 1 / Float((2 * radius + 1) * rows)
    for x in first..<last {
      target[x] = UInt16(truncatingIfNeeded: nearest(Float(sums[x]) * inverse))
    }
    for x in last..<n { target[x] = mean(x) }
  }
}
