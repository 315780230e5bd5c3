import Pixels

/// Composites taps on pictures with alpha, or with blends that need red, green and blue.
///
/// Uses single precision; `SpriteKernels.compositeOver` is the fast path for opaque pictures.
///
/// `Sample` is `UInt8`, or `UInt16` for more than 8 bits; colours are floats in 8-bit codes.
struct SpriteMixer<Sample: SpriteSample> {
  private let target: SpriteTarget
  private let blend: SpriteBlend
  /// The code of components 1 and 2 without colour: 128 for chroma, else 0.
  private let centre: Float
  /// 8-bit codes of a sample's code, and of one of alpha.
  private let unit, alphaUnit: Float
  /// The colorimetry for converting to red, green and blue; nil if blending needs no conversion.
  private let matrix: Colorimetry?

  init(_ target: SpriteTarget, _ blend: SpriteBlend) {
    (self.target, self.blend) = (target, blend)
    let isRGB = target.layout.family == .rgb
    centre = isRGB ? 0 : 128
    matrix = blend == .over || isRGB ? nil : target.colorimetry
    let depth = target.layout.bitDepth
    unit = 1 / Float(1 << (depth - 8))
    alphaUnit = 255 / (Float(1 << depth) - 1)
  }

  /// Composites the taps of a block's rows, and `shared`, those of its chroma.
  func mixBlock(
    _ block: SpriteBlock, _ rows: (SpriteTaps, SpriteTaps), _ shared: SpriteTaps,
    _ scratch: SpriteScratch
  ) {
    let (x, y) = (block.shared.lowerBound, block.sharedRow)
    let colors = (
      samples(1, x, y, Sample.rows(scratch)[4], block.shared.count),
      samples(2, x, y, Sample.rows(scratch)[5], block.shared.count)
    )
    guard target.shifts.h > 0 else {
      let components = target.layout.family == .gray ? 0..<1 : 0..<3
      mixRow(rows.0, components, x, y, colors, scratch)
      return
    }
    // Luma and chroma both depend on the other's old value: chroma is computed first and stored
    // last.
    let mixed = mixChroma(block, shared, colors, scratch)
    for line in block.rows {
      let taps = line == block.rows.lowerBound ? rows.0 : rows.1
      mixRow(taps, 0..<1, block.columns.lowerBound, line, colors, scratch)
    }
    writeSamples(mixed.0, 1, x, y)
    writeSamples(mixed.1, 2, x, y)
  }

  /// Samples of a component's row from column `x` on; 255 for a missing alpha, 128 for other
  /// missing components.
  private func samples(
    _ index: Int, _ x: Int, _ y: Int, _ scratch: Row<Sample>, _ count: Int
  ) -> Row<Sample> {
    let scratch = scratch[0..<count]
    if let own = Sample.samples(target, index, row: y, from: x, scratch: scratch) { return own }
    scratch.fill(Sample(truncatingIfNeeded: nearest(index == 3 ? 255 / alphaUnit : 128 / unit)))
    return scratch
  }

  /// Stores samples that `samples` returned.
  private func writeSamples(_ row: Row<Sample>, _ index: Int, _ x: Int, _ y: Int) {
    Sample.write(row, target, index, row: y, from: x)
  }

  /// Composites `components` and alpha of one row.
  ///
  /// `colors` are components 1 and 2, with a sample for each pixel or for each second one.
  private func mixRow(
    _ taps: SpriteTaps, _ components: Range<Int>, _ x: Int, _ y: Int,
    _ colors: (Row<Sample>, Row<Sample>), _ scratch: SpriteScratch
  ) {
    let first = samples(0, x, y, Sample.rows(scratch)[0], taps.count)
    let alpha = samples(3, x, y, Sample.rows(scratch)[1], taps.count)
    let colorRows = scratch.colorRows(taps.count)
    let shift = target.shifts.h
    Self.expandToFloat(first, over: colorRows.0, unit)
    Self.expandToFloat(alpha, over: colorRows.3, alphaUnit)
    if matrix != nil || components.count > 1 {
      Self.expandToFloat(colors.0, over: colorRows.1, unit, shift)
      Self.expandToFloat(colors.1, over: colorRows.2, unit, shift)
    }
    mixTaps(taps, components, colorRows)
    storeRounded(colorRows.0, on: first, where: taps)
    storeRounded(colorRows.3, on: alpha, isAlpha: true, where: taps)
    writeSamples(first, 0, x, y)
    writeSamples(alpha, 3, x, y)
    guard components.count > 1 else { return }
    storeRounded(colorRows.1, on: colors.0, where: taps)
    storeRounded(colorRows.2, on: colors.1, where: taps)
    writeSamples(colors.0, 1, x, y)
    writeSamples(colors.1, 2, x, y)
  }

  /// Composites a row of chroma into scratch, with the means of luma and alpha of the pixels that
  /// share it.
  private func mixChroma(
    _ block: SpriteBlock, _ taps: SpriteTaps, _ colors: (Row<Sample>, Row<Sample>),
    _ scratch: SpriteScratch
  ) -> (Row<Sample>, Row<Sample>) {
    let width = block.columns.count
    let colorRows = scratch.colorRows(taps.count)
    for (index, means) in [(0, colorRows.0), (3, colorRows.3)] {
      let (x, rows) = (block.columns.lowerBound, block.rows)
      let upper = samples(index, x, rows.lowerBound, Sample.rows(scratch)[0], width)
      let lower = samples(index, x, rows.upperBound - 1, Sample.rows(scratch)[1], width)
      for i in 0..<means.count {
        let left = 2 &* i
        let right = min(left &+ 1, width &- 1)
        let above = UInt32(upper[left]) &+ UInt32(upper[right])
        let mean = Float(above &+ UInt32(lower[left]) &+ UInt32(lower[right])) / 4
        means[i] = Sample.isByte ? mean : mean * (index == 3 ? alphaUnit : unit)
      }
    }
    let mixed = (Sample.rows(scratch)[2][0..<taps.count], Sample.rows(scratch)[3][0..<taps.count])
    mixed.0.copy(colors.0)
    mixed.1.copy(colors.1)
    Self.expandToFloat(colors.0, over: colorRows.1, unit)
    Self.expandToFloat(colors.1, over: colorRows.2, unit)
    mixTaps(taps, 1..<3, colorRows)
    storeRounded(colorRows.1, on: mixed.0, where: taps)
    storeRounded(colorRows.2, on: mixed.1, where: taps)
    return mixed
  }

  /// Converts samples to floats, `unit` for one code, each repeated for 2^`shift` columns.
  private static func expandToFloat(
    _ samples: Row<Sample>, over codes: Row<Float>, _ unit: Float, _ shift: Int = 0
  ) {
    // Decided where the type is known: bytes need no product.
    let unit = Sample.isByte ? 1 : unit
    if shift == 0 {
      for i in 0..<min(samples.count, codes.count) { codes[i] = Float(samples[i]) * unit }
    } else {
      for i in 0..<codes.count { codes[i] = Float(samples[i &>> shift]) * unit }
    }
  }

  /// Composites taps on `components` and alpha, from codes to codes.
  ///
  /// Conversion to red, green and blue needs all three components.
  private func mixTaps(
    _ taps: SpriteTaps, _ components: Range<Int>, _ colorRows: SpriteScratch.ColorRows
  ) {
    if let matrix { matrix.convertToRGB(colorRows.0, colorRows.1, colorRows.2) }
    for i in 0..<colorRows.3.count { colorRows.3[i] = colorRows.3[i] / 255 }
    if blend == .color {
      if target.layout.family != .gray {
        SpriteColor.blendColor(taps, on: colorRows, isNormalized: matrix != nil)
      }
    } else {
      blendComponents(taps, components, colorRows)
    }
    if let matrix { matrix.convertToYCC(colorRows.0, colorRows.1, colorRows.2) }
    for i in 0..<min(colorRows.3.count, taps.alpha.count) {
      let a = Float(taps.alpha[i]) / 65280
      colorRows.3[i] = (a + colorRows.3[i] * (1 - a)) * 255
    }
  }

  /// Composites taps on components that blend independently.
  private func blendComponents(
    _ taps: SpriteTaps, _ components: Range<Int>, _ colorRows: SpriteScratch.ColorRows
  ) {
    for component in matrix == nil ? components : 0..<3 {
      let row = component == 0 ? colorRows.0 : component == 1 ? colorRows.1 : colorRows.2
      let centre = component == 0 || matrix != nil ? 0 : centre
      if matrix == nil { for i in 0..<row.count { row[i] = (row[i] - centre) / 255 } }
      blendComponent(taps[component], taps.alpha, 256 * centre, on: row, colorRows.3)
      if matrix == nil { for i in 0..<row.count { row[i] = row[i] * 255 + centre } }
    }
  }

  /// Composites one component of taps on straight colours over alpha `below`.
  ///
  /// The result's alpha is a + A (1 - a) for every blend. Its colour, premultiplied, is for over s
  /// + d (1 - a), add min(s + d, alpha), screen s + d - s d, multiply s (1 - A) + d (1 - a) + s d
  /// (Porter and Duff 1984; W3C Compositing and Blending Level 1; `add` here clips after the sum).
  private func blendComponent(
    _ tap: Row<UInt16>, _ alpha: Row<UInt16>, _ zero: Float, on row: Row<Float>,
    _ below: Row<Float>
  ) {
    @inline(__always)
    func forEachPixel(
      _ mix: (_ s: Float, _ d: Float, _ a: Float, _ below: Float, _ out: Float) -> Float
    ) {
      let count = min(min(tap.count, alpha.count), min(row.count, below.count))
      let (tap, alpha) = (tap[..<count], alpha[..<count])
      let (row, below) = (row[..<count], below[..<count])
      for i in 0..<count {
        let s = (Float(tap[i]) - zero) * (1 / 65280)
        let a = Float(alpha[i]) * (1 / 65280)
        let out = a + below[i] * (1 - a)
        row[i] = mix(s, row[i] * below[i], a, below[i], out) * (1 / out)
      }
    }
    switch blend {
    case .over: forEachPixel { s, d, a, _, _ in s + d * (1 - a) }
    // Codes above white are kept.
    case .add: forEachPixel { s, d, _, _, out in max(d, min(s + d, out)) }
    case .screen: forEachPixel { s, d, _, _, _ in s + d - s * d }
    case .softLight:
      forEachPixel { s, d, a, below, _ in
        s * (1 - below) + d * (1 - a) + SpriteColor.softLight(s, d, a, below)
      }
    case .color: break
    case .multiply: forEachPixel { s, d, a, below, _ in s * (1 - below) + d * (1 - a) + s * d }
    }
  }

  /// Rounds codes to samples where the sprite's alpha is above 0.
  private func storeRounded(
    _ codes: Row<Float>, on bytes: Row<Sample>, isAlpha: Bool = false, where taps: SpriteTaps
  ) {
    let alpha = taps.alpha
    if !Sample.isByte {
      let (scale, maximum) = (1 / (isAlpha ? alphaUnit : unit), 255 / alphaUnit)
      for i in 0..<min(codes.count, bytes.count, alpha.count) where alpha[i] > 0 {
        let code = nearest(min(max(codes[i] * scale, 0), maximum))
        bytes[i] = Sample(truncatingIfNeeded: code)
      }
      return
    }
    for i in 0..<min(codes.count, bytes.count, alpha.count) {
      let old = bytes[i]
      let code = min(max(codes[i] + 0.5, 0), 255)
      // Explicit rounding vectorises; a conversion that may trap does not.
      let whole = (code + 8_388_608) - 8_388_608
      let byte = Sample(truncatingIfNeeded: nearest(whole > code ? whole - 1 : whole))
      bytes[i] = alpha[i] > 0 ? byte : old
    }
  }
}

extension Colorimetry {
  /// Change of red and blue, in 0...1, for one code of Cr and Cb.
  private var chromaGains: (red: Float, blue: Float) {
    (2 * (1 - matrix.lumaWeights.kr) / chromaScale, 2 * (1 - matrix.lumaWeights.kb) / chromaScale)
  }

  /// Converts codes of luma, Cb and Cr to red, green and blue, 0...1, in place.
  fileprivate func convertToRGB(_ c0: Row<Float>, _ c1: Row<Float>, _ c2: Row<Float>) {
    let (red, blue) = chromaGains
    let (kr, kb) = matrix.lumaWeights
    let (greenRed, greenBlue) = (-kr * red / (1 - kr - kb), -kb * blue / (1 - kr - kb))
    let (black, lumaGain) = (lumaOffset, 1 / lumaScale)
    for i in 0..<min(c0.count, c1.count, c2.count) {
      let y = (c0[i] - black) * lumaGain
      let (cb, cr) = (c1[i] - 128, c2[i] - 128)
      c0[i] = y + red * cr
      c1[i] = y + greenBlue * cb + greenRed * cr
      c2[i] = y + blue * cb
    }
  }

  /// Converts red, green and blue to codes in place, not rounded.
  fileprivate func convertToYCC(_ c0: Row<Float>, _ c1: Row<Float>, _ c2: Row<Float>) {
    let (kr, kb) = matrix.lumaWeights
    let (black, luma) = (lumaOffset, lumaScale)
    let (cr, cb) = (1 / chromaGains.red, 1 / chromaGains.blue)
    for i in 0..<min(c0.count, c1.count, c2.count) {
      let y = kr * c0[i] + (1 - kr - kb) * c1[i] + kb * c2[i]
      let (red, blue) = (c0[i], c2[i])
      c0[i] = black + y * luma
      c1[i] = 128 + (blue - y) * cb
      c2[i] = 128 + (red - y) * cr
    }
  }
}
