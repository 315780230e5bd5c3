/// How late frames come to be seen.
package struct Lateness: Equatable, Sendable {
  /// Frames that were seen.
  package private(set) var count = 0
  /// Frames that a newer one replaced before they were seen.
  package private(set) var skipped = 0
  /// In seconds, from the time that a frame is for until it is handed to the window.
  package private(set) var latest = 0.0
  private var sum = 0.0
  private var over = 0

  /// What counts as late, in seconds.
  package static let limit = 0.1

  package init() {}

  /// In seconds, of all that were seen.
  package var mean: Double { count == 0 ? 0 : sum / Double(count) }

  /// Frames that were later than `limit`.
  package var late: Int { over }

  package mutating func see(_ seconds: Double) {
    count += 1
    sum += seconds
    latest = max(latest, seconds)
    if seconds > Self.limit { over += 1 }
  }

  package mutating func skip() { skipped += 1 }
}
