import Compose
import Pixels

/// The chroma that a screen is recognised by; RGB is keyed by the chroma of its own matrix in full
/// range.
extension ChromaGrid {
  /// Rows of Cb and Cr for red, green, blue in 1/128; each sums to 0, so greys stay neutral.
  var chromaMatrix: (cb: (Int16, Int16, Int16), cr: (Int16, Int16, Int16)) {
    let (kr, kb) = colorimetry.matrix.lumaWeights
    let blueRed = Int16((-kr / (2 * (1 - kb)) * 128).rounded())
    let redBlue = Int16((-kb / (2 * (1 - kr)) * 128).rounded())
    return ((blueRed, -64 - blueRed, 64), (64, -64 - redBlue, redBlue))
  }

  /// 0xffRRGGBB of a grey.
  static func greyARGB(_ value: Float) -> UInt32 {
    0xff00_0000 | UInt32(min(max(value.rounded(), 0), 255)) * 0x1_0101
  }

  /// The chroma by which a colour of three components is keyed.
  func keyChroma(of c: (Float, Float, Float)) -> (cb: Float, cr: Float) {
    guard isRGB else { return (c.1, c.2) }
    func dot(_ row: (Int16, Int16, Int16)) -> Float {
      (c.0 * Float(row.0) + c.1 * Float(row.1) + c.2 * Float(row.2)) / 128 + 128
    }
    let matrix = chromaMatrix
    return (dot(matrix.cb), dot(matrix.cr))
  }

  /// Red, green and blue of a chroma pair, minus their minimum, which chroma does not determine.
  func pureColor(cb: Float, cr: Float) -> (r: Float, g: Float, b: Float) {
    let full = isRGB ? Colorimetry(matrix: colorimetry.matrix, isFullRange: true) : colorimetry
    let rgb = full.rgb(y: full.lumaOffset, cb: cb, cr: cr)
    let minimum = min(rgb.r, rgb.g, rgb.b)
    return (rgb.r - minimum, rgb.g - minimum, rgb.b - minimum)
  }

  /// The amount that half a code of spill adds to each component: light of the screen's colour less
  /// its grey.
  func spillFactors(
    _ components: (Float, Float, Float), unitX: Float, unitY: Float, length: Float,
    spillLuma: Float
  ) -> (Float, Float, Float) {
    let chroma = keyChroma(of: components)
    let pure = pureColor(cb: chroma.cb, cr: chroma.cr)
    let (kr, kb) = colorimetry.matrix.lumaWeights
    let range: Float = isRGB ? 1 : colorimetry.lumaScale / 255
    let luma = (kr * pure.r + (1 - kr - kb) * pure.g + kb * pure.b) / length * (1 - spillLuma)
    guard isRGB else { return (luma * range / 2, unitX / 2, unitY / 2) }
    let r = luma + 2 * (1 - kr) * unitY
    let b = luma + 2 * (1 - kb) * unitX
    return (r / 2, (luma - kr * r - kb * b) / (1 - kr - kb) / 2, b / 2)
  }
}
