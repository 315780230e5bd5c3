package import Pixels

/// The grid that a format's chroma is sampled on, at which mattes are made: one sample a pixel in
/// RGB and 4:4:4, one for two or four in 4:2:2 and 4:2:0.
package struct ChromaGrid {
  package let video: VideoFormat
  package let isRGB: Bool
  package let hShift, vShift: Int
  /// Size in samples.
  package let gridWidth, gridHeight: Int

  package init(_ video: VideoFormat) {
    self.video = video
    let layout = video.format.layout
    isRGB = layout.family == .rgb
    (hShift, vShift) = layout.chromaShifts
    gridWidth = PixelLayout.subsampled(video.width, by: hShift)
    gridHeight = PixelLayout.subsampled(video.height, by: vShift)
  }

  package var width: Int { video.width }
  package var height: Int { video.height }
  package var colorimetry: Colorimetry { video.colorimetry }
  package var chromaSite: ChromaSite { video.chromaSite }

  /// The code of black in a component, which transparent pixels hold: 128 for chroma.
  package func blackCode(_ component: Int) -> UInt8 {
    if isRGB { return 0 }
    return component == 0 ? UInt8(colorimetry.lumaOffset) : 128
  }

  /// The components of a colour in 0xAARRGGBB.
  package func components(argb: UInt32) -> (Float, Float, Float) {
    let r = Float(argb >> 16 & 255)
    let g = Float(argb >> 8 & 255)
    let b = Float(argb & 255)
    if isRGB { return (r, g, b) }
    let ycc = colorimetry.ycc(r: r, g: g, b: b)
    return (ycc.y, ycc.cb, ycc.cr)
  }

  /// 0xffRRGGBB of three components.
  package func argb(_ components: (Float, Float, Float)) -> UInt32 {
    func code(_ value: Float) -> UInt32 { UInt32(min(max(value.rounded(), 0), 255)) }
    let (r, g, b) =
      isRGB
      ? components : colorimetry.rgb(y: components.0, cb: components.1, cr: components.2)
    return 0xff00_0000 | code(r) << 16 | code(g) << 8 | code(b)
  }
}
