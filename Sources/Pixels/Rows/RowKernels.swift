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
}
