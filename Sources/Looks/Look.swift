/// The looks that the module knows by name.
///
/// Names are those of the photo filters that telephones have; the recipes are our own, for theirs
/// are published nowhere.
package enum Look: String, CaseIterable, Sendable {
  case none, mono, tonal, noir, chrome, fade, instant, process, transfer, sepia, warm, cool, vivid
  case linear, cartoon
}

/// A colour as red, green and blue, 0...1 between black and white; may lie outside.
package typealias Color = SIMD3<Double>

/// What becomes of colours: a look without any picture.
package struct ColorMap: Sendable {
  private let map: @Sendable (Color) -> Color
  /// What becomes of luma where nothing but luma counts and nothing but grey comes out; else nil.
  package let luma: GreyCurve?

  private init(
    map: @escaping @Sendable (Color) -> Color, luma: GreyCurve?
  ) {
    (self.map, self.luma) = (map, luma)
  }

  /// `map` must take colours a little outside 0...1 too, and go on smoothly there: what is
  /// interpolated towards the edge of what can be shown needs neighbours beyond it.
  package init(_ map: @escaping @Sendable (Color) -> Color) { self.init(map: map, luma: nil) }

  /// A look in grey: `luma` is taken of the luma of the stream's own matrix, or of BT.709's.
  package static func grey(_ luma: GreyCurve) -> ColorMap {
    ColorMap(map: { color in Color(repeating: luma(color.luma)) }, luma: luma)
  }

  package func callAsFunction(_ color: Color) -> Color { map(color) }

  package static let identity = ColorMap { $0 }
}

extension Color {
  /// Luma by BT.709's shares of red, green and blue.
  package var luma: Double { (self * Color(0.2126, 0.7152, 0.0722)).sum() }

  /// The colour with its distance from grey times `factor`.
  func saturated(_ factor: Double) -> Color {
    let grey = Color(repeating: luma)
    return grey + (self - grey) * factor
  }

  /// Each component by its own curve.
  func through(
    _ red: (Double) -> Double, _ green: (Double) -> Double, _ blue: (Double) -> Double
  ) -> Color {
    Color(red(x), green(y), blue(z))
  }

  func through(_ red: ToneCurve, _ green: ToneCurve, _ blue: ToneCurve) -> Color {
    Color(red(x), green(y), blue(z))
  }

  /// All components by one curve.
  func through(_ curve: (Double) -> Double) -> Color { through(curve, curve, curve) }
}
