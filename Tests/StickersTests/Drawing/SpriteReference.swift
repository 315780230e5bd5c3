import Pixels
import Stickers

/// A sprite drawn in double precision, pixel by pixel, straight from the definitions.
///
/// Bilinear on the full size; chroma is the mean of premultiplied pixels at its site; a format
/// with shared chroma blends it with the mean luma and alpha of the pixels that share it.
struct SpriteReference {
  let pixels: [UInt8]
  let width: Int
  let height: Int
  let transform: Affine
  let alpha: Double
  let blend: SpriteBlend

  typealias Four = SIMD4<Double>

  /// What one sample should hold after the drawing.
  struct Expected {
    /// In codes, not rounded.
    var value: Double
    /// How much of it is seen, 0...1: the alpha that comes out for a colour, 1 for alpha.
    var weight: Double
    /// Whether the sprite has any share in it.
    var isTouched: Bool
  }

  /// What every component of `picture` should hold.
  func expected(_ picture: borrowing Picture) -> [[Expected]] {
    let layout = picture.format.layout
    let shifts = layout.chromaShifts
    guard let drawing = Drawing(self, on: picture) else { return [] }
    return layout.components.indices.map { index in
      let isChroma = layout.family == .ycc && (index == 1 || index == 2)
      let h = isChroma ? shifts.h : 0
      let v = isChroma ? shifts.v : 0
      let isShared = h > 0 || v > 0
      var values: [Expected] = []
      for y in 0..<PixelLayout.subsampled(picture.height, by: v) {
        for x in 0..<PixelLayout.subsampled(picture.width, by: h) {
          let tap = isShared ? drawing.chromaTap(x, y) : drawing.tap(x, y)
          let codes = isShared ? Self.sharedCodes(picture, x, y) : Self.codes(picture, x, y)
          let out = drawing.mixed(codes, tap)
          values.append(
            Expected(
              value: out[index], weight: index == 3 ? 1 : out.w / 255, isTouched: tap.w > 0))
        }
      }
      return values
    }
  }

  /// The codes of a pixel; grey has neutral chroma, and a format without alpha is opaque.
  private static func codes(_ picture: borrowing Picture, _ x: Int, _ y: Int) -> Four {
    let layout = picture.format.layout
    let isRGB = layout.family == .rgb
    let (cx, cy) = (
      isRGB ? x : x >> layout.chromaShifts.h, isRGB ? y : y >> layout.chromaShifts.v
    )
    func chroma(_ index: Int) -> Double {
      layout.family == .gray ? 128 : Double(picture.component(index)[cx, cy])
    }
    return Four(
      Double(picture.component(0)[x, y]), chroma(1), chroma(2),
      layout.hasAlpha ? Double(picture.component(3)[x, y]) : 255)
  }

  /// The codes of a chroma sample, with the mean luma and alpha of the pixels that share it.
  private static func sharedCodes(_ picture: borrowing Picture, _ x: Int, _ y: Int) -> Four {
    let (h, v) = (picture.format.layout.chromaShifts.h, picture.format.layout.chromaShifts.v)
    let xs = (0...h).map { min((x << h) + $0, picture.width - 1) }
    let ys = (0...v).map { min((y << v) + $0, picture.height - 1) }
    var sum = Four.zero
    for y in ys {
      for x in xs { sum += codes(picture, x, y) }
    }
    return sum / Double(xs.count * ys.count)
  }

  /// The sprite as a picture's format takes it up.
  private struct Drawing {
    let sprite: SpriteReference
    let family: PixelFormat.Family
    let colorimetry: Colorimetry
    let chromaSite: ChromaSite
    let shifts: (h: Int, v: Int)
    let back: Affine
    /// Whether pixels are blended as RGB, or as luma and chroma, though the format has the latter.
    let converts, ycc: Bool

    init?(_ sprite: SpriteReference, on picture: borrowing Picture) {
      guard let back = sprite.transform.inverse else { return nil }
      self.sprite = sprite
      self.back = back
      family = picture.format.layout.family
      (colorimetry, chromaSite) = (picture.colorimetry, picture.chromaSite)
      shifts = (picture.format.layout.chromaShifts.h, picture.format.layout.chromaShifts.v)
      converts = sprite.blend != .over && family != .rgb
      ycc = family != .rgb && !converts
    }

    private func texel(_ x: Int, _ y: Int) -> Four {
      guard x >= 0, y >= 0, x < sprite.width, y < sprite.height else { return .zero }
      let at = 4 * (y * sprite.width + x)
      let pixels = sprite.pixels
      let a = Double(pixels[at + 3]) / 255
      let rgb = Four(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]), 0)
      guard ycc else { return Four(rgb.x * a, rgb.y * a, rgb.z * a, a) / Four(255, 255, 255, 1) }
      let code = colorimetry.ycc(r: Float(rgb.x), g: Float(rgb.y), b: Float(rgb.z))
      return Four(
        min(max(Double(code.y), 0), 255) / 255 * a, (Double(code.cb) - 128) / 255 * a,
        (Double(code.cr) - 128) / 255 * a, a)
    }

    func tap(_ x: Int, _ y: Int) -> Four {
      let p = back(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
      let u = p.x - 0.5
      let v = p.y - 0.5
      let ix = Int(u.rounded(.down))
      let iy = Int(v.rounded(.down))
      let fx = u - Double(ix)
      let fy = v - Double(iy)
      let upper = texel(ix, iy) * (1 - fx) + texel(ix + 1, iy) * fx
      let lower = texel(ix, iy + 1) * (1 - fx) + texel(ix + 1, iy + 1) * fx
      return (upper * (1 - fy) + lower * fy) * sprite.alpha
    }

    private func weights(_ shift: Int, _ cosited: Bool) -> [(Int, Double)] {
      shift == 0 ? [(0, 1)] : cosited ? [(-1, 0.25), (0, 0.5), (1, 0.25)] : [(0, 0.5), (1, 0.5)]
    }

    func chromaTap(_ cx: Int, _ cy: Int) -> Four {
      var sum = Four.zero
      for (dy, wy) in weights(shifts.v, chromaSite.isCositedVertically) {
        for (dx, wx) in weights(shifts.h, chromaSite.isCositedHorizontally) {
          sum += tap((cx << shifts.h) + dx, (cy << shifts.v) + dy) * (wx * wy)
        }
      }
      return sum
    }

    /// The codes that come of a sprite's premultiplied pixel over a pixel's codes.
    func mixed(_ codes: Four, _ tap: Four) -> Four {
      var d = Four(codes.x / 255, codes.y / 255, codes.z / 255, codes.w / 255)
      if ycc { d = Four(d.x, d.y - 128 / 255, d.z - 128 / 255, d.w) }
      if converts {
        let rgb = colorimetry.rgb(y: Float(codes.x), cb: Float(codes.y), cr: Float(codes.z))
        d = Four(Double(rgb.r) / 255, Double(rgb.g) / 255, Double(rgb.b) / 255, d.w)
      }
      let out = tap.w + d.w * (1 - tap.w)
      guard out > 0 else { return codes }
      var result = Four.zero
      for k in 0..<3 { result[k] = blended(k, d, tap, out) / out }
      if converts {
        let code = colorimetry.ycc(
          r: Float(result.x * 255), g: Float(result.y * 255), b: Float(result.z * 255))
        return Four(Double(code.y), Double(code.cb), Double(code.cr), out * 255)
      }
      if ycc { result += Four(0, 128 / 255, 128 / 255, 0) }
      return Four(result.x * 255, result.y * 255, result.z * 255, out * 255)
    }

    /// Component `k` of a pixel `tap` on a straight backdrop `d`, premultiplied by the alpha `out`.
    private func blended(_ k: Int, _ d: Four, _ tap: Four, _ out: Double) -> Double {
      let (s, a, b) = (tap[k], tap.w, d[k] * d.w)
      return switch sprite.blend {
      case .over: s + b * (1 - a)
      case .add: max(b, min(s + b, out))
      case .screen: s + b - s * b
      case .multiply: s * (1 - d.w) + b * (1 - a) + s * b
      case .softLight:
        s * (1 - d.w) + b * (1 - a) + a * d.w * SpriteReference.soft(a > 0 ? s / a : 0, d[k])
      case .color where family == .gray: b * (out > 0 ? out / max(d.w, 1e-12) : 1)
      case .color: s * (1 - d.w) + b * (1 - a) + a * d.w * SpriteReference.colored(tap, d)[k]
      }
    }
  }

  /// Soft light as W3C Compositing and Blending Level 1 defines it, of a colour on a backdrop.
  private static func soft(_ s: Double, _ b: Double) -> Double {
    let b = max(b, 0)
    if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
    return b + (2 * s - 1) * ((b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()) - b)
  }

  /// SetLum of a premultiplied colour, by the luminosity of a backdrop; the same document.
  private static func colored(_ tap: Four, _ d: Four) -> Four {
    func luminosity(_ c: Four) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
    let own = tap.w > 0 ? Four(tap.x / tap.w, tap.y / tap.w, tap.z / tap.w, 0) : .zero
    let l = luminosity(d)
    let shift = l - luminosity(own)
    var c = [own.x + shift, own.y + shift, own.z + shift]
    let (low, high) = (c.min() ?? 0, c.max() ?? 0)
    if low < 0, l > low { c = c.map { l + ($0 - l) * l / (l - low) } }
    if high > 1, high > l { c = c.map { l + ($0 - l) * (1 - l) / (high - l) } }
    return Four(c[0], c[1], c[2], 0)
  }
}
