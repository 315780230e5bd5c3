import Pixels

/// The colour of a face's skin, and whether others may be that skin in another light.
///
/// Colours are luma, 0...255, Cb and Cr, centred on 0. Light and shade change luma more than the parts of luma that
/// Cb and Cr are.
struct SkinColor {
  /// The medians of the skin.
  let median: SIMD3<Float>

  /// The luma of what is judged, in that of the skin: brighter is a highlight, and darker has no certain chroma.
  private static let judged: ClosedRange<Float> = 0.1...1.15
  /// The parts of luma by which Cr is less, or Cb more, than the skin's in what is none: greyer or bluer things.
  private static let greyer: Float = 0.06
  /// The same in the other direction, into which shaded skin and lips go too.
  private static let gaudier: Float = 0.35
  /// The luma of what is likely to be skin, and how far its chroma may go in the direction of shaded skin.
  private static let likely: ClosedRange<Float> = 0.5...1.15
  private static let redder: Float = 0.2
  /// The same for skin that may be another's, in codes.
  private static let nearLuma: ClosedRange<Float> = 0.5...1.6
  private static let nearChroma: Float = 10

  /// Luma, Cb and Cr of red, green and blue (ITU-R BT.601), chroma centred on 0.
  static func ycc(_ rgb: SIMD4<Float>) -> SIMD3<Float> {
    let luma = 0.299 * rgb.x + 0.587 * rgb.y + 0.114 * rgb.z
    return SIMD3(luma, 0.564 * (rgb.z - luma), 0.713 * (rgb.x - luma))
  }

  /// Red, green and blue of the median, by the same formulas.
  var rgb: SIMD3<Float> {
    let (red, blue) = (median.x + median.z / 0.713, median.x + median.y / 0.564)
    return SIMD3(red, (median.x - 0.299 * red - 0.114 * blue) / 0.587, blue)
  }

  /// How much more of luma Cb and Cr are than the skin's.
  private func excess(_ color: SIMD3<Float>) -> (blue: Float, red: Float) {
    (color.y / color.x - median.y / median.x, color.z / color.x - median.z / median.x)
  }

  /// Whether a colour is not that of this skin in any usual light.
  func excludes(_ color: SIMD3<Float>) -> Bool {
    guard Self.judged.contains(color.x / median.x) else { return false }
    let (blue, red) = excess(color)
    return red < -Self.greyer || blue > Self.greyer || red > Self.gaudier || blue < -Self.gaudier
  }

  /// Whether a colour is likely to be this skin.
  func isLikely(_ color: SIMD3<Float>) -> Bool {
    guard Self.likely.contains(color.x / median.x) else { return false }
    let (blue, red) = excess(color)
    return red > -Self.greyer && blue < Self.greyer && red < Self.redder && blue > -Self.redder
  }

  /// Whether a colour is darker than this skin usually is in shade.
  func isDark(_ color: SIMD3<Float>) -> Bool { color.x < 0.45 * median.x }

  /// Whether a colour may be skin, also another's.
  func isNear(_ color: SIMD3<Float>) -> Bool {
    abs(color.y - median.y) < Self.nearChroma && abs(color.z - median.z) < Self.nearChroma
      && Self.nearLuma.contains(color.x / median.x)
  }
}
