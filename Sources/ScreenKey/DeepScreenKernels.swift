import Compose
import Pixels

/// The loops that key samples of more than 8 bits: the formulas of `ScreenKernels` and
/// `SpillKernels` in floating point, in 8-bit codes and their fractions.
enum DeepScreenKernels {
  typealias Samples = Row<UInt16>

  /// Of spill in 1/512 codes.
  private static let spillUnits: Float = 512
  private static let spillTolerance = Float(ScreenColor.spillTolerance) / 16
  private static let maximumSpill = Float(ScreenColor.maximumSpill) / 2

  /// Alpha, and spill in 1/512 codes, of a row of chroma samples; see
  /// `ScreenKernels.keyAlphaAndSpill`.
  ///
  /// `recip` is 2^20 over the screen's own q, `along` the screen's x in 1/256 codes.
  @inline(never)
  static func keyAlphaAndSpill(
    _ alpha: Samples, _ spill: Samples, cb: Samples, cr: Samples, recip: Samples, along: Samples,
    _ color: ScreenColor, _ codes: DeepCodes
  ) {
    let n = alpha.count
    let (spill, cb, cr) = (spill[..<n], cb[..<n], cr[..<n])
    let (recip, along) = (recip[..<n], along[..<n])
    // Bits above the code are not read: rows may be those of the picture.
    let (mask, neutral) = (Int32(codes.maximum), Int32(128 * codes.scale))
    // x, z and q in 1/256 of an 8-bit code, as `along` is.
    let unit = 2 / codes.scale
    let (kx, ky) = (Float(color.kx) * unit, Float(color.ky) * unit)
    let cotangent = Float(color.cotangent) * (1 / 8192)
    // Ratios of q to the screen's, times 2^28.
    let floor = Float(color.floor) * 131_072
    let slope = 1 / (Float(color.span) * 131_072)
    // Of spill in 1/512 codes.
    let despill = Float(color.spillStrength) * (1 / 4096)
    let (tolerance, maximum) = (256 * spillTolerance, spillUnits * maximumSpill)
    let start = Float(ScreenColor.edgeStart) * (1 / 64)
    for i in 0..<n {
      let u = Float((Int32(cb[i]) & mask) &- neutral)
      let v = Float((Int32(cr[i]) & mask) &- neutral)
      let x = u * kx + v * ky
      let z = v * kx - u * ky
      let across = z.magnitude
      let q = larger(x - across * cotangent, 0)
      let amount = limited((q * Float(recip[i]) - floor) * slope, 0, 1)
      alpha[i] = UInt16(truncatingIfNeeded: nearest((1 - amount) * 65535))
      // On the foreground only light of exactly the screen's hue is spill; on its edge any excess.
      let edge = limited(amount * (255 / 64) - start, 0, 1)
      let taken = amount * Float(along[i]) + across * (1 - edge)
      let excess = limited((x - taken - tolerance) * despill, 0, maximum)
      spill[i] = UInt16(truncatingIfNeeded: nearest(excess))
    }
  }

  /// The foreground's own colour: F = (C - (1 - a) S - spill) / a; see `SpillKernels.unmixLuma`.
  ///
  /// Samples with a = 1 and spill = 0 do not change. `screen` is in 1/256 codes; `spillFactor` is
  /// what one code of spill takes off; `neutral` is the code of black, or of no chroma.
  @inline(never)
  static func unmix(
    _ samples: Samples, alpha: Row<Float>, screen: Samples, spill: Samples, spillFactor: Float,
    neutral: Float, isLuma: Bool, _ codes: DeepCodes
  ) {
    let n = samples.count
    let (alpha, screen, spill) = (alpha[..<n], screen[..<n], spill[..<n])
    let (zero, highest) = (neutral * codes.scale, Int32(codes.maximum))
    let screenUnit = codes.scale * (1 / 256)
    let spillUnit = spillFactor * codes.scale / spillUnits
    // No screen is darker than black; chroma lies on either side of neutral.
    let lowest: Float = isLuma ? 0 : -65536
    for i in 0..<n {
      let a = alpha[i]
      let light = larger(Float(screen[i]) * screenUnit - zero, lowest)
      let own = Float(samples[i]) - zero - (1 - a) * light - Float(spill[i]) * spillUnit
      // Alphas under 16 of 255 count as 16: there the quotient is noise, and runs towards neutral.
      let value = zero + own / larger(a, 16 / 255)
      samples[i] = nearestCode(value, highest)
    }
  }
}
