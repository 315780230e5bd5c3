import Glibc

/// The relation of luma and chroma codes to red, green and blue.
package struct Colorimetry: Sendable, Hashable {
  /// The Y'CbCr matrix, by the weights of red and blue in luma.
  package enum Matrix: Sendable, CaseIterable {
    /// The components are red, green and blue.
    case rgb
    /// ITU-R BT.601: Kr 0.299, Kb 0.114.
    case bt601
    /// ITU-R BT.709: Kr 0.2126, Kb 0.0722.
    case bt709
    /// ITU-R BT.2020 (non-constant luminance): Kr 0.2627, Kb 0.0593.
    case bt2020
    /// FCC 1953: Kr 0.30, Kb 0.11.
    case fcc
    /// SMPTE 240M: Kr 0.212, Kb 0.087.
    case smpte240m

    /// The weights Kr and Kb of red and blue in luma; green's is 1 - kr - kb.
    package var lumaWeights: (kr: Float, kb: Float) {
      switch self {
      case .rgb, .bt709: (0.2126, 0.0722)
      case .bt601: (0.299, 0.114)
      case .bt2020: (0.2627, 0.0593)
      case .fcc: (0.30, 0.11)
      case .smpte240m: (0.212, 0.087)
      }
    }
  }

  package var matrix: Matrix
  /// Full range uses all codes; limited range has luma 16...235 and chroma 16...240.
  package var isFullRange: Bool

  package init(matrix: Matrix, isFullRange: Bool) {
    (self.matrix, self.isFullRange) = (matrix, isFullRange)
  }

  package static let bt601 = Colorimetry(matrix: .bt601, isFullRange: false)
  package static let bt709 = Colorimetry(matrix: .bt709, isFullRange: false)
  package static let bt2020 = Colorimetry(matrix: .bt2020, isFullRange: false)
  package static let rgb = Colorimetry(matrix: .rgb, isFullRange: true)

  /// Code of black.
  package var lumaOffset: Float { isFullRange ? 0 : 16 }
  /// Codes between black and white.
  package var lumaScale: Float { isFullRange ? 255 : 219 }
  /// A luma code normalized to 0 for black, 1 for white.
  package func normalizedLuma(_ code: Float) -> Float { (code - lumaOffset) / lumaScale }
  /// The range of Cb and Cr codes, centred on 128.
  package var chromaScale: Float { isFullRange ? 255 : 224 }

  /// Red, green and blue, 0...255 (not clipped), of one triple of codes.
  package func rgb(y: Float, cb: Float, cr: Float) -> (r: Float, g: Float, b: Float) {
    let luma = (y - lumaOffset) * (255 / lumaScale)
    let blue = (cb - 128) * (255 / chromaScale)
    let red = (cr - 128) * (255 / chromaScale)
    let (kr, kb) = matrix.lumaWeights
    let r = luma + 2 * (1 - kr) * red
    let b = luma + 2 * (1 - kb) * blue
    return (r, (luma - kr * r - kb * b) / (1 - kr - kb), b)
  }

  /// Luma, Cb and Cr codes (not rounded, not clipped) of red, green and blue 0...255.
  package func ycc(r: Float, g: Float, b: Float) -> (y: Float, cb: Float, cr: Float) {
    let (kr, kb) = matrix.lumaWeights
    let luma = kr * r + (1 - kr - kb) * g + kb * b
    return (
      lumaOffset + luma * (lumaScale / 255),
      128 + (b - luma) / (2 * (1 - kb)) * (chromaScale / 255),
      128 + (r - luma) / (2 * (1 - kr)) * (chromaScale / 255)
    )
  }
}

/// The transfer function of a stream's codes.
package enum Transfer: Sendable {
  /// One for displays of about 100 to 300 nits, as BT.709's.
  case standard
  /// SMPTE ST 2084, up to 10 000 nits.
  case pq
  /// ARIB STD-B67.
  case hlg

  /// The signal, 0...1, that standard dynamic range has for one of this transfer function: BT.2408's
  /// reference white, 203 nits, becomes a little less than white, and highlights are compressed.
  ///
  /// Light is linear up to six tenths of reference white, and from there an exponential toward
  /// white; the signal is that of BT.1886's display, of gamma 2.4.
  package func standardSignal(_ signal: Double) -> Double {
    let signal = min(max(signal, 0), 1)
    let light: Double
    switch self {
    case .standard: return signal
    case .pq:
      // ST 2084's constants m1, m2, c1, c2, c3.
      let root = pow(signal, 1 / 78.84375)
      let ratio = max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)
      light = pow(ratio, 1 / 0.1593017578125) * 10000 / 203
    case .hlg:
      // The inverse of B67's curve; 75 % is reference white, at 0.265 of the scene's light.
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      light = (signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12) / 0.265
    }
    let shown = light <= 0.6 ? light : 0.6 + 0.4 * (1 - exp((0.6 - light) / 0.4))
    return pow(shown, 1 / 2.4)
  }

  /// The slope of `standardSignal` at a signal: the factor of chroma, which is a difference of
  /// signals, where luma is changed so.
  ///
  /// Measured over six hundredths, as far as colours are from grey.
  package func standardSlope(_ signal: Double) -> Double {
    let (low, high) = (max(signal - 0.03, 0), min(signal + 0.03, 1))
    guard low < high else { return 1 }
    return (standardSignal(high) - standardSignal(low)) / (high - low)
  }
}

/// The position of subsampled chroma samples relative to luma.
package struct ChromaSite: Sendable, Equatable {
  /// Each chroma sample lies on an even luma column (MPEG-2, H.264), not between two.
  package var isCositedHorizontally: Bool
  /// Each chroma sample lies on an even luma row, not between two.
  package var isCositedVertically: Bool

  package init(isCositedHorizontally: Bool, isCositedVertically: Bool) {
    (self.isCositedHorizontally, self.isCositedVertically) =
      (isCositedHorizontally, isCositedVertically)
  }

  /// On even columns, between rows: MPEG-2, and H.264's default.
  package static let mpeg2 = ChromaSite(isCositedHorizontally: true, isCositedVertically: false)
  /// In the middle of each 2 x 2 block: JPEG, MPEG-1.
  package static let center = ChromaSite(isCositedHorizontally: false, isCositedVertically: false)
}
