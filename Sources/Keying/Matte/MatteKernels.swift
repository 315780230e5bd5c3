import Pixels

/// The loops over rows of a matte; as those of `ScreenKernels`.
enum MatteKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  /// 255 - source.
  @inline(never)
  static func complement(_ out: Bytes, _ source: Bytes) {
    let n = out.count
    let source = source[..<n]
    for i in 0..<n { out[i] = ~source[i] }
  }

  /// Screen shares `b` of samples whose own alpha is `alpha`: what is not their subject.
  @inline(never)
  static func veil(_ b: Bytes, alpha: Bytes) {
    let n = b.count
    let alpha = alpha[..<n]
    for i in 0..<n {
      b[i] = ~UInt8(truncatingIfNeeded: dividedBy255(UInt16(~b[i]) &* UInt16(alpha[i])))
    }
  }

  /// Screen shares to luma codes, white where there is no screen.
  @inline(never)
  static func grey(_ out: Bytes, _ shares: Bytes, offset: UInt16, scale: UInt16) {
    let n = out.count
    let shares = shares[..<n]
    for i in 0..<n {
      let alpha = UInt16(~shares[i])
      out[i] = UInt8(truncatingIfNeeded: dividedBy255(alpha &* scale) &+ offset)
    }
  }

  /// `new` in `weight`/256 and `old` in the rest.
  @inline(__always)
  private static func mixed(_ new: UInt16, _ old: UInt16, _ weight: UInt16) -> UInt8 {
    UInt8(truncatingIfNeeded: (new &* weight &+ old &* (256 &- weight) &+ 128) &>> 8)
  }

  /// Maximum, minimum or 1 2 1 mean of three rows, mixed with the middle one by `weight`/256.
  @inline(never)
  static func tap3(
    _ out: Bytes, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ kind: ShapingPlan.Kind, _ weight: UInt16
  ) {
    let n = out.count
    let (a, b, c) = (a[..<n], b[..<n], c[..<n])
    switch kind {
    case .grow:
      for i in 0..<n { out[i] = mixed(UInt16(max(a[i], b[i], c[i])), UInt16(b[i]), weight) }
    case .thin:
      for i in 0..<n { out[i] = mixed(UInt16(min(a[i], b[i], c[i])), UInt16(b[i]), weight) }
    case .blur:
      for i in 0..<n {
        let middle = UInt16(b[i])
        let mean = (UInt16(a[i]) &+ UInt16(c[i]) &+ 2 &* middle &+ 2) &>> 2
        out[i] = mixed(mean, middle, weight)
      }
    }
  }

  /// Upsamples along a row: two bytes for each word of `rows`, four times a byte.
  ///
  /// `rows` has one more word at either end. Cosited the bytes are the sample itself and the mean with
  /// the next, else 3 to 1 with the neighbour on either side.
  @inline(never)
  static func upsample2x(_ out: Bytes, _ rows: Words, isCosited: Bool) {
    let n = rows.count - 2
    let (before, center, after) = (rows[..<n], rows[from: 1, count: n], rows[from: 2, count: n])
    let pairs = out.pairs[..<n]
    let even: UInt16 = isCosited ? 0 : 1
    let odd: UInt16 = isCosited ? 2 : 1
    let (left, right) = (4 &- even, 4 &- odd)
    for i in 0..<n {
      let first = (center[i] &* left &+ before[i] &* even &+ 8) &>> 4
      let second = (center[i] &* right &+ after[i] &* odd &+ 8) &>> 4
      pairs[i] = first | (second &<< 8)
    }
  }

  /// Each byte of `source` twice.
  @inline(never)
  static func repeat2x(_ out: Bytes, _ source: Bytes) {
    let n = source.count
    let pairs = out.pairs[..<n]
    for i in 0..<n { pairs[i] = UInt16(source[i]) &* 257 }
  }
}
