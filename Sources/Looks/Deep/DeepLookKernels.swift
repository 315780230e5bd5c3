import Pixels

/// Where colours lie among the nodes of a LUT; see `DeepLookKernels.tetrahedra`.
struct Tetrahedra {
  /// Colours that are interpolated at once.
  static let maximumCount = 256

  /// The lower node, and the steps to the second and third, each in 16 bits.
  let nodes, steps: Row<UInt32>
  /// The weights of the four.
  let first, second, third, fourth: Row<Float>
  /// The weighted sums of the nodes, in four components each.
  let sums: Row<Float>
}

/// Loops over samples of more than 8 bits, as floats in 8-bit codes: 16 and 128 as in 8 bits, and
/// the other bits as fractions.
enum DeepLookKernels {
  typealias Values = Row<Float>

  /// The codes in words, in their bits of `mask`, as floats; `unit` for a code.
  @inline(never)
  static func toFloats(_ out: Values, _ codes: Row<UInt16>, mask: UInt16, unit: Float) {
    let n = out.count
    let codes = codes[..<n]
    for i in 0..<n { out[i] = Float(codes[i] & mask) * unit }
  }

  /// Floats as the nearest codes, of which there are `scale` in one of 8 bits.
  @inline(never)
  static func toCodes(_ out: Row<UInt16>, _ values: Values, scale: Float, maximum: Float) {
    let n = out.count
    let values = values[..<n]
    let highest = Int32(maximum)
    for i in 0..<n {
      out[i] = nearestCode(values[i] * scale, highest)
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

  /// Moves values toward `neutral` by `weights` times `factor`.
  @inline(never)
  static func fade(_ values: Values, toward neutral: Float, by weights: Values, times factor: Float)
  {
    let n = values.count
    let weights = weights[..<n]
    for i in 0..<n { values[i] += (neutral - values[i]) * weights[i] * factor }
  }

  /// Blends the originals, `unit` for a code, with the changed values by weight.
  @inline(never)
  static func blend(
    _ values: Values, _ originals: Row<UInt16>, mask: UInt16, unit: Float, weights: Values
  ) {
    let n = values.count
    let (originals, weights) = (originals[..<n], weights[..<n])
    for i in 0..<n {
      let old = Float(originals[i] & mask) * unit
      values[i] = old + (values[i] - old) * weights[i]
    }
  }

  /// Means of 2 x 2 samples of two rows; the last column is repeated beyond the edge.
  @inline(never)
  static func downsample2x2(_ out: Values, _ a: Values, _ b: Values) {
    let (n, width) = (out.count, a.count)
    precondition(width > 0 && b.count == width && n <= (width + 1) / 2)
    let whole = min(n, width / 2)
    // Cut to their length, so that the compiler sees their bounds.
    let (pairs, above, below) = (out[..<whole], a[..<(2 * whole)], b[..<(2 * whole)])
    for i in 0..<whole {
      let sum = above[2 &* i] + above[2 &* i &+ 1] + below[2 &* i] + below[2 &* i &+ 1]
      pairs[i] = sum * 0.25
    }
    for i in whole..<n { out[i] = (a[width - 1] + b[width - 1]) * 0.5 }
  }

  /// The places of codes among the nodes of a LUT, 8 codes apart: the lower node, the steps to the
  /// two nodes on the way to the upper one, and the weights of the four.
  @inline(never)
  static func tetrahedra(_ out: Tetrahedra, _ a: Values, _ b: Values, _ c: Values) {
    let n = a.count
    let (b, c) = (b[..<n], c[..<n])
    let (nodes, steps) = (out.nodes[..<n], out.steps[..<n])
    let (w0, w1, w2, w3) = (
      out.first[..<n], out.second[..<n], out.third[..<n], out.fourth[..<n]
    )
    for i in 0..<n {
      // The largest code is below 256, between the last two nodes; NaN counts as 0.
      let x = limited(a[i] * 0.125, 0, 31.9995)
      let y = limited(b[i] * 0.125, 0, 31.9995)
      let z = limited(c[i] * 0.125, 0, 31.9995)
      // Rounded down without a conversion that may trap; at a node either cell will do.
      let (ix, iy, iz) = (nearest(x - 0.5), nearest(y - 0.5), nearest(z - 0.5))
      let (fx, fy, fz) = (x - Float(ix), y - Float(iy), z - Float(iz))
      let (high, low) = (larger(fx, fy), smaller(fx, fy))
      let (most, least) = (larger(high, fz), smaller(low, fz))
      let middle = fx + fy + fz - most - least
      // The axes with the largest and the smallest fraction: the path begins and ends there.
      let firstOfTwo: UInt32 = fx >= fy ? 1 : 33
      let lastOfTwo: UInt32 = fx < fy ? 1 : 33
      let first: UInt32 = high >= fz ? firstOfTwo : 1089
      let last: UInt32 = low < fz ? lastOfTwo : 1089
      nodes[i] = UInt32(bitPattern: ix &+ 33 &* iy &+ 1089 &* iz)
      steps[i] = first | (1123 &- last) &<< 16
      w0[i] = 1 - most
      w1[i] = most - middle
      w2[i] = middle - least
      w3[i] = least
    }
  }

  /// Deinterleaves the first three of every four components.
  @inline(never)
  static func deinterleave(_ a: Values, _ b: Values, _ c: Values, _ sums: Values) {
    let n = a.count
    let (b, c, sums) = (b[..<n], c[..<n], sums[..<(4 * n)])
    for i in 0..<n {
      a[i] = sums[4 &* i]
      b[i] = sums[4 &* i &+ 1]
      c[i] = sums[4 &* i &+ 2]
    }
  }

  /// For each chroma pair the number of the nearest (Cb, Cr) node, and the offset to its column of
  /// luma that makes `mean`'s luma equal to `exact`; `scale` codes are one of 8 bits.
  ///
  /// `pairs` and `fractions` are scratch.
  static func lumaColumns(
    _ columns: Row<UInt32>, _ offsets: Values, mean: Values, exact: Values, cb: Values,
    cr: Values, luma: Values, scale: Float, pairs: Row<UInt32>, fractions: Values
  ) {
    let n = columns.count
    let (pairs, fractions) = (pairs[..<n], fractions[..<n])
    findColumns(
      columns, pairs, fractions, mean: mean, cb: cb, cr: cr, codeCount: luma.count / (33 * 33),
      scale: scale)
    interpolateColumns(offsets[..<n], pairs, fractions, exact: exact, luma: luma)
  }

  /// The number of each column, and where its mean lies in the table: between two codes, as the
  /// mean of four may.
  @inline(never)
  private static func findColumns(
    _ columns: Row<UInt32>, _ pairs: Row<UInt32>, _ fractions: Values, mean: Values, cb: Values,
    cr: Values, codeCount: Int, scale: Float
  ) {
    let n = columns.count
    let (pairs, fractions) = (pairs[..<n], fractions[..<n])
    let (mean, cb, cr) = (mean[..<n], cb[..<n], cr[..<n])
    let (count, last) = (Int32(truncatingIfNeeded: codeCount), Float(codeCount - 1))
    for i in 0..<n {
      // NaN counts as 0.
      let b = nearest(limited(cb[i] * 0.125, 0, 32))
      let r = nearest(limited(cr[i] * 0.125, 0, 32))
      let column = b &+ 33 &* r
      let position = limited(mean[i] * scale, 0, last)
      // Rounded down; of the last code, which is odd, to the one before.
      let code = nearest(position - 0.5)
      columns[i] = UInt32(bitPattern: column)
      pairs[i] = UInt32(bitPattern: column &* count &+ code)
      fractions[i] = position - Float(code)
    }
  }

  @inline(never)
  private static func interpolateColumns(
    _ offsets: Values, _ pairs: Row<UInt32>, _ fractions: Values, exact: Values, luma: Values
  ) {
    let n = offsets.count
    let (pairs, fractions, exact) = (pairs[..<n], fractions[..<n], exact[..<n])
    for i in 0..<n {
      let pair = Int(pairs[i])
      let own = luma[pair]
      offsets[i] = exact[i] - (own + (luma[pair &+ 1] - own) * fractions[i])
    }
  }

  /// Limits values to a range.
  @inline(never)
  static func clamp(_ values: Values, _ range: ClosedRange<Float>) {
    let (low, high) = (range.lowerBound, range.upperBound)
    for i in 0..<values.count { values[i] = limited(values[i], low, high) }
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
      values[i] = offset + limited(value, 0, 1) * range
    }
  }

  /// Maps codes, in the bits of `mask`, by a cubic of them, limited to a range far from the limits
  /// of 16 bits, in which they are limited faster.
  @inline(never)
  static func applyCubic(
    _ codes: Row<UInt16>, _ terms: SIMD4<Float>, mask: UInt16, _ range: ClosedRange<Int32>
  ) {
    let (a, b, c, d) = (terms.x, terms.y, terms.z, terms.w)
    let low = Int16(truncatingIfNeeded: range.lowerBound)
    let high = Int16(truncatingIfNeeded: range.upperBound)
    for i in 0..<codes.count {
      let x = Float(codes[i] & mask)
      let code = Int16(truncatingIfNeeded: nearest(((d * x + c) * x + b) * x + a))
      codes[i] = UInt16(bitPattern: min(max(code, low), high))
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
