import Pixels

/// Lays taps on pictures with alpha, or with blends that need red, green and blue.
///
/// Single precision, row after row; `SpriteKernels.compositeOver` is the quick way for the common case.
struct SpriteMixer {
  private let target: SpriteTarget
  private let blend: SpriteBlend
  /// What is taken from components 1 and 2 to have them round 0, in codes: chroma's 128.
  private let centre: Float
  /// Where components must become red, green and blue to be blended.
  private let matrix: Colorimetry?

  init(_ target: SpriteTarget, _ blend: SpriteBlend) {
    (self.target, self.blend) = (target, blend)
    let isRGB = target.layout.family == .rgb
    centre = isRGB ? 0 : 128
    matrix = blend == .over || isRGB ? nil : target.colorimetry
  }

  /// Mixes a block with the taps of its rows and of its chroma.
  func mix(
    _ block: SpriteBlock, _ rows: (SpriteTaps, SpriteTaps), _ shared: SpriteTaps,
    _ scratch: SpriteScratch
  ) {
    let (x, y) = (block.shared.lowerBound, block.sharedRow)
    let colors = (
      samples(1, x, y, scratch.bytes[4], block.shared.count),
      samples(2, x, y, scratch.bytes[5], block.shared.count)
    )
    guard target.shifts.h > 0 else {
      let parts = target.layout.family == .gray ? 0..<1 : 0..<3
      mixRow(rows.0, parts, x, y, colors, scratch)
      return
    }
    // Both see the other as it was before: chroma is mixed first and stored last.
    let mixed = mixChroma(block, shared, colors, scratch)
    for line in block.rows {
      let taps = line == block.rows.lowerBound ? rows.0 : rows.1
      mixRow(taps, 0..<1, block.columns.lowerBound, line, colors, scratch)
    }
    store(mixed.0, 1, x, y)
    store(mixed.1, 2, x, y)
  }

  /// Samples of a component's row from column `x` on; of one that the format has not got, what
  /// stands for it.
  private func samples(
    _ index: Int, _ x: Int, _ y: Int, _ room: Row<UInt8>, _ count: Int
  ) -> Row<UInt8> {
    let room = room[0..<count]
    if let component = target[index] { return component.samples(row: y, from: x, scratch: room) }
    room.fill(index == 3 ? 255 : 128)
    return room
  }

  /// Puts back what `samples` gave.
  private func store(_ row: Row<UInt8>, _ index: Int, _ x: Int, _ y: Int) {
    target[index]?.scatter(row: y, from: x, row)
  }

  /// Mixes components `parts` and alpha of one row; components 1 and 2, `colors`, have a sample for
  /// every pixel or for every second one.
  private func mixRow(
    _ taps: SpriteTaps, _ parts: Range<Int>, _ x: Int, _ y: Int,
    _ colors: (Row<UInt8>, Row<UInt8>), _ scratch: SpriteScratch
  ) {
    let first = samples(0, x, y, scratch.bytes[0], taps.count)
    let alpha = samples(3, x, y, scratch.bytes[1], taps.count)
    let light = scratch.light(taps.count)
    let shift = target.shifts.h
    Self.convert(first, over: light.0)
    Self.convert(alpha, over: light.3)
    if matrix != nil || parts.count > 1 {
      Self.convert(colors.0, over: light.1, shift)
      Self.convert(colors.1, over: light.2, shift)
    }
    mix(taps, parts, light)
    round(light.0, on: first, where: taps)
    round(light.3, on: alpha, where: taps)
    store(first, 0, x, y)
    store(alpha, 3, x, y)
    guard parts.count > 1 else { return }
    round(light.1, on: colors.0, where: taps)
    round(light.2, on: colors.1, where: taps)
    store(colors.0, 1, x, y)
    store(colors.1, 2, x, y)
  }

  /// A row of chroma mixed into scratch; its luma and alpha are the means of the pixels that share
  /// it.
  private func mixChroma(
    _ block: SpriteBlock, _ taps: SpriteTaps, _ colors: (Row<UInt8>, Row<UInt8>),
    _ scratch: SpriteScratch
  ) -> (Row<UInt8>, Row<UInt8>) {
    let width = block.columns.count
    let light = scratch.light(taps.count)
    for (index, means) in [(0, light.0), (3, light.3)] {
      let (x, rows) = (block.columns.lowerBound, block.rows)
      let upper = samples(index, x, rows.lowerBound, scratch.bytes[0], width)
      let lower = samples(index, x, rows.upperBound - 1, scratch.bytes[1], width)
      for i in 0..<means.count {
        let left = 2 &* i
        let right = min(left &+ 1, width &- 1)
        let above = UInt32(upper[left]) &+ UInt32(upper[right])
        means[i] = Float(above &+ UInt32(lower[left]) &+ UInt32(lower[right])) / 4
      }
    }
    let mixed = (scratch.bytes[2][0..<taps.count], scratch.bytes[3][0..<taps.count])
    mixed.0.copy(colors.0)
    mixed.1.copy(colors.1)
    Self.convert(colors.0, over: light.1)
    Self.convert(colors.1, over: light.2)
    mix(taps, 1..<3, light)
    round(light.1, on: mixed.0, where: taps)
    round(light.2, on: mixed.1, where: taps)
    return mixed
  }

  /// Numbers of bytes, each for 2^`shift` columns.
  private static func convert(_ bytes: Row<UInt8>, over codes: Row<Float>, _ shift: Int = 0) {
    if shift == 0 {
      for i in 0..<min(bytes.count, codes.count) { codes[i] = Float(bytes[i]) }
    } else {
      for i in 0..<codes.count { codes[i] = Float(bytes[i &>> shift]) }
    }
  }

  /// Lays taps on components `parts` and on alpha, codes in and codes out; where components are
  /// converted all three are needed.
  private func mix(_ taps: SpriteTaps, _ parts: Range<Int>, _ light: SpriteScratch.Light) {
    if let matrix { matrix.light(light.0, light.1, light.2) }
    for i in 0..<light.3.count { light.3[i] = light.3[i] / 255 }
    if blend == .color {
      if target.layout.family != .gray {
        SpriteColor.blendColor(taps, on: light, isLight: matrix != nil)
      }
    } else {
      blendComponents(taps, parts, light)
    }
    if let matrix { matrix.codes(light.0, light.1, light.2) }
    for i in 0..<min(light.3.count, taps.alpha.count) {
      let a = Float(taps.alpha[i]) / 65280
      light.3[i] = (a + light.3[i] * (1 - a)) * 255
    }
  }

  /// Lays taps on components that blend each for itself.
  private func blendComponents(
    _ taps: SpriteTaps, _ parts: Range<Int>, _ light: SpriteScratch.Light
  ) {
    for part in matrix == nil ? parts : 0..<3 {
      let row = part == 0 ? light.0 : part == 1 ? light.1 : light.2
      let centre = part == 0 || matrix != nil ? 0 : centre
      if matrix == nil { for i in 0..<row.count { row[i] = (row[i] - centre) / 255 } }
      blendComponent(taps[part], taps.alpha, 256 * centre, on: row, light.3)
      if matrix == nil { for i in 0..<row.count { row[i] = row[i] * 255 + centre } }
    }
  }

  /// Lays one component of taps on straight colours, over alpha `below`.
  ///
  /// Alpha comes to a + A (1 - a) for every blend; colour, premultiplied by A, for over to
  /// s + d (1 - a), add min(s + d, alpha), screen s + d - s d, multiply
  /// s (1 - A) + d (1 - a) + s d (Porter and Duff 1984; W3C Compositing and Blending Level 1,
  /// but add, which clips light and not colour).
  private func blendComponent(
    _ tap: Row<UInt16>, _ alpha: Row<UInt16>, _ zero: Float, on row: Row<Float>,
    _ below: Row<Float>
  ) {
    @inline(__always)
    func each(_ mix: (_ s: Float, _ d: Float, _ a: Float, _ below: Float, _ out: Float) -> Float) {
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
    case .over: each { s, d, a, _, _ in s + d * (1 - a) }
    // Codes beyond white are left where they are, never pulled down.
    case .add: each { s, d, _, _, out in max(d, min(s + d, out)) }
    case .screen: each { s, d, _, _, _ in s + d - s * d }
    case .softLight:
      each { s, d, a, below, _ in
        s * (1 - below) + d * (1 - a) + SpriteColor.softLight(s, d, a, below)
      }
    case .color: break
    case .multiply: each { s, d, a, below, _ in s * (1 - below) + d * (1 - a) + s * d }
    }
  }

  /// Rounds codes into bytes, where the sprite has anything at all.
  private func round(_ codes: Row<Float>, on bytes: Row<UInt8>, where taps: SpriteTaps) {
    let alpha = taps.alpha
    for i in 0..<min(codes.count, bytes.count, alpha.count) {
      let old = bytes[i]
      let code = min(max(codes[i] + 0.5, 0), 255)
      // Rounded down by hand, which is vectorised; a conversion, which may trap, is not.
      let whole = (code + 8_388_608) - 8_388_608
      let byte = UInt8(truncatingIfNeeded: nearest(whole > code ? whole - 1 : whole))
      bytes[i] = alpha[i] > 0 ? byte : old
    }
  }
}

extension Colorimetry {
  /// Red, green and blue that one code of Cb or Cr stands for, in 0...1.
  private var gains: (red: Float, blue: Float) {
    (2 * (1 - matrix.lumaWeights.kr) / chromaScale, 2 * (1 - matrix.lumaWeights.kb) / chromaScale)
  }

  /// Turns codes of luma, Cb and Cr into red, green and blue, 0...1.
  fileprivate func light(_ c0: Row<Float>, _ c1: Row<Float>, _ c2: Row<Float>) {
    let (red, blue) = gains
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

  /// Turns red, green and blue into codes, not rounded.
  fileprivate func codes(_ c0: Row<Float>, _ c1: Row<Float>, _ c2: Row<Float>) {
    let (kr, kb) = matrix.lumaWeights
    let (black, luma) = (lumaOffset, lumaScale)
    let (cr, cb) = (1 / gains.red, 1 / gains.blue)
    for i in 0..<min(c0.count, c1.count, c2.count) {
      let y = kr * c0[i] + (1 - kr - kb) * c1[i] + kb * c2[i]
      let (red, blue) = (c0[i], c2[i])
      c0[i] = black + y * luma
      c1[i] = 128 + (blue - y) * cb
      c2[i] = 128 + (red - y) * cr
    }
  }
}
