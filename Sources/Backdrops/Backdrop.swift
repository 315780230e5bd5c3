package import Compose
import Decoding
package import Files
package import Frames
package import Pixels
import Threads

/// The background of one keyer: a decoded picture, animation or film, or a colour, converted to the
/// stream's format.
///
/// Pictures are decoded on a background thread. The first frame waits for the initial picture;
/// while a later one is decoded and converted, the previous one stays. Short animations are kept
/// in memory, long ones are played from the file. All methods but `start`, `stop` and `interrupt`
/// belong to the streaming thread.
package final class Backdrop {
  /// A decoded picture, and the background made of it for a colour and a format.
  ///
  /// A class, because for an optional struct of this many fields the compiler tests uninitialized
  /// bits if it is nil, which valgrind reports.
  private final class Made: @unchecked Sendable {
    // Immutable once another thread gets it.
    let image: OwnedPicture
    let background: Background?
    let color: UInt32
    let fit: BackgroundFit
    let format: VideoFormat?
    /// Whether the file has more frames than were decoded.
    let isMoving: Bool
    /// Whether it was read by `next`, and whether that has more frames.
    let isNext: Bool
    let isFilm: Bool

    init(
      image: OwnedPicture, background: Background? = nil, color: UInt32 = 0,
      fit: BackgroundFit = .cover, format: VideoFormat? = nil, isMoving: Bool = false,
      isNext: Bool = false, isFilm: Bool = false
    ) {
      (self.image, self.background, self.color) = (image, background, color)
      (self.fit, self.format, self.isMoving) = (fit, format, isMoving)
      (self.isNext, self.isFilm) = (isNext, isFilm)
    }
  }

  /// What is shown.
  private enum State {
    /// The background colour.
    case plain
    /// Nothing yet: frames wait for the initial picture.
    case starting
    case showing(Made)
  }

  private var isStarting: Bool { if case .starting = state { true } else { false } }
  private var shown: Made? { if case .showing(let made) = state { made } else { nil } }

  package init() {}

  private let loader = Loader<Made>()
  /// The film that is shown, and the one being read to replace it.
  private var film = BackdropFilm()
  private var next = BackdropFilm()
  private var state = State.plain
  /// Whether a request to the loader is in progress.
  private var isLoading = false
  private var plain: (background: Background, color: UInt32)?
  private var format: VideoFormat?
  /// Whether the output has alpha instead of a background.
  private var hasAlpha = false
  /// The background of the last frame.
  private var current: Background?
  /// The path last requested, whether or not it could be loaded.
  private var path: FilePath?

  /// Begins to decode the initial picture; throws at once for most invalid files.
  package func start(_ path: FilePath?) throws(ElementError) {
    self.path = path
    guard let path, !path.isEmpty else { return }
    let file = try PictureFile.open(BackgroundFiles.path(of: path))
    state = .starting
    // Vector graphics are rendered once the frame size is known.
    if path.hasSuffix(".svg") { return }
    load { (order) throws(ElementError) in
      let first = try PictureFile.decode(file, order: order)[0]
      // Stills have no duration.
      return Made(image: first.picture, isMoving: first.duration > 0)
    }
    // Most pictures are decoded in that time, and an error makes the state change fail.
    do throws(ElementError) {
      try show(loader.wait(atMost: .milliseconds(30)))
      // Animations are read once the frame size is known; the first frame waits for that too.
      if shown?.isMoving == true { state = .starting }
    } catch {
      stop()
      throw error
    }
  }

  /// Releases everything; false if a decoder did not respond and was abandoned.
  @discardableResult
  package func stop() -> Bool {
    defer { (isLoading, state, plain, format, current) = (false, .plain, nil, nil, nil) }
    let haveEnded = [film.stop(), next.stop(), loader.stop()]
    return !haveEnded.contains(false)
  }

  /// Ends a wait of the streaming thread, and lets it not wait again before `resume`.
  package func interrupt() {
    loader.interrupt()
    film.interrupt()
    next.interrupt()
  }

  package func resume() {
    loader.resume()
    film.resume()
    next.resume()
  }

  /// Sets the formats of the stream; false if only that of the output has changed.
  package func configure(_ format: VideoFormat, output: PixelFormat) -> Bool {
    hasAlpha = output.hasAlpha
    guard format != self.format else { return false }
    (self.format, plain, current) = (format, nil, nil)
    return true
  }

  /// Returns the background of the frame at the running time `time`.
  ///
  /// It is the previous one while the wanted one is decoded, and nil if there is none or if
  /// `isReplaced`, where the keyer makes its own.
  /// A frame whose format was negotiated before its background was unset keeps the last one. Throws
  /// if the initial picture cannot be used; errors of later ones go to `warn`.
  package func update(
    _ wanted: BackdropSettings, at time: UInt64?, isReplaced: Bool = false,
    warn: (ElementError) -> Void
  ) throws(ElementError) -> Background? {
    if wanted.isSet {
      current = try loadAndShow(wanted, at: time, warn: warn)
    } else if hasAlpha || isReplaced {
      clear()
      current = nil
    }
    return current
  }

  /// Loads the wanted background and returns the one to show meanwhile.
  private func loadAndShow(
    _ wanted: BackdropSettings, at time: UInt64?, warn: (ElementError) -> Void
  ) throws(ElementError) -> Background? {
    guard let format else { return nil }
    let (path, color, fit) = (wanted.path, wanted.color, wanted.fit)
    if isStarting {
      if let path = self.path, !isLoading { requestFile(path, color, fit, format) }
      try show(loader.wait())
      if shown?.isMoving == true, let path = self.path {
        state = .starting
        requestFile(path, color, fit, format)
        try show(loader.wait())
      }
      // Interrupted: this frame is not shown, and the next one waits again.
      if isStarting { return colorBackground(color, format) }
    }
    if path != self.path { requestFile(path, color, fit, format) }
    do throws(ElementError) { try show(loader.take()) } catch { warn(error) }
    guard var made = shown else { return colorBackground(color, format) }
    let moves = made.isMoving || made.isFilm
    if made.background == nil || made.format != format {
      // New caps: their first frame needs a background too.
      made = Self.convert(made.image, color, fit, format)
      state = .showing(made)
      film.clear()
      if moves, let path { requestFile(path, color, fit, format) }
    } else if moves, made.isMoving || made.color != color || made.fit != fit {
      if !isLoading, let path { requestFile(path, color, fit, format) }
    } else if made.color != color || made.fit != fit, !isLoading {
      let image = made
      load { (_) throws(ElementError) in Self.convert(image.image, color, fit, format) }
    }
    return film.background(at: time ?? 0, warn: warn) ?? made.background
  }

  /// Releases the picture.
  private func clear() {
    guard shown != nil || isLoading || path != nil else { return }
    loader.cancel()
    (isLoading, state, path) = (false, .plain, nil)
    film.clear()
    next.clear()
  }

  private func requestFile(
    _ path: FilePath?, _ color: UInt32, _ fit: BackgroundFit, _ format: VideoFormat
  ) {
    guard let path, !path.isEmpty else {
      clear()
      self.path = path
      return
    }
    self.path = path
    let file: FilePath
    do throws(ElementError) {
      file = try BackgroundFiles.path(of: path)
    } catch {
      load { (_) throws(ElementError) in throw error }
      return
    }
    let find = next.open(.init(path: file, color: color, fit: fit, format: format))
    load { (order) throws(ElementError) in
      let found = try find(order)
      return Made(
        image: found.image, background: found.background, color: color, fit: fit, format: format,
        isNext: true, isFilm: found.isMoving)
    }
  }

  private func load(_ make: @escaping @Sendable (CancellationToken) throws(ElementError) -> Made) {
    isLoading = true
    loader.load(make)
  }

  /// Shows the result of the loader; nil if there is none yet.
  private func show(_ result: Result<Made, ElementError>?) throws(ElementError) {
    guard let result else { return }
    isLoading = false
    if isStarting { state = .plain }
    // `next` has been swapped into `film`, or is obsolete.
    defer { next.clear() }
    let made = try result.get()
    if made.isNext { swap(&film, &next) }
    if !made.isFilm { film.clear() }
    state = .showing(made)
  }

  private func colorBackground(_ color: UInt32, _ format: VideoFormat) -> Background {
    if let plain, plain.color == color { return plain.background }
    let background = Background(color: color, for: format)
    plain = (background, color)
    return background
  }

  /// Converts a decoded picture to a background of the stream's format.
  private static func convert(
    _ image: OwnedPicture, _ color: UInt32, _ fit: BackgroundFit, _ format: VideoFormat
  ) -> Made {
    let background = image.withPicture {
      Background(image: $0, color: color, fit: fit, for: format)
    }
    return Made(image: image, background: background, color: color, fit: fit, format: format)
  }
}
