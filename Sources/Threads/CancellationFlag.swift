import Synchronization

/// A flag that lets the work on a frame end early, because the stream no longer needs the frame.
///
/// Thread-safe.
package final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// Whether the rest of the work may be skipped.
  package var isSet: Bool { flag.load(ordering: .relaxed) }

  package func set() { flag.store(true, ordering: .relaxed) }

  package func clear() { flag.store(false, ordering: .relaxed) }
}
