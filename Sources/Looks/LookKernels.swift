import Pixels

/// The loops over pixels and LUT nodes, the module's only unsafe code: each checks its bounds
/// before it begins.
///
/// A LUT node is a colour of 16-bit components. Interpolation weights add up to 8, as nodes are 8
/// codes apart, so that integer arithmetic is exact.
enum LookKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt32>
  typealias Sums = Row<SIMD4<Int16>>

  // MARK: Packed pixels

  /// Unpacks pixels of `step` bytes, 3 or 4, to words, the first byte in the low bits.
  @inline(never)
  static func unpack(_ words: Words, _ pixels: Bytes, step: Int) {
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

  /// Packs pixels of 4 bytes: three from `colors`, from byte `colorOffset` (0 or 1) on, the fourth
  /// from `words`.
  @inline(never)
  static func pack(
    _ pixels: Bytes, colors: Bytes, alphaFrom words: Words, colorOffset first: Int
  ) {
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

  /// Packs pixels of 3 bytes.
  @inline(never)
  static func pack3(_ pixels: Bytes, _ colors: Bytes) {
    let n = pixels.count / 3
    precondition(colors.count >= n * 4)
    let (pixels, colors) = unsafe (pixels.base, colors.base)
    for i in 0..<n {
      unsafe pixels[i &* 3] = colors[i &* 4]
      unsafe pixels[i &* 3 &+ 1] = colors[i &* 4 &+ 1]
      unsafe pixels[i &* 3 &+ 2] = colors[i &* 4 &+ 2]
    }
  }

  // MARK: 3D LUT

  /// The LUT positions of the colours that begin at bit `shift` of words: the lower node's index in
  /// the upper bits, 3 fractional bits of each component in the lower ones.
  @inline(never)
  static func nodePositions(_ positions: Words, _ words: Words, shift: UInt32) {
    let n = positions.count
    precondition(words.count >= n)
    let (positions, words) = unsafe (positions.base, words.base)
    for i in 0..<n {
      let word = unsafe words[i] &>> shift
      let (a, b, c) = ((word &>> 3) & 31, (word &>> 11) & 31, (word &>> 19) & 31)
      // Times 33 by shifts, which are faster than products.
      let ab = b &+ c &+ c &<< 5
      let node = a &+ ab &+ ab &<< 5
      unsafe positions[i] =
        node &<< 9 | word & 7 | (word &>> 5) & 0x38 | (word &>> 10) & 0x1c0
    }
  }

  /// Tetrahedral interpolation: the weighted sums of four nodes, clamped to `low...high`.
  @inline(never)
  static func interpolateTetrahedra(
    _ sums: Sums, _ positions: Words, nodes: Sums, steps: Words, weights: Row<SIMD8<Int16>>,
    low: SIMD4<Int16>, high: SIMD4<Int16>
  ) {
    let n = sums.count
    precondition(positions.count >= n && nodes.count >= 33 * 33 * 33)
    precondition(steps.count == 512 && weights.count == 1024)
    let (sums, positions, nodes) = unsafe (sums.base, positions.base, nodes.base)
    let (steps, weights) = unsafe (steps.base, weights.base)
    for i in 0..<n {
      let position = unsafe positions[i]
      let path = Int(position & 511)
      let node = unsafe nodes + Int(position &>> 9)
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

  /// Tetrahedral interpolation in floating point: the weighted sums of four nodes at the places
  /// that `DeepLookKernels.tetrahedra` found.
  @inline(never)
  static func interpolateTetrahedra(
    _ n: Int, _ places: Tetrahedra, nodes: Row<SIMD4<Float>>, low: SIMD4<Float>,
    high: SIMD4<Float>
  ) {
    let lastNode = UInt32(33 * 33 * 33 - 1124)
    precondition(n >= 0 && places.sums.count >= 4 * n && nodes.count == 33 * 33 * 33)
    precondition(places.nodes.count >= n && places.steps.count >= n)
    precondition(places.first.count >= n && places.second.count >= n)
    precondition(places.third.count >= n && places.fourth.count >= n)
    let (sums, nodes) = unsafe (UnsafeMutableRawPointer(places.sums.base), nodes.base)
    let (w0, w1) = unsafe (places.first.base, places.second.base)
    let (w2, w3) = unsafe (places.third.base, places.fourth.base)
    let (places, steps) = unsafe (places.nodes.base, places.steps.base)
    for i in 0..<n {
      let node = unsafe nodes + Int(min(places[i], lastNode))
      let step = unsafe steps[i]
      let ends = unsafe node[0] * w0[i] + node[1123] * w3[i]
      let near = unsafe node[Int(min(step & 0xffff, 1123))] * w1[i]
      let value = unsafe ends + near + node[Int(min(step &>> 16, 1123))] * w2[i]
      let raised = value.replacing(with: low, where: value .< low)
      let limited = raised.replacing(with: high, where: raised .> high)
      unsafe sums.storeBytes(of: limited, toByteOffset: 16 &* i, as: SIMD4<Float>.self)
    }
  }

  /// Looks luma codes up in the columns that two neighbours share, each of `codeCount` values, plus
  /// their offsets.
  @inline(never)
  static func applyLumaColumns(
    _ values: Row<Float>, _ codes: Row<UInt16>, _ columns: Words, _ offsets: Row<Float>,
    luma: Row<Float>, codeCount: Int
  ) {
    let n = values.count
    let pairs = (n + 1) / 2
    precondition(codes.count >= n && columns.count >= pairs && offsets.count >= pairs)
    precondition(luma.count == 33 * 33 * codeCount && codeCount & (codeCount - 1) == 0)
    let mask = UInt32(truncatingIfNeeded: codeCount - 1)
    let (values, codes) = unsafe (values.base, codes.base)
    let (columns, offsets, luma) = unsafe (columns.base, offsets.base, luma.base)
    for i in 0..<(n / 2) {
      let column = unsafe luma + Int(min(columns[i], 1088)) &* codeCount
      let offset = unsafe offsets[i]
      unsafe values[2 &* i] = column[Int(UInt32(codes[2 &* i]) & mask)] + offset
      unsafe values[2 &* i &+ 1] = column[Int(UInt32(codes[2 &* i &+ 1]) & mask)] + offset
    }
    if n & 1 == 1 {
      let column = unsafe luma + Int(min(columns[pairs - 1], 1088)) &* codeCount
      unsafe values[n - 1] = column[Int(UInt32(codes[n - 1]) & mask)] + offsets[pairs - 1]
    }
  }

  /// Rounds fixed-point sums with 6 fractional bits to bytes.
  @inline(never)
  static func roundQ6(_ bytes: Bytes, _ sums: Sums) {
    let n = sums.count * 4
    precondition(bytes.count >= n)
    let bytes = unsafe bytes.base
    let fields = unsafe UnsafeRawPointer(sums.base).assumingMemoryBound(to: Int16.self)
    for i in 0..<n {
      unsafe bytes[i] = UInt8(truncatingIfNeeded: (fields[i] &+ 32) &>> 6)
    }
  }

  // MARK: Luma LUT

  /// For each packed (Y, Cb, Cr) word, the offset in the 33 x 33 x 256 luma LUT of the 256 entries
  /// for the nearest (Cb, Cr) node.
  @inline(never)
  static func lutOffsets(_ offsets: Words, _ words: Words) {
    let n = offsets.count
    precondition(words.count >= n)
    let (offsets, words) = unsafe (offsets.base, words.base)
    for i in 0..<n {
      let word = unsafe words[i]
      let (b, r) = ((word &>> 8 & 0xff &+ 4) &>> 3, (word &>> 16 & 0xff &+ 4) &>> 3)
      unsafe offsets[i] = (b &+ r &+ r &<< 5) &<< 8
    }
  }

  /// The offsets to the luma LUT's values that make mean luma equal to `sums`.
  @inline(never)
  static func lumaOffsets(
    _ offsets: Row<Int16>, _ lutOffsets: Words, _ words: Words, _ sums: Sums, luma: Row<Int16>
  ) {
    let n = offsets.count
    precondition(lutOffsets.count >= n && words.count >= n && sums.count >= n)
    precondition(luma.count == 33 * 33 * 256)
    let (offsets, lutOffsets, words) = unsafe (offsets.base, lutOffsets.base, words.base)
    let (sums, luma) = unsafe (sums.base, luma.base)
    for i in 0..<n {
      let own = unsafe luma[Int(lutOffsets[i] &+ words[i] & 0xff)]
      unsafe offsets[i] = (sums[i].x &+ 1) &>> 1 &- own
    }
  }

  /// Looks up luma by its code and the chroma that two neighbours share, in 1/32 of a code.
  @inline(never)
  static func applyLumaLUT(
    _ values: Row<Int16>, _ samples: Bytes, _ lutOffsets: Words, _ offsets: Row<Int16>,
    luma: Row<Int16>
  ) {
    let n = samples.count
    let pairs = (n + 1) / 2
    precondition(values.count >= n && lutOffsets.count >= pairs && offsets.count >= pairs)
    precondition(luma.count == 33 * 33 * 256)
    let (values, samples) = unsafe (values.base, samples.base)
    let (lutOffsets, offsets, luma) = unsafe (lutOffsets.base, offsets.base, luma.base)
    for i in 0..<(n / 2) {
      let column = unsafe luma + Int(lutOffsets[i])
      let shift = unsafe offsets[i]
      unsafe values[2 &* i] = column[Int(samples[2 &* i])] &+ shift
      unsafe values[2 &* i &+ 1] = column[Int(samples[2 &* i &+ 1])] &+ shift
    }
    if n & 1 == 1 {
      let column = unsafe luma + Int(lutOffsets[pairs - 1])
      unsafe values[n - 1] = column[Int(samples[n - 1])] &+ offsets[pairs - 1]
    }
  }

  /// Rounds fixed-point values with 5 fractional bits to bytes in `range`.
  @inline(never)
  static func roundQ5(_ samples: Bytes, _ values: Row<Int16>, _ range: ClosedRange<UInt8>) {
    let n = samples.count
    let values = values[..<n]
    let (low, high) = (Int16(range.lowerBound), Int16(range.upperBound))
    for i in 0..<n {
      let value = (values[i] &+ 16) &>> 5
      samples[i] = UInt8(truncatingIfNeeded: max(low, min(high, value)))
    }
  }

  // MARK: Curves

  /// Maps samples by a table of 256 values.
  @inline(never)
  static func applyCurve(_ samples: Bytes, _ values: Bytes) {
    let n = samples.count
    precondition(values.count == 256)
    let (samples, values) = unsafe (samples.base, values.base)
    for i in 0..<n { unsafe samples[i] = values[Int(samples[i])] }
  }

  /// Maps samples by a cubic in Horner's scheme: each 16-bit product keeps its upper half, so each
  /// term is twice as fine as the one before; the result is in 1/32 of a code.
  @inline(never)
  static func applyCubic(_ samples: Bytes, _ terms: SIMD4<Int16>, _ range: ClosedRange<UInt8>) {
    let n = samples.count
    let (a, b, c, d) = (terms.x, terms.y, terms.z, terms.w)
    let (low, high) = (Int16(range.lowerBound), Int16(range.upperBound))
    @inline(__always) func multiplyHigh(_ x: Int16, _ y: Int16) -> Int16 {
      Int16(truncatingIfNeeded: (Int32(x) &* Int32(y)) &>> 16)
    }
    for i in 0..<n {
      // -1 at 0, 0 at 128.
      let position = Int16(bitPattern: UInt16(samples[i]) &<< 8 ^ 0x8000)
      let value =
        a &+ multiplyHigh(b &+ multiplyHigh(c &+ multiplyHigh(d, position), position), position)
      let code = (value &+ 16) &>> 5
      samples[i] = UInt8(truncatingIfNeeded: max(low, min(high, code)))
    }
  }
}
