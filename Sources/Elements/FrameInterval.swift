import Frames

/// The time from each frame to the next.
struct FrameInterval {
  /// The assumed interval in seconds where a frame has no timestamp.
  private static let defaultInterval = 1.0 / 30
  private var last: UInt64?

  /// Seconds since the frame before.
  mutating func secondsSinceLast(_ frame: borrowing FrameHeader) -> Double {
    // Running time increases in every playback direction.
    let time = frame.runningTime ?? frame.timestamp
    defer { last = time }
    guard let time, let last else { return Self.defaultInterval }
    return time > last ? Double(time - last) / 1e9 : 0
  }
}
