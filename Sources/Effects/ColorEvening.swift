import Pixels

/// Pulls the colour of patches toward the mean colour of the skin round them.
///
/// The mean is taken over a wide window of the face itself, each cell counting by its weight, so
/// that lips and background do not bleed in and no skin moves toward any fixed colour.
struct ColorEvening {
  private let weight = CellPlane<UInt16>(zero: 0)
  private let cb = CellPlane<UInt16>(zero: 0)
  private let cr = CellPlane<UInt16>(zero: 0)
  /// Most by which colour moves, in codes.
  private static let mostShift: Float = 16

  /// Fills the shifts of `coefficients`; `share` is how much of the distance is taken back.
  func fill(
    _ coefficients: RetouchCoefficients, means: CellMeans, weights: CellPlane<Float>,
    radius: Int, share: Float, scratch: BeautifyScratch, runner: any SliceRunner
  ) {
    let width = weights.width
    let height = weights.height
    weight.resize(width: width, height: height)
    cb.resize(width: width, height: height)
    cr.resize(width: width, height: height)
    runner.runPieces(height) { _, rows in
      for y in rows { prepare(y, means, weights) }
    }
    runner.runPieces(height) { piece, rows in
      var total = SlidingBox(
        weight, radius: radius, first: rows.lowerBound, columns: scratch.longs(piece, 0))
      let totals = scratch.longs(piece, 2)[0..<width]
      let sums = scratch.longs(piece, 3)[0..<width]
      var blue = SlidingBox(
        cb, radius: radius, first: rows.lowerBound, columns: scratch.longs(piece, 1))
      for y in rows {
        total.advance(into: totals)
        blue.advance(into: sums)
        Self.shift(
          coefficients.cbShift.row(y), totals, sums, means.cb.row(y), weights.row(y), share)
      }
      total = SlidingBox(
        weight, radius: radius, first: rows.lowerBound, columns: scratch.longs(piece, 0))
      var red = SlidingBox(
        cr, radius: radius, first: rows.lowerBound, columns: scratch.longs(piece, 1))
      for y in rows {
        total.advance(into: totals)
        red.advance(into: sums)
        Self.shift(
          coefficients.crShift.row(y), totals, sums, means.cr.row(y), weights.row(y), share)
      }
    }
  }

  private func prepare(_ y: Int, _ means: CellMeans, _ weights: CellPlane<Float>) {
    let source = weights.row(y)
    let cbSource = means.cb.row(y)
    let crSource = means.cr.row(y)
    let target = weight.row(y)
    let cbTarget = cb.row(y)
    let crTarget = cr.row(y)
    let n = min(
      min(source.count, cbSource.count, crSource.count),
      min(target.count, cbTarget.count, crTarget.count))
    for x in 0..<n {
      // 63 x 1020 still fits 16 bits.
      let w = UInt16(truncatingIfNeeded: nearest(source[x] * 63))
      target[x] = w
      cbTarget[x] = w &* cbSource[x]
      crTarget[x] = w &* crSource[x]
    }
  }

  private static func shift(
    _ target: CellRow<Int16>, _ totals: CellRow<Int32>, _ sums: CellRow<Int32>,
    _ source: CellRow<UInt16>, _ weights: CellRow<Float>, _ share: Float
  ) {
    let n = min(
      min(target.count, totals.count, sums.count), min(source.count, weights.count))
    for x in 0..<n {
      let mean = Float(sums[x]) / max(Float(totals[x]), 1)
      let distance = (mean - Float(Int32(truncatingIfNeeded: source[x]))) * 0.25
      let move = min(max(distance, -mostShift), mostShift) * (weights[x] * share)
      target[x] = Int16(truncatingIfNeeded: nearest(move * 64))
    }
  }
}
