import Pixels
import Threads

/// The lines of a drawing: where a picture is darker than its surroundings.
///
/// A difference of two blurs (Winnemoeller, Olsen and Gooch, ACM TOG 25(3), 2006), averaged along the edges
/// (`EdgeFlow`) and compared with soft thresholds, as in XDoG (Winnemoeller, Kyprianidis and Olsen, Computers
/// & Graphics 36(6), 2012).
final class EdgeLines {
  /// The opacity of lines, 0...1.
  let opacities: Grid<Float>
  /// The lightness after the narrower blur, and differences of the blurs over lightness.
  private let narrow, differences: Grid<Float>
  /// For blocks of columns of a row, whether one of its differences reaches the threshold.
  private let candidates: Grid<Bool>
  private let flow: EdgeFlow
  /// Rows for each slice.
  private let scratch = Grid<Float>(of: 0)

  private static let rowsPerSlice = 3
  private static let blockWidth = 64
  /// The relative differences at which a line begins and is full.
  private static let thresholds: (from: Float, to: Float) = (0.009, 0.03)
  /// What lightness counts at least in relative differences.
  private static let darkness: Float = 0.5
  /// The rows from which an average along an edge comes, above and below its own.
  private static let reach = 3

  /// For grids of this size.
  init(width: Int, height: Int) {
    func grid(_ width: Int) -> Grid<Float> { Grid(width: width, height: height, of: 0) }
    (opacities, narrow, differences) = (grid(width), grid(width), grid(width))
    candidates = Grid(
      width: (width + Self.blockWidth - 1) / Self.blockWidth, height: height, of: false)
    flow = EdgeFlow(width: width, height: height)
  }

  /// Draws lines of lightness, 0...1.
  ///
  /// `radius`: that of the wider blur, 2 or 3 cells; half of it is about the width of lines.
  func draw(_ lightness: Grid<Float>, radius: Int, runner: any SliceRunner) {
    let (width, height) = (lightness.width, Self.rowsPerSlice * runner.threadCount)
    if scratch.width != width || scratch.height < height {
      scratch.resize(width: width, height: height)
    }
    let (one, wider) = (SymmetricSum.triangle(radius: 1), SymmetricSum.triangle(radius: radius))
    runner.runSlices(lightness.height) { slice, rows in
      for y in rows {
        blur(narrow.row(y), lightness, y, one, slice)
        blur(differences.row(y), lightness, y, wider, slice)
        Self.compare(differences.row(y), narrow.row(y))
        for block in 0..<candidates.width {
          candidates.row(y)[block] = Self.hasCandidate(differences.row(y)[columns(block)])
        }
      }
    }
    runner.runSlices(lightness.height) { _, rows in
      for y in rows { flow.measure(narrow, row: y) }
    }
    runner.runSlices(lightness.height) { slice, rows in
      for y in rows { draw(row: y, slice) }
    }
  }

  private func columns(_ block: Int) -> Range<Int> {
    block * Self.blockWidth..<min((block + 1) * Self.blockWidth, opacities.width)
  }

  private func blur(
    _ out: Row<Float>, _ cells: Grid<Float>, _ y: Int, _ weights: SymmetricWeights, _ slice: Int
  ) {
    let (row, all) = (Self.rowsPerSlice * slice, 0..<cells.width)
    SymmetricSum.apply(
      scratch.row(row), cells, y, all, steps: [(0, 1), (0, 2), (0, 3)], weights)
    SymmetricSum.apply(out, scratch, row, all, steps: [(1, 0), (2, 0), (3, 0)], weights)
  }

  private func draw(row y: Int, _ slice: Int) {
    let first = Self.rowsPerSlice * slice
    let (out, directions) = (opacities.row(y), scratch.row(first + 2))
    out.fill(0)
    var isMeasured = false
    var block = 0
    while block < candidates.width {
      guard hasLine(y, block) else {
        block += 1
        continue
      }
      let start = columns(block).lowerBound
      repeat { block += 1 } while block < candidates.width && hasLine(y, block)
      let run = start..<columns(block - 1).upperBound
      if !isMeasured {
        flow.writeDirections(row: y, into: directions, scratch: (scratch, first..<first + 2))
        isMeasured = true
      }
      flow.average(
        differences, row: y, columns: run, directions: directions[run], into: out[run])
      Self.threshold(out[run])
    }
  }

  /// Whether a line may pass through a block: an average is no larger than the largest of its values.
  private func hasLine(_ y: Int, _ block: Int) -> Bool {
    for row in max(y - Self.reach, 0)...min(y + Self.reach, candidates.height - 1) {
      let row = candidates.row(row)
      for block in max(block - 1, 0)...min(block + 1, row.count - 1) where row[block] {
        return true
      }
    }
    return false
  }

  /// Replaces lightness after the wider blur by its difference, in proportion to lightness: dark places need
  /// smaller differences.
  @inline(never)
  private static func compare(_ wide: Row<Float>, _ narrow: Row<Float>) {
    let n = wide.count
    let narrow = narrow[..<n]
    for x in 0..<n { wide[x] = (wide[x] - narrow[x]) / (darkness + narrow[x]) }
  }

  @inline(never)
  private static func hasCandidate(_ values: Row<Float>) -> Bool {
    let n = values.count
    let limit = thresholds.from
    var count: Int32 = 0
    for x in 0..<n { count &+= values[x] > limit ? 1 : 0 }
    return count > 0
  }

  /// Replaces differences by opacities.
  @inline(never)
  private static func threshold(_ values: Row<Float>) {
    let n = values.count
    let (from, scale) = (thresholds.from, 1 / (thresholds.to - thresholds.from))
    for x in 0..<n {
      let t = min(max((values[x] - from) * scale, 0), 1)
      values[x] = t * t * (3 - 2 * t)
    }
  }
}
