package import Pixels

/// Loops over rows of samples of 16 bits, and of alpha in floating point, 1 for opaque.
///
/// The counterparts of `MatteKernels` for pictures of more than 8 bits: one kernel for each
/// operation, whatever the number of bits. They clip their rows as those do.
package enum DeepKernels {
  package typealias Samples = Row<UInt16>
  package typealias Alpha = Row<Float>

  /// Bytes to 16 bits, 255 to 65535.
  @inline(never)
  static func widen(_ out: Samples, _ bytes: Row<UInt8>) {
    let n = out.count
    let bytes = bytes[..<n]
    for i in 0..<n { out[i] = UInt16(bytes[i]) &* 257 }
  }

  /// Marks blocks that are 0, or 65535, with the samples next to them; `samples` begins with the
  /// one before the first block.
  @inline(never)
  static func markUniformBlocks(_ marks: Row<UInt8>, _ samples: Samples) {
    let block = GridPlane.Rows.block
    for i in 0..<marks.count {
      // 18 samples as five words, of which two overlap.
      let samples = samples[from: i &* block, count: block &+ 2]
      func word(_ x: Int) -> UInt64 { samples.word(at: x, as: UInt64.self) }
      let (a, b, c, d, e) = (word(0), word(4), word(8), word(12), word(14))
      let (any, all) = (a | b | c | d | e, a & b & c & d & e)
      marks[i] = any == 0 ? GridPlane.Rows.zero : all == .max ? GridPlane.Rows.full : 0
    }
  }

  /// 65535 - source.
  @inline(never)
  static func complement(_ out: Samples, _ source: Samples) {
    let n = out.count
    let source = source[..<n]
    for i in 0..<n { out[i] = ~source[i] }
  }

  /// Minimum, maximum or 1 2 1 mean of three rows, mixed with the middle one by `weight`.
  @inline(never)
  static func filterThreeRows(
    _ out: Samples, _ a: Samples, _ b: Samples, _ c: Samples,
    _ operation: ShapingPlan.Operation, _ weight: Float
  ) {
    let n = out.count
    let (a, b, c) = (a[..<n], b[..<n], c[..<n])
    func lerp(_ new: Float, _ old: UInt16) -> UInt16 {
      UInt16(truncatingIfNeeded: nearest(Float(old) + (new - Float(old)) * weight))
    }
    switch operation {
    case .dilate: for i in 0..<n { out[i] = lerp(Float(max(a[i], b[i], c[i])), b[i]) }
    case .erode: for i in 0..<n { out[i] = lerp(Float(min(a[i], b[i], c[i])), b[i]) }
    case .blur:
      for i in 0..<n {
        let sum = Float(a[i]) + Float(c[i]) + 2 * Float(b[i])
        out[i] = lerp(sum * 0.25, b[i])
      }
    }
  }

  /// Alpha of 16 bits as floats.
  @inline(never)
  package static func alphaToFloat(_ out: Alpha, _ source: Samples) {
    let n = out.count
    let source = source[..<n]
    for i in 0..<n { out[i] = Float(source[i]) * (1 / 65535) }
  }

  /// Two rows of alpha, the second in `weight`, as floats.
  @inline(never)
  static func blendRows(_ out: Alpha, _ a: Samples, _ b: Samples, _ weight: Float) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    let (own, other) = ((1 - weight) * (1 / 65535), weight * (1 / 65535))
    for i in 0..<n { out[i] = Float(a[i]) * own + Float(b[i]) * other }
  }

  /// Upsamples along a row as `MatteKernels.upsample2x`; `row` has one more element at either end.
  @inline(never)
  static func upsample2x(_ out: Alpha, _ row: Alpha, isCosited: Bool) {
    let n = row.count - 2
    let (before, center, after) = (row[..<n], row[from: 1, count: n], row[from: 2, count: n])
    let out = out[..<(2 * n)]
    let even: Float = isCosited ? 0 : 0.25
    let odd: Float = isCosited ? 0.5 : 0.25
    for i in 0..<n {
      out[2 &* i] = center[i] + (before[i] - center[i]) * even
      out[2 &* i &+ 1] = center[i] + (after[i] - center[i]) * odd
    }
  }

  /// Each sample of `source` twice.
  @inline(never)
  package static func repeat2x(_ out: Samples, _ source: Samples) {
    let n = source.count
    let out = out[..<(2 * n)]
    for i in 0..<n {
      out[2 &* i] = source[i]
      out[2 &* i &+ 1] = source[i]
    }
  }

  /// Alpha times the source's own, whose codes are at most `maximum`.
  @inline(never)
  static func multiply(_ alpha: Alpha, _ own: Samples, maximum: Float) {
    let n = alpha.count
    let own = own[..<n]
    let factor = 1 / maximum
    for i in 0..<n { alpha[i] *= Float(own[i]) * factor }
  }

  /// Alpha as codes from `offset` to `offset` + `scale`.
  @inline(never)
  static func alphaToCodes(_ out: Samples, _ alpha: Alpha, offset: Float, scale: Float) {
    let n = out.count
    let alpha = alpha[..<n]
    for i in 0..<n {
      out[i] = UInt16(truncatingIfNeeded: nearest(offset + limited(alpha[i], 0, 1) * scale))
    }
  }

  /// `alpha` of each sample over the background; exact where it is 0 or 1.
  @inline(never)
  static func blend(_ samples: Samples, _ background: Samples, alpha: Alpha) {
    let n = samples.count
    let (background, alpha) = (background[..<n], alpha[..<n])
    for i in 0..<n {
      let (over, under) = (Float(samples[i]), Float(background[i]))
      samples[i] = UInt16(truncatingIfNeeded: nearest(under + (over - under) * alpha[i]))
    }
  }

  /// Floats in 8-bit codes as codes of more bits.
  @inline(never)
  static func round(_ out: Samples, _ values: Row<Float>, _ codes: DeepCodes) {
    let n = out.count
    let values = values[..<n]
    for i in 0..<n { out[i] = codes.nearest(values[i]) }
  }
}
