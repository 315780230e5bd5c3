package import Compose

/// How a screen colour is found and keyed; `ChromaKeyer` uses the `clamped` values.
package struct ChromaKeySettings: Sendable, Equatable {
  /// Where the screen colour comes from; the names are the nicks of the element's property.
  package enum Method: String, Sendable, CaseIterable {
    /// The peak of the frame's green or blue chroma; opaque while there is none.
    case auto
    /// The peak of the frame's green chroma, or pure green while there is none.
    case green
    /// As `green`, for blue.
    case blue
    /// As `green`, for magenta.
    case magenta
    /// `color`.
    case custom
  }

  package var method = Method.auto
  /// The screen colour of `custom`: alpha (ignored), red, green, blue from the highest byte on.
  package var color: UInt32 = 0xff00_ff00
  /// Half width of the hue wedge that counts as screen, 20...85 degrees.
  package var angle = 70.0
  /// Alpha at and below which a pixel becomes transparent, 0...0.5.
  package var clipBlack = 0.06
  /// Alpha at and above which a pixel becomes opaque, 0.5...1.
  package var clipWhite = 0.85
  /// How far the map of the screen's light is used, 0 (one flat colour)...1.
  package var screenAdapt = 1.0
  /// The fraction of spill that is subtracted from the foreground, 0...1.
  package var despill = 1.0
  /// The fraction of lightness that despilling keeps, 0...1.
  package var spillLuma = 0.3
  /// The operations on the matte.
  package var matte = MatteSettings()

  package init() {}

  /// The same settings with every number in its range; NaN becomes the default.
  package var clamped: ChromaKeySettings {
    let standard = Self()
    var result = self
    clamp(&result.angle, 20, 85, standard.angle)
    clamp(&result.clipBlack, 0, 0.5, standard.clipBlack)
    clamp(&result.clipWhite, 0.5, 1, standard.clipWhite)
    clamp(&result.screenAdapt, 0, 1, standard.screenAdapt)
    clamp(&result.despill, 0, 1, standard.despill)
    clamp(&result.spillLuma, 0, 1, standard.spillLuma)
    result.matte = matte.clamped
    return result
  }
}
