import Pixels

/// The loops over rows of cells; as those of `ScreenKernels`.
enum CellKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<Int16>
  typealias Sums = Row<Int32>

  /// Bytes about 0: less 128.
  @inline(never)
  static func center(_ out: Words, _ source: Bytes) {
    let n = out.count
    let source = source[..<n]
    for i in 0..<n { out[i] = Int16(source[i]) &- 128 }
  }

  /// Probabilities cut at `black` and `white`, in 1/4096.
  @inline(never)
  static func clip(_ out: Words, _ source: Row<Float>, black: Float, white: Float) {
    let n = out.count
    let source = source[..<n]
    let scale = 4096 / max(white - black, 1e-3)
    for i in 0..<n {
      let value = min(max((source[i] - black) * scale, 0), 4096)
      out[i] = Int16(truncatingIfNeeded: nearest(value))
    }
  }

  /// Adds `a` times what `opacity` leaves of 255, or takes it away.
  @inline(never)
  static func addRest(_ sums: Sums, _ a: Words, _ opacity: Words, _ sign: Int32) {
    let n = sums.count
    let (a, opacity) = (a[..<n], opacity[..<n])
    if sign > 0 {
      for i in 0..<n { sums[i] &+= Int32(a[i]) &* Int32(255 &- opacity[i]) }
    } else {
      for i in 0..<n { sums[i] &-= Int32(a[i]) &* Int32(255 &- opacity[i]) }
    }
  }

  /// A colour's means over what is somebody and over what is room, corrected by the colour itself.
  ///
  /// `total` are sums of opacity, `counts` what they are where all is opaque, `own` sums of colours
  /// times opacity, and `all` of the colours; without either kind of cells the colour stands.
  @inline(never)
  static func correct(
    _ out: (subject: Words, room: Words), _ colors: Words, _ alpha: Words, total: Sums,
    counts: Sums, own: Sums, all: Sums
  ) {
    let n = colors.count
    let (subject, room, alpha) = (out.subject[..<n], out.room[..<n], alpha[..<n])
    let (total, counts, own, all) = (total[..<n], counts[..<n], own[..<n], all[..<n])
    for x in 0..<n {
      let c = Float(colors[x])
      let (there, rest) = (Float(total[x]), Float(counts[x] &- total[x]))
      let mean = Float(own[x]) / max(there, 1)
      let other = Float(255 &* all[x] &- own[x]) / max(rest, 1)
      let f = there > 0 ? mean : c
      let b = rest > 0 ? other : c
      let a = Float(alpha[x]) * (1 / 255)
      let value = f + a * (c - a * f - (1 - a) * b)
      subject[x] = Int16(truncatingIfNeeded: nearest(min(max(value, 0), 255)))
      room[x] = Int16(truncatingIfNeeded: nearest(min(max(b, 0), 255)))
    }
  }

  /// The same means alone, `other` being sums of colours times what opacity leaves.
  @inline(never)
  static func settle(
    _ out: (subject: Bytes, room: Bytes), _ colors: Words, total: Sums, counts: Sums, own: Sums,
    other: Sums
  ) {
    let n = colors.count
    let (subject, room) = (out.subject[..<n], out.room[..<n])
    let (total, counts, own, other) = (total[..<n], counts[..<n], own[..<n], other[..<n])
    for x in 0..<n {
      let c = Float(colors[x])
      let (there, rest) = (Float(total[x]), Float(counts[x] &- total[x]))
      let (mean, left) = (Float(own[x]) / max(there, 1), Float(other[x]) / max(rest, 1))
      let f = there > 0 ? mean : c
      let b = rest > 0 ? left : c
      subject[x] = nearestByte(f)
      room[x] = nearestByte(b)
    }
  }

  /// A sample's own colour, of those of somebody and of the room near it, and of its opacity.
  ///
  /// F + a (C - a F - (1 - a) B), of which `share`/256 is taken in the place of C; where all is
  /// somebody, or nobody, C stays. `b` is what is to go.
  @inline(never)
  static func unmix(
    _ samples: Bytes, _ subject: Bytes, _ room: Bytes, b: Bytes, share: Int32
  ) {
    let n = samples.count
    let (subject, room, b) = (subject[..<n], room[..<n], b[..<n])
    for i in 0..<n {
      let rest = Int32(b[i])
      let a = 255 &- rest
      let (c, f, g) = (Int32(samples[i]), Int32(subject[i]), Int32(room[i]))
      // In 1/255; then in 1/65025.
      let difference = c &* 255 &- a &* f &- rest &* g
      let value = f &* 65025 &+ a &* difference
      let own = min(max((value &+ 32512) / 65025, 0), 255)
      let mixed = c &+ (((own &- c) &* share &+ 128) &>> 8)
      let isMixed = rest != 0 && rest != 255
      samples[i] = UInt8(truncatingIfNeeded: isMixed ? mixed : c)
    }
  }

  /// Adds light to samples by their opacity; `b` is what is to go, `zero` what adds nothing.
  @inline(never)
  static func addLightWrap(_ samples: Bytes, _ light: Bytes, b: Bytes, zero: UInt8) {
    let n = samples.count
    let (light, b) = (light[..<n], b[..<n])
    let zero = Int32(zero)
    for i in 0..<n {
      let product = (Int32(light[i]) &- zero) &* (255 &- Int32(b[i]))
      // Rounded to nearest, both ways from 0: none stays none.
      let added = (product &* 257 &+ 32768) &>> 16
      samples[i] = UInt8(truncatingIfNeeded: min(max(Int32(samples[i]) &+ added, 0), 255))
    }
  }
}
