/// The built-in looks.
///
/// The names are those of telephones' photo filters; the recipes are our own.
package enum Look: String, CaseIterable, Sendable {
  case none, mono, tonal, noir, chrome, fade, instant, process, transfer, sepia, warm, cool, vivid
  case linear, cartoon
}

/// A colour as red, green and blue, 0...1 between black and white; may lie outside.
package typealias Color = SIMD3<Double>

/// A map from colours to colours.
package struct ColorMap: Sendable {
  private let map: @Sendable (Color) -> Color
  /// The luma curve of a monochrome look; else nil.
  package let luma: GreyCurve?

  private init(
    map: @escaping @Sendable (Color) -> Color, luma: GreyCurve?
  ) {
    (self.map, self.luma) = (map, luma)
  }

  /// `map` must also be defined and smooth slightly outside 0...1: interpolation near the edge of
  /// the gamut needs nodes beyond it.
  package init(_ map: @escaping @Sendable (Color) -> Color) { self.init(map: map, luma: nil) }

  /// A monochrome look: `luma` applies to luma of the stream's own matrix, or of BT.709.
  package static func grey(_ luma: GreyCurve) -> ColorMap {
    ColorMap(map: { color in Color(repeating: luma(color.luma)) }, luma: luma)
  }

  package func callAsFunction(_ color: Color) -> Color { map(color) }

  package static let identity = ColorMap { $0 }
}

extension Color {
  /// BT.709 luma.
  package var luma: Double { (self * Color(0.2126, 0.7152, 0.0722)).sum() }

  /// The colour with its saturation multiplied by `factor`.
  func saturated(_ factor: Double) -> Color {
    let grey = Color(repeating: luma)
    return grey + (self - grey) * factor
  }

  /// Each component mapped by its own curve.
  func mapped(
    _ red: (Double) -> Double, _ green: (Double) -> Double, _ blue: (Double) -> Double
  ) -> Color {
    Color(red(x), green(y), blue(z))
  }

  func mapped(_ red: ToneCurve, _ green: ToneCurve, _ blue: ToneCurve) -> Color {
    Color(red(x), green(y), blue(z))
  }

  /// All components mapped by one curve.
  func mapped(_ curve: (Double) -> Double) -> Color { mapped(curve, curve, curve) }
}
