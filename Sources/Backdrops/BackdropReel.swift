import Compose
import Decoding

/// An animated background: all of its frames, converted to one format.
enum BackdropReel {
  struct Frame: @unchecked Sendable {
    // Immutable once another thread gets it.
    let background: Background
    /// The time at which the frame ends, in nanoseconds from the start of the animation.
    let end: UInt64
  }

  /// The duration of frames without one, in nanoseconds: 1/25 s.
  static let usual: UInt64 = 40_000_000

  /// The end of a frame whose successor is unknown.
  static func end(of frame: PictureFile.DecodedFrame) -> UInt64 {
    let (end, isTooLate) = frame.time.addingReportingOverflow(
      frame.duration > 0 ? frame.duration : usual)
    return isTooLate ? .max : end
  }

  /// The background at `time` in the looped animation; nil without frames.
  static func background(of reel: [Frame], at time: UInt64) -> Background? {
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
