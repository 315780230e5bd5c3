import Binding
package import Compose
import Decoding
package import Files
package import Frames
package import Pixels
import Threads

/// What one keyer puts behind: a decoded picture or a colour, made into the stream's format.
///
/// Pictures are decoded on a thread of their own. The first frame waits for the one the stream
/// begins with; while a later one is decoded and converted, the last good one stays. What moves is
/// kept whole where that takes little, and else played from its file. All but
/// `start`, `stop` and `interrupt` belong to the streaming thread.
package final class Backdrop {
  /// A decoded picture, and what it became over a colour in a format.
  ///
  /// A class: of an optional result of this many fields the compiler tests bits that nobody wrote where
  /// it is nil, which valgrind reports.
  private final class Made: @unchecked Sendable {
    // Made by one thread and handed on; not changed after that.
    let image: OwnedPicture
    let background: Background?
    let color: UInt32
    let fit: BackgroundFit
    let format: VideoFormat?
    /// Whether there is more of it than was decoded.
    let isMoving: Bool
    /// Whether it was read by the film that is next, and whether that goes on.
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

  /// What frames get.
  private enum State {
    /// The background colour.
    case plain
    /// They wait for the picture that the stream begins with.
    case starting
    case showing(Made)
  }

  private var isStarting: Bool { if case .starting = state { true } else { false } }
  private var shown: Made? { if case .showing(let made) = state { made } else { nil } }

  package init() {}

  private let loader = Loader<Made>()
  /// What stands behind now, and what is read to take its place.
  private var film = BackdropFilm()
  private var next = BackdropFilm()
  private var state = State.plain
  /// Whether the loader has work for this.
  private var isLoading = false
  private var plain: (background: Background, color: UInt32)?
  private var format: VideoFormat?
  /// The path last asked for, whatever came of it.
  private var path: FilePath?

  /// Begins to decode the picture the stream begins with; says at once what is no picture file.
  package func start(_ path: FilePath?) throws(ElementError) {
    self.path = path
    guard let path, !path.isEmpty else { return }
    let file = try PictureFile.open(path)
    state = .starting
    // What is described is drawn once it is known how large.
    if path.hasSuffix(".svg") { return }
    load { (order) throws(ElementError) in
      let first = try PictureFile.decode(file, order: order)[0]
      // A still is shown for ever.
      return Made(image: first.picture, isMoving: first.duration > 0)
    }
    // Most pictures do not take that long, and what is wrong with one makes the state change fail.
    do throws(ElementError) {
      try take(loader.wait(atMost: .milliseconds(30)))
      // All of it once it is known how large; the first frame waits for that too.
      if shown?.isMoving == true { state = .starting }
    } catch {
      stop()
      throw error
    }
  }

  /// Drops everything; false when a decoder does not let go and was left behind.
  @discardableResult
  package func stop() -> Bool {
    defer { (isLoading, state, plain, format) = (false, .plain, nil, nil) }
    let haveEnded = [film.stop(), next.stop(), loader.stop()]
    return !haveEnded.contains(false)
  }

  /// Ends a frame's wait, and lets none wait before `resume`.
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

  package func configure(_ format: VideoFormat) {
    self.format = format
    plain = nil
  }

  /// The background to use now, or the last one when what is wanted is not there yet.
  ///
  /// What moves is as it is at the running time `time`. Throws where the stream cannot begin with its
  /// picture; `warn` hears why a later one cannot be had.
  package func follow(
    _ wanted: BackdropSettings, at time: UInt64?, warn: (ElementError) -> Void
  ) throws(ElementError) -> Background? {
    guard let format else { return nil }
    let (path, color, fit) = (wanted.path, wanted.color, wanted.fit)
    if isStarting {
      if let path = self.path, !isLoading { change(to: path, color, fit, format) }
      try take(loader.wait())
      if shown?.isMoving == true, let path = self.path {
        state = .starting
        change(to: path, color, fit, format)
        try take(loader.wait())
      }
      // Interrupted: nobody sees this frame, and the one after it waits again.
      if isStarting { return plainBackground(color, format) }
    }
    if path != self.path { change(to: path, color, fit, format) }
    do throws(ElementError) { try take(loader.take()) } catch { warn(error) }
    guard var made = shown else { return plainBackground(color, format) }
    let moves = made.isMoving || made.isFilm
    if made.background == nil || made.format != format {
      // New caps: no frame of theirs may go without.
      made = Self.make(made.image, color, fit, format)
      state = .showing(made)
      film.clear()
      if moves, let path { change(to: path, color, fit, format) }
    } else if moves, made.isMoving || made.color != color || made.fit != fit {
      if !isLoading, let path { change(to: path, color, fit, format) }
    } else if made.color != color || made.fit != fit, !isLoading {
      let image = made
      load { (_) throws(ElementError) in Self.make(image.image, color, fit, format) }
    }
    return film.frame(at: time ?? 0, warn: warn) ?? made.background
  }

  /// Drops the picture; for when none is wanted.
  package func clear() {
    guard shown != nil || isLoading || path != nil else { return }
    loader.cancel()
    (isLoading, state, path) = (false, .plain, nil)
    film.clear()
    next.clear()
  }

  private func change(
    to path: FilePath?, _ color: UInt32, _ fit: BackgroundFit, _ format: VideoFormat
  ) {
    guard let path, !path.isEmpty else {
      clear()
      self.path = path
      return
    }
    self.path = path
    let find = next.open(.init(path: path, color: color, fit: fit, format: format))
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

  /// Puts what was loaded in place; nil stands for what is not there yet.
  private func take(_ result: Result<Made, ElementError>?) throws(ElementError) {
    guard let result else { return }
    isLoading = false
    if isStarting { state = .plain }
    // What it read is shown, or not wanted any more.
    defer { next.clear() }
    let made = try result.get()
    if made.isNext { swap(&film, &next) }
    if !made.isFilm { film.clear() }
    state = .showing(made)
  }

  private func plainBackground(_ color: UInt32, _ format: VideoFormat) -> Background {
    if let plain, plain.color == color { return plain.background }
    let background = Background(color: color, for: format)
    plain = (background, color)
    return background
  }

  private static func make(
    _ image: OwnedPicture, _ color: UInt32, _ fit: BackgroundFit, _ format: VideoFormat
  ) -> Made {
    let background = image.withPicture {
      Background(image: $0, color: color, fit: fit, for: format)
    }
    return Made(image: image, background: background, color: color, fit: fit, format: format)
  }
}
