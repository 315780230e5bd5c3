import Filters
import Pixels

/// The per-cell coefficients of the pixel changes, which are interpolated to pixels.
///
/// Luma Y becomes Y - attenuation Y + offset; chroma C grows by gain C + shift. Where a cell's
/// weight is 0 all coefficients are 0, so that pixels between such cells stay bit-exact.
struct RetouchCoefficients {
  /// In 1/16384.
  let attenuation = Grid<Int16>(of: 0)
  /// In 1/32 of a code.
  let offset = Grid<Int16>(of: 0)
  /// In 1/32768.
  let gain = Grid<Int16>(of: 0)
  /// Shifts of Cb and Cr, in 1/64 of a code.
  let cbShift = Grid<Int16>(of: 0)
  let crShift = Grid<Int16>(of: 0)

  /// The strengths, from the settings and the face.
  struct Strength {
    /// Fraction of the guided filter's smoothing that is applied.
    var smoothing: Float
    /// The fraction of the finest texture that is kept.
    var detail: Float
    /// The height of the tone curve, 1 for log2(1 + y).
    var tone: Float
    /// The excess of the largest colour component of the skin over its lightness, 1 for white.
    var excess: Float
    var lumaOffset, lumaScale: Float
  }

  /// The maximum chroma gain.
  static let maximumGain: Float = 0.15

  func resize(_ region: CellRegion, evensSkin: Bool) {
    resizeAll(attenuation, offset, gain, width: region.width, height: region.height)
    guard evensSkin else { return }
    resizeAll(cbShift, crShift, width: region.width, height: region.height)
  }

  /// Sets the rows of luma coefficients and gain; `level` scales the weights.
  func setLumaAndGain(
    _ rows: Range<Int>, weights: Grid<Float>, level: Float, luma: Grid<UInt16>,
    filter: SelfGuidedFilter, _ strength: Strength
  ) {
    let (detail, excess, scale) = (strength.detail, strength.excess, strength.lumaScale)
    let (smoothing, tone) = (strength.smoothing * level, strength.tone * level)
    let inverseScale = 1 / scale
    for y in rows {
      let (weightRow, lumaRow, fineMeanRow) = (weights.row(y), luma.row(y), filter.fineMean.row(y))
      let (filterAttenuation, filterOffset) = (filter.attenuation.row(y), filter.offset.row(y))
      let (attenuationRow, offsetRow, gainRow) = (attenuation.row(y), offset.row(y), gain.row(y))
      let n = min(
        min(weightRow.count, lumaRow.count, filterAttenuation.count, filterOffset.count),
        fineMeanRow.count,
        min(attenuationRow.count, offsetRow.count, gainRow.count))
      for x in 0..<n {
        let value = Float(Int32(truncatingIfNeeded: lumaRow[x])) * 0.25
        let removed = Float(Int32(truncatingIfNeeded: filterAttenuation[x])) * (1 / 16384)
        let base = Float(Int32(truncatingIfNeeded: filterOffset[x])) * (1 / 64)
        let fineMean = Float(Int32(truncatingIfNeeded: fineMeanRow[x])) * 0.25
        let w = weightRow[x] * smoothing
        let above = value - strength.lumaOffset
        let light = min(max(above * inverseScale, 0), 1)
        let (height, slope) = ToneCurve.lift(light)
        // The largest component grows with luma; it uses at most half of the headroom below white.
        let strongest = light + excess
        let headroom = 0.5 * max(RetouchTuning.whitest - strongest, 0)
        let lift = min(weightRow[x] * tone, headroom * light / max(strongest * height, 1e-4))
        // Linear in the pixel's attenuation luma about the cell's mean.
        let a = w * (removed * (1 - detail)) - lift * slope
        let b = w * (base - detail * removed * fineMean) + lift * (height * scale - slope * value)
        let growth = min(lift * height * scale / max(above, 1), Self.maximumGain)
        attenuationRow[x] = Int16(truncatingIfNeeded: nearest(a * 16384))
        offsetRow[x] = Int16(truncatingIfNeeded: nearest(b * 32))
        gainRow[x] = Int16(truncatingIfNeeded: nearest(growth * 32768))
      }
    }
  }

  /// Sets coefficients that draw the weights as grey on a black picture.
  func setMaskPreview(_ rows: Range<Int>, weights: Grid<Float>, level: Float, lumaScale: Float) {
    for y in rows {
      attenuation.row(y).fill(0)
      gain.row(y).fill(0)
      let (weightRow, offsetRow) = (weights.row(y), offset.row(y))
      let n = min(weightRow.count, offsetRow.count)
      for x in 0..<n {
        offsetRow[x] = Int16(truncatingIfNeeded: nearest(weightRow[x] * level * lumaScale * 32))
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
