import Pixels

/// The loops over rows of cells; as those of `ScreenKernels`.
enum CellKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<Int16>
  typealias Sums = Row<Int32>

  /// Samples that `expand` writes at a time.
  static let block = 8

  /// Adds a row's values, or takes them away.
  @inline(never)
  static func add(_ sums: Sums, _ a: Words, _ sign: Int32) {
    let n = sums.count
    let a = a[..<n]
    for i in 0..<n { sums[i] &+= Int32(a[i]) &* sign }
  }

  /// Adds the products of two rows, or takes them away.
  @inline(never)
  static func add(_ sums: Sums, _ a: Words, _ b: Words, _ sign: Int32) {
    let n = sums.count
    let (a, b) = (a[..<n], b[..<n])
    if sign > 0 {
      for i in 0..<n { sums[i] &+= Int32(a[i]) &* Int32(b[i]) }
    } else {
      for i in 0..<n { sums[i] &-= Int32(a[i]) &* Int32(b[i]) }
    }
  }

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

  /// Adds a row of floats.
  @inline(never)
  static func add(_ sums: Row<Float>, _ a: Row<Float>) {
    let n = sums.count
    let a = a[..<n]
    for i in 0..<n { sums[i] += a[i] }
  }

  /// The sums of nine neighbours each; `source` has eight more.
  @inline(never)
  static func sumNine(_ out: Row<Float>, _ source: Row<Float>) {
    let n = out.count
    let (a, b, c) = (source[..<n], source[from: 1, count: n], source[from: 2, count: n])
    let (d, e, f) = (
      source[from: 3, count: n], source[from: 4, count: n], source[from: 5, count: n]
    )
    let (g, h, k) = (
      source[from: 6, count: n], source[from: 7, count: n], source[from: 8, count: n]
    )
    for i in 0..<n {
      out[i] = ((a[i] + b[i]) + (c[i] + d[i])) + ((e[i] + f[i]) + (g[i] + h[i])) + k[i]
    }
  }

  /// The mean of two rows, and of pairs of columns or 1 2 1 about every other one: luma where the
  /// samples of chroma lie.
  @inline(never)
  static func halve(_ out: Bytes, _ a: Bytes, _ b: Bytes, isCosited: Bool) {
    let n = out.count
    let width = min(a.count, b.count)
    guard width > 0 else { return }
    let last = width - 1
    func sum(_ x: Int) -> UInt16 { UInt16(a[min(x, last)]) &+ UInt16(b[min(x, last)]) }
    if isCosited {
      out[0] = UInt8(truncatingIfNeeded: (3 &* sum(0) &+ sum(1) &+ 4) &>> 3)
      let inner = min(n, (width - 1) / 2)
      let (a, b) = (a[..<width], b[..<width])
      for i in 1..<max(inner, 1) {
        let x = 2 &* i
        let middle = UInt16(a[x]) &+ UInt16(b[x])
        let sides =
          UInt16(a[x &- 1]) &+ UInt16(b[x &- 1]) &+ UInt16(a[x &+ 1]) &+ UInt16(b[x &+ 1])
        out[i] = UInt8(truncatingIfNeeded: (2 &* middle &+ sides &+ 4) &>> 3)
      }
      for i in max(inner, 1)..<max(n, 1) where i < n {
        let sides = sum(2 * i - 1) &+ sum(2 * i + 1)
        out[i] = UInt8(truncatingIfNeeded: (2 &* sum(2 * i) &+ sides &+ 4) &>> 3)
      }
    } else {
      for i in 0..<n {
        out[i] = UInt8(truncatingIfNeeded: (sum(2 &* i) &+ sum(2 &* i &+ 1) &+ 2) &>> 2)
      }
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

  /// Two rows of bytes, the second in `share`/128.
  @inline(never)
  static func mix(_ out: Row<UInt16>, _ a: Bytes, _ b: Bytes, _ share: UInt16) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    let rest = 128 &- share
    for i in 0..<n { out[i] = (UInt16(a[i]) &* rest &+ UInt16(b[i]) &* share &+ 64) &>> 7 }
  }

  /// `count` samples from `a` to `b`, by their shares in 1/128 from `place` on.
  ///
  /// Whole blocks are written where there is room.
  @inline(__always)
  static func slope(
    _ out: Bytes, from start: Int, count: Int, _ a: UInt16, _ b: UInt16, _ shares: Row<UInt16>,
    at place: Int
  ) {
    var done = 0
    while done < count {
      let n = block
      let target = out[from: start &+ done, count: n]
      let share = shares[from: place &+ done, count: n]
      for i in 0..<n {
        let value = (a &* (128 &- share[i]) &+ b &* share[i] &+ 64) &>> 7
        target[i] = UInt8(truncatingIfNeeded: value)
      }
      done &+= block
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
  static func shine(_ samples: Bytes, _ light: Bytes, b: Bytes, zero: UInt8) {
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
