import Filters
import Pixels
import Threads

/// Moves the chroma of blotches toward the mean chroma of the surrounding skin.
///
/// The mean is over a wide window of the face, weighted by the mask, so that lips and background do
/// not bleed in; cells darker than the skin, such as hair, count little. The target chroma is
/// scaled down with luma below the mean, as in shading; else shadows and hair would turn brown.
struct SkinToneEqualizer {
  private let weight = Grid<UInt16>(of: 0)
  private let light = Grid<UInt16>(of: 0)
  private let cb = Grid<UInt16>(of: 0)
  private let cr = Grid<UInt16>(of: 0)
  /// The maximum shift of chroma in codes.
  private static let maximumShift: Float = 16
  /// Quantization of weights: 63 x 1020 fits in 16 bits.
  private static let steps: Float = 63

  struct Strength {
    /// The radius of the mean, in cells.
    let radius: Int
    /// The part of the distance to the mean that chroma is moved, 0...1.
    let amount: Float
    /// The skin's median luma, and luma's code of black.
    let luma, black: Float
  }

  /// Sets the chroma shifts of `coefficients`.
  func computeShifts(
    _ coefficients: RetouchCoefficients, means: CellMeans, weights: Grid<Float>,
    _ strength: Strength, scratch: RetouchScratch, runner: any SliceRunner
  ) {
    let (radius, black) = (strength.radius, strength.black)
    let height = weights.height
    resizeAll(weight, light, cb, cr, width: weights.width, height: height)
    runner.runSlices(height) { _, rows in
      for y in rows {
        let countRow = weight.row(y)
        Self.computeWeights(weights.row(y), means.luma.row(y), strength.luma, black, into: countRow)
        Self.multiply(means.luma.row(y), countRow, into: light.row(y))
        Self.multiply(means.cb.row(y), countRow, into: cb.row(y))
        Self.multiply(means.cr.row(y), countRow, into: cr.row(y))
      }
    }
    scratch.boxes.forEachRow(
      SummedPlane(weight, radius), SummedPlane(light, radius), SummedPlane(cb, radius),
      SummedPlane(cr, radius), runner: runner
    ) { y, sums, _ in
      Self.writeShiftsTowardMean(
        coefficients.cbShift.row(y), sums(0), sums(1), sums(2), means.luma.row(y),
        means.cb.row(y), weights.row(y), strength.amount, black)
      Self.writeShiftsTowardMean(
        coefficients.crShift.row(y), sums(0), sums(1), sums(3), means.luma.row(y),
        means.cr.row(y), weights.row(y), strength.amount, black)
    }
  }

  /// Computes the weights of cells in the mean.
  private static func computeWeights(
    _ weights: Row<Float>, _ luma: Row<UInt16>, _ usual: Float, _ black: Float,
    into target: Row<UInt16>
  ) {
    let offset = black * 4
    let inverseLight = 1 / max((usual - black) * 4, 4)
    let n = min(weights.count, luma.count, target.count)
    for x in 0..<n {
      let light = max(Float(Int32(truncatingIfNeeded: luma[x])) - offset, 0)
      let relativeLight = min(light * inverseLight, 1)
      target[x] = UInt16(
        truncatingIfNeeded: nearest(weights[x] * (relativeLight * relativeLight * steps)))
    }
  }

  private static func multiply(
    _ source: Row<UInt16>, _ weights: Row<UInt16>, into target: Row<UInt16>
  ) {
    let n = min(source.count, weights.count, target.count)
    for x in 0..<n { target[x] = weights[x] &* source[x] }
  }

  /// Writes the shifts of one chroma component toward the mean of the surrounding skin.
  private static func writeShiftsTowardMean(
    _ target: Row<Int16>, _ totals: Row<Int32>, _ lights: Row<Int32>,
    _ sums: Row<Int32>, _ luma: Row<UInt16>, _ color: Row<UInt16>,
    _ weights: Row<Float>, _ amount: Float, _ black: Float
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
      let move = min(max(distance, -maximumShift), maximumShift) * (weights[x] * amount)
      target[x] = Int16(truncatingIfNeeded: nearest(move * 64))
    }
  }
}
