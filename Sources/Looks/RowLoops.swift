import Pixels

/// Loops over rows that need nothing unsafe.
extension LookKernels {
  /// Puts three rows together as words, the first in the lowest bits.
  @inline(never)
  static func join(_ words: Words, _ a: Bytes, _ b: Bytes, _ c: Bytes) {
    let n = words.count
    let (a, b, c) = (a[..<n], b[..<n], c[..<n])
    for i in 0..<n {
      words[i] = UInt32(a[i]) | UInt32(b[i]) &<< 8 | UInt32(c[i]) &<< 16
    }
  }

  /// Takes words of four bytes apart.
  @inline(never)
  static func split(_ a: Bytes, _ b: Bytes, _ c: Bytes, _ colors: Bytes) {
    let n = a.count
    let (b, c, colors) = (b[..<n], c[..<n], colors[..<(4 * n)])
    for i in 0..<n {
      a[i] = colors[4 &* i]
      b[i] = colors[4 &* i &+ 1]
      c[i] = colors[4 &* i &+ 2]
    }
  }
}
