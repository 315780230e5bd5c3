import Pixels

/// Applies the lighting of a face to a texture: it becomes lighter or darker where the skin is
/// lighter or darker than its mean.
///
/// The texture's light is multiplied by 1 + shade (Y / mean - 1), with Y the luma of the picture
/// under a pixel and mean that of the skin.
struct SurfaceLight {
  private let target: SpriteTarget
  /// Black in codes, and the gain at black in 1/16384.
  private let black: Int32
  private let base: Int32
  /// Gain per code of luma, in 1/16384.
  private let slope: Int32

  /// Limits of the gain, in 1/16384.
  private static let limits: (minimum: Int32, maximum: Int32) = (0x1000, 0x6000)

  /// For a picture whose skin has mean luma `mean`, in codes.
  init?(_ target: SpriteTarget, shade: Double, mean: Double) {
    let isRGB = target.layout.family == .rgb
    let black = isRGB ? 0 : Double(target.colorimetry.lumaOffset)
    guard shade > 0, mean > black + 4 else { return nil }
    self.target = target
    self.black = Int32(black)
    base = Int32((1 - shade) * 16384)
    slope = Int32((shade * 16384 / (mean - black)).rounded())
  }

  /// Multiplies taps by the gain from the picture's pixels under them.
  func apply(_ row: Int, _ columns: Range<Int>, _ taps: SpriteTaps, _ scratch: SpriteScratch) {
    guard row >= 0, row < target.height else { return }
    let inside = columns.clamped(to: 0..<target.width)
    guard !inside.isEmpty else { return }
    let gain = scratch.gain[0..<inside.count]
    computeGains(row, inside, gain, scratch)
    let taps = taps[
      inside.lowerBound - columns.lowerBound..<inside.upperBound - columns.lowerBound]
    Self.scale(taps, by: gain, isRGB: target.layout.family == .rgb, black: UInt16(black))
  }

  /// Multiplies taps by `gain`, in 1/16384.
  static func scale(_ taps: SpriteTaps, by gain: Row<UInt16>, isRGB: Bool, black: UInt16) {
    if isRGB {
      for component in 0..<3 { scaleRGB(taps[component], gain, taps.alpha) }
    } else {
      scaleLuma(taps.c0, gain, taps.alpha, black: black)
      scaleChroma(taps.c1, gain, taps.alpha)
      scaleChroma(taps.c2, gain, taps.alpha)
    }
  }

  /// Computes the gains for columns of a row.
  private func computeGains(
    _ row: Int, _ columns: Range<Int>, _ gain: Row<UInt16>, _ scratch: SpriteScratch
  ) {
    func samples(_ component: Int, _ index: Int) -> Row<UInt8> {
      let bytes = scratch.bytes[index][0..<columns.count]
      return target.samples(component, row: row, from: columns.lowerBound, scratch: bytes) ?? bytes
    }
    let luma: Row<UInt8>
    if target.layout.family == .rgb {
      let (red, green, blue) = (samples(0, 0), samples(1, 1), samples(2, 2))
      luma = scratch.bytes[3][0..<columns.count]
      for i in 0..<min(luma.count, red.count, green.count, blue.count) {
        let sum = 54 &* UInt32(red[i]) &+ 183 &* UInt32(green[i]) &+ 19 &* UInt32(blue[i])
        luma[i] = UInt8(truncatingIfNeeded: sum &>> 8)
      }
    } else {
      luma = samples(0, 0)
    }
    let (minimum, maximum) = Self.limits
    for i in 0..<min(gain.count, luma.count) {
      let value = base &+ (Int32(luma[i]) &- black) &* slope
      gain[i] = UInt16(truncatingIfNeeded: max(minimum, min(maximum, value)))
    }
  }

  /// Scales a premultiplied component, which never exceeds alpha.
  private static func scaleRGB(_ row: Row<UInt16>, _ gain: Row<UInt16>, _ alpha: Row<UInt16>) {
    for i in 0..<min(row.count, gain.count, alpha.count) {
      let value = (UInt32(row[i]) &* UInt32(gain[i])) &>> 14
      row[i] = UInt16(truncatingIfNeeded: min(value, UInt32(alpha[i])))
    }
  }

  private static func scaleLuma(
    _ row: Row<UInt16>, _ gain: Row<UInt16>, _ alpha: Row<UInt16>, black: UInt16
  ) {
    // Black's fraction of alpha, in 1/65536.
    let blackFraction = UInt32(black) &* 257
    for i in 0..<min(row.count, gain.count, alpha.count) {
      let maximum = UInt32(alpha[i])
      let dark = (maximum &* blackFraction) &>> 16
      let light = UInt32(row[i]) &- min(UInt32(row[i]), dark)
      row[i] = UInt16(truncatingIfNeeded: min(dark &+ (light &* UInt32(gain[i])) &>> 14, maximum))
    }
  }

  private static func scaleChroma(_ row: Row<UInt16>, _ gain: Row<UInt16>, _ alpha: Row<UInt16>) {
    for i in 0..<min(row.count, gain.count, alpha.count) {
      let maximum = Int32(alpha[i]) &>> 1
      let value = ((Int32(row[i]) &- 32768) &* Int32(gain[i])) &>> 14
      row[i] = UInt16(truncatingIfNeeded: 32768 &+ max(-maximum, min(value, maximum)))
    }
  }

  /// Mean luma of the skin in codes, at the vertices that lie in the picture; nil without any.
  static func meanSkinLuma(_ points: SurfaceVertices, _ target: SpriteTarget) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for index in 0..<points.count {
      let position = points[index].position
      guard position.x >= 0, position.y >= 0, position.x < Double(target.width),
        position.y < Double(target.height)
      else { continue }
      let (x, y) = (Int(position.x), Int(position.y))
      func code(_ component: Int) -> Double { target.code(component, x: x, y: y) }
      sum +=
        target.layout.family == .rgb
        ? 0.2126 * code(0) + 0.7152 * code(1) + 0.0722 * code(2) : code(0)
      count += 1
    }
    return count > 0 ? sum / count : nil
  }
}
