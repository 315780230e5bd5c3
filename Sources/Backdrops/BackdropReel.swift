import Compose
import Decoding
import Frames

/// An animation that stands behind: all of its frames, made for one format.
enum BackdropReel {
  /// One frame, and until when it is shown, in nanoseconds from the beginning.
  struct Frame: @unchecked Sendable {
    // Made by one thread and handed on; not changed after that.
    let background: Background
    let end: UInt64
  }

  /// How long a frame is shown that does not say: a 25th of a second.
  static let usual: UInt64 = 40_000_000

  /// Until when a frame is shown whose successor is not known.
  static func end(of frame: PictureFile.DecodedFrame) -> UInt64 {
    let (end, isTooLate) = frame.time.addingReportingOverflow(
      frame.duration > 0 ? frame.duration : usual)
    return isTooLate ? .max : end
  }

  /// The background at a moment, of frames shown again and again; nil of none.
  static func frame(of reel: [Frame], at time: UInt64) -> Background? {
    guard let total = reel.last?.end, total > 0 else { return nil }
    let moment = time % total
    var (low, high) = (0, reel.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if reel[middle].end > moment { high = middle } else { low = middle + 1 }
    }
    return reel[low].background
  }
}
