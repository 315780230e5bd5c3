package import Pixels
package import Threads

/// The coefficients of a fast guided filter with luma as both input and guide.
///
/// K. He, J. Sun, "Fast Guided Filter" (2015): in each window the picture is a I + b, with a = var
/// / (var + eps) and b = mean (1 - a); a and b are averaged over the windows. A wide mean of the
/// removed signal is added back, so that low frequencies (a face's shading) stay.
package struct SelfGuidedFilter {
  /// 1 - mean of a: the fraction of a pixel's luma that is removed, in 1/16384.
  package let attenuation = Grid<UInt16>(of: 0)
  /// Mean of b plus the low frequencies, in 1/64 of a code: the luma that is added.
  package let offset = Grid<UInt16>(of: 0)

  /// The mean of luma over a small window, in quarters of a code.
  package let fineMean = Grid<UInt16>(of: 0)

  /// The relative variance of luma in each cell's window, 1 at `fullRoughness`: small for pores and
  /// wrinkles, large for hair, lashes and outlines.
  package let roughness = Grid<Float>(of: 0)

  /// a and b of each cell's own window.
  private let slope = Grid<UInt16>(of: 0)
  private let intercept = Grid<UInt16>(of: 0)
  /// The luma that the filter removes from each cell, in 1/16 of a code, plus `bias`.
  private let removed = Grid<UInt16>(of: 0)
  private static let bias: Int32 = 8192
  /// The relative standard deviation of luma at which roughness is 1.
  private static let fullRoughness: Float = 0.18
  /// The standard deviation of noise in the means of cells, in codes.
  private static let noise: Float = 2

  package struct Parameters {
    /// Luma's code of black.
    let black: Float
    /// The radii of the filter's windows, and of those of the low frequencies, in cells; at most
    /// `BoxSums.maximumRadius`.
    let radius, wideRadius: Int
    /// In squared codes.
    let epsilon: Float

    package init(black: Float, radius: Int, wideRadius: Int, epsilon: Float) {
      (self.black, self.radius, self.wideRadius, self.epsilon) = (
        black, radius, wideRadius, epsilon
      )
    }
  }

  package init() {}

  /// Computes the coefficients from luma cells in quarters of a code.
  package func compute(
    _ luma: Grid<UInt16>, _ parameters: Parameters, boxes: BoxSums, runner: any SliceRunner
  ) {
    let (width, height) = (luma.width, luma.height)
    let (radius, wideRadius) = (parameters.radius, parameters.wideRadius)
    resizeAll(
      attenuation, offset, fineMean, slope, intercept, removed, roughness, width: width,
      height: height)
    // Luma counts quarters of a code, so its variance sixteenths of a squared one.
    let eps = parameters.epsilon * 16
    boxes.forEachRow(
      SummedPlane(luma, radius), SummedPlane(luma, radius, isSquared: true), runner: runner
    ) {
      fitRow($0, $1(0), $1(1), $2, eps, parameters.black * 4)
    }
    boxes.forEachRow(SummedPlane(slope, radius), SummedPlane(intercept, radius), runner: runner) {
      averageRow($0, luma.row($0), $1(0), $1(1), $2)
    }
    let fineRadius = (radius + 1) / 2
    boxes.forEachRow(
      SummedPlane(removed, wideRadius), SummedPlane(luma, fineRadius), runner: runner
    ) { y, sums, inverse in
      BoxSum.writeMeans(
        sums(1), radius: fineRadius,
        rows: BoxSum.windowLength(at: y, of: height, radius: fineRadius),
        into: fineMean.row(y))
      restoreLowFrequencies(y, sums(0), inverse)
    }
  }

  /// Fits a and b in the windows of a row of cells, and measures their roughness.
  private func fitRow(
    _ y: Int, _ sums: Row<Int32>, _ squares: Row<Int32>, _ inverse: InverseCounts, _ eps: Float,
    _ black: Float
  ) {
    let roughnessScale = 1 / (Self.fullRoughness * Self.fullRoughness)
    let noise = 16 * Self.noise * Self.noise
    let (slopeRow, interceptRow, roughRow) = (slope.row(y), intercept.row(y), roughness.row(y))
    let n = min(
      min(slopeRow.count, interceptRow.count, roughRow.count),
      min(sums.count, squares.count, inverse.columns.count))
    for x in 0..<n {
      let inverseCount = inverse.columns[x] * inverse.rows
      let mean = Float(sums[x]) * inverseCount
      let variance = max(Float(squares[x]) * inverseCount - mean * mean, 0)
      let a = variance / (variance + eps)
      slopeRow[x] = UInt16(truncatingIfNeeded: nearest(a * 16384))
      interceptRow[x] = UInt16(truncatingIfNeeded: nearest((mean - a * mean) * 16))
      let light = max(mean - black, 16)
      roughRow[x] = max(variance - noise, 0) * roughnessScale / (light * light)
    }
  }

  /// Averages a and b over the windows that cover each cell, and computes what the filter removes.
  private func averageRow(
    _ y: Int, _ luma: Row<UInt16>, _ slopes: Row<Int32>, _ intercepts: Row<Int32>,
    _ inverse: InverseCounts
  ) {
    let (attenuationRow, offsetRow, removedRow) = (
      attenuation.row(y), offset.row(y), removed.row(y)
    )
    let n = min(
      min(attenuationRow.count, offsetRow.count, removedRow.count),
      min(luma.count, slopes.count, intercepts.count, inverse.columns.count))
    for x in 0..<n {
      let inverseCount = inverse.columns[x] * inverse.rows
      let (a, b) = (Float(slopes[x]) * inverseCount, Float(intercepts[x]) * inverseCount)
      let value = Float(Int32(truncatingIfNeeded: luma[x]))
      attenuationRow[x] = UInt16(truncatingIfNeeded: nearest(16384 - a))
      offsetRow[x] = UInt16(truncatingIfNeeded: nearest(b))
      // 1/16 codes: quarters times 4, less a I (1/16384 of quarters) and b (1/64).
      let change = value * 4 - (a * value) * (1 / 4096) - b * 0.25
      removedRow[x] = UInt16(truncatingIfNeeded: nearest(change) &+ Self.bias)
    }
  }

  /// Adds the wide mean of what the filter removes to the offsets of a row.
  private func restoreLowFrequencies(_ y: Int, _ wide: Row<Int32>, _ inverse: InverseCounts) {
    let offsetRow = offset.row(y)
    let n = min(offsetRow.count, wide.count, inverse.columns.count)
    for x in 0..<n {
      let low = Float(wide[x]) * (inverse.columns[x] * inverse.rows) - Float(Self.bias)
      let b = Int32(truncatingIfNeeded: offsetRow[x]) &+ nearest(low * 4)
      offsetRow[x] = UInt16(truncatingIfNeeded: max(b, 0))
    }
  }
}
