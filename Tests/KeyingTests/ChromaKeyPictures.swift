import Compose
import Pixels
import ScreenKey
import Support
import Threads

extension ChromaKeyer {
  /// A keyer for pictures like `picture`.
  convenience init(_ settings: ChromaKeySettings = ChromaKeySettings(), for picture: OwnedPicture) {
    self.init()
    self.settings = settings
    configure(picture.video)
  }

  /// Keys into a new picture: with alpha, or in the same format with a background.
  func keyed(
    _ picture: OwnedPicture, background: Background? = nil,
    runner: any SliceRunner = SerialRunner()
  ) -> OwnedPicture {
    let format =
      background == nil
      ? FrameCompositor.formatWithAlpha(for: picture.format) ?? picture.format : picture.format
    let result = OwnedPicture(
      VideoFormat(
        format: format, width: picture.width, height: picture.height,
        colorimetry: picture.colorimetry, chromaSite: picture.chromaSite))
    picture.withPicture { from in
      result.withPicture { to in
        process(source: from, destination: to, background: background, runner: runner)
      }
    }
    return result
  }
}

/// A picture of one colour.
func plain(
  _ format: PixelFormat, _ width: Int, _ height: Int, rgb: (Float, Float, Float),
  colorimetry: Colorimetry = .bt709, chromaSite: ChromaSite = .mpeg2, alignment: Int = 32
) -> OwnedPicture {
  let result = OwnedPicture(
    VideoFormat(
      format: format, width: width, height: height, colorimetry: colorimetry,
      chromaSite: chromaSite), alignment: alignment)
  paint(result, rgb: rgb)
  return result
}

/// Fills columns of a picture, counted in pixels, with one colour; its alpha with 255.
func paint(_ picture: OwnedPicture, rgb: (Float, Float, Float), columns: Range<Int>? = nil) {
  let isRGB = picture.format.family == .rgb
  let ycc = picture.colorimetry.ycc(r: rgb.0, g: rgb.1, b: rgb.2)
  let codes = isRGB ? [rgb.0, rgb.1, rgb.2, 255] : [ycc.y, ycc.cb, ycc.cr, 255]
  let range = columns ?? 0..<picture.width
  picture.withPicture { picture in
    for (index, place) in picture.format.layout.components.enumerated() {
      let component = picture.component(index)
      let code = UInt8(min(max(codes[index].rounded(), 0), 255))
      component.fill { x, y in range.contains(x << place.hShift) ? code : component[x, y] }
    }
  }
}

/// Adds noise to a picture's colour: the bits of `amount`.
func roughen(_ picture: OwnedPicture, seed: UInt64, amount: UInt8 = 3) {
  var random = SplitMix(seed)
  picture.withPicture { picture in
    for index in 0..<min(3, picture.format.layout.componentCount) {
      let component = picture.component(index)
      component.fill { component[$0, $1] &+ UInt8(truncatingIfNeeded: random.next()) & amount }
    }
  }
}
