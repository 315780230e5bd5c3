/// One thread that does one thing at a time, the newest that was asked for.
///
/// The thread starts with the first request and waits for more of them until `stop`. It and the
/// worker share a desk, which both own; what it works on belongs to the closure it was given. It
/// never holds the worker, nor may the closure, so that whoever owns the worker can stop it, or
/// let go of it, at any time: work that does not look at its order is left behind with its thread,
/// which throws the value away and ends when the work returns.
///
/// All methods may be called from any thread, but one thread at a time should wait.
package final class Worker<Value: Sendable>: Sendable {
  /// How long work that was cancelled may take to return before it is left behind: short, for the
  /// elements of a pipeline stop one after another.
  private static var grace: Duration { .milliseconds(20) }
  /// How long a request waits for a thread while there are too many behind already.
  private static var patience: Duration { .seconds(10) }
  /// Most threads of the process that are left behind before no more are started.
  private static var maximumLeftBehind: Int { 4 }

  private struct Request {
    let work: @Sendable (WorkOrder) -> Value
    let order: WorkOrder
    let time = Moment.now
  }

  private struct State {
    /// The newest request, until it is begun.
    var pending: Request?
    /// Its order, until its value is there.
    var wanted: WorkOrder?
    var value: Value?
    /// Whether the thread is at work, wanted or not.
    var isWorking = false
    var isInterrupted = false
    var thread: WorkerThread?
  }

  private let desk = Monitor(State())
  private let unavailable: Value

  /// `unavailable` is what a request comes to when there is no thread for it: the system has none
  /// left, or too many are at work on what nobody wants any more.
  package init(unavailable: Value) { self.unavailable = unavailable }

  deinit { stop() }

  /// Threads of this process that were left behind and are still at work.
  package static var leftBehind: Int { WorkerThread.leftBehind }

  /// Whether the thread is at work, or about to be.
  package var isBusy: Bool { desk.withLock { $0.isWorking || $0.pending != nil } }

  /// Asks for a value in place of what was asked for before.
  ///
  /// Does not wait. What was not begun is dropped, what is being worked on is told by its order;
  /// so is work that takes longer than `limit`.
  package func request(
    limit: Duration = .seconds(60), _ work: @escaping @Sendable (WorkOrder) -> Value
  ) {
    forget(for: Request(work: work, order: WorkOrder(limit: limit)))
  }

  /// Forgets what was asked for, without waiting for it.
  package func cancel() { forget() }

  /// The value of the newest request, once; nil while it is being made, and without a request.
  package func take() -> Value? {
    desk.withLock { state in
      staff(&state)
      return state.value.take()
    }
  }

  /// The same once it is made; nil without a request, when interrupted, and after `limit`.
  package func wait(atMost limit: Duration? = nil) -> Value? {
    let end = limit.map { Moment.now + $0 }
    return desk.wait { state in
      staff(&state)
      if state.value != nil || state.wanted == nil || state.isInterrupted {
        return .done(state.value.take())
      }
      let now = Moment.now
      if let end, now >= end { return .done(nil) }
      // What has not begun may need another thread.
      guard state.pending != nil else { return .wait(until: end) }
      let soon = now + .milliseconds(20)
      return .wait(until: min(end ?? soon, soon))
    }
  }

  /// Ends the waiting, and lets nobody wait before `resume`; what is being made goes on.
  package func interrupt() { desk.change { $0.isInterrupted = true } }

  package func resume() { desk.withLock { $0.isInterrupted = false } }

  /// Forgets what was asked for and ends the thread; returns within a tenth of a second.
  ///
  /// False when the thread had to be left behind; then what it works on is still its own.
  @discardableResult
  package func stop() -> Bool {
    forget()
    let thread = desk.change { state in
      state.isInterrupted = false
      state.isWorking = false
      return state.thread.take()
    }
    guard let thread else { return true }
    let end = Moment.now + Self.grace
    let hasEnded = desk.wait { _ in
      if thread.hasEnded { return .done(true) }
      guard Moment.now >= end else { return .wait(until: end) }
      thread.leaveBehind()
      return .done(false)
    }
    if hasEnded { thread.join() }
    return hasEnded
  }

  /// Puts `request`, or nothing, in the place of all that was asked for.
  private func forget(for request: Request? = nil) {
    // Whatever goes, goes when the lock is open again.
    let old = desk.change { state in
      let old = (state.wanted, state.pending, state.value)
      (state.wanted, state.pending, state.value) = (request?.order, request, nil)
      staff(&state)
      return old
    }
    old.0?.cancel()
  }

  /// Finds a thread for what has not begun, or says that there is none.
  private func staff(_ state: inout State) {
    guard let request = state.pending else { return }
    // Free, or about to be.
    if state.thread != nil, !state.isWorking || Moment.now < request.time + Self.grace { return }
    guard WorkerThread.leftBehind < Self.maximumLeftBehind else {
      if Moment.now >= request.time + Self.patience { refuse(&state) }
      return
    }
    state.thread?.leaveBehind()
    let thread = WorkerThread()
    state.thread = thread
    state.isWorking = false
    let desk = desk
    if !thread.start({ Self.run(desk, thread) }) {
      state.thread = nil
      refuse(&state)
    }
  }

  private func refuse(_ state: inout State) {
    (state.wanted, state.pending, state.value) = (nil, nil, unavailable)
  }

  /// All that `thread` does.
  private static func run(_ desk: Monitor<State>, _ thread: WorkerThread) {
    while let request = next(desk, thread) {
      let value = request.work(request.order)
      desk.change { state in
        guard state.thread === thread else { return }
        state.isWorking = false
        guard state.wanted === request.order else { return }
        (state.wanted, state.value) = (nil, value)
      }
    }
    desk.change { _ in thread.end() }
  }

  /// The next request, once there is one; nil when the thread is not the worker's any more.
  private static func next(_ desk: Monitor<State>, _ thread: WorkerThread) -> Request? {
    desk.wait { state in
      guard state.thread === thread else { return .done(nil) }
      guard let request = state.pending.take() else { return .wait(until: nil) }
      state.isWorking = true
      return .done(request)
    }
  }
}
