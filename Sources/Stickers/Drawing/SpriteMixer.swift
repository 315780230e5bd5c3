import Pixels

/// Lays taps on pictures with alpha, or with blends that need red, green and blue.
///
/// Single precision, pixel by pixel; `SpriteKernels.over` is the quick way for the common case.
struct SpriteMixer {
  private let target: SpriteTarget
  private let blend: SpriteBlend
  /// Whether components must become red, green and blue to be blended.
  private let converts: Bool
  /// What is taken from a component to have it round 0, in codes: chroma's 128.
  private let centre: Float
  private let hasAlpha: Bool
  private let matrix: SpriteMatrix

  init(_ target: SpriteTarget, _ blend: SpriteBlend) {
    self.target = target
    self.blend = blend
    converts = blend != .over && target.layout.family != .rgb
    centre = target.layout.family == .rgb ? 0 : 128
    hasAlpha = target.layout.hasAlpha
    matrix = SpriteMatrix(target.colorimetry)
  }

  /// Mixes one row of pixels whose components are all there for each.
  func mix(_ taps: SpriteTaps.Row, _ columns: Range<Int>, _ y: Int) {
    let count = columns.count
    let x = columns.lowerBound
    let c0 = target.cells(0, x: x, y: y, count: count)
    guard target.layout.family != .gray else {
      for i in 0..<count {
        guard let tap = tap(taps, i) else { continue }
        c0[i] = code(mixed(c0[i], 128, 128, 255, tap).c0)
      }
      return
    }
    let c1 = target.cells(1, x: x, y: y, count: count)
    let c2 = target.cells(2, x: x, y: y, count: count)
    let alpha = hasAlpha ? target.cells(3, x: x, y: y, count: count) : c0
    for i in 0..<count {
      guard let tap = tap(taps, i) else { continue }
      let below = hasAlpha ? alpha[i] : 255
      let out = mixed(c0[i], c1[i], c2[i], Float(below), tap)
      c0[i] = code(out.c0)
      c1[i] = code(out.c1)
      c2[i] = code(out.c2)
      if hasAlpha { alpha[i] = code(out.alpha * 255) }
    }
  }

  /// Mixes luma, and alpha, of one row whose chroma is shared with neighbours.
  func mixLuma(_ taps: SpriteTaps.Row, _ columns: Range<Int>, _ y: Int) {
    let count = columns.count
    let x = columns.lowerBound
    let luma = target.cells(0, x: x, y: y, count: count)
    let alpha = hasAlpha ? target.cells(3, x: x, y: y, count: count) : luma
    let first = x >> 1
    let shared = (columns.upperBound - 1) >> 1 - first + 1
    let cb = target.cells(1, x: first, y: y >> target.shifts.v, count: shared)
    let cr = target.cells(2, x: first, y: y >> target.shifts.v, count: shared)
    for i in 0..<count {
      guard let tap = tap(taps, i) else { continue }
      let at = (x + i) >> 1 - first
      let below = hasAlpha ? alpha[i] : 255
      let out = mixed(luma[i], cb[at], cr[at], Float(below), tap)
      luma[i] = code(out.c0)
      if hasAlpha { alpha[i] = code(out.alpha * 255) }
    }
  }

  /// Mixes a row of chroma into `scratch.bytes`; its luma and alpha are the means of the pixels
  /// that share it.
  func mixChroma(
    _ taps: SpriteTaps.Row, _ columns: Range<Int>, _ row: Int, _ rows: Range<Int>,
    _ scratch: SpriteTaps
  ) {
    let count = columns.count
    let cb = target.cells(1, x: columns.lowerBound, y: row, count: count)
    let cr = target.cells(2, x: columns.lowerBound, y: row, count: count)
    let x = 2 * columns.lowerBound
    let width = min(2 * count, target.width - x)
    let top = target.cells(0, x: x, y: rows.lowerBound, count: width)
    let bottom = target.cells(0, x: x, y: rows.upperBound - 1, count: width)
    let topAlpha = hasAlpha ? target.cells(3, x: x, y: rows.lowerBound, count: width) : top
    let bottomAlpha =
      hasAlpha ? target.cells(3, x: x, y: rows.upperBound - 1, count: width) : top
    for i in 0..<count {
      unsafe scratch.bytes.0[i] = cb[i]
      unsafe scratch.bytes.1[i] = cr[i]
      guard let tap = tap(taps, i) else { continue }
      let left = 2 * i
      let right = min(2 * i + 1, width - 1)
      let luma = Self.mean(top, bottom, left, right)
      let below = hasAlpha ? Self.mean(topAlpha, bottomAlpha, left, right) : 255
      let out = mixed(luma, Float(cb[i]), Float(cr[i]), below, tap)
      unsafe scratch.bytes.0[i] = code(out.c1)
      unsafe scratch.bytes.1[i] = code(out.c2)
    }
  }

  @inline(__always)
  private static func mean(
    _ top: SpriteCells, _ bottom: SpriteCells, _ left: Int, _ right: Int
  ) -> Float {
    let sum = UInt32(top[left]) &+ UInt32(top[right]) &+ UInt32(bottom[left])
    return Float(sum &+ UInt32(bottom[right])) / 4
  }

  /// The tap at `index` in 0...1, or nil where the sprite has nothing.
  @inline(__always)
  private func tap(_ taps: SpriteTaps.Row, _ index: Int) -> BlendPixel? {
    let alpha = unsafe taps.alpha[index]
    guard alpha > 0 else { return nil }
    let zero: Float = converts ? 0 : centre * 256
    return unsafe BlendPixel(
      c0: Float(taps.c0[index]) / 65280, c1: (Float(taps.c1[index]) - zero) / 65280,
      c2: (Float(taps.c2[index]) - zero) / 65280, alpha: Float(alpha) / 65280)
  }

  @inline(__always)
  private func mixed(
    _ c0: UInt8, _ c1: UInt8, _ c2: UInt8, _ alpha: Float, _ tap: BlendPixel
  ) -> BlendPixel {
    mixed(Float(c0), Float(c1), Float(c2), alpha, tap)
  }

  /// Components in codes, alpha 0...255 in; components in codes, alpha 0...1 out.
  @inline(__always)
  private func mixed(
    _ c0: Float, _ c1: Float, _ c2: Float, _ alpha: Float, _ tap: BlendPixel
  ) -> BlendPixel {
    guard converts else {
      let out = BlendPixel(
        c0: c0 / 255, c1: (c1 - centre) / 255, c2: (c2 - centre) / 255, alpha: alpha / 255
      ).under(tap, blend)
      return BlendPixel(
        c0: out.c0 * 255, c1: out.c1 * 255 + centre, c2: out.c2 * 255 + centre,
        alpha: out.alpha)
    }
    let out = matrix.light(y: c0, cb: c1, cr: c2, alpha: alpha / 255).under(tap, blend)
    return matrix.codes(out)
  }

  @inline(__always)
  private func code(_ value: Float) -> UInt8 { UInt8(min(max(value + 0.5, 0), 255)) }
}

/// The equations of a colorimetry with all their constants worked out.
private struct SpriteMatrix {
  private let offset: Float
  private let lumaGain: Float
  private let red: Float
  private let greenBlue: Float
  private let greenRed: Float
  private let blue: Float
  private let kr: Float
  private let kb: Float
  private let luma: Float
  private let cb: Float
  private let cr: Float

  init(_ colorimetry: Colorimetry) {
    kr = colorimetry.matrix.kr
    kb = colorimetry.matrix.kb
    let kg = 1 - kr - kb
    offset = colorimetry.lumaOffset
    luma = colorimetry.lumaScale
    lumaGain = 1 / luma
    red = 2 * (1 - kr) / colorimetry.chromaScale
    blue = 2 * (1 - kb) / colorimetry.chromaScale
    greenRed = -kr * red / kg
    greenBlue = -kb * blue / kg
    cb = 1 / blue
    cr = 1 / red
  }

  /// Red, green and blue, 0...1, of a triple of codes.
  @inline(__always)
  func light(y: Float, cb: Float, cr: Float, alpha: Float) -> BlendPixel {
    let y = (y - offset) * lumaGain
    let cb = cb - 128
    let cr = cr - 128
    return BlendPixel(
      c0: y + red * cr, c1: y + greenBlue * cb + greenRed * cr, c2: y + blue * cb, alpha: alpha)
  }

  /// The codes, not rounded, of red, green and blue.
  @inline(__always)
  func codes(_ light: BlendPixel) -> BlendPixel {
    let y = kr * light.c0 + (1 - kr - kb) * light.c1 + kb * light.c2
    return BlendPixel(
      c0: offset + y * luma, c1: 128 + (light.c2 - y) * cb, c2: 128 + (light.c0 - y) * cr,
      alpha: light.alpha)
  }
}
