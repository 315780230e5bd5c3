import Glibc

extension Look {
  /// The look's colour map; the identity for `none`, and for `cartoon` its colour part.
  ///
  /// The constants are artistic choices.
  package var map: ColorMap {
    switch self {
    case .none: .identity
    // Contrast 0.9, black raised by 0.02.
    case .mono: .grey(GreyCurve(SIMD4(0.069, 0.882, 0, 0)))
    case .tonal: .grey(GreyCurve(SIMD4(0, 1, 0, 0)))
    // 1.25 times 0.75 (3 x^2 - 2 x^3) + 0.25 x, less 0.155.
    case .noir: .grey(GreyCurve(SIMD4(-0.155, 0.3125, 2.8125, -1.875)))
    case .chrome:
      ColorMap {
        $0.saturated(1.22).mapped { Self.powerWithLinearFoot(Self.addingContrast($0, 0.15), 0.95) }
      }
    case .fade:
      ColorMap { $0.saturated(0.75) * 0.89 + Color(0.072, 0.06, 0.048) }
    case .instant: Self.instantMap
    case .process: Self.processMap
    case .transfer:
      ColorMap {
        $0.mapped(
          { Self.powerWithLinearFoot($0, 0.9) * 0.95 + 0.05 }, { $0 * 0.95 + 0.02 },
          { Self.powerWithLinearFoot($0, 1.25) * 0.85 + 0.06 })
      }
    case .sepia: Self.sepiaMap
    case .warm: Self.midtoneMap(red: 0.54, green: 0.505, blue: 0.445, white: Color(1, 0.99, 0.93))
    case .cool: Self.midtoneMap(red: 0.46, green: 0.5, blue: 0.54, white: Color(0.95, 0.985, 1))
    case .vivid: ColorMap(Self.vivid)
    case .linear: ColorMap { $0.mapped(Self.sRGBToLinear) }
    case .cartoon: ColorMap { $0.saturated(1.25) }
    }
  }

  // MARK: Tones

  /// Blends `amount` of the S-curve 3 x^2 - 2 x^3.
  private static func addingContrast(_ x: Double, _ amount: Double) -> Double {
    let t = min(max(x, 0), 1)
    return x + amount * (t * t * (3 - 2 * t) - x)
  }

  /// A power function, continued as a line below `foot`, where its slope would be 0 or infinite.
  private static func powerWithLinearFoot(_ x: Double, _ exponent: Double) -> Double {
    let foot = 1.0 / 64
    return x < foot ? x * pow(foot, exponent - 1) : pow(x, exponent)
  }

  /// The inverse sRGB transfer function (IEC 61966-2-1).
  private static func sRGBToLinear(_ x: Double) -> Double {
    x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
  }

  // MARK: Looks of several curves

  private static let instantMap: ColorMap = {
    let red = ToneCurve((0, 0.075), (0.25, 0.285), (0.75, 0.76), (1, 0.975))
    let green = ToneCurve((0, 0.03), (0.5, 0.505), (1, 0.965))
    let blue = ToneCurve((0, 0.11), (0.25, 0.31), (0.75, 0.68), (1, 0.86))
    return ColorMap { $0.saturated(0.8).mapped(red, green, blue) }
  }()

  private static let processMap: ColorMap = {
    let red = ToneCurve((0, -0.03), (0.25, 0.205), (0.75, 0.755), (1, 1))
    let green = ToneCurve((0, 0), (0.3, 0.29), (0.75, 0.785), (1, 1.02))
    let blue = ToneCurve((0, 0.02), (0.3, 0.31), (0.75, 0.795), (1, 1.02))
    return ColorMap { $0.saturated(0.9).mapped(red, green, blue) }
  }()

  private static let sepiaMap: ColorMap = {
    let red = ToneCurve((0, 0.045), (0.5, 0.58), (1, 1))
    let green = ToneCurve((0, 0.03), (0.5, 0.475), (1, 0.935))
    let blue = ToneCurve((0, 0.02), (0.5, 0.365), (1, 0.815))
    return ColorMap { color in
      Color(repeating: color.luma).mapped(red, green, blue)
    }
  }()

  /// Curves that move mid-tones and white of each component and keep black.
  private static func midtoneMap(red: Double, green: Double, blue: Double, white: Color) -> ColorMap
  {
    let curves = [(red, white.x), (green, white.y), (blue, white.z)].map {
      ToneCurve((0, 0), (0.5, $0.0), (1, $0.1))
    }
    return ColorMap { $0.mapped(curves[0], curves[1], curves[2]) }
  }

  /// Raises saturation, less where it is high already, to keep detail.
  @Sendable private static func vivid(_ color: Color) -> Color {
    let chroma = color.max() - color.min()
    let gain = 1.12 + 0.38 / (1 + 4 * chroma * chroma)
    return color.saturated(gain).mapped { addingContrast($0, 0.12) }
  }
}
