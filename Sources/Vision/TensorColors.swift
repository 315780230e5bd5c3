import Pixels

/// The factors from the codes of a format to the values a network takes for red, green and blue.
struct TensorColors {
  let family: PixelFormat.Family
  let scale: Float
  let offset: Float
  let luma: Float
  let lumaOffset: Float
  let redOfCr: Float
  let greenOfCb: Float
  let greenOfCr: Float
  let blueOfCb: Float

  /// Codes 0...255 of red, green and blue become `range`.
  init(_ format: PixelFormat, _ colorimetry: Colorimetry, range: ClosedRange<Float>) {
    family = format.family
    scale = (range.upperBound - range.lowerBound) / 255
    offset = range.lowerBound
    let (kr, kb) = (colorimetry.matrix.kr, colorimetry.matrix.kb)
    let chroma = 255 / colorimetry.chromaScale
    luma = 255 / colorimetry.lumaScale
    lumaOffset = colorimetry.lumaOffset
    redOfCr = 2 * (1 - kr) * chroma
    blueOfCb = 2 * (1 - kb) * chroma
    greenOfCr = -kr * redOfCr / (1 - kr - kb)
    greenOfCb = -kb * blueOfCb / (1 - kr - kb)
  }
}
