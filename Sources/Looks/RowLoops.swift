import Pixels

/// Loops over rows without unsafe code.
extension LookKernels {
  /// Interleaves three rows as words, the first in the low bits.
  @inline(never)
  static func packWords(_ words: Words, _ a: Bytes, _ b: Bytes, _ c: Bytes) {
    let n = words.count
    let (a, b, c) = (a[..<n], b[..<n], c[..<n])
    for i in 0..<n {
      words[i] = UInt32(a[i]) | UInt32(b[i]) &<< 8 | UInt32(c[i]) &<< 16
    }
  }

  /// Deinterleaves the first three of every four bytes.
  @inline(never)
  static func deinterleave(_ a: Bytes, _ b: Bytes, _ c: Bytes, _ colors: Bytes) {
    let n = a.count
    let (b, c, colors) = (b[..<n], c[..<n], colors[..<(4 * n)])
    for i in 0..<n {
      a[i] = colors[4 &* i]
      b[i] = colors[4 &* i &+ 1]
      c[i] = colors[4 &* i &+ 2]
    }
  }
}
