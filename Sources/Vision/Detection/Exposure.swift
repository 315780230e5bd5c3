import Pixels

/// Measures the gain with which networks sample a dark picture, from the histogram of its luma.
///
/// The gain multiplies codes, which are roughly the square root of light, so it acts as a longer
/// exposure. Highlights are clipped to white, as by a camera.
struct Exposure {
  /// The code below which 98 % of luma lies: from `bright` on a picture is not brightened, up to
  /// `dark` it is raised to `target`.
  private static let bright = 120.0, dark = 80.0, target = 200.0
  /// Above this gain, noise resembles faces.
  private static let maximumGain = 5.0
  private static let side = 32

  private var histogram = [Int](repeating: 0, count: 256)

  /// The gain for `picture`, at least 1.
  mutating func gain(of picture: borrowing Picture) -> Float {
    // Green has the largest weight in luma.
    let isRGB = picture.format.family == .rgb
    let luma = picture.component(isRGB ? 1 : 0)
    let (offset, scale) =
      isRGB ? (0, 1) : (picture.colorimetry.lumaOffset, 255 / picture.colorimetry.lumaScale)
    for code in histogram.indices { histogram[code] = 0 }
    for row in 0..<Self.side {
      let y = (2 * row + 1) * luma.height / (2 * Self.side)
      for column in 0..<Self.side {
        let x = (2 * column + 1) * luma.width / (2 * Self.side)
        let code = (Float(luma[x, y]) - offset) * scale
        histogram[Int(max(0, min(code, 255)))] += 1
      }
    }
    var remaining = Self.side * Self.side / 50
    var code = 255
    while code > 0, remaining >= histogram[code] {
      remaining -= histogram[code]
      code -= 1
    }
    let level = Double(max(code, 1))
    let weight = max(0, min((Self.bright - level) / (Self.bright - Self.dark), 1))
    return Float(1 + weight * (min(Self.maximumGain, Self.target / level) - 1))
  }
}
