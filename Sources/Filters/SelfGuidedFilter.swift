package import Pixels
package import Threads

/// The coefficients of a fast guided filter of luma by itself.
///
/// K. He, J. Sun, "Fast Guided Filter" (2015): in each window the picture is a I + b, with
/// a = var / (var + eps) and b = mean (1 - a); a and b are averaged over the windows. A wide mean of
/// what the filter takes away is given back: low frequencies, a face's shading, stay.
package struct SelfGuidedFilter {
  /// 1 - mean of a: how much of a pixel's own luma goes, in 1/16384.
  package let own = Grid<UInt16>(of: 0)
  /// Mean of b and the low frequencies, in 1/64 of a code: what comes instead.
  package let instead = Grid<UInt16>(of: 0)

  /// Luma without its finest texture, in quarters of a code.
  package let plain = Grid<UInt16>(of: 0)

  /// Variance of luma in the window round each cell over its squared luma, 1 for `roughest`: what
  /// pores and wrinkles have little of, and hair, lashes and outlines much.
  package let roughness = Grid<Float>(of: 0)

  private let slope = Grid<UInt16>(of: 0)
  private let offset = Grid<UInt16>(of: 0)
  /// What the filter takes off each cell, in 1/16 of a code, and `bias`.
  private let taken = Grid<UInt16>(of: 0)
  private static let bias: Int32 = 8192
  /// Deviation of luma, in shares of it, at which roughness is 1.
  private static let roughest: Float = 0.18
  /// Deviation that noise makes in the means of cells, codes.
  private static let noise: Float = 2

  package init() {}

  /// Computes the coefficients from luma cells in quarters of a code.
  ///
  /// Radii are in cells, at most `BoxSums.maximumRadius`; `epsilon` is in squared codes.
  package func compute(
    _ luma: Grid<UInt16>, black: Float, radius: Int, wideRadius: Int, epsilon: Float,
    boxes: BoxSums, runner: any SliceRunner
  ) {
    let (width, height) = (luma.width, luma.height)
    resizeAll(own, instead, plain, slope, offset, taken, roughness, width: width, height: height)
    // Luma counts quarters of a code, so its variance sixteenths of a squared one.
    let eps = epsilon * 16
    boxes.slide(
      SummedPlane(luma, radius), SummedPlane(luma, radius, isSquared: true), runner: runner
    ) {
      fit($0, $1(0), $1(1), $2, eps, black * 4)
    }
    boxes.slide(SummedPlane(slope, radius), SummedPlane(offset, radius), runner: runner) {
      average($0, luma.row($0), $1(0), $1(1), $2)
    }
    let fineRadius = (radius + 1) / 2
    boxes.slide(
      SummedPlane(taken, wideRadius), SummedPlane(luma, fineRadius), runner: runner
    ) { y, sums, inverse in
      BoxSum.divide(
        sums(1), radius: fineRadius, rows: BoxSum.count(y, of: height, radius: fineRadius),
        into: plain.row(y))
      giveBack(y, sums(0), inverse)
    }
  }

  private func fit(
    _ y: Int, _ sums: Row<Int32>, _ squares: Row<Int32>, _ inverse: InverseCounts, _ eps: Float,
    _ black: Float
  ) {
    let share2 = 1 / (Self.roughest * Self.roughest)
    let noise = 16 * Self.noise * Self.noise
    let (slopeRow, offsetRow, roughRow) = (slope.row(y), offset.row(y), roughness.row(y))
    let n = min(
      min(slopeRow.count, offsetRow.count, roughRow.count),
      min(sums.count, squares.count, inverse.columns.count))
    for x in 0..<n {
      let share = inverse.columns[x] * inverse.rows
      let mean = Float(sums[x]) * share
      let variance = max(Float(squares[x]) * share - mean * mean, 0)
      let a = variance / (variance + eps)
      slopeRow[x] = UInt16(truncatingIfNeeded: nearest(a * 16384))
      offsetRow[x] = UInt16(truncatingIfNeeded: nearest((mean - a * mean) * 16))
      let light = max(mean - black, 16)
      roughRow[x] = max(variance - noise, 0) * share2 / (light * light)
    }
  }

  private func average(
    _ y: Int, _ luma: Row<UInt16>, _ slopes: Row<Int32>, _ offsets: Row<Int32>,
    _ inverse: InverseCounts
  ) {
    let (ownRow, insteadRow, takenRow) = (own.row(y), instead.row(y), taken.row(y))
    let n = min(
      min(ownRow.count, insteadRow.count, takenRow.count),
      min(luma.count, slopes.count, offsets.count, inverse.columns.count))
    for x in 0..<n {
      let share = inverse.columns[x] * inverse.rows
      let (a, b) = (Float(slopes[x]) * share, Float(offsets[x]) * share)
      let value = Float(Int32(truncatingIfNeeded: luma[x]))
      ownRow[x] = UInt16(truncatingIfNeeded: nearest(16384 - a))
      insteadRow[x] = UInt16(truncatingIfNeeded: nearest(b))
      // 1/16 codes: quarters times 4, less a I (1/16384 of quarters) and b (1/64).
      let change = value * 4 - (a * value) * (1 / 4096) - b * 0.25
      takenRow[x] = UInt16(truncatingIfNeeded: nearest(change) &+ Self.bias)
    }
  }

  private func giveBack(_ y: Int, _ wide: Row<Int32>, _ inverse: InverseCounts) {
    let insteadRow = instead.row(y)
    let n = min(insteadRow.count, wide.count, inverse.columns.count)
    for x in 0..<n {
      let low = Float(wide[x]) * (inverse.columns[x] * inverse.rows) - Float(Self.bias)
      let b = Int32(truncatingIfNeeded: insteadRow[x]) &+ nearest(low * 4)
      insteadRow[x] = UInt16(truncatingIfNeeded: max(b, 0))
    }
  }
}
