import Pixels

/// From the codes of a format to the values a network takes for red, green and blue.
struct TensorColors {
  private let family: PixelFormat.Family
  private let scale: Float
  private let offset: Float
  private let luma: Float
  private let lumaOffset: Float
  private let redOfCr: Float
  private let greenOfCb: Float
  private let greenOfCr: Float
  private let blueOfCb: Float

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

  /// Writes the row that was read as interleaved red, green and blue.
  @unsafe func convert(_ row: SamplerScratch, into out: UnsafeMutablePointer<Float>) {
    let (scale, offset) = (scale, offset)
    let first = unsafe row.read(0)
    let second = unsafe row.read(1)
    let third = unsafe row.read(2)
    func value(_ code: Float) -> Float { max(0, min(code, 255)) * scale + offset }
    switch family {
    case .rgb:
      for x in 0..<row.width {
        unsafe out[3 &* x] = Float(first[x]) * scale + offset
        unsafe out[3 &* x &+ 1] = Float(second[x]) * scale + offset
        unsafe out[3 &* x &+ 2] = Float(third[x]) * scale + offset
      }
    case .gray:
      for x in 0..<row.width {
        let gray = unsafe value((Float(first[x]) - lumaOffset) * luma)
        unsafe out[3 &* x] = gray
        unsafe out[3 &* x &+ 1] = gray
        unsafe out[3 &* x &+ 2] = gray
      }
    case .ycc:
      for x in 0..<row.width {
        let y = unsafe (Float(first[x]) - lumaOffset) * luma
        let cb = unsafe Float(second[x]) - 128
        let cr = unsafe Float(third[x]) - 128
        unsafe out[3 &* x] = value(y + cr * redOfCr)
        unsafe out[3 &* x &+ 1] = value(y + cb * greenOfCb + cr * greenOfCr)
        unsafe out[3 &* x &+ 2] = value(y + cb * blueOfCb)
      }
    }
  }
}
