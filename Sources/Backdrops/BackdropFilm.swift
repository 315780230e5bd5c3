import Compose
import Decoding
import Files
import Frames
import Pixels
import Threads

/// A file that stands behind and may move, decoded on a thread of its own.
///
/// It is shown from its first frame on, while it is decoded. If all of its frames can be kept it is
/// not read again; else it is decoded again and again, a few frames ahead, and begins anew when the
/// running time jumps back. All but `stop` and `interrupt` belong to the streaming thread.
final class BackdropFilm {
  private typealias Frame = BackdropReel.Frame

  /// What is read, and what its frames are made for.
  struct Source: @unchecked Sendable {
    // Values, of which the module that declares them does not say so.
    let path: FilePath
    let color: UInt32
    let fit: BackgroundFit
    let format: VideoFormat

    /// A decoded picture, made for the stream; nil where it has no pixels.
    func background(_ picture: OwnedPicture) -> Background? {
      picture.withPicture { Background(image: $0, color: color, fit: fit, for: format) }
    }
  }

  /// Frames that were decoded and not shown yet.
  private struct Stock: Sendable {
    var frames: [Frame] = []
    /// The film they are of; frames of an older one are not taken any more.
    var film = 0
    /// All frames so far, while they may be kept.
    var opening: BackdropOpening?
    /// All frames there are, where they could be kept.
    var reel: [Frame] = []
    var isFound = false
    /// What the first frame showed, or why there is none, until that is asked for.
    var finding: Result<BackdropOpening.Finding, ElementError>?
    /// Film time before which nobody wants frames any more.
    var wanted: UInt64 = 0
    /// Film time at which the frame that was decoded last ends.
    var end: UInt64 = 0
    var hasEnded = false
    var isInterrupted = false
  }

  /// Frames that are decoded ahead.
  private static let ahead = 4
  /// How long a frame waits for the decoder before the film falls behind instead, and how long the
  /// first one does.
  private static let patience = Duration.seconds(1)
  private static let firstPatience = Duration.seconds(2)

  private let stock = Monitor(Stock())
  private let loader = Loader<Bool>()
  private var current: Frame?
  /// Running time at which the film began, and that of the last frame.
  private var origin: UInt64?
  private var last: UInt64 = 0
  private var source: Source?

  /// Begins to read a file in place of what was read before.
  ///
  /// What is returned waits for the first frame, on whichever thread.
  func open(
    _ source: Source
  ) -> @Sendable (CancellationToken) throws(ElementError) -> BackdropOpening.Finding {
    (current, origin, self.source) = (nil, nil, source)
    read(source)
    let (stock, loader, path) = (stock, loader, source.path)
    return { (order) throws(ElementError) in
      while true {
        if let finding = Self.finding(in: stock, order) { return try finding.get() }
        try order.check(path)
        // It may have found no thread.
        if case .failure(let error) = loader.take() { throw error }
      }
    }
  }

  /// Waits at most 50 ms for what is known of the first frame.
  private static func finding(
    in stock: Monitor<Stock>, _ order: CancellationToken
  ) -> Result<BackdropOpening.Finding, ElementError>? {
    order.withCancellationHandler({ stock.change { _ in } }) {
      let soon = Moment.now + .milliseconds(50)
      return stock.wait { stock -> Monitor<Stock>.WaitResult<_> in
        if stock.finding != nil || order.shouldStop || Moment.now >= soon {
          return .done(stock.finding.take())
        }
        return .wait(until: soon)
      }
    }
  }

  /// Begins to decode a file from its first frame on.
  private func read(_ source: Source) {
    let (film, stock) = (begin(BackdropOpening(format: source.format)), stock)
    loader.load(limit: .seconds(1 << 32)) { (order) throws(ElementError) in
      defer { stock.updateAndNotify { if $0.film == film { $0.hasEnded = true } } }
      do throws(ElementError) {
        let file = try PictureFile.open(source.path)
        let side = min(max(source.format.width, source.format.height), 4096)
        let limits = PictureFile.Limits(frames: .max, vectorSide: side)
        repeat {
          let start = stock.withLock { $0.end }
          _ = try PictureFile.play(file, limits: limits, order: order) { frame in
            Self.take(frame, source, film, from: start, stock)
          }
          try order.check(source.path)
        } while !Self.conclude(film, stock, nil)
      } catch {
        if !Self.conclude(film, stock, error) { throw error }
      }
      return true
    }
  }

  /// Notes that a file has ended, or broken off by `problem`; false when it is to be read again, and
  /// the problem is not known yet to who waits for the first frame.
  private static func conclude(
    _ film: Int, _ stock: Monitor<Stock>, _ problem: ElementError?
  ) -> Bool {
    stock.updateAndNotify { stock in
      guard stock.film == film else { return true }
      if !stock.isFound {
        stock.isFound = true
        stock.finding = .failure(
          problem ?? ElementError(.wrongContent, "The background has no picture that can be shown.")
        )
        return true
      }
      guard problem == nil, let opening = stock.opening.take() else { return false }
      stock.reel = opening.reel
      return true
    }
  }

  /// What stands behind at a running time; nil before the first frame, and where nothing plays.
  ///
  /// `warn` hears why the film breaks off; then its last frame stays.
  func frame(at time: UInt64, warn: (ElementError) -> Void) -> Background? {
    guard let source else { return nil }
    if time < last, origin != nil {
      (current, origin) = (nil, nil)
      if reel.isEmpty { read(source) } else { origin = 0 }
    }
    last = time
    let limit = origin == nil ? Self.firstPatience : Self.patience
    let begin = min(origin ?? time, time)
    origin = begin
    if !reel.isEmpty { return BackdropReel.frame(of: reel, at: time - begin) }
    let end = Moment.now + limit
    while current.map({ $0.end <= time - begin }) ?? true {
      guard let next = next(from: time - begin, until: end) else { break }
      current = next
    }
    if case .failure(let error) = loader.take() { warn(error) }
    // That was the last frame of all.
    if !reel.isEmpty { return BackdropReel.frame(of: reel, at: time - begin) }
    // What comes late is shown all the same, and the film is that much longer.
    if let current, current.end <= time - begin {
      let late = time - begin - current.end + 1
      origin = begin + late
    }
    return current?.background
  }

  private var reel: [Frame] { stock.withLock { $0.reel } }

  /// Ends it; for when something else stands behind.
  func clear() {
    guard source != nil else { return }
    _ = begin(nil)
    loader.cancel()
    (current, origin, source) = (nil, nil, nil)
  }

  /// Ends it with its thread; false when a decoder does not let go and was left behind.
  func stop() -> Bool {
    _ = begin(nil)
    stock.withLock { $0.isInterrupted = false }
    (current, origin, source) = (nil, nil, nil)
    return loader.stop()
  }

  /// Ends a frame's wait, and lets none wait before `resume`.
  func interrupt() { stock.updateAndNotify { $0.isInterrupted = true } }

  func resume() { stock.withLock { $0.isInterrupted = false } }

  /// Makes room for another film; lets go of whoever holds a frame of the last one.
  private func begin(_ opening: BackdropOpening?) -> Int {
    let (film, _) = stock.updateAndNotify { stock in
      // Freed when the lock is open again.
      let old = stock
      stock = Stock(film: old.film + 1, opening: opening, isInterrupted: old.isInterrupted)
      return (stock.film, old)
    }
    return film
  }

  /// The next frame that is not over at `time`; nil at the end, interrupted, and when it is late.
  private func next(from time: UInt64, until moment: Moment) -> Frame? {
    stock.updateAndNotify { $0.wanted = time }
    let frame = stock.wait { stock -> Monitor<Stock>.WaitResult<Frame?> in
      if !stock.frames.isEmpty { return .done(stock.frames.removeFirst()) }
      if stock.hasEnded || !stock.reel.isEmpty || stock.isInterrupted || Moment.now >= moment {
        return .done(nil)
      }
      return .wait(until: moment)
    }
    stock.updateAndNotify { _ in }
    return frame
  }

  /// Puts a decoded frame in stock once there is room; false when no more of them are wanted.
  ///
  /// `start` is when this round of the film began, in film time.
  private static func take(
    _ frame: PictureFile.DecodedFrame, _ source: Source, _ film: Int, from start: UInt64,
    _ stock: Monitor<Stock>
  ) -> Bool {
    let (sum, isTooLate) = start.addingReportingOverflow(BackdropReel.end(of: frame))
    let (end, isLate) = stock.withLock { stock -> (UInt64, Bool) in
      guard stock.film == film else { return (0, false) }
      // Films in which time does not go on are shown all the same.
      stock.end =
        isTooLate
        ? .max : sum > stock.end ? sum : stock.end &+ min(BackdropReel.usual, .max - stock.end)
      return (stock.end, stock.opening == nil && stock.end <= stock.wanted)
    }
    if isLate { return true }
    let background = source.background(frame.picture)
    let isWanted = stock.wait { stock -> Monitor<Stock>.WaitResult<Bool> in
      guard stock.film == film else { return .done(false) }
      if !stock.isFound {
        stock.isFound = true
        let isMoving = frame.duration > 0
        stock.finding = .success(
          .init(image: frame.picture, background: background, isMoving: isMoving))
        // A still is shown for ever.
        if !isMoving { return .done(false) }
      }
      guard let background else { return .done(true) }
      let isKept = stock.opening?.add(frame, background) ?? false
      if !isKept { stock.opening = nil }
      guard isKept || stock.frames.count < ahead else { return .wait(until: nil) }
      stock.frames.append(Frame(background: background, end: end))
      return .done(true)
    }
    stock.updateAndNotify { _ in }
    return isWanted
  }
}
