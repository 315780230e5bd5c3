/// Runs one task at a time on a thread of its own: always the latest that was requested.
///
/// The first request starts the thread, which waits for more until `stop`. Worker and thread share
/// a mailbox. The thread never owns the worker, and neither may a task, so that the owner can stop
/// or release the worker at any time: a task that does not poll its token is abandoned with its
/// thread, which discards the value and ends when the task returns.
///
/// All methods are thread-safe, but only one thread at a time should wait.
package final class BackgroundWorker<Value: Sendable>: Sendable {
  /// How long a cancelled task may take to return before it is abandoned: short, because the
  /// elements of a pipeline stop one after another.
  private static var gracePeriod: Duration { .milliseconds(20) }
  /// How long a request waits for a thread while too many threads are abandoned.
  private static var queueTimeout: Duration { .seconds(10) }
  /// The number of abandoned threads in the process from which on no more are started.
  private static var maximumAbandoned: Int { 4 }

  private struct Request {
    let work: @Sendable (CancellationToken) -> Value
    let token: CancellationToken
    let time = Moment.now
  }

  private struct State {
    /// The latest request, until it begins.
    var pending: Request?
    /// Its token, until its value is available.
    var currentToken: CancellationToken?
    var value: Value?
    /// Whether the thread runs a task, current or cancelled.
    var isWorking = false
    var isInterrupted = false
    var thread: WorkerThread?
  }

  private let mailbox = Monitor(State())
  private let unavailable: Value

  /// `unavailable` is the value of a request for which no thread can be started: the system has
  /// none left, or too many are abandoned.
  package init(unavailable: Value) { self.unavailable = unavailable }

  deinit { stop() }

  /// Abandoned threads of this process that are still running.
  package static var abandonedCount: Int { WorkerThread.abandonedCount }

  /// Whether a task runs or is pending.
  package var isBusy: Bool { mailbox.withLock { $0.isWorking || $0.pending != nil } }

  /// Requests a task in place of the previous request; does not wait.
  ///
  /// A pending task is dropped; a running one is cancelled by its token, which also expires after
  /// `limit`.
  package func request(
    limit: Duration = .seconds(60), _ work: @escaping @Sendable (CancellationToken) -> Value
  ) {
    replaceRequest(with: Request(work: work, token: CancellationToken(limit: limit)))
  }

  /// Cancels the current request; does not wait for its task.
  package func cancel() { replaceRequest() }

  /// Removes and returns the value of the latest request; nil while it is not available.
  package func take() -> Value? {
    mailbox.withLock { state in
      assignThread(&state)
      return state.value.take()
    }
  }

  /// As `take`, but waits for the value; nil without a request, if interrupted, and after `limit`.
  package func wait(atMost limit: Duration? = nil) -> Value? {
    let end = limit.map { Moment.now + $0 }
    return mailbox.wait { state in
      assignThread(&state)
      if state.value != nil || state.currentToken == nil || state.isInterrupted {
        return .done(state.value.take())
      }
      let now = Moment.now
      if let end, now >= end { return .done(nil) }
      // A pending request may need another thread.
      guard state.pending != nil else { return .wait(until: end) }
      let soon = now + .milliseconds(20)
      return .wait(until: min(end ?? soon, soon))
    }
  }

  /// Ends a wait, and prevents others until `resume`; the running task continues.
  package func interrupt() { mailbox.updateAndNotify { $0.isInterrupted = true } }

  package func resume() { mailbox.withLock { $0.isInterrupted = false } }

  /// Cancels the current request and ends the thread; returns within a tenth of a second.
  ///
  /// False if the thread had to be abandoned; it then keeps what its task owns.
  @discardableResult
  package func stop() -> Bool {
    replaceRequest()
    let thread = mailbox.updateAndNotify { state in
      state.isInterrupted = false
      state.isWorking = false
      return state.thread.take()
    }
    guard let thread else { return true }
    let end = Moment.now + Self.gracePeriod
    let hasEnded = mailbox.wait { _ in
      if thread.hasEnded { return .done(true) }
      guard Moment.now >= end else { return .wait(until: end) }
      thread.abandon()
      return .done(false)
    }
    if hasEnded { thread.join() }
    return hasEnded
  }

  /// Replaces the current request by another or by none.
  private func replaceRequest(with request: Request? = nil) {
    // The old values are released after the lock.
    let old = mailbox.updateAndNotify { state in
      let old = (state.currentToken, state.pending, state.value)
      (state.currentToken, state.pending, state.value) = (request?.token, request, nil)
      assignThread(&state)
      return old
    }
    old.0?.cancel()
  }

  /// Finds a thread for the pending request, or fails the request.
  private func assignThread(_ state: inout State) {
    guard let request = state.pending else { return }
    // The thread is idle, or is given time to finish.
    if state.thread != nil, !state.isWorking || Moment.now < request.time + Self.gracePeriod {
      return
    }
    guard WorkerThread.abandonedCount < Self.maximumAbandoned else {
      if Moment.now >= request.time + Self.queueTimeout { failRequest(&state) }
      return
    }
    state.thread?.abandon()
    let thread = WorkerThread()
    state.thread = thread
    state.isWorking = false
    let mailbox = mailbox
    if !thread.start({ Self.runRequests(mailbox, thread) }) {
      state.thread = nil
      failRequest(&state)
    }
  }

  /// Ends the current request with the value `unavailable`.
  private func failRequest(_ state: inout State) {
    (state.currentToken, state.pending, state.value) = (nil, nil, unavailable)
  }

  /// The body of `thread`.
  private static func runRequests(_ mailbox: Monitor<State>, _ thread: WorkerThread) {
    while let request = nextRequest(mailbox, thread) {
      let value = request.work(request.token)
      mailbox.updateAndNotify { state in
        guard state.thread === thread else { return }
        state.isWorking = false
        guard state.currentToken === request.token else { return }
        (state.currentToken, state.value) = (nil, value)
      }
    }
    mailbox.updateAndNotify { _ in thread.markEnded() }
  }

  /// Waits for the next request; nil once the thread no longer belongs to the worker.
  private static func nextRequest(_ mailbox: Monitor<State>, _ thread: WorkerThread) -> Request? {
    mailbox.wait { state in
      guard state.thread === thread else { return .done(nil) }
      guard let request = state.pending.take() else { return .wait(until: nil) }
      state.isWorking = true
      return .done(request)
    }
  }
}
