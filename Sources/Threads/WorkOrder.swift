import Synchronization

/// Whether work is still wanted, and how long it may take.
///
/// Whoever works looks between two steps, so that nobody who changes a state or a property waits
/// for a file that is slow, or not what it seems. For any thread.
package final class WorkOrder: Sendable {
  /// What all of the work may take, from when it was asked for.
  package let limit: Duration
  package let deadline: Moment
  private let flag = Atomic(false)
  private let handler = Monitor<(@Sendable () -> Void)?>(nil)

  package init(limit: Duration = .seconds(60)) {
    self.limit = limit
    deadline = .now + limit
  }

  package var isCancelled: Bool { flag.load(ordering: .sequentiallyConsistent) }

  /// Whether it is not wanted any more, or took too long.
  package var isLate: Bool { isCancelled || Moment.now > deadline }

  /// Says that the work is not wanted any more; does not wait for its end.
  package func cancel() {
    flag.store(true, ordering: .sequentiallyConsistent)
    handler.withLock { $0?() }
  }

  /// Runs `body`, for which `wake` ends a wait when the work is cancelled.
  ///
  /// `wake` is called at most once a `cancel`, on the thread that cancels, and never after this
  /// has returned; it must be quick and must not use the order. What was cancelled before wakes
  /// nobody: `body` looks before it waits.
  package func waking<R, E>(
    _ wake: @escaping @Sendable () -> Void, _ body: () throws(E) -> R
  ) throws(E) -> R {
    handler.withLock { handler in
      precondition(handler == nil, "work waits for one thing at a time")
      handler = wake
    }
    defer { handler.withLock { $0 = nil } }
    return try body()
  }
}
