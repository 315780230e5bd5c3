/// The latency of displayed frames.
package struct LatencyStatistics: Equatable, Sendable {
  /// The number of displayed frames.
  package private(set) var count = 0
  /// The number of frames that a newer one replaced before display.
  package private(set) var dropped = 0
  /// The largest latency in seconds, from a frame's time until the window gets it.
  package private(set) var maximum = 0.0
  /// The number of the frame with the largest latency, from 1 on; 0 before any.
  package private(set) var latest = 0
  private var sum = 0.0
  /// The number of frames later than `limit`.
  package private(set) var late = 0

  /// Larger latencies are late, in seconds.
  package static let limit = 0.1

  package init() {}

  /// The mean latency in seconds.
  package var mean: Double { count == 0 ? 0 : sum / Double(count) }

  package mutating func add(_ seconds: Double) {
    count += 1
    sum += seconds
    if latest == 0 || seconds > maximum { (maximum, latest) = (seconds, count) }
    if seconds > Self.limit { late += 1 }
  }

  package mutating func addDropped(_ count: Int) { dropped += count }
}
