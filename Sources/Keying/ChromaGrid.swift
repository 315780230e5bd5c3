import Pixels

/// How a stream's format looks to the keyer: three components on a chroma grid.
///
/// Y'CbCr formats are keyed on their own chroma samples; red, green and blue are components at
/// full size, and their chroma is made by a full-range matrix in 1/128.
struct ChromaGrid {
  let format: PixelFormat
  let width: Int
  let height: Int
  let colorimetry: Colorimetry
  let chromaSite: ChromaSite
  let isRGB: Bool
  let hShift: Int
  let vShift: Int
  /// Size of the chroma grid.
  let gridWidth: Int
  let gridHeight: Int
  /// Rows of Cb and Cr for red, green, blue in 1/128; each sums to 0, so greys stay neutral.
  let cbRow: (Int16, Int16, Int16)
  let crRow: (Int16, Int16, Int16)

  init(
    format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry, chromaSite: ChromaSite
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.colorimetry = colorimetry
    self.chromaSite = chromaSite
    isRGB = format.family == .rgb
    let shifts = format.layout.chromaShifts
    hShift = shifts.h
    vShift = shifts.v
    gridWidth = PixelLayout.subsampled(width, by: shifts.h)
    gridHeight = PixelLayout.subsampled(height, by: shifts.v)
    let kr = colorimetry.matrix.kr
    let kb = colorimetry.matrix.kb
    let blueRed = Int16((-kr / (2 * (1 - kb)) * 128).rounded())
    cbRow = (blueRed, -64 - blueRed, 64)
    let redBlue = Int16((-kb / (2 * (1 - kr)) * 128).rounded())
    crRow = (64, -64 - redBlue, redBlue)
  }

  /// Code of black in component 0, or of no chroma in the others: what transparent pixels hold.
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
    if isRGB {
      return 0xff00_0000 | code(components.0) << 16 | code(components.1) << 8 | code(components.2)
    }
    let rgb = colorimetry.rgb(y: components.0, cb: components.1, cr: components.2)
    return 0xff00_0000 | code(rgb.r) << 16 | code(rgb.g) << 8 | code(rgb.b)
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

  /// Red, green and blue without their common part, of a chroma pair: only their differences
  /// are known, and only they matter for hue.
  func hue(cb: Float, cr: Float) -> (r: Float, g: Float, b: Float) {
    let full = isRGB ? Colorimetry(matrix: colorimetry.matrix, isFullRange: true) : colorimetry
    let rgb = full.rgb(y: full.lumaOffset, cb: cb, cr: cr)
    let least = min(rgb.r, rgb.g, rgb.b)
    return (rgb.r - least, rgb.g - least, rgb.b - least)
  }

  /// What half a code of spill adds to each component.
  ///
  /// Spill is light of the screen's hue: the screen colour without its grey part.
  func spillFactors(
    _ components: (Float, Float, Float), unitX: Float, unitY: Float, length: Float,
    spillLuma: Float
  ) -> (Float, Float, Float) {
    let chroma = chroma(components)
    let pure = hue(cb: chroma.cb, cr: chroma.cr)
    let kr = colorimetry.matrix.kr
    let kb = colorimetry.matrix.kb
    let range: Float = isRGB ? 1 : colorimetry.lumaScale / 255
    let luma = (kr * pure.r + (1 - kr - kb) * pure.g + kb * pure.b) / length * (1 - spillLuma)
    guard isRGB else { return (luma * range / 2, unitX / 2, unitY / 2) }
    let r = luma + 2 * (1 - kr) * unitY
    let b = luma + 2 * (1 - kb) * unitX
    return (r / 2, (luma - kr * r - kb * b) / (1 - kr - kb) / 2, b / 2)
  }
}
