import Compose
import Glibc

/// The screen colour in a stream's own codes, and the constants that kernels key by.
///
/// Fixed-point: hue vector in 1/128, cotangent in 1/8192, matte ratios in 1/2048.
struct ScreenColor: Sendable {
  /// Spill that is left, in 1/16 codes of chroma, so that noise on greys stays as it is.
  static let spillTolerance: Int16 = 24
  /// Transparency from which a sample counts as the foreground's edge, for spill; fully 64 higher.
  static let edgeStart: UInt16 = 24
  /// Maximum spill in half codes: products with factors of at most 74 fit in 16 bits.
  static let maximumSpill: Int16 = 220

  /// Unit vector of the screen's hue.
  let kx, ky: Int16
  /// Cotangent of the wedge's half width.
  let cotangent: UInt16
  /// Ratio of a sample's q to the screen's below which alpha is 255, and the span from there to 0.
  let floor, span: UInt16
  /// span * multiplier * gain / 2^16 is 255 * 16.
  let multiplier, gain: UInt16
  /// despill times 2^13.
  let spillStrength: UInt16
  /// The amount that one half code of spill takes off each component, in 1/64 codes.
  let spillFactors: (Int16, Int16, Int16)
  /// The screen colour, and its q, in codes.
  let components: (Float, Float, Float)
  let q: Float

  /// Nil for a colour too near to grey.
  init?(components: (Float, Float, Float), grid: ChromaGrid, settings: ChromaKeySettings) {
    let chroma = grid.keyChroma(of: components)
    let (u, v) = (chroma.cb - 128, chroma.cr - 128)
    let length = (u * u + v * v).squareRoot()
    guard length >= 8, length < 1000 else { return nil }
    let (unitX, unitY) = (u / length, v / length)
    kx = Int16((unitX * 128).rounded())
    ky = Int16((unitY * 128).rounded())
    let radians = Float(settings.angle) * (Float.pi / 180)
    let ratio = 1 / Float(tan(Double(radians)))
    cotangent = UInt16(min(max(ratio * 8192, 0), 32767))
    let (white, black) = (Float(settings.clipWhite), Float(settings.clipBlack))
    floor = UInt16(((1 - white) * 2048).rounded())
    let wanted = max(1, ((white - black) * 2048).rounded())
    span = UInt16(wanted)
    var times: Float = 1
    while wanted * times < 4081 { times *= 2 }
    multiplier = UInt16(times)
    gain = UInt16(min(65535, (4080 * 65536 / (wanted * times)).rounded(.up)))
    spillStrength = UInt16(Float(settings.despill) * 8192)
    self.components = components
    q = length
    let factors = grid.spillFactors(
      components, unitX: unitX, unitY: unitY, length: length,
      spillLuma: Float(settings.spillLuma))
    func fixed(_ factor: Float) -> Int16 { Int16(min(max((factor * 64).rounded(), -74), 74)) }
    spillFactors = (fixed(factors.0), fixed(factors.1), fixed(factors.2))
  }

  /// The projection of a mean colour on the screen's hue, in codes.
  func projectionOnHue(cb: Float, cr: Float) -> Float {
    (cb - 128) * (Float(kx) / 128) + (cr - 128) * (Float(ky) / 128)
  }
}
