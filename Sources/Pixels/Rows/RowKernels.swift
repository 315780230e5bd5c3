/// The loops that copy samples between strided and contiguous rows.
///
/// The callers, `Component`, `ChromaPairs` and `PackedPixels`, check addresses and counts. Bytes
/// two or four apart are accessed as words, which vectorises where strided bytes do not. Not
/// inlined, so that each loop keeps its constants in registers.
enum RowKernels {
  typealias Bytes = UnsafeMutablePointer<UInt8>
  typealias Triple = (Bytes, Bytes, Bytes)

  /// Copies `n` samples that are `step` bytes apart.
  @inline(never)
  @unsafe static func gather(_ out: Bytes, _ source: Bytes, step: Int, _ n: Int) {
    switch step {
    case 1: if unsafe out != source { unsafe out.update(from: source, count: n) }
    case 2: unsafe gather(out, source, UInt16.self, n)
    case 4: unsafe gather(out, source, UInt32.self, n)
    default: for i in 0..<n { unsafe out[i] = source[i &* step] }
    }
  }

  @inline(__always)
  @unsafe private static func gather<Word: FixedWidthInteger & BitwiseCopyable>(
    _ out: Bytes, _ source: Bytes, _: Word.Type, _ n: Int
  ) {
    let step = Word.bitWidth / 8
    // The last word would reach past the row's last byte.
    for i in 0..<max(n &- 1, 0) {
      let word = unsafe UnsafeRawPointer(source).loadUnaligned(
        fromByteOffset: i &* step, as: Word.self)
      unsafe out[i] = UInt8(truncatingIfNeeded: Word(littleEndian: word))
    }
    if n > 0 { unsafe out[n &- 1] = source[(n &- 1) &* step] }
  }

  /// Writes `n` samples `step` bytes apart; the bytes between keep their values.
  @inline(never)
  @unsafe static func scatter(_ out: Bytes, _ source: Bytes, step: Int, _ n: Int) {
    switch step {
    case 1: if unsafe out != source { unsafe out.update(from: source, count: n) }
    case 2: unsafe scatter(out, source, UInt16.self, n)
    case 4: unsafe scatter(out, source, UInt32.self, n)
    default: for i in 0..<n { unsafe out[i &* step] = source[i] }
    }
  }

  @inline(__always)
  @unsafe private static func scatter<Word: FixedWidthInteger & BitwiseCopyable>(
    _ out: Bytes, _ source: Bytes, _: Word.Type, _ n: Int
  ) {
    let step = Word.bitWidth / 8
    let bytes = UnsafeMutableRawPointer(out)
    for i in 0..<max(n &- 1, 0) {
      let old = unsafe bytes.loadUnaligned(fromByteOffset: i &* step, as: Word.self)
      let new = unsafe Word(littleEndian: old) & ~0xff | Word(truncatingIfNeeded: source[i])
      unsafe bytes.storeBytes(of: new.littleEndian, toByteOffset: i &* step, as: Word.self)
    }
    if n > 0 { unsafe out[(n &- 1) &* step] = source[n &- 1] }
  }

  /// Adds `n` samples that lie `step` bytes apart to `sums`.
  @inline(never)
  @unsafe static func addSamples(
    _ sums: UnsafeMutablePointer<UInt16>, _ source: Bytes, step: Int, _ n: Int
  ) {
    for i in 0..<n { unsafe sums[i] &+= UInt16(source[i &* step]) }
  }

  // MARK: Interleaved pairs, read as words

  typealias Words = UnsafeMutablePointer<UInt16>

  /// Pair `i`, its first byte in the low bits.
  @inline(__always)
  @unsafe private static func loadPair(_ pairs: UnsafeRawPointer, _ i: Int) -> UInt16 {
    unsafe UInt16(littleEndian: pairs.loadUnaligned(fromByteOffset: i &* 2, as: UInt16.self))
  }

  /// Adds both bytes of each of `n` pairs to one sum.
  @inline(never)
  @unsafe static func addPairSums(_ sums: Words, _ pairs: UnsafeRawPointer, _ n: Int) {
    for i in 0..<n {
      let word = unsafe loadPair(pairs, i)
      unsafe sums[i] &+= (word & 0xff) &+ (word &>> 8)
    }
  }

  /// Adds the first and the second bytes of `n` pairs to separate sums.
  @inline(never)
  @unsafe static func addDeinterleavedPairs(
    _ first: Words, _ second: Words, _ pairs: UnsafeRawPointer, _ n: Int
  ) {
    for i in 0..<n {
      let word = unsafe loadPair(pairs, i)
      unsafe first[i] &+= word & 0xff
      unsafe second[i] &+= word &>> 8
    }
  }

  /// Deinterleaves `n` pairs.
  @inline(never)
  @unsafe static func deinterleavePairs(
    _ first: Bytes, _ second: Bytes, _ pairs: UnsafeRawPointer, _ n: Int
  ) {
    for i in 0..<n {
      let word = unsafe loadPair(pairs, i)
      unsafe first[i] = UInt8(truncatingIfNeeded: word)
      unsafe second[i] = UInt8(truncatingIfNeeded: word &>> 8)
    }
  }

  // MARK: Packed pixels of four bytes

  /// Three components of pixel `i`, shifted to their positions.
  @inline(__always)
  @unsafe private static func shiftedComponents(
    _ rows: Triple, _ shifts: (UInt32, UInt32, UInt32), _ i: Int
  ) -> UInt32 {
    let low = unsafe UInt32(rows.0[i]) &<< shifts.0 | UInt32(rows.1[i]) &<< shifts.1
    return unsafe low | UInt32(rows.2[i]) &<< shifts.2
  }

  @inline(__always)
  @unsafe private static func loadWord(_ pixels: UnsafeRawPointer, _ i: Int) -> UInt32 {
    unsafe UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self))
  }

  @inline(__always)
  @unsafe private static func storeWord(_ word: UInt32, _ pixels: UnsafeMutableRawPointer, _ i: Int)
  {
    unsafe pixels.storeBytes(of: word.littleEndian, toByteOffset: i &* 4, as: UInt32.self)
  }

  /// Deinterleaves three adjacent bytes of every four.
  ///
  /// With constant byte offsets the compiler emits vector loads and shuffles.
  @inline(never)
  @unsafe static func deinterleave4(_ out: Triple, _ pixels: Bytes, _ n: Int) {
    let (a, b, c) = unsafe out
    for i in 0..<n {
      unsafe a[i] = pixels[i &* 4]
      unsafe b[i] = pixels[i &* 4 &+ 1]
      unsafe c[i] = pixels[i &* 4 &+ 2]
    }
  }

  /// Interleaves four rows.
  @inline(never)
  @unsafe static func interleave4(
    _ pixels: Bytes, _ rows: Triple, _ last: Bytes, _ shifts: (UInt32, UInt32, UInt32, UInt32),
    _ n: Int
  ) {
    let (a, b, c) = unsafe rows
    for i in 0..<n {
      let low = unsafe UInt32(a[i]) &<< shifts.0 | UInt32(b[i]) &<< shifts.1
      let high = unsafe UInt32(c[i]) &<< shifts.2 | UInt32(last[i]) &<< shifts.3
      unsafe storeWord(low | high, pixels, i)
    }
  }

  /// Interleaves three rows; the bits of `kept` keep their values.
  @inline(never)
  @unsafe static func interleave4(
    _ pixels: Bytes, _ rows: Triple, _ shifts: (UInt32, UInt32, UInt32), keeping kept: UInt32,
    _ n: Int
  ) {
    for i in 0..<n {
      unsafe storeWord(loadWord(pixels, i) & kept | shiftedComponents(rows, shifts, i), pixels, i)
    }
  }

  /// Interleaves three rows, with the bits of `fourth` set in every pixel.
  @inline(never)
  @unsafe static func interleave4(
    _ pixels: Bytes, _ rows: Triple, _ shifts: (UInt32, UInt32, UInt32), setting fourth: UInt32,
    _ n: Int
  ) {
    for i in 0..<n { unsafe storeWord(fourth | shiftedComponents(rows, shifts, i), pixels, i) }
  }

  /// Writes `value` to the bits of every pixel except those of `kept`.
  @inline(never)
  @unsafe static func setBits4(_ pixels: Bytes, _ value: UInt32, keeping kept: UInt32, _ n: Int) {
    if kept == 0 {
      for i in 0..<n { unsafe storeWord(value, pixels, i) }
    } else {
      for i in 0..<n { unsafe storeWord(loadWord(pixels, i) & kept | value, pixels, i) }
    }
  }

  // MARK: Packed pixels of three bytes

  /// Deinterleaves pixels, in the order of their bytes.
  @inline(never)
  @unsafe static func deinterleave3(_ out: Triple, _ pixels: Bytes, _ n: Int) {
    let (a, b, c) = unsafe out
    for i in 0..<n {
      unsafe a[i] = pixels[i &* 3]
      unsafe b[i] = pixels[i &* 3 &+ 1]
      unsafe c[i] = pixels[i &* 3 &+ 2]
    }
  }

  /// Interleaves three rows, in the order of a pixel's bytes.
  @inline(never)
  @unsafe static func interleave3(_ pixels: Bytes, _ rows: Triple, _ n: Int) {
    let (a, b, c) = unsafe rows
    for i in 0..<n {
      unsafe pixels[i &* 3] = a[i]
      unsafe pixels[i &* 3 &+ 1] = b[i]
      unsafe pixels[i &* 3 &+ 2] = c[i]
    }
  }

  // MARK: Samples of 16-bit words

  /// Whether two rows begin at the same address.
  static func isSameAddress(_ a: Row<UInt8>, _ b: Row<UInt8>) -> Bool { unsafe a.base == b.base }

  /// The little-endian words that bytes hold; nil at an odd address.
  static func words(_ bytes: Row<UInt8>) -> Row<UInt16>? {
    unsafe UInt(bitPattern: bytes.base) & 1 == 0 && Int(littleEndian: 1) == 1 ? bytes.pairs : nil
  }

  /// Calls `body` with each of `n` words that are `step` bytes apart.
  ///
  /// Words four bytes apart are read as words of 32 bits, which vectorises where strided ones do
  /// not.
  @inline(__always)
  private static func forWords(
    _ bytes: Row<UInt8>, step: Int, _ n: Int, _ body: (Int, UInt16) -> Void
  ) {
    guard n > 0 else { return }
    precondition(step >= 2 && bytes.count >= (n - 1) * step + 2)
    let source = unsafe UnsafeRawPointer(bytes.base)
    func word(_ i: Int, _ step: Int) -> UInt16 {
      unsafe UInt16(littleEndian: source.loadUnaligned(fromByteOffset: i &* step, as: UInt16.self))
    }
    switch step {
    case 2: for i in 0..<n { body(i, word(i, 2)) }
    case 4:
      // The last word would reach past the row's last byte.
      for i in 0..<(n &- 1) {
        let pair = unsafe source.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
        body(i, UInt16(truncatingIfNeeded: UInt32(littleEndian: pair)))
      }
      body(n &- 1, word(n &- 1, 4))
    default: for i in 0..<n { body(i, word(i, step)) }
    }
  }

  /// Copies the codes of words: their bits from `shift` on.
  @inline(never)
  static func gatherWords(
    _ out: Row<UInt16>, _ bytes: Row<UInt8>, step: Int, shift: UInt16, mask: UInt16
  ) {
    let base = unsafe out.base
    forWords(bytes, step: step, out.count) { unsafe base[$0] = ($1 &>> shift) & mask }
  }

  /// The codes of words, rounded to 8 bits by `dropped` bits.
  @inline(never)
  static func gatherRoundedWords(
    _ out: Row<UInt8>, _ bytes: Row<UInt8>, step: Int, shift: UInt16, mask: UInt16,
    dropped: UInt16
  ) {
    let half = (1 &<< dropped) &>> 1 as UInt16
    let base = unsafe out.base
    forWords(bytes, step: step, out.count) {
      let code = ((($1 &>> shift) & mask) &+ half) &>> dropped
      unsafe base[$0] = UInt8(truncatingIfNeeded: min(code, 255))
    }
  }

  /// Writes codes to words `step` bytes apart, above `shift` bits of 0; the bytes between keep
  /// their values.
  @inline(never)
  static func scatterWords(
    _ bytes: Row<UInt8>, _ source: Row<UInt16>, step: Int, shift: UInt16
  ) {
    let n = source.count
    guard n > 0 else { return }
    precondition(step >= 2 && bytes.count >= (n - 1) * step + 2)
    let (out, codes) = unsafe (UnsafeMutableRawPointer(bytes.base), source.base)
    func store(_ i: Int, _ step: Int) {
      let word = unsafe codes[i] &<< shift
      unsafe out.storeBytes(of: word.littleEndian, toByteOffset: i &* step, as: UInt16.self)
    }
    guard step == 4 else {
      if step == 2 { for i in 0..<n { store(i, 2) } } else { for i in 0..<n { store(i, step) } }
      return
    }
    for i in 0..<(n &- 1) {
      let old = unsafe out.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      let new = unsafe UInt32(littleEndian: old) & 0xffff_0000 | UInt32(codes[i] &<< shift)
      unsafe out.storeBytes(of: new.littleEndian, toByteOffset: i &* 4, as: UInt32.self)
    }
    store(n &- 1, 4)
  }
}
