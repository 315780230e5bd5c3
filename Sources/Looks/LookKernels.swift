import Pixels

/// The loops over rows of pixels and nodes of cubes, and the only unsafe code of the module: each
/// checks its sizes before it begins.
///
/// A node of a cube is a colour of 16-bit fields. What is interpolated is their sum with weights
/// that add up to 8, as nodes lie 8 codes apart: all of it is exact in whole numbers.
enum LookKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt32>
  typealias Sums = Row<SIMD4<Int16>>

  // MARK: Pixels as words

  /// Reads pixels of `step` bytes, 3 or 4, as words, the first byte in the lowest bits.
  @inline(never)
  static func read(_ words: Words, _ pixels: Bytes, step: Int) {
    let n = words.count
    precondition(pixels.count >= n * step)
    let (words, bytes) = unsafe (words.base, pixels.base)
    if step == 4 {
      let raw = UnsafeRawPointer(bytes)
      for i in 0..<n {
        unsafe words[i] = raw.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      }
    } else {
      for i in 0..<n {
        let low = unsafe UInt32(bytes[i &* 3]) | UInt32(bytes[i &* 3 &+ 1]) &<< 8
        unsafe words[i] = low | UInt32(bytes[i &* 3 &+ 2]) &<< 16
      }
    }
  }

  /// Writes pixels of 4 bytes, three of them from `colors` from byte `first` on, 0 or 1; the fourth
  /// keeps what `words` holds.
  @inline(never)
  static func write(_ pixels: Bytes, _ words: Words, _ colors: Bytes, first: Int) {
    let n = words.count
    precondition(pixels.count >= n * 4 && colors.count >= n * 4)
    let (words, colors) = unsafe (words.base, UnsafeRawPointer(colors.base))
    let raw = unsafe UnsafeMutableRawPointer(pixels.base)
    let shift = UInt32(truncatingIfNeeded: first * 8)
    let kept: UInt32 = first == 0 ? 0xff00_0000 : 0xff
    for i in 0..<n {
      let color = unsafe colors.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      let word = unsafe (color &<< shift) & ~kept | words[i] & kept
      unsafe raw.storeBytes(of: word, toByteOffset: i &* 4, as: UInt32.self)
    }
  }

  /// The same for pixels of 3 bytes.
  @inline(never)
  static func write3(_ pixels: Bytes, _ colors: Bytes) {
    let n = pixels.count / 3
    precondition(colors.count >= n * 4)
    let (pixels, colors) = unsafe (pixels.base, colors.base)
    for i in 0..<n {
      unsafe pixels[i &* 3] = colors[i &* 4]
      unsafe pixels[i &* 3 &+ 1] = colors[i &* 4 &+ 1]
      unsafe pixels[i &* 3 &+ 2] = colors[i &* 4 &+ 2]
    }
  }

  // MARK: Cubes of whole colours

  /// Where in a cube the colours of words lie, from bit `shift` on: the node below in the upper bits,
  /// 3 bits of what is left of each component in the lower ones.
  @inline(never)
  static func places(_ places: Words, _ words: Words, shift: UInt32) {
    let n = places.count
    precondition(words.count >= n)
    let (places, words) = unsafe (places.base, words.base)
    for i in 0..<n {
      let word = unsafe words[i] &>> shift
      let (a, b, c) = ((word &>> 3) & 31, (word &>> 11) & 31, (word &>> 19) & 31)
      // 33 times: shifts are quicker than products.
      let ab = b &+ c &+ c &<< 5
      let node = a &+ ab &+ ab &<< 5
      unsafe places[i] =
        node &<< 9 | word & 7 | (word &>> 5) & 0x38 | (word &>> 10) & 0x1c0
    }
  }

  /// The weighted sums of four nodes for each place, limited to `low...high`.
  @inline(never)
  static func sum(
    _ sums: Sums, _ places: Words, nodes: Sums, steps: Words, weights: Row<SIMD8<Int16>>,
    low: SIMD4<Int16>, high: SIMD4<Int16>
  ) {
    let n = sums.count
    precondition(places.count >= n && nodes.count >= 33 * 33 * 33)
    precondition(steps.count == 512 && weights.count == 1024)
    let (sums, places, nodes) = unsafe (sums.base, places.base, nodes.base)
    let (steps, weights) = unsafe (steps.base, weights.base)
    for i in 0..<n {
      let place = unsafe places[i]
      let path = Int(place & 511)
      let node = unsafe nodes + Int(place &>> 9)
      let weight = unsafe weights + path &* 2
      let step = unsafe steps[path]
      let first = unsafe SIMD8(
        lowHalf: node[0], highHalf: node[Int(step & 0xffff)])
      let last = unsafe SIMD8(
        lowHalf: node[Int(step &>> 16)], highHalf: node[1 + 33 + 1089])
      let sum = unsafe first &* weight[0] &+ last &* weight[1]
      let value = sum.lowHalf &+ sum.highHalf
      let raised = value.replacing(with: low, where: value .< low)
      unsafe sums[i] = raised.replacing(with: high, where: raised .> high)
    }
  }

  /// Rounds sums, of which a code is 64, 0...255, to bytes.
  @inline(never)
  static func round(_ bytes: Bytes, _ sums: Sums) {
    let n = sums.count * 4
    precondition(bytes.count >= n)
    let bytes = unsafe bytes.base
    let fields = unsafe UnsafeRawPointer(sums.base).assumingMemoryBound(to: Int16.self)
    for i in 0..<n {
      unsafe bytes[i] = UInt8(truncatingIfNeeded: (fields[i] &+ 32) &>> 6)
    }
  }

  // MARK: Luma that shares its chroma

  /// Where the columns of the nearest chroma begin, by words of mean luma, Cb and Cr.
  @inline(never)
  static func columns(_ columns: Words, _ words: Words) {
    let n = columns.count
    precondition(words.count >= n)
    let (columns, words) = unsafe (columns.base, words.base)
    for i in 0..<n {
      let word = unsafe words[i]
      let (b, r) = ((word &>> 8 & 0xff &+ 4) &>> 3, (word &>> 16 & 0xff &+ 4) &>> 3)
      unsafe columns[i] = (b &+ r &+ r &<< 5) &<< 8
    }
  }

  /// What is to be added to a column's values so that mean luma becomes what `sums` say.
  @inline(never)
  static func shifts(
    _ shifts: Row<Int16>, _ columns: Words, _ words: Words, _ sums: Sums, luma: Row<Int16>
  ) {
    let n = shifts.count
    precondition(columns.count >= n && words.count >= n && sums.count >= n)
    precondition(luma.count == 33 * 33 * 256)
    let (shifts, columns, words) = unsafe (shifts.base, columns.base, words.base)
    let (sums, luma) = unsafe (sums.base, luma.base)
    for i in 0..<n {
      let own = unsafe luma[Int(columns[i] &+ words[i] & 0xff)]
      unsafe shifts[i] = (sums[i].x &+ 1) &>> 1 &- own
    }
  }

  /// Luma by its own code and the chroma that `1 << shift` neighbours share, in 1/32 of a code.
  @inline(never)
  static func lookUp(
    _ values: Row<Int16>, _ samples: Bytes, _ columns: Words, _ shifts: Row<Int16>,
    luma: Row<Int16>
  ) {
    let n = samples.count
    let pairs = (n + 1) / 2
    precondition(values.count >= n && columns.count >= pairs && shifts.count >= pairs)
    precondition(luma.count == 33 * 33 * 256)
    let (values, samples) = unsafe (values.base, samples.base)
    let (columns, shifts, luma) = unsafe (columns.base, shifts.base, luma.base)
    for i in 0..<(n / 2) {
      let column = unsafe luma + Int(columns[i])
      let shift = unsafe shifts[i]
      unsafe values[2 &* i] = column[Int(samples[2 &* i])] &+ shift
      unsafe values[2 &* i &+ 1] = column[Int(samples[2 &* i &+ 1])] &+ shift
    }
    if n & 1 == 1 {
      let column = unsafe luma + Int(columns[pairs - 1])
      unsafe values[n - 1] = column[Int(samples[n - 1])] &+ shifts[pairs - 1]
    }
  }

  /// Rounds values in 1/32 of a code to bytes.
  @inline(never)
  static func round(_ samples: Bytes, _ values: Row<Int16>, _ range: ClosedRange<UInt8>) {
    let n = samples.count
    let values = values[..<n]
    let (low, high) = (Int16(range.lowerBound), Int16(range.upperBound))
    for i in 0..<n {
      let value = (values[i] &+ 16) &>> 5
      samples[i] = UInt8(truncatingIfNeeded: max(low, min(high, value)))
    }
  }

  // MARK: Curves

  /// Samples through a curve of 256 values.
  @inline(never)
  static func curve(_ samples: Bytes, _ values: Bytes) {
    let n = samples.count
    precondition(values.count == 256)
    let (samples, values) = unsafe (samples.base, values.base)
    for i in 0..<n { unsafe samples[i] = values[Int(samples[i])] }
  }

  /// Samples through a cubic, by Horner's scheme in 16 bits: each product keeps its upper half, so
  /// each term is twice as fine as the one before; the result is in 1/32 of a code.
  @inline(never)
  static func cubic(_ samples: Bytes, _ terms: SIMD4<Int16>, _ range: ClosedRange<UInt8>) {
    let n = samples.count
    let (a, b, c, d) = (terms.x, terms.y, terms.z, terms.w)
    let (low, high) = (Int16(range.lowerBound), Int16(range.upperBound))
    @inline(__always) func half(_ x: Int16, _ y: Int16) -> Int16 {
      Int16(truncatingIfNeeded: (Int32(x) &* Int32(y)) &>> 16)
    }
    for i in 0..<n {
      // -1 at 0, 0 at 128.
      let place = Int16(bitPattern: UInt16(samples[i]) &<< 8 ^ 0x8000)
      let value = a &+ half(b &+ half(c &+ half(d, place), place), place)
      let code = (value &+ 16) &>> 5
      samples[i] = UInt8(truncatingIfNeeded: max(low, min(high, code)))
    }
  }
}
