import Compose
import Decoding
import Files
import Frames
import Pixels
import Threads

/// A background file that may be animated, decoded on a background thread.
///
/// It is shown from its first frame on while it is decoded. If all frames fit in memory, the file
/// is read once; else it is decoded in a loop, a few frames ahead, and restarts if the running
/// time jumps back. All methods but `stop` and `interrupt` belong to the streaming thread.
final class BackdropFilm {
  private typealias Frame = BackdropReel.Frame

  /// The file, and the parameters of its conversion.
  struct Source: @unchecked Sendable {
    // All fields are values; their modules do not declare them Sendable.
    let path: FilePath
    let color: UInt32
    let fit: BackgroundFit
    let format: VideoFormat

    /// A decoded picture converted for the stream; nil if it has no pixels.
    func background(_ picture: OwnedPicture) -> Background? {
      picture.withPicture { Background(image: $0, color: color, fit: fit, for: format) }
    }
  }

  /// The queue of decoded frames that are not shown yet.
  private struct Stock: Sendable {
    var frames: [Frame] = []
    /// The serial number of the film; frames of an older one are rejected.
    var film = 0
    /// All frames so far, as long as they fit in memory.
    var opening: BackdropOpening?
    /// All frames of the file, if they fit in memory.
    var reel: [Frame] = []
    var isFound = false
    /// The first frame or its error, until it is consumed.
    var finding: Result<BackdropOpening.Finding, ElementError>?
    /// The current film time; frames that end before it are not needed.
    var wanted: UInt64 = 0
    /// The film time at which the last decoded frame ends.
    var end: UInt64 = 0
    var hasEnded = false
    var isInterrupted = false
  }

  /// The number of frames decoded ahead.
  private static let ahead = 4
  /// How long a frame, and the first frame, wait for the decoder before the film lags instead.
  private static let patience = Duration.seconds(1)
  private static let firstPatience = Duration.seconds(2)

  private let stock = Monitor(Stock())
  private let loader = Loader<Bool>()
  private var current: Frame?
  /// The running time at which the film began, and that of the last frame.
  private var origin: UInt64?
  private var last: UInt64 = 0
  private var source: Source?

  /// Begins to read a file, replacing the last one.
  ///
  /// The returned function waits for the first frame; it may be called on any thread.
  func open(
    _ source: Source
  ) -> @Sendable (CancellationToken) throws(ElementError) -> BackdropOpening.Finding {
    (current, origin, self.source) = (nil, nil, source)
    startDecoding(source)
    let (stock, loader, path) = (stock, loader, source.path)
    return { (order) throws(ElementError) in
      while true {
        if let finding = Self.waitForFirstFrame(in: stock, order) { return try finding.get() }
        try order.checkCancellation(path)
        // The loader may have failed to create a thread.
        if case .failure(let error) = loader.take() { throw error }
      }
    }
  }

  /// Waits at most 50 ms for what is known of the first frame.
  private static func waitForFirstFrame(
    in stock: Monitor<Stock>, _ order: CancellationToken
  ) -> Result<BackdropOpening.Finding, ElementError>? {
    order.withCancellationHandler({ stock.updateAndNotify { _ in } }) {
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
  private func startDecoding(_ source: Source) {
    let (film, stock) = (resetQueue(BackdropOpening(format: source.format)), stock)
    loader.load(limit: .seconds(1 << 32)) { (order) throws(ElementError) in
      defer { stock.updateAndNotify { if $0.film == film { $0.hasEnded = true } } }
      do throws(ElementError) {
        let file = try PictureFile.open(source.path)
        let side = min(max(source.format.width, source.format.height), 4096)
        let limits = PictureFile.Limits(frames: .max, vectorSide: side)
        repeat {
          let start = stock.withLock { $0.end }
          _ = try PictureFile.play(file, limits: limits, order: order) { frame in
            Self.enqueue(frame, source, film, from: start, stock)
          }
          try order.checkCancellation(source.path)
        } while !Self.recordEnd(film, stock, nil)
      } catch {
        if !Self.recordEnd(film, stock, error) { throw error }
      }
      return true
    }
  }

  /// Records that the file has ended, with or without a `problem`.
  ///
  /// False if the file must be read again and the problem was not delivered as `finding`.
  private static func recordEnd(
    _ film: Int, _ stock: Monitor<Stock>, _ problem: ElementError?
  ) -> Bool {
    stock.updateAndNotify { stock in
      guard stock.film == film else { return true }
      if !stock.isFound {
        stock.isFound = true
        stock.finding = .failure(
          problem
            ?? ElementError(
              .wrongContent, "The background has no frame that can be decoded. Set another file."))
        return true
      }
      guard problem == nil, let opening = stock.opening.take() else { return false }
      stock.reel = opening.reel
      return true
    }
  }

  /// The background at a running time; nil before the first frame and without a file.
  ///
  /// If decoding fails, the error goes to `warn` and the last frame stays.
  func background(at time: UInt64, warn: (ElementError) -> Void) -> Background? {
    guard let source else { return nil }
    if time < last, origin != nil {
      (current, origin) = (nil, nil)
      if reel.isEmpty { startDecoding(source) } else { origin = 0 }
    }
    last = time
    let limit = origin == nil ? Self.firstPatience : Self.patience
    let begin = min(origin ?? time, time)
    origin = begin
    if !reel.isEmpty { return BackdropReel.background(of: reel, at: time - begin) }
    let end = Moment.now + limit
    while current.map({ $0.end <= time - begin }) ?? true {
      guard let next = nextFrame(endingAfter: time - begin, until: end) else { break }
      current = next
    }
    if case .failure(let error) = loader.take() { warn(error) }
    // The file has just been decoded to its end.
    if !reel.isEmpty { return BackdropReel.background(of: reel, at: time - begin) }
    // A late frame is shown nevertheless, and delays the rest of the film.
    if let current, current.end <= time - begin {
      let late = time - begin - current.end + 1
      origin = begin + late
    }
    return current?.background
  }

  private var reel: [Frame] { stock.withLock { $0.reel } }

  /// Stops reading and releases the frames, for another background.
  func clear() {
    guard source != nil else { return }
    _ = resetQueue(nil)
    loader.cancel()
    (current, origin, source) = (nil, nil, nil)
  }

  /// Stops the thread too; false if a decoder did not respond and was abandoned.
  func stop() -> Bool {
    _ = resetQueue(nil)
    stock.withLock { $0.isInterrupted = false }
    (current, origin, source) = (nil, nil, nil)
    return loader.stop()
  }

  /// Ends a wait of the streaming thread, and lets it not wait again before `resume`.
  func interrupt() { stock.updateAndNotify { $0.isInterrupted = true } }

  func resume() { stock.withLock { $0.isInterrupted = false } }

  /// Empties the queue for another film, and wakes the decoder of the last one; returns the new
  /// serial number.
  private func resetQueue(_ opening: BackdropOpening?) -> Int {
    let (film, _) = stock.updateAndNotify { stock in
      // Returned, so that it is freed after the lock is released.
      let old = stock
      stock = Stock(film: old.film + 1, opening: opening, isInterrupted: old.isInterrupted)
      return (stock.film, old)
    }
    return film
  }

  /// The next frame that ends after `time`; nil at the end, if interrupted, or after the timeout.
  private func nextFrame(endingAfter time: UInt64, until moment: Moment) -> Frame? {
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

  /// Appends a decoded frame to the queue once it has space; false if no more frames are needed.
  ///
  /// `start` is the film time at which this pass through the file began.
  private static func enqueue(
    _ frame: PictureFile.DecodedFrame, _ source: Source, _ film: Int, from start: UInt64,
    _ stock: Monitor<Stock>
  ) -> Bool {
    let (sum, isTooLate) = start.addingReportingOverflow(BackdropReel.end(of: frame))
    let (end, isLate) = stock.withLock { stock -> (UInt64, Bool) in
      guard stock.film == film else { return (0, false) }
      // Films whose timestamps do not increase are shown at the usual rate.
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
        // Stills have no duration, and no further frames.
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
