import Pixels
import Threads

/// The coefficients of a fast guided filter over the cells of a region.
///
/// K. He, J. Sun, "Fast Guided Filter" (2015): in each window the picture is a I + b, with
/// a = var / (var + eps) and b = mean (1 - a); a and b are averaged over the windows. What the
/// filter takes away beyond a wide mean of itself is all that is to be taken away: low
/// frequencies, a face's shading, stay.
struct GuidedFilter {
  /// 1 - mean of a: how much of a pixel's own luma goes, in 1/16384.
  let own = Grid<UInt16>(of: 0)
  /// Mean of b and the low frequencies, in 1/64 of a code: what comes instead.
  let instead = Grid<UInt16>(of: 0)

  /// Luma without its finest texture, in quarters of a code.
  let plain = Grid<UInt16>(of: 0)

  /// Variance of luma in the window round each cell over its squared luma, 1 for `roughest`: what
  /// pores and wrinkles have little of, and hair, lashes and outlines much.
  let roughness = Grid<Float>(of: 0)

  private let slope = Grid<UInt16>(of: 0)
  private let offset = Grid<UInt16>(of: 0)
  /// What the filter takes off each cell, in 1/16 of a code, and `bias`.
  private let taken = Grid<UInt16>(of: 0)
  private static let bias: Int32 = 8192
  /// Deviation of luma, in shares of it, at which roughness is 1.
  private static let roughest: Float = 0.18
  /// Deviation that noise makes in the means of cells, codes.
  private static let noise: Float = 2

  /// Computes the coefficients from luma cells in quarters of a code.
  ///
  /// Radii are in cells, at most `SlidingBox.maximumRadius`; `epsilon` is in squared codes.
  func compute(
    _ luma: Grid<UInt16>, black: Float, radius: Int, wideRadius: Int, epsilon: Float,
    scratch: RetouchScratch, runner: any SliceRunner
  ) {
    let width = luma.width
    let height = luma.height
    resizeAll(own, instead, plain, slope, offset, taken, roughness, width: width, height: height)
    let inverse = scratch.shared(0)[0..<width]
    BoxCounts.fillInverse(inverse, width: width, radius: radius)
    // Luma counts quarters of a code, so its variance sixteenths of a squared one.
    let eps = epsilon * 16
    runner.runPieces(height) { piece, rows in
      var sums = scratch.box(luma, radius: radius, from: rows.lowerBound, piece, 0)
      var squares = scratch.box(
        luma, radius: radius, from: rows.lowerBound, squared: true, piece, 1)
      let sumRow = scratch.longs(piece, 2)[0..<width]
      let squareRow = scratch.longs(piece, 3)[0..<width]
      for y in rows {
        sums.advance(into: sumRow)
        squares.advance(into: squareRow)
        fit(
          y, sumRow, squareRow, inverse, 1 / Float(BoxCounts.count(y, height, radius)), eps,
          black * 4)
      }
    }
    runner.runPieces(height) { piece, rows in
      var slopes = scratch.box(slope, radius: radius, from: rows.lowerBound, piece, 0)
      var offsets = scratch.box(offset, radius: radius, from: rows.lowerBound, piece, 1)
      let slopeRow = scratch.longs(piece, 2)[0..<width]
      let offsetRow = scratch.longs(piece, 3)[0..<width]
      for y in rows {
        slopes.advance(into: slopeRow)
        offsets.advance(into: offsetRow)
        average(
          y, luma.row(y), slopeRow, offsetRow, inverse,
          1 / Float(BoxCounts.count(y, height, radius)))
      }
    }
    let wideInverse = scratch.shared(1)[0..<width]
    BoxCounts.fillInverse(wideInverse, width: width, radius: wideRadius)
    let fineRadius = (radius + 1) / 2
    runner.runPieces(height) { piece, rows in
      var fine = scratch.box(luma, radius: fineRadius, from: rows.lowerBound, piece, 1)
      let fineRow = scratch.longs(piece, 3)[0..<width]
      var wide = scratch.box(taken, radius: wideRadius, from: rows.lowerBound, piece, 0)
      let wideRow = scratch.longs(piece, 2)[0..<width]
      for y in rows {
        wide.advance(into: wideRow)
        fine.advance(into: fineRow)
        BoxCounts.divide(
          fineRow, width: width, radius: fineRadius,
          rows: BoxCounts.count(y, height, fineRadius), into: plain.row(y))
        giveBack(y, wideRow, wideInverse, 1 / Float(BoxCounts.count(y, height, wideRadius)))
      }
    }
  }

  private func fit(
    _ y: Int, _ sums: Row<Int32>, _ squares: Row<Int32>, _ inverse: Row<Float>,
    _ inverseRows: Float, _ eps: Float, _ black: Float
  ) {
    let roughRow = roughness.row(y)
    let share2 = 1 / (Self.roughest * Self.roughest)
    let noise = 16 * Self.noise * Self.noise
    let slopeRow = slope.row(y)
    let offsetRow = offset.row(y)
    let n = min(
      min(slopeRow.count, offsetRow.count, roughRow.count),
      min(sums.count, squares.count, inverse.count))
    for x in 0..<n {
      let share = inverse[x] * inverseRows
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
    _ inverse: Row<Float>, _ inverseRows: Float
  ) {
    let ownRow = own.row(y)
    let insteadRow = instead.row(y)
    let takenRow = taken.row(y)
    let n = min(
      min(ownRow.count, insteadRow.count, takenRow.count),
      min(luma.count, slopes.count, offsets.count, inverse.count))
    for x in 0..<n {
      let share = inverse[x] * inverseRows
      let a = Float(slopes[x]) * share
      let b = Float(offsets[x]) * share
      let value = Float(Int32(truncatingIfNeeded: luma[x]))
      ownRow[x] = UInt16(truncatingIfNeeded: nearest(16384 - a))
      insteadRow[x] = UInt16(truncatingIfNeeded: nearest(b))
      // 1/16 codes: quarters times 4, less a I (1/16384 of quarters) and b (1/64).
      let change = value * 4 - (a * value) * (1 / 4096) - b * 0.25
      takenRow[x] = UInt16(truncatingIfNeeded: nearest(change) &+ Self.bias)
    }
  }

  private func giveBack(
    _ y: Int, _ wide: Row<Int32>, _ inverse: Row<Float>, _ inverseRows: Float
  ) {
    let insteadRow = instead.row(y)
    let n = min(insteadRow.count, wide.count, inverse.count)
    for x in 0..<n {
      let low = Float(wide[x]) * (inverse[x] * inverseRows) - Float(Self.bias)
      let b = Int32(truncatingIfNeeded: insteadRow[x]) &+ nearest(low * 4)
      insteadRow[x] = UInt16(truncatingIfNeeded: max(b, 0))
    }
  }
}
