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
  private let narrow, differences: Grid<Float>
  private let flow: EdgeFlow
  /// Four rows for each slice.
  private let scratch = Grid<Float>(of: 0)

  /// The differences at which a line begins and is full.
  private static let thresholds: (from: Float, to: Float) = (0.009, 0.03)

  /// For grids of this size.
  init(width: Int, height: Int) {
    opacities = Grid(width: width, height: height, of: 0)
    narrow = Grid(width: width, height: height, of: 0)
    differences = Grid(width: width, height: height, of: 0)
    flow = EdgeFlow(width: width, height: height)
  }

  /// Draws lines of lightness, 0...1.
  ///
  /// `radius`: that of the wider blur, in cells; half of it is about the width of lines.
  func draw(_ lightness: Grid<Float>, radius: Int, runner: any SliceRunner) {
    let width = lightness.width
    if scratch.width != width || scratch.height < 4 * runner.threadCount {
      scratch.resize(width: width, height: 4 * runner.threadCount)
    }
    runner.runSlices(lightness.height) { slice, rows in
      let blur = scratch.row(4 * slice)
      for y in rows {
        TriangleBlur.apply(narrow.row(y), lightness, y, radius: 1, scratch: blur)
        TriangleBlur.apply(differences.row(y), lightness, y, radius: radius, scratch: blur)
        Self.subtract(narrow.row(y), from: differences.row(y))
      }
    }
    runner.runSlices(lightness.height) { _, rows in
      for y in rows { flow.measure(narrow, row: y) }
    }
    runner.runSlices(lightness.height) { slice, rows in
      let first = 4 * slice
      let rowsOfSlice: InlineArray<4, Row<Float>> = [
        scratch.row(first), scratch.row(first + 1), scratch.row(first + 2), scratch.row(first + 3),
      ]
      for y in rows {
        flow.average(differences, row: y, into: opacities.row(y), scratch: rowsOfSlice)
        Self.threshold(opacities.row(y), narrow.row(y))
      }
    }
  }

  @inline(never)
  private static func subtract(_ narrow: Row<Float>, from wide: Row<Float>) {
    let n = wide.count
    let narrow = narrow[..<n]
    for x in 0..<n { wide[x] -= narrow[x] }
  }

  /// Replaces differences by opacities; dark places need smaller differences.
  @inline(never)
  private static func threshold(_ values: Row<Float>, _ lightness: Row<Float>) {
    let n = values.count
    let lightness = lightness[..<n]
    let (from, scale) = (thresholds.from, 1 / (thresholds.to - thresholds.from))
    for x in 0..<n {
      let relative = values[x] / (0.5 + lightness[x])
      let t = min(max((relative - from) * scale, 0), 1)
      values[x] = t * t * (3 - 2 * t)
    }
  }
}
