import Pixels
import Support
import Testing

@testable import Filters

/// Bilinear upsampling against plain interpolation in double precision.
@Suite(.timeLimit(.minutes(20))) struct UpsampleTests {
  /// Regular and irregular positions: cells of 1 to 12 pixels.
  @Test(arguments: 1...12, [(0, false), (1, false), (1, true)])
  func samplesAreInterpolatedBetweenCellCentres(step: Int, chroma: (shift: Int, isCosited: Bool)) {
    for width in [1, 7, 40, 163] {
      let count = (width + (1 << chroma.shift) - 1) >> chroma.shift
      let cells = (width + step - 1) / step
      let places = UpsamplePositions(
        count: count, shift: chroma.shift, isCosited: chroma.isCosited, step: step, cells: cells)
      let values = Grid(width: cells, height: 1, of: Float(0))
      var random = SplitMix(5)
      for x in 0..<cells { values.row(0)[x] = Float(random.below(256)) }
      let out = Grid(width: count + 16, height: 1, of: Float(-1))
      // In two ranges of segments, split at random.
      let cut = random.below(cells + 2)
      places.upsampleBilinear(values.row(0), 0..<cut, into: out.row(0))
      places.upsampleBilinear(values.row(0), cut..<(cells + 1), into: out.row(0))
      let bytes = Grid(width: cells, height: 2, of: UInt8(0))
      for y in 0..<2 { for x in 0..<cells { bytes.row(y)[x] = UInt8(values.row(0)[x]) } }
      let expanded = Grid(width: count + 16, height: 1, of: UInt8(0))
      let from = random.below(count)
      let down = UpsamplePositions(count: 2, shift: 0, isCosited: false, step: 1, cells: 2)
      let scratch = Grid(width: cells + 16, height: 1, of: UInt16(0))
      withExtendedLifetime((places, down, bytes, scratch)) {
        GridUpsampler(across: places, down: down).upsampleBilinear(
          bytes.rows, row: 1, from: from, count: count - from, into: expanded.row(0),
          scratch: scratch.row(0))
      }
      for x in 0..<count {
        let offset = chroma.shift > 0 && !chroma.isCosited ? 0.5 : 0
        let place = (Double(x << chroma.shift) + offset + 0.5) / Double(step) - 0.5
        let left = Int(place.rounded(.down))
        func value(_ cell: Int) -> Double { Double(values.row(0)[min(max(cell, 0), cells - 1)]) }
        let wanted = value(left) + (value(left + 1) - value(left)) * (place - Double(left))
        // Weights are in 1/128.
        #expect(abs(Double(out.row(0)[x]) - wanted) <= 1.01, "\(x) of \(count), cut at \(cut)")
        guard x >= from else { continue }
        #expect(abs(Double(expanded.row(0)[x - from]) - wanted) <= 1.51, "\(x) from \(from)")
      }
    }
  }
}
