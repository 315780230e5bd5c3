import Synchronization

/// Cancels a background task, which polls the token between its steps, and limits its time.
///
/// State and property changes therefore never wait for a slow or malformed file. Thread-safe.
package final class CancellationToken: Sendable {
  /// The time limit of the task, counted from its request.
  package let limit: Duration
  package let deadline: Moment
  private let flag = Atomic(false)
  private let handler = Monitor<(@Sendable () -> Void)?>(nil)

  package init(limit: Duration = .seconds(60)) {
    self.limit = limit
    deadline = .now + limit
  }

  package var isCancelled: Bool { flag.load(ordering: .sequentiallyConsistent) }

  /// Whether the task is cancelled or past its deadline.
  package var shouldStop: Bool { isCancelled || Moment.now > deadline }

  /// Requests cancellation; does not wait for the task to end.
  package func cancel() {
    flag.store(true, ordering: .sequentiallyConsistent)
    handler.withLock { $0?() }
  }

  /// Runs `body`; `cancel` calls `onCancel` meanwhile, to end a wait.
  ///
  /// `onCancel` runs at most once per `cancel`, on the cancelling thread, and never after this
  /// function has returned; it must be short and must not use the token. It is not called for an
  /// earlier cancellation: `body` polls before it waits.
  package func withCancellationHandler<R, E>(
    _ onCancel: @escaping @Sendable () -> Void, _ body: () throws(E) -> R
  ) throws(E) -> R {
    handler.withLock { handler in
      precondition(handler == nil, "a task has one cancellation handler at a time")
      handler = onCancel
    }
    defer { handler.withLock { $0 = nil } }
    return try body()
  }
}
