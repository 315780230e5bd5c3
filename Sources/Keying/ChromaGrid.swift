import Pixels

/// How a stream's format looks to the keyer: three components on a chroma grid.
///
/// Y'CbCr is keyed on its own chroma samples; that of RGB is made at full size, in full range.
struct ChromaGrid {
  let video: VideoFormat
  let isRGB: Bool
  let hShift, vShift: Int
  /// Size of the chroma grid.
  let gridWidth, gridHeight: Int
  /// Rows of Cb and Cr for red, green, blue in 1/128; each sums to 0, so greys stay neutral.
  let cbRow: (Int16, Int16, Int16)
  let crRow: (Int16, Int16, Int16)

  init(_ video: VideoFormat) {
    self.video = video
    let layout = video.format.layout
    isRGB = layout.family == .rgb
    (hShift, vShift) = layout.chromaShifts
    gridWidth = PixelLayout.subsampled(video.width, by: hShift)
    gridHeight = PixelLayout.subsampled(video.height, by: vShift)
    let colorimetry = video.colorimetry
    let (kr, kb) = colorimetry.matrix.lumaWeights
    let blueRed = Int16((-kr / (2 * (1 - kb)) * 128).rounded())
    cbRow = (blueRed, -64 - blueRed, 64)
    let redBlue = Int16((-kb / (2 * (1 - kr)) * 128).rounded())
    crRow = (64, -64 - redBlue, redBlue)
  }

  var width: Int { video.width }
  var height: Int { video.height }
  var colorimetry: Colorimetry { video.colorimetry }
  var chromaSite: ChromaSite { video.chromaSite }

  /// What transparent pixels hold: black in component 0, no chroma in the others.
  func neutral(_ component: Int) -> UInt8 {
    if isRGB { return 0 }
    return component == 0 ? UInt8(colorimetry.lumaOffset) : 128
  }

  /// The components of a colour in 0xAARRGGBB.
  func components(argb: UInt32) -> (Float, Float, Float) {
    let r = Float(argb >> 16 & 255)
    let g = Float(argb >> 8 & 255)
    let b = Float(argb & 255)
    if isRGB { return (r, g, b) }
    let ycc = colorimetry.ycc(r: r, g: g, b: b)
    return (ycc.y, ycc.cb, ycc.cr)
  }

  /// 0xffRRGGBB of three components.
  func argb(_ components: (Float, Float, Float)) -> UInt32 {
    func code(_ value: Float) -> UInt32 { UInt32(min(max(value.rounded(), 0), 255)) }
    let (r, g, b) =
      isRGB
      ? components : colorimetry.rgb(y: components.0, cb: components.1, cr: components.2)
    return 0xff00_0000 | code(r) << 16 | code(g) << 8 | code(b)
  }

  /// 0xffRRGGBB of a grey.
  static func grey(_ value: Float) -> UInt32 {
    0xff00_0000 | UInt32(min(max(value.rounded(), 0), 255)) * 0x1_0101
  }

  /// The chroma that keying sees for three components.
  func chroma(_ c: (Float, Float, Float)) -> (cb: Float, cr: Float) {
    guard isRGB else { return (c.1, c.2) }
    func dot(_ row: (Int16, Int16, Int16)) -> Float {
      (c.0 * Float(row.0) + c.1 * Float(row.1) + c.2 * Float(row.2)) / 128 + 128
    }
    return (dot(cbRow), dot(crRow))
  }

  /// Red, green and blue of a chroma pair without their common part, which it does not tell.
  func hue(cb: Float, cr: Float) -> (r: Float, g: Float, b: Float) {
    let full = isRGB ? Colorimetry(matrix: colorimetry.matrix, isFullRange: true) : colorimetry
    let rgb = full.rgb(y: full.lumaOffset, cb: cb, cr: cr)
    let least = min(rgb.r, rgb.g, rgb.b)
    return (rgb.r - least, rgb.g - least, rgb.b - least)
  }

  /// What half a code of spill, light of the screen's colour less its grey, adds to each component.
  func spillFactors(
    _ components: (Float, Float, Float), unitX: Float, unitY: Float, length: Float,
    spillLuma: Float
  ) -> (Float, Float, Float) {
    let chroma = chroma(components)
    let pure = hue(cb: chroma.cb, cr: chroma.cr)
    let (kr, kb) = colorimetry.matrix.lumaWeights
    let range: Float = isRGB ? 1 : colorimetry.lumaScale / 255
    let luma = (kr * pure.r + (1 - kr - kb) * pure.g + kb * pure.b) / length * (1 - spillLuma)
    guard isRGB else { return (luma * range / 2, unitX / 2, unitY / 2) }
    let r = luma + 2 * (1 - kr) * unitY
    let b = luma + 2 * (1 - kb) * unitX
    return (r / 2, (luma - kr * r - kb * b) / (1 - kr - kb) / 2, b / 2)
  }
}
