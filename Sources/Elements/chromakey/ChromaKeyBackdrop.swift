import Gst
import Keying
import Pixels

/// What one keyer puts behind: a decoded picture or a colour, made into the stream's format.
///
/// The first picture is decoded while the element starts. Later ones are decoded and converted on
/// a thread of their own, and the last good one stays meanwhile. All but `start` and `stop` belong
/// to the streaming thread.
final class ChromaKeyBackdrop {
  /// A decoded picture, and what it became over a colour in a format.
  private struct Made: @unchecked Sendable {
    // Made by one thread and handed on; not changed after that.
    let image: OwnedPicture
    var background: Background?
    var color: UInt32 = 0
    var format: VideoFormat?
  }

  private let loader = Loader<Made>()
  private var isLoading = false
  private var picture: Made?
  private var plain: (background: Background, color: UInt32)?
  private var format: VideoFormat?
  /// The path last asked for, whatever came of it.
  private var path: String?

  /// Decodes the picture the stream begins with.
  func start(_ path: String?) throws(ElementError) {
    self.path = path
    picture = nil
    if let path, !path.isEmpty { picture = Made(image: try Self.decode(path, LoadOrder())) }
  }

  /// Waits for whatever is being loaded, and drops everything.
  func stop() {
    loader.stop()
    isLoading = false
    picture = nil
    plain = nil
    format = nil
  }

  func configure(_ format: VideoFormat) {
    self.format = format
    plain = nil
  }

  /// The background to use now, or the last one when what is wanted is not there yet.
  ///
  /// `warn` hears why a picture cannot be had.
  func follow(
    _ path: String?, color: UInt32, warn: (ElementError) -> Void
  ) -> Background? {
    guard let format else { return nil }
    if path != self.path { change(to: path, color, format) }
    switch loader.takeResult() {
    case .success(let made):
      isLoading = false
      picture = made
    case .failure(let error):
      isLoading = false
      warn(error)
    case nil: break
    }
    guard var made = picture else { return plainBackground(color, format) }
    if made.background == nil || made.format != format {
      // New caps: no frame of theirs may go without.
      made = Self.make(made.image, color, format)
      picture = made
    } else if made.color != color, !isLoading {
      let image = made
      request { (_) throws(ElementError) in Self.make(image.image, color, format) }
    }
    return made.background
  }

  /// Drops the picture; for when none is wanted.
  func clear() {
    guard picture != nil || isLoading || path != nil else { return }
    loader.cancel()
    isLoading = false
    picture = nil
    path = nil
  }

  private func change(to path: String?, _ color: UInt32, _ format: VideoFormat) {
    self.path = path
    guard let path, !path.isEmpty else {
      loader.cancel()
      isLoading = false
      picture = nil
      return
    }
    request { (order) throws(ElementError) in
      Self.make(try Self.decode(path, order), color, format)
    }
  }

  private func request(_ make: @escaping @Sendable (LoadOrder) throws(ElementError) -> Made) {
    isLoading = true
    loader.request(make)
  }

  private func plainBackground(_ color: UInt32, _ format: VideoFormat) -> Background {
    if let plain, plain.color == color { return plain.background }
    let background = Background(
      color: color, format: format.format, width: format.width, height: format.height,
      colorimetry: format.colorimetry, chromaSite: format.chromaSite)
    plain = (background, color)
    return background
  }

  private static func decode(
    _ path: String, _ order: LoadOrder
  ) throws(ElementError) -> OwnedPicture {
    try PictureFile.decode(path, order: order)[0].picture
  }

  private static func make(
    _ image: OwnedPicture, _ color: UInt32, _ format: VideoFormat
  ) -> Made {
    let background = image.withPicture { picture in
      Background(
        image: picture, color: color, format: format.format, width: format.width,
        height: format.height, colorimetry: format.colorimetry, chromaSite: format.chromaSite)
    }
    return Made(image: image, background: background, color: color, format: format)
  }
}
