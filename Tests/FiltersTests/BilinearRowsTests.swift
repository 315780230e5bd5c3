import Pixels
import Support
import Testing

@testable import Filters

/// Bilinear interpolation of rows against the same in double precision.
@Suite(.timeLimit(.minutes(20))) struct BilinearRowsTests {
  private func noise(_ count: Int, _ rows: Int) -> Grid<UInt8> {
    var random = SplitMix(9)
    let grid = Grid(width: count, height: rows, of: UInt8(0))
    for y in 0..<rows { for x in 0..<count { grid.row(y)[x] = UInt8(random.below(256)) } }
    return grid
  }

  private func floats(_ bytes: Row<UInt8>) -> Grid<Float> {
    let grid = Grid(width: bytes.count, height: 1, of: Float(0))
    for x in 0..<bytes.count { grid.row(0)[x] = Float(bytes[x]) }
    return grid
  }

  @Test(arguments: Array(1...20) + [64, 101])
  func rowsAreBlendedByTheirWeight(count: Int) {
    let bytes = noise(count, 2)
    let (a, b) = (bytes.row(0), bytes.row(1))
    let words = Grid(width: count, height: 1, of: UInt16(0))
    let values = Grid(width: count, height: 1, of: Float(0))
    let (floatA, floatB) = (floats(a), floats(b))
    for (weight, one) in [(0, 4), (1, 4), (4, 4), (13, 32), (64, 64)] {
      let part = Double(weight) / Double(one)
      func wanted(_ x: Int) -> Double { Double(a[x]) * (1 - part) + Double(b[x]) * part }
      BilinearRows.blend(words.row(0), a, b, UInt16(weight), of: UInt16(one))
      BilinearRows.blend(values.row(0), floatA.row(0), floatB.row(0), Float(part))
      for x in 0..<count {
        #expect(Double(words.row(0)[x]) == wanted(x) * Double(one))
        #expect(abs(Double(values.row(0)[x]) - wanted(x)) < 1e-4)
      }
      BilinearRows.blend(words.row(0), a, b, UInt16(weight * 128 / one))
      for x in 0..<count {
        let exact =
          (Double(a[x]) * Double(128 - weight * 128 / one)
            + Double(b[x]) * Double(weight * 128 / one)) / 128
        #expect(abs(Double(words.row(0)[x]) - exact) <= 0.5)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 8, 37], [0.01, 0.25, 0.7, 1, 3.5])
  func samplesAtRegularPositionsAreInterpolated(cells: Int, step: Double) {
    let row = floats(noise(cells, 1).row(0))
    let count = 61
    let out = Grid(width: count, height: 1, of: Float(-1))
    for first in [-9.3, -0.5, 0, 0.4, Double(cells) - 1, Double(cells) + 4] {
      BilinearRows.upsampleBilinear(out.row(0), row.row(0), from: first, step: step)
      for x in 0..<count {
        let position = min(max(first + Double(x) * step, 0), Double(cells - 1))
        let left = Int(position)
        let (a, b) = (row.row(0)[left], row.row(0)[min(left + 1, cells - 1)])
        let wanted = Double(a) + Double(b - a) * (position - Double(left))
        #expect(abs(Double(out.row(0)[x]) - wanted) < 0.01, "\(x) from \(first)")
      }
    }
  }

  @Test(arguments: Array(1...20) + [61])
  func samplesAtGivenColumnsAndWeightsAreInterpolated(count: Int) {
    let row = floats(noise(40, 1).row(0))
    let columns = Grid(width: count, height: 1, of: Int32(0))
    let (weights, out) = (
      Grid(width: count, height: 1, of: Float(0)), Grid(width: count, height: 1, of: Float(0))
    )
    var random = SplitMix(8)
    for x in 0..<count {
      columns.row(0)[x] = Int32(random.below(39))
      weights.row(0)[x] = Float(random.below(1001)) / 1000
    }
    BilinearRows.upsampleBilinear(out.row(0), row.row(0), columns.row(0), weights.row(0))
    for x in 0..<count {
      let left = Int(columns.row(0)[x])
      let (a, b) = (Double(row.row(0)[left]), Double(row.row(0)[left + 1]))
      let wanted = a + (b - a) * Double(weights.row(0)[x])
      #expect(abs(Double(out.row(0)[x]) - wanted) < 1e-4)
    }
  }
}
