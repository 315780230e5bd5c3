import Filters
import Pixels

/// What is done to the pixels, as few numbers per cell that pixels take by interpolation.
///
/// Luma Y becomes Y - own Y + added; colour differences C grow by gain C + shift. Where a cell's
/// weight is 0 all its numbers are 0, and pixels between such cells stay bit for bit.
struct RetouchCoefficients {
  /// In 1/16384.
  let own = Grid<Int16>(of: 0)
  /// In 1/32 of a code.
  let added = Grid<Int16>(of: 0)
  /// In 1/32768.
  let gain = Grid<Int16>(of: 0)
  /// Shifts of Cb and Cr, in 1/64 of a code.
  let cbShift = Grid<Int16>(of: 0)
  let crShift = Grid<Int16>(of: 0)

  /// How strong each part is, from the settings and the face.
  struct Strength {
    /// Share of what the guided filter takes that is taken.
    var smoothing: Float
    /// Share of the finest texture given back.
    var detail: Float
    /// Height of the tone curve, 1 for log2(1 + y).
    var tone: Float
    /// By how much the strongest colour of the skin exceeds its lightness, 1 for white.
    var excess: Float
    var lumaOffset, lumaScale: Float
  }

  /// Most by which colour grows with the tone.
  static let mostGain: Float = 0.15

  func resize(_ region: CellRegion, evensSkin: Bool) {
    resizeAll(own, added, gain, width: region.width, height: region.height)
    guard evensSkin else { return }
    resizeAll(cbShift, crShift, width: region.width, height: region.height)
  }

  /// Fills the rows of luma and gain; `level` scales the weights.
  func fill(
    _ rows: Range<Int>, weights: Grid<Float>, level: Float, luma: Grid<UInt16>,
    filter: SelfGuidedFilter, _ strength: Strength
  ) {
    let (detail, excess, scale) = (strength.detail, strength.excess, strength.lumaScale)
    let (smoothing, tone) = (strength.smoothing * level, strength.tone * level)
    let inverseScale = 1 / scale
    for y in rows {
      let (weightRow, lumaRow, plainRow) = (weights.row(y), luma.row(y), filter.plain.row(y))
      let (filterOwn, filterInstead) = (filter.own.row(y), filter.instead.row(y))
      let (ownRow, addedRow, gainRow) = (own.row(y), added.row(y), gain.row(y))
      let n = min(
        min(weightRow.count, lumaRow.count, filterOwn.count, filterInstead.count),
        plainRow.count,
        min(ownRow.count, addedRow.count, gainRow.count))
      for x in 0..<n {
        let value = Float(Int32(truncatingIfNeeded: lumaRow[x])) * 0.25
        let taken = Float(Int32(truncatingIfNeeded: filterOwn[x])) * (1 / 16384)
        let instead = Float(Int32(truncatingIfNeeded: filterInstead[x])) * (1 / 64)
        let plain = Float(Int32(truncatingIfNeeded: plainRow[x])) * 0.25
        let w = weightRow[x] * smoothing
        let above = value - strength.lumaOffset
        let light = min(max(above * inverseScale, 0), 1)
        let (height, slope) = ToneCurve.lift(light)
        // The strongest colour grows as luma does; it takes half of the room below white at most.
        let strongest = light + excess
        let room = 0.5 * max(Look.whitest - strongest, 0)
        let lift = min(weightRow[x] * tone, room * light / max(strongest * height, 1e-4))
        // Linear in the pixel's own luma about the cell's mean.
        let a = w * (taken * (1 - detail)) - lift * slope
        let b = w * (instead - detail * taken * plain) + lift * (height * scale - slope * value)
        let growth = min(lift * height * scale / max(above, 1), Self.mostGain)
        ownRow[x] = Int16(truncatingIfNeeded: nearest(a * 16384))
        addedRow[x] = Int16(truncatingIfNeeded: nearest(b * 32))
        gainRow[x] = Int16(truncatingIfNeeded: nearest(growth * 32768))
      }
    }
  }

  /// Sets the cells to numbers that add the weights, as grey, to a black picture.
  func fillMask(_ rows: Range<Int>, weights: Grid<Float>, level: Float, lumaScale: Float) {
    for y in rows {
      own.row(y).fill(0)
      gain.row(y).fill(0)
      let (weightRow, addedRow) = (weights.row(y), added.row(y))
      let n = min(weightRow.count, addedRow.count)
      for x in 0..<n {
        addedRow[x] = Int16(truncatingIfNeeded: nearest(weightRow[x] * level * lumaScale * 32))
      }
    }
  }
}

/// The lift of skin tones: near log2(1 + y) - y, the logarithmic curve of GPUImageBeautifyFilter
/// with base 2, as a polynomial that is 0 at black and white.
enum ToneCurve {
  /// Height and slope at `y`, 0...1; the polynomial is within 0.0015 of the logarithm.
  @inline(__always)
  static func lift(_ y: Float) -> (height: Float, slope: Float) {
    // y (1 - y) (0.43 - 0.17 y) = 0.43 y - 0.6 y^2 + 0.17 y^3
    (y * (0.43 + y * (-0.6 + y * 0.17)), 0.43 + y * (-1.2 + y * 0.51))
  }
}
