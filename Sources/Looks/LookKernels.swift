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
      let cell = b &+ r &+ r &<< 5
      unsafe columns[i] = cell &+ cell &<< 5
    }
  }

  /// The two nodes of each column that mean luma lies between, one in each half of a word.
  @inline(never)
  static func nodes(_ values: Words, _ words: Words, _ columns: Words, nodes: Row<UInt16>) {
    let n = values.count
    precondition(words.count >= n && columns.count >= n && nodes.count >= 33 * 33 * 33)
    let (values, words, columns) = unsafe (values.base, words.base, columns.base)
    let nodes = unsafe UnsafeRawPointer(nodes.base)
    for i in 0..<n {
      let node = unsafe Int(columns[i] &+ words[i] &>> 3 & 31)
      unsafe values[i] = nodes.loadUnaligned(fromByteOffset: node &* 2, as: UInt32.self)
    }
  }

  /// What is to be added to a column's values so that mean luma becomes what `sums` say, in 1/16 of a
  /// code and in both halves of a word; in the place of `values`.
  @inline(never)
  static func shifts(_ values: Words, _ words: Words, _ sums: Sums) {
    let n = values.count
    precondition(words.count >= n && sums.count >= n)
    let (values, words) = unsafe (values.base, words.base)
    let sums = unsafe UnsafeRawPointer(sums.base).assumingMemoryBound(to: Int64.self)
    for i in 0..<n {
      let value = unsafe values[i]
      let below = Int32(bitPattern: value & 0xffff)
      let above = Int32(bitPattern: value &>> 16)
      let own = unsafe below &<< 3 &+ (above &- below) &* Int32(bitPattern: words[i] & 7)
      // Both in 1/128 of a code; nodes count from -128.
      let wanted = unsafe Int32(Int16(truncatingIfNeeded: sums[i])) &<< 1 &+ 16384
      let shift = (wanted &- own &+ 4) &>> 3
      unsafe values[i] = UInt32(bitPattern: shift &<< 16 &+ shift)
    }
  }

  /// The two values that luma lies between, one in each half of a word, where `1 << shift` neighbours
  /// share their chroma.
  @inline(never)
  static func lookUp(
    _ values: Words, _ samples: Bytes, _ columns: Words, _ shifts: Words, nodes: Row<UInt16>,
    shift: Int
  ) {
    let n = samples.count
    let last = max(n - 1, 0) >> shift
    precondition(values.count >= n && columns.count > last && shifts.count > last)
    precondition(nodes.count >= 33 * 33 * 33)
    let (values, samples) = unsafe (values.base, samples.base)
    let (columns, shifts) = unsafe (columns.base, shifts.base)
    let nodes = unsafe UnsafeRawPointer(nodes.base)
    @inline(__always) func value(_ i: Int, _ base: UnsafeRawPointer, _ shift: UInt32) {
      let place = unsafe Int(samples[i] &>> 3) &* 2
      // Halves are never negative in the end, so that words may be added as a whole.
      unsafe values[i] = base.loadUnaligned(fromByteOffset: place, as: UInt32.self) &+ shift
    }
    var i = 0
    if shift == 1 {
      while i &+ 1 < n {
        let base = unsafe nodes + Int(columns[i &>> 1]) &* 2
        let shift = unsafe shifts[i &>> 1]
        unsafe value(i, base, shift)
        unsafe value(i &+ 1, base, shift)
        i &+= 2
      }
    }
    while i < n {
      unsafe value(i, nodes + Int(columns[i &>> shift]) &* 2, shifts[i &>> shift])
      i &+= 1
    }
  }

  /// Luma between its two values, by its lowest bits; in place.
  @inline(never)
  static func interpolate(_ samples: Bytes, _ values: Words, low: UInt8, high: UInt8) {
    let n = samples.count
    precondition(values.count >= n)
    let (samples, values) = unsafe (samples.base, values.base)
    let (low, high) = (Int32(low), Int32(high))
    for i in 0..<n {
      let word = unsafe values[i]
      let below = Int32(bitPattern: word & 0xffff)
      let above = Int32(bitPattern: word &>> 16)
      let part = unsafe Int32(samples[i] & 7)
      let value = (below &<< 3 &+ (above &- below) &* part &+ 64) &>> 7 &- 128
      unsafe samples[i] = UInt8(truncatingIfNeeded: max(low, min(high, value)))
    }
  }

  /// The means of luma that shares its chroma; `upper` and `lower` may be the same row.
  @inline(never)
  static func means(_ means: Bytes, _ upper: Bytes, _ lower: Bytes) {
    let n = min(upper.count, lower.count)
    precondition(means.count >= (n + 1) / 2)
    let (means, upper, lower) = unsafe (means.base, upper.base, lower.base)
    for i in 0..<(n / 2) {
      let left = unsafe UInt16(upper[2 &* i]) &+ UInt16(lower[2 &* i])
      let right = unsafe UInt16(upper[2 &* i &+ 1]) &+ UInt16(lower[2 &* i &+ 1])
      unsafe means[i] = UInt8(truncatingIfNeeded: (left &+ right &+ 2) &>> 2)
    }
    if n & 1 == 1 {
      let sum = unsafe UInt16(upper[n &- 1]) &+ UInt16(lower[n &- 1])
      unsafe means[n / 2] = UInt8(truncatingIfNeeded: (sum &+ 1) &>> 1)
    }
  }

  // MARK: Curves

  /// Samples through a curve, two at a time: `pairs` has the values of both bytes of its place.
  @inline(never)
  static func curve(_ samples: Bytes, _ pairs: Row<UInt16>) {
    let n = samples.count
    precondition(pairs.count == 65536)
    let pairs = unsafe pairs.base
    let bytes = unsafe UnsafeMutableRawPointer(samples.base)
    var i = 0
    while i &+ 4 <= n {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: i, as: UInt32.self)
      let low = unsafe UInt32(pairs[Int(word & 0xffff)])
      let high = unsafe UInt32(pairs[Int(word &>> 16)])
      unsafe bytes.storeBytes(of: low | high &<< 16, toByteOffset: i, as: UInt32.self)
      i &+= 4
    }
    while i < n {
      unsafe samples[i] = UInt8(truncatingIfNeeded: pairs[Int(samples[i])])
      i &+= 1
    }
  }
}
