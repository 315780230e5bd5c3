/// Loops over bytes two by two, read as words: what lies side by side then need not be sorted.
///
/// Whoever calls these has checked addresses and counts, as for `RowKernels`.
enum PairKernels {
  typealias Bytes = UnsafeMutablePointer<UInt8>
  typealias Words = UnsafeMutablePointer<UInt16>

  /// Pair `i`, its first byte in the low bits.
  @inline(__always)
  @unsafe private static func word(_ pairs: UnsafeRawPointer, _ i: Int) -> UInt16 {
    unsafe UInt16(littleEndian: pairs.loadUnaligned(fromByteOffset: i &* 2, as: UInt16.self))
  }

  /// Adds the bytes of `n` pairs to sums, both to one.
  @inline(never)
  @unsafe static func add(_ sums: Words, _ pairs: UnsafeRawPointer, _ n: Int) {
    for i in 0..<n {
      let word = unsafe word(pairs, i)
      unsafe sums[i] &+= (word & 0xff) &+ (word &>> 8)
    }
  }

  /// Adds the bytes of `n` pairs to sums, the first and the second to their own.
  @inline(never)
  @unsafe static func add(_ first: Words, _ second: Words, _ pairs: UnsafeRawPointer, _ n: Int) {
    for i in 0..<n {
      let word = unsafe word(pairs, i)
      unsafe first[i] &+= word & 0xff
      unsafe second[i] &+= word &>> 8
    }
  }

  /// Takes `n` pairs apart.
  @inline(never)
  @unsafe static func split(_ first: Bytes, _ second: Bytes, _ pairs: UnsafeRawPointer, _ n: Int) {
    for i in 0..<n {
      let word = unsafe word(pairs, i)
      unsafe first[i] = UInt8(truncatingIfNeeded: word)
      unsafe second[i] = UInt8(truncatingIfNeeded: word &>> 8)
    }
  }
}
