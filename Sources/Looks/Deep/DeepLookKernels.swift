import Pixels

/// Loops over samples of more than 8 bits, as floats in 8-bit codes: 16 and 128 as in 8 bits, and
/// the other bits as fractions.
enum DeepLookKernels {
  typealias Values = Row<Float>

  /// Codes as floats, `unit` for a code.
  @inline(never)
  static func toFloats(_ out: Values, _ codes: Row<UInt16>, unit: Float) {
    let n = out.count
    let codes = codes[..<n]
    for i in 0..<n { out[i] = Float(codes[i]) * unit }
  }

  /// Floats as the nearest codes, of which there are `scale` in one of 8 bits.
  @inline(never)
  static func toCodes(_ out: Row<UInt16>, _ values: Values, scale: Float, maximum: Float) {
    let n = out.count
    let values = values[..<n]
    for i in 0..<n {
      let code = nearest(min(max(values[i] * scale, 0), maximum))
      out[i] = UInt16(truncatingIfNeeded: code)
    }
  }

  /// Moves values by `weight` toward `target` * `scale` + `offset`.
  @inline(never)
  static func blend(
    _ values: Values, toward target: Values, scale: Float, offset: Float, weight: Float
  ) {
    let n = values.count
    let target = target[..<n]
    for i in 0..<n { values[i] += (target[i] * scale + offset - values[i]) * weight }
  }

  /// Blends the originals, `unit` for a code, with the changed values by weight.
  @inline(never)
  static func blend(
    _ values: Values, _ originals: Row<UInt16>, unit: Float, weights: Values
  ) {
    let n = values.count
    let (originals, weights) = (originals[..<n], weights[..<n])
    for i in 0..<n {
      let old = Float(originals[i]) * unit
      values[i] = old + (values[i] - old) * weights[i]
    }
  }

  /// Means of 2 x 2 samples of two rows; the last column is repeated beyond the edge.
  @inline(never)
  static func downsample2x2(_ out: Values, _ a: Values, _ b: Values) {
    let (n, width) = (out.count, a.count)
    precondition(width > 0 && b.count == width && n <= (width + 1) / 2)
    let whole = min(n, width / 2)
    for i in 0..<whole {
      out[i] = (a[2 &* i] + a[2 &* i &+ 1] + b[2 &* i] + b[2 &* i &+ 1]) * 0.25
    }
    for i in whole..<n { out[i] = (a[width - 1] + b[width - 1]) * 0.5 }
  }

  /// For each chroma pair the number of the nearest (Cb, Cr) node, and the offset to its column of
  /// luma that makes `mean`'s luma equal to `exact`; `scale` codes are one of 8 bits.
  @inline(never)
  static func lumaColumns(
    _ columns: Row<UInt32>, _ offsets: Values, mean: Values, exact: Values, cb: Values,
    cr: Values, luma: Values, scale: Float
  ) {
    let n = columns.count
    let codeCount = luma.count / (33 * 33)
    let last = Float(codeCount - 1)
    for i in 0..<n {
      // NaN counts as 0.
      let b = UInt32(min(max(0, cb[i] * 0.125 + 0.5), 32))
      let r = UInt32(min(max(0, cr[i] * 0.125 + 0.5), 32))
      let column = b &+ 33 &* r
      // Between two codes, as the mean of four may be.
      let position = min(max(0, mean[i] * scale), last)
      let code = Int(position)
      let pair = Int(column) &* codeCount &+ code
      let own = luma[pair]
      let next = luma[code + 1 < codeCount ? pair + 1 : pair]
      columns[i] = column
      offsets[i] = exact[i] - (own + (next - own) * (position - Float(code)))
    }
  }

  /// Limits values to a range.
  @inline(never)
  static func clamp(_ values: Values, _ range: ClosedRange<Float>) {
    let (low, high) = (range.lowerBound, range.upperBound)
    for i in 0..<values.count { values[i] = min(max(values[i], low), high) }
  }

  /// Maps codes by a cubic in Horner's scheme, of luma normalized to 0...1, back to codes.
  @inline(never)
  static func applyCubic(
    _ values: Values, _ factors: SIMD4<Float>, offset: Float, range: Float
  ) {
    let inverse = 1 / range
    let (a, b, c, d) = (factors.x, factors.y, factors.z, factors.w)
    for i in 0..<values.count {
      let x = (values[i] - offset) * inverse
      let value = ((d * x + c) * x + b) * x + a
      values[i] = offset + min(max(value, 0), 1) * range
    }
  }

  /// As `Grain.addGrain`: `strength` is in 1/256.
  @inline(never)
  static func addGrain(
    _ samples: Values, _ upper: Row<UInt32>, _ lower: Row<UInt32>, _ strength: Float
  ) {
    let n = samples.count
    let (a, b) = (upper[..<(n + 1)], lower[..<(n + 1)])
    let factor = strength * (1 / 1_048_576)
    for i in 0..<n {
      let sum = Int32(bitPattern: a[i] &+ a[i &+ 1] &+ b[i] &+ b[i &+ 1]) &- 1020
      let value = samples[i]
      let tone = 85 + value * (255 - value) * (170 / 16384)
      samples[i] = value + Float(sum) * tone * factor
    }
  }
}
