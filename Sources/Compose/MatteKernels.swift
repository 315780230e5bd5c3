package import Pixels

/// Loops over rows of a matte, and of samples that are blended by it.
///
/// Each clips its rows to the length of the output row, and traps if one is shorter. Sources and
/// destinations are the same memory or do not overlap. Not inlined, so that each loop keeps its
/// constants in registers.
package enum MatteKernels {
  package typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  /// 255 - source.
  @inline(never)
  static func complement(_ out: Bytes, _ source: Bytes) {
    let n = out.count
    let source = source[..<n]
    for i in 0..<n { out[i] = ~source[i] }
  }

  /// Alpha times the source's own.
  @inline(never)
  static func multiply(_ alpha: Bytes, _ own: Bytes) {
    let n = alpha.count
    let own = own[..<n]
    for i in 0..<n {
      alpha[i] = UInt8(truncatingIfNeeded: dividedBy255(UInt16(alpha[i]) &* UInt16(own[i])))
    }
  }

  /// Alpha to luma codes, white where it is 255.
  @inline(never)
  static func alphaToLuma(_ out: Bytes, _ alpha: Bytes, offset: UInt16, scale: UInt16) {
    let n = out.count
    let alpha = alpha[..<n]
    for i in 0..<n {
      out[i] = UInt8(truncatingIfNeeded: dividedBy255(UInt16(alpha[i]) &* scale) &+ offset)
    }
  }

  /// `alpha` of each sample over the background; exact where it is 0 or 255.
  @inline(never)
  static func blend(_ samples: Bytes, _ background: Bytes, alpha: Bytes) {
    let n = samples.count
    let (background, alpha) = (background[..<n], alpha[..<n])
    for i in 0..<n {
      let opacity = UInt16(alpha[i])
      let sum = UInt16(samples[i]) &* opacity &+ UInt16(background[i]) &* (255 &- opacity)
      samples[i] = UInt8(truncatingIfNeeded: dividedBy255(sum))
    }
  }

  /// `new` in `weight`/256 and `old` in the rest, halves rounded down: transparency, which is 255 less
  /// alpha, rounds them up.
  @inline(__always)
  private static func lerp(_ new: UInt16, _ old: UInt16, _ weight: UInt16) -> UInt8 {
    UInt8(truncatingIfNeeded: (new &* weight &+ old &* (256 &- weight) &+ 127) &>> 8)
  }

  /// Minimum, maximum or 1 2 1 mean of three rows, mixed with the middle one by `weight`/256.
  @inline(never)
  static func filterThreeRows(
    _ out: Bytes, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ operation: ShapingPlan.Operation,
    _ weight: UInt16
  ) {
    let n = out.count
    let (a, b, c) = (a[..<n], b[..<n], c[..<n])
    switch operation {
    case .dilate:
      for i in 0..<n { out[i] = lerp(UInt16(max(a[i], b[i], c[i])), UInt16(b[i]), weight) }
    case .erode:
      for i in 0..<n { out[i] = lerp(UInt16(min(a[i], b[i], c[i])), UInt16(b[i]), weight) }
    case .blur:
      for i in 0..<n {
        let middle = UInt16(b[i])
        let mean = (UInt16(a[i]) &+ UInt16(c[i]) &+ 2 &* middle &+ 1) &>> 2
        out[i] = lerp(mean, middle, weight)
      }
    }
  }

  /// Upsamples along a row: two bytes for each word of `rows`, four times a byte.
  ///
  /// `rows` has one more word at either end. Cosited the bytes are the sample itself and the mean with
  /// the next, else 3 to 1 with the neighbour on either side. Halves are rounded up for samples,
  /// down for alpha.
  @inline(never)
  static func upsample2x(_ out: Bytes, _ rows: Words, isCosited: Bool, roundsHalvesUp: Bool) {
    let n = rows.count - 2
    let (before, center, after) = (rows[..<n], rows[from: 1, count: n], rows[from: 2, count: n])
    let pairs = out.pairs[..<n]
    let even: UInt16 = isCosited ? 0 : 1
    let odd: UInt16 = isCosited ? 2 : 1
    let (left, right) = (4 &- even, 4 &- odd)
    let rounding: UInt16 = roundsHalvesUp ? 8 : 7
    for i in 0..<n {
      let first = (center[i] &* left &+ before[i] &* even &+ rounding) &>> 4
      let second = (center[i] &* right &+ after[i] &* odd &+ rounding) &>> 4
      pairs[i] = first | (second &<< 8)
    }
  }

  /// Each byte of `source` twice.
  @inline(never)
  package static func repeat2x(_ out: Bytes, _ source: Bytes) {
    let n = source.count
    let pairs = out.pairs[..<n]
    for i in 0..<n { pairs[i] = UInt16(source[i]) &* 257 }
  }
}
