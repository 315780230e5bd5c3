import Compose
import Pixels

/// The loops over rows of cells, and over samples of edges; as those of `MatteKernels`.
enum CellKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<Int16>
  typealias Sums = Row<Int32>

  /// Bytes less 128.
  @inline(never)
  static func subtract128(_ out: Words, _ source: Bytes) {
    let n = out.count
    let source = source[..<n]
    for i in 0..<n { out[i] = Int16(source[i]) &- 128 }
  }

  /// Probabilities cut at `black` and `white`, in 1/4096.
  @inline(never)
  static func clipProbabilities(_ out: Words, _ source: Row<Float>, black: Float, white: Float) {
    let n = out.count
    let source = source[..<n]
    let scale = 4096 / max(white - black, 1e-3)
    for i in 0..<n {
      let value = min(max((source[i] - black) * scale, 0), 4096)
      out[i] = Int16(truncatingIfNeeded: nearest(value))
    }
  }

  /// Adds `a` times 255 less `opacity`, or subtracts it.
  @inline(never)
  static func addWeightedByTransparency(_ sums: Sums, _ a: Words, _ opacity: Words, _ sign: Int32) {
    let n = sums.count
    let (a, opacity) = (a[..<n], opacity[..<n])
    if sign > 0 {
      for i in 0..<n { sums[i] &+= Int32(a[i]) &* Int32(255 &- opacity[i]) }
    } else {
      for i in 0..<n { sums[i] &-= Int32(a[i]) &* Int32(255 &- opacity[i]) }
    }
  }

  /// The means of a colour over foreground and over background, the first corrected by the colour
  /// itself.
  ///
  /// `total` are sums of opacity, `counts` its maximum, `own` sums of colours times opacity, and
  /// `all` sums of colours. In a window without foreground or background the result is the colour.
  @inline(never)
  static func blurFusion(
    _ out: (foreground: Words, background: Words), _ colors: Words, _ alpha: Words, total: Sums,
    counts: Sums, own: Sums, all: Sums
  ) {
    let n = colors.count
    let (foreground, background) = (out.foreground[..<n], out.background[..<n])
    let alpha = alpha[..<n]
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
      foreground[x] = Int16(truncatingIfNeeded: nearest(min(max(value, 0), 255)))
      background[x] = Int16(truncatingIfNeeded: nearest(min(max(b, 0), 255)))
    }
  }

  /// The means of a colour over foreground and over background; `other` are sums of colours times 255 less opacity.
  @inline(never)
  static func foregroundAndBackgroundMeans(
    _ out: (foreground: Bytes, background: Bytes), _ colors: Words, total: Sums, counts: Sums,
    own: Sums,
    other: Sums
  ) {
    let n = colors.count
    let (foreground, background) = (out.foreground[..<n], out.background[..<n])
    let (total, counts, own, other) = (total[..<n], counts[..<n], own[..<n], other[..<n])
    for x in 0..<n {
      let c = Float(colors[x])
      let (there, rest) = (Float(total[x]), Float(counts[x] &- total[x]))
      let (mean, left) = (Float(own[x]) / max(there, 1), Float(other[x]) / max(rest, 1))
      let f = there > 0 ? mean : c
      let b = rest > 0 ? left : c
      foreground[x] = nearestByte(f)
      background[x] = nearestByte(b)
    }
  }

  /// A sample's foreground colour, of the foreground and background near it and of its alpha.
  ///
  /// F + a (C - a F - (1 - a) B), which replaces C by `weight`/256; where alpha is 0 or 255, C
  /// stays.
  @inline(never)
  static func unmix(
    _ samples: Bytes, _ foreground: Bytes, _ background: Bytes, alpha: Bytes, weight: Int32
  ) {
    let n = samples.count
    let (foreground, background, alpha) = (foreground[..<n], background[..<n], alpha[..<n])
    for i in 0..<n {
      let a = Int32(alpha[i])
      let rest = 255 &- a
      let (c, f, g) = (Int32(samples[i]), Int32(foreground[i]), Int32(background[i]))
      // In 1/255; then in 1/65025.
      let difference = c &* 255 &- a &* f &- rest &* g
      let value = f &* 65025 &+ a &* difference
      let own = min(max((value &+ 32512) / 65025, 0), 255)
      let mixed = c &+ (((own &- c) &* weight &+ 128) &>> 8)
      let isMixed = rest != 0 && rest != 255
      samples[i] = UInt8(truncatingIfNeeded: isMixed ? mixed : c)
    }
  }

  /// Adds light to samples by their alpha; `neutral` is a light of 0.
  @inline(never)
  static func addLightWrap(_ samples: Bytes, _ light: Bytes, alpha: Bytes, neutral: UInt8) {
    let n = samples.count
    let (light, alpha) = (light[..<n], alpha[..<n])
    let neutral = Int32(neutral)
    for i in 0..<n {
      let product = (Int32(light[i]) &- neutral) &* Int32(alpha[i])
      // Rounded to nearest, both ways from 0: no light stays none.
      let added = (product &* 257 &+ 32768) &>> 16
      samples[i] = UInt8(truncatingIfNeeded: min(max(Int32(samples[i]) &+ added, 0), 255))
    }
  }

  // MARK: Samples of more than 8 bits

  /// As `unmix` above, in floating point; `weight` is 0...1.
  @inline(never)
  static func unmix(
    _ samples: Row<UInt16>, _ foreground: Bytes, _ background: Bytes, alpha: Row<Float>,
    weight: Float, _ codes: DeepCodes
  ) {
    let n = samples.count
    let (foreground, background, alpha) = (foreground[..<n], background[..<n], alpha[..<n])
    let (scale, maximum) = (codes.scale, codes.maximum)
    for i in 0..<n {
      let a = alpha[i]
      let c = Float(samples[i])
      let (f, g) = (Float(foreground[i]) * scale, Float(background[i]) * scale)
      let own = min(max(f + a * (c - a * f - (1 - a) * g), 0), maximum)
      let mixed = c + (own - c) * weight
      samples[i] = UInt16(truncatingIfNeeded: nearest(a > 0 && a < 1 ? mixed : c))
    }
  }

  /// As `addLightWrap` above, in floating point.
  @inline(never)
  static func addLightWrap(
    _ samples: Row<UInt16>, _ light: Bytes, alpha: Row<Float>, neutral: Float, _ codes: DeepCodes
  ) {
    let n = samples.count
    let (light, alpha) = (light[..<n], alpha[..<n])
    let (scale, maximum) = (codes.scale, codes.maximum)
    for i in 0..<n {
      let added = (Float(light[i]) - neutral) * scale * alpha[i]
      let value = min(max(Float(samples[i]) + added, 0), maximum)
      samples[i] = UInt16(truncatingIfNeeded: nearest(value))
    }
  }
}
