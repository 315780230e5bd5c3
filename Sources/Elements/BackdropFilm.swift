import Files
import Gst
import Keying
import Pixels
import Threads

/// A film that stands behind, again and again, of any length: decoded a few frames ahead on a
/// thread of its own.
///
/// It begins with the first frame it stands behind, and anew when the running time jumps back. All
/// but `stop` and `interrupt` belong to the streaming thread.
final class BackdropFilm {
  private typealias Frame = BackdropReel.Frame

  /// Frames that were decoded and not shown yet.
  private struct Stock: Sendable {
    var frames: [Frame] = []
    /// The film they are of; frames of an older one are not taken any more.
    var film = 0
    /// Film time before which nobody wants frames any more.
    var wanted: UInt64 = 0
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
  private var again: (() -> Void)?

  /// Begins to play a file over a colour in a format.
  func play(_ file: HostileFile, _ color: UInt32, _ fit: BackgroundFit, _ format: VideoFormat) {
    let (stock, loader) = (stock, loader)
    let begin = {
      let film = Self.begin(stock)
      loader.load(limit: .seconds(1 << 32)) { (order) throws(ElementError) in
        defer { stock.change { if $0.film == film { $0.hasEnded = true } } }
        let end = Monitor<UInt64>(0)
        while true {
          let start = end.withLock { $0 }
          _ = try PictureFile.play(file, order: order) { frame in
            Self.take(frame, film, start, end, stock) {
              Background(image: $0, color: color, fit: fit, for: format)
            }
          }
          try order.check(file.path)
        }
      }
    }
    (current, origin, again) = (nil, nil, begin)
    begin()
  }

  /// What stands behind at a running time; nil before the first frame, and where nothing plays.
  ///
  /// `warn` hears why the film breaks off; then its last frame stays.
  func frame(at time: UInt64, warn: (ElementError) -> Void) -> Background? {
    guard let again else { return nil }
    if time < last, origin != nil {
      (current, origin) = (nil, nil)
      again()
    }
    last = time
    let limit = origin == nil ? Self.firstPatience : Self.patience
    let begin = origin ?? time
    origin = begin
    let end = Moment.now + limit
    while current.map({ $0.end <= time - begin }) ?? true {
      guard let next = next(from: time - begin, until: end) else { break }
      current = next
    }
    if case .failure(let error) = loader.take() { warn(error) }
    // What comes late is shown all the same, and the film is that much longer.
    if let current, current.end <= time - begin {
      let late = time - begin - current.end + 1
      origin = begin + late
    }
    return current?.background
  }

  /// Ends it; for when something else stands behind.
  func clear() {
    guard again != nil else { return }
    _ = Self.begin(stock)
    loader.cancel()
    (current, origin, again) = (nil, nil, nil)
  }

  /// Ends it with its thread; false when a decoder does not let go and was left behind.
  func stop() -> Bool {
    _ = Self.begin(stock)
    stock.withLock { $0.isInterrupted = false }
    (current, origin, again) = (nil, nil, nil)
    return loader.stop()
  }

  /// Ends a frame's wait, and lets none wait before `resume`.
  func interrupt() { stock.change { $0.isInterrupted = true } }

  func resume() { stock.withLock { $0.isInterrupted = false } }

  /// Makes room for another film; lets go of whoever holds a frame of the last one.
  private static func begin(_ stock: Monitor<Stock>) -> Int {
    let old = stock.change { stock in
      let old = stock.frames
      (stock.frames, stock.wanted, stock.hasEnded) = ([], 0, false)
      stock.film += 1
      return (old, stock.film)
    }
    return old.1
  }

  /// The next frame that is not over at `time`; nil at the end, interrupted, and when it is late.
  private func next(from time: UInt64, until moment: Moment) -> Frame? {
    stock.change { $0.wanted = time }
    let frame = stock.wait { stock -> Monitor<Stock>.Finding<Frame?> in
      if !stock.frames.isEmpty { return .done(stock.frames.removeFirst()) }
      if stock.hasEnded || stock.isInterrupted || Moment.now >= moment { return .done(nil) }
      return .wait(until: moment)
    }
    stock.change { _ in }
    return frame
  }

  /// Puts a decoded frame in stock once there is room; false when its film is not wanted any more.
  ///
  /// `start` is when this round of the film began, in film time; `end` is told when it ends.
  private static func take(
    _ frame: PictureFile.DecodedFrame, _ film: Int, _ start: UInt64, _ end: Monitor<UInt64>,
    _ stock: Monitor<Stock>, _ make: (borrowing Picture) -> Background?
  ) -> Bool {
    let (sum, isTooLate) = start.addingReportingOverflow(BackdropReel.end(of: frame))
    let own = end.withLock { end in
      // Films in which time does not go on are shown all the same.
      end = isTooLate ? .max : sum > end ? sum : end &+ min(BackdropReel.usual, .max - end)
      return end
    }
    let isLate = stock.withLock { own <= $0.wanted && $0.film == film }
    if isLate { return true }
    guard let background = frame.picture.withPicture({ make($0) }) else { return true }
    let isWanted = stock.wait { stock -> Monitor<Stock>.Finding<Bool> in
      guard stock.film == film else { return .done(false) }
      guard stock.frames.count < ahead else { return .wait(until: nil) }
      stock.frames.append(Frame(background: background, end: own))
      return .done(true)
    }
    stock.change { _ in }
    return isWanted
  }
}
