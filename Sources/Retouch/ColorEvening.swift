import Filters
import Pixels
import Threads

/// Pulls the colour of patches toward the mean colour of the skin round them.
///
/// The mean is taken over a wide window of the face itself, each cell counting by its weight, so
/// that lips and background do not bleed in; what is darker than most of the skin, as hair is,
/// counts little. What is darker than the mean is given less colour in proportion, as shading has
/// it: shadows and hair would turn brown with the colour of the skin in the light.
struct ColorEvening {
  private let weight = Grid<UInt16>(of: 0)
  private let light = Grid<UInt16>(of: 0)
  private let cb = Grid<UInt16>(of: 0)
  private let cr = Grid<UInt16>(of: 0)
  /// Most by which colour moves, in codes.
  private static let mostShift: Float = 16
  /// Steps that weights are counted in: 63 x 1020 still fits 16 bits.
  private static let steps: Float = 63

  /// Fills the shifts of `coefficients`; `share` is how much of the distance is taken back, `luma`
  /// the skin's own, `black` luma's code of black.
  func fill(
    _ coefficients: RetouchCoefficients, means: CellMeans, weights: Grid<Float>,
    radius: Int, share: Float, luma: Float, black: Float, scratch: RetouchScratch,
    runner: any SliceRunner
  ) {
    let height = weights.height
    resizeAll(weight, light, cb, cr, width: weights.width, height: height)
    runner.runPieces(height) { _, rows in
      for y in rows {
        let counted = weight.row(y)
        Self.count(weights.row(y), means.luma.row(y), luma, black, into: counted)
        Self.multiply(means.luma.row(y), counted, into: light.row(y))
        Self.multiply(means.cb.row(y), counted, into: cb.row(y))
        Self.multiply(means.cr.row(y), counted, into: cr.row(y))
      }
    }
    scratch.boxes.slide(
      SummedPlane(weight, radius), SummedPlane(light, radius), SummedPlane(cb, radius),
      SummedPlane(cr, radius), runner: runner
    ) { y, sums, _ in
      Self.shift(
        coefficients.cbShift.row(y), sums(0), sums(1), sums(2), means.luma.row(y),
        means.cb.row(y), weights.row(y), share, black)
      Self.shift(
        coefficients.crShift.row(y), sums(0), sums(1), sums(3), means.luma.row(y),
        means.cr.row(y), weights.row(y), share, black)
    }
  }

  /// Weights by which cells enter the mean.
  private static func count(
    _ weights: Row<Float>, _ luma: Row<UInt16>, _ usual: Float, _ black: Float,
    into target: Row<UInt16>
  ) {
    let offset = black * 4
    let share = 1 / max((usual - black) * 4, 4)
    let n = min(weights.count, luma.count, target.count)
    for x in 0..<n {
      let light = max(Float(Int32(truncatingIfNeeded: luma[x])) - offset, 0)
      let part = min(light * share, 1)
      target[x] = UInt16(truncatingIfNeeded: nearest(weights[x] * (part * part * steps)))
    }
  }

  private static func multiply(
    _ source: Row<UInt16>, _ weights: Row<UInt16>, into target: Row<UInt16>
  ) {
    let n = min(source.count, weights.count, target.count)
    for x in 0..<n { target[x] = weights[x] &* source[x] }
  }

  private static func shift(
    _ target: Row<Int16>, _ totals: Row<Int32>, _ lights: Row<Int32>,
    _ sums: Row<Int32>, _ luma: Row<UInt16>, _ color: Row<UInt16>,
    _ weights: Row<Float>, _ share: Float, _ black: Float
  ) {
    let n = min(
      min(target.count, totals.count, lights.count, sums.count),
      min(luma.count, color.count, weights.count))
    let offset = black * 4
    for x in 0..<n {
      let inverse = 1 / max(Float(totals[x]), 1)
      let meanLight = max(Float(lights[x]) * inverse - offset, 4)
      let light = max(Float(Int32(truncatingIfNeeded: luma[x])) - offset, 0)
      let mean = (Float(sums[x]) * inverse - 512) * min(light / meanLight, 1)
      let distance = (mean - Float(Int32(truncatingIfNeeded: color[x]) &- 512)) * 0.25
      let move = min(max(distance, -mostShift), mostShift) * (weights[x] * share)
      target[x] = Int16(truncatingIfNeeded: nearest(move * 64))
    }
  }
}
