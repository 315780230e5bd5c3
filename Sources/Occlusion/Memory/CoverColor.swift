/// The colour of what is before a face and no skin, such as hair or a mug.
///
/// Luma, 0...255, Cb and Cr, centred on 0.
struct CoverColor {
  /// The medians of what covers the face.
  let median: SIMD3<Float>

  /// How far from the median a colour may be, in codes.
  private static let reach = SIMD3<Float>(45, 10, 10)

  /// Whether a colour is likely to be the cover's, and not the skin's beside it.
  func isLikely(_ color: SIMD3<Float>) -> Bool {
    let difference = (color - median) / Self.reach
    return (difference * difference).sum() < 1
  }
}
