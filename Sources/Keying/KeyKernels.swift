import Pixels

/// The loops over samples of `ChromaKey`: 16-bit lanes that the compiler turns into SSE2.
///
/// Every function takes plain addresses of at least the stated number of elements; whoever
/// calls them has checked the sizes. They are not inlined: alone, a loop keeps its constants in
/// registers. Sources and destinations are the same address or do not
/// overlap.
enum KeyKernels {
  typealias Bytes = UnsafeMutablePointer<UInt8>
  typealias Words = UnsafeMutablePointer<UInt16>

  /// High half of the product of two unsigned words: one instruction, where signed ones end up as three.
  @inline(__always)
  static func high(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(a) &* UInt32(b)) &>> 16)
  }

  /// Screen measure q of each sample, in 1/16 codes, 0 where negative.
  ///
  /// q = x - |z| cot(angle), with x along the screen's hue and z across it.
  @inline(never)
  @unsafe static func measure(
    _ q: Words, cb: Bytes, cr: Bytes, _ n: Int, _ key: KeyTable
  ) {
    let kx = key.kx
    let ky = key.ky
    let cot = key.cot
    for i in 0..<n {
      let u = unsafe Int16(cb[i]) &- 128
      let v = unsafe Int16(cr[i]) &- 128
      let x = u &* kx &+ v &* ky
      let z = v &* kx &- u &* ky
      let across = UInt16(bitPattern: max(z, 0 &- z))
      unsafe q[i] = UInt16(bitPattern: max((x &>> 3) &- Int16(bitPattern: high(across, cot)), 0))
    }
  }

  /// Screen share `b`, 0...255, and spill, in half codes of chroma, of a row of chroma samples.
  ///
  /// `recip` is 2^20 over the screen's own q, `along` the screen's x in 1/256 codes.
  @inline(never)
  @unsafe static func matte(
    _ b: Bytes, _ spill: Bytes, cb: Bytes, cr: Bytes, recip: Words, along: Words, _ n: Int,
    _ key: KeyTable
  ) {
    let kx = key.kx
    let ky = key.ky
    let cot = key.cot
    let floor = key.floor
    let span = key.span
    let multiplier = key.multiplier
    let gain = key.gain
    let strength = key.spillStrength
    for i in 0..<n {
      let u = unsafe Int16(cb[i]) &- 128
      let v = unsafe Int16(cr[i]) &- 128
      let x = (u &* kx &+ v &* ky) &>> 3
      let z = v &* kx &- u &* ky
      let across = UInt16(bitPattern: max(z, 0 &- z))
      let q = UInt16(bitPattern: max(x &- Int16(bitPattern: high(across, cot)), 0)) &<< 3
      let ratio = unsafe high(q, recip[i])
      let share = min(max(ratio, floor) &- floor, span)
      let amount = (high(share &* multiplier, gain) &+ 8) &>> 4
      unsafe b[i] = UInt8(truncatingIfNeeded: amount)
      // On the subject only light of just the screen's hue is spill; on its edge any greenness.
      let onEdge = min(max(amount, KeyTable.edgeStart) &- KeyTable.edgeStart, 64)
      let strictness = 65535 &- onEdge &* 1023
      let taken = unsafe high(amount &* 257, along[i] &>> 4) &+ high(across &>> 3, strictness)
      let rest = max(x &- Int16(bitPattern: taken) &- KeyTable.spillRest, 0)
      let excess = Int16(bitPattern: high(UInt16(bitPattern: rest), strength))
      unsafe spill[i] = UInt8(truncatingIfNeeded: min(excess, KeyTable.mostSpill))
    }
  }

  /// `n` samples between field values `from` and `to`, 16 times as fine: a step of one block.
  @inline(__always)
  @unsafe static func slope(_ out: Words, from: UInt16, to: UInt16) {
    let difference = to &- from
    let start = from &* 16
    for i in 0..<16 {
      unsafe out[i] = start &+ difference &* UInt16(truncatingIfNeeded: i)
    }
  }

  /// Rounds field values in 1/256 to bytes.
  @inline(never)
  @unsafe static func bytes(_ out: Bytes, _ words: Words, _ n: Int) {
    for i in 0..<n {
      unsafe out[i] = UInt8(truncatingIfNeeded: (min(words[i], 65407) &+ 128) &>> 8)
    }
  }

  /// Vertical step of the upsampling: `a` in `weight` quarters and `b` in the rest, times 4.
  @inline(never)
  @unsafe static func mixRows(_ out: Words, _ a: Bytes, _ b: Bytes, weight: UInt16, _ n: Int) {
    let other = 4 &- weight
    for i in 0..<n {
      unsafe out[i] = UInt16(a[i]) &* weight &+ UInt16(b[i]) &* other
    }
  }

  /// Horizontal step: two bytes for each word of `rows`, which has one more on either side.
  ///
  /// Cosited: the sample itself, then the mean with the next one. Centred: 3 to 1 with the
  /// neighbour on that side.
  @inline(never)
  @unsafe static func widen(_ out: Bytes, _ rows: Words, isCosited: Bool, _ n: Int) {
    let even: UInt16 = isCosited ? 0 : 1
    let odd: UInt16 = isCosited ? 2 : 1
    let left = 4 &- even
    let right = 4 &- odd
    let before = unsafe rows - 1
    let after = unsafe rows + 1
    unsafe UnsafeMutableRawPointer(out).withMemoryRebound(to: UInt16.self, capacity: n) { pairs in
      for i in 0..<n {
        let center = unsafe rows[i]
        let first = unsafe (center &* left &+ before[i] &* even &+ 8) &>> 4
        let second = unsafe (center &* right &+ after[i] &* odd &+ 8) &>> 4
        unsafe pairs[i] = first | (second &<< 8)
      }
    }
  }

  /// Each byte twice.
  @inline(never)
  @unsafe static func double(_ out: Bytes, _ source: Bytes, _ n: Int) {
    unsafe UnsafeMutableRawPointer(out).withMemoryRebound(to: UInt16.self, capacity: n) { pairs in
      for i in 0..<n { unsafe pairs[i] = UInt16(source[i]) &* 257 }
    }
  }

  /// 2048 * 255 / alpha for screen shares `b`: what `unmix` multiplies by.
  ///
  /// Alphas under 16 count as 16: there the quotient is noise, and runs towards neutral.
  @inline(never)
  @unsafe static func weights(_ out: Words, b: Bytes, _ n: Int) {
    for i in 0..<n {
      let share = unsafe Float(b[i])
      let alpha = max(255 - share, 16)
      // Adding 2^23 leaves the rounded integer in the low bits; UInt16(value) would check, and
      // not vectorise.
      unsafe out[i] = UInt16(truncatingIfNeeded: (522_240 / alpha + 8_388_608).bitPattern)
    }
  }

  /// The subject's own colour: the screen's share and the spill taken out, then divided by alpha.
  ///
  /// C = a F + b S in code values, as a + b = 1. Samples with b = 0 and spill = 0 come out as
  /// they were. Works in place: with a source of its own the compiler would fear an overlap.
  /// 10-bit integers with 6 bits of fraction; spill times `spillFactor`/64 is in codes.
  @inline(never)
  @unsafe static func unmixLuma(
    _ samples: Bytes, b: Bytes, screen: Bytes, spill: Bytes, spillFactor: Int16, neutral: UInt8,
    weights: Words, _ n: Int
  ) {
    let zero = UInt16(neutral)
    for i in 0..<n {
      // Nothing is darker than black: the saved sign gives the product its 16th bit.
      let product = unsafe UInt16(b[i]) &* (UInt16(max(screen[i], neutral)) &- zero)
      let screened = Int16(bitPattern: (product &+ (product &>> 8)) &>> 2)
      let offset = unsafe (Int16(samples[i]) &- Int16(bitPattern: zero)) &<< 6
      let rest = unsafe offset &- screened &- Int16(spill[i]) &* spillFactor
      unsafe samples[i] = divide(rest, weights[i], Int16(bitPattern: zero))
    }
  }

  /// As `unmixLuma` for Cb or Cr, about 128.
  @inline(never)
  @unsafe static func unmixChroma(
    _ samples: Bytes, b: Bytes, screen: Bytes, spill: Bytes, spillFactor: Int16, weights: Words,
    _ n: Int
  ) {
    for i in 0..<n {
      let product = unsafe Int16(b[i]) &* (Int16(screen[i]) &- 128)
      let screened = (product &+ (product &>> 8)) &>> 2
      let offset = unsafe (Int16(samples[i]) &- 128) &<< 6
      let rest = unsafe offset &- screened &- Int16(spill[i]) &* spillFactor
      unsafe samples[i] = divide(rest, weights[i], 128)
    }
  }

  /// `rest`/64 * `weight`/2048 + `neutral`, rounded and limited to a byte.
  @inline(__always)
  static func divide(_ rest: Int16, _ weight: UInt16, _ neutral: Int16) -> UInt8 {
    let signed = Int32(rest) &* Int32(Int16(bitPattern: weight))
    let doubled = Int16(truncatingIfNeeded: signed &>> 16)
    let value = ((doubled &+ 1) &>> 1) &+ neutral
    return UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }

  /// Puts `behind` in the place of the share `b` of each sample; exact where b is 0 or 255.
  @inline(never)
  @unsafe static func blend(_ out: Bytes, _ behind: Bytes, b: Bytes, _ n: Int) {
    for i in 0..<n {
      let share = unsafe UInt16(b[i])
      let sum = unsafe UInt16(out[i]) &* (255 &- share) &+ UInt16(behind[i]) &* share
      unsafe out[i] = UInt8(truncatingIfNeeded: dividedBy255(sum))
    }
  }

  /// 255 - source.
  @inline(never)
  @unsafe static func complement(_ out: Bytes, _ source: Bytes, _ n: Int) {
    for i in 0..<n { unsafe out[i] = ~source[i] }
  }

  /// Screen shares `b` of samples whose own alpha is `alpha`: what is not their subject.
  @inline(never)
  @unsafe static func veil(_ b: Bytes, alpha: Bytes, _ n: Int) {
    for i in 0..<n {
      let kept = unsafe dividedBy255(UInt16(~b[i]) &* UInt16(alpha[i]))
      unsafe b[i] = ~UInt8(truncatingIfNeeded: kept)
    }
  }
}

/// The loops that measure the screen.
extension KeyKernels {
  /// All ones where `q` is over `least`; both are under 2^15.
  @inline(never)
  @unsafe static func above(_ out: Words, _ q: Words, _ least: Words, _ n: Int) {
    for i in 0..<n {
      unsafe out[i] = Int16(bitPattern: q[i]) > Int16(bitPattern: least[i]) ? 0xffff : 0
    }
  }

  /// What is set in all of a 3 x 3 neighbourhood; the masks have one more element at each end.
  @inline(never)
  @unsafe static func erode(_ out: Words, _ a: Words, _ b: Words, _ c: Words, _ n: Int) {
    for i in 0..<n {
      let left = unsafe a[i] & b[i] & c[i]
      let center = unsafe a[i &+ 1] & b[i &+ 1] & c[i &+ 1]
      let right = unsafe a[i &+ 2] & b[i &+ 2] & c[i &+ 2]
      unsafe out[i] = left & center & right
    }
  }

  @inline(never)
  @unsafe static func count(_ sums: Words, _ mask: Words, _ n: Int) {
    for i in 0..<n { unsafe sums[i] &-= mask[i] }
  }

  @inline(never)
  @unsafe static func sum(_ sums: Words, _ values: Words, _ mask: Words, _ n: Int) {
    for i in 0..<n { unsafe sums[i] &+= values[i] & mask[i] }
  }

  @inline(never)
  @unsafe static func sum(_ sums: Words, _ values: Bytes, _ mask: Words, _ n: Int) {
    for i in 0..<n { unsafe sums[i] &+= UInt16(values[i]) & mask[i] }
  }
}
