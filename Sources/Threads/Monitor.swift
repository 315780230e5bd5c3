import Glibc

/// A moment on the system's monotonic clock.
package struct Moment: Comparable, Sendable {
  private let time: Duration

  package static var now: Moment {
    var time = Glibc.timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(time: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  package static func + (moment: Moment, delay: Duration) -> Moment {
    Moment(time: moment.time + delay)
  }

  package static func - (a: Moment, b: Moment) -> Duration { a.time - b.time }

  package static func < (a: Moment, b: Moment) -> Bool { a.time < b.time }

  fileprivate var timespec: timespec {
    let (seconds, attoseconds) = time.components
    return Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}

/// A value protected by a mutex, with a condition variable to wait for its changes.
///
/// Thread-safe. The closures must not let the state escape and must not use the monitor themselves.
@safe package final class Monitor<State>: @unchecked Sendable {
  /// The result of a check of the state.
  package enum WaitResult<Result> {
    case done(Result)
    /// Check again after the next `updateAndNotify`, or at this moment; nil means no timeout.
    case wait(until: Moment?)
  }

  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init(_ state: State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Reads the state, or modifies it without waking waiters.
  package func withLock<R>(_ body: (inout State) -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Modifies the state and wakes all waiters.
  package func updateAndNotify<R>(_ body: (inout State) -> R) -> R {
    withLock { state in
      defer { unsafe pthread_cond_broadcast(changed) }
      return body(&state)
    }
  }

  /// Calls `check` after each change of the state until it is done; returns its result.
  package func wait<R>(_ check: (inout State) -> WaitResult<R>) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      switch check(&state) {
      case .done(let result): return result
      case .wait(nil): unsafe pthread_cond_wait(changed, mutex)
      case .wait(let moment?):
        var time = moment.timespec
        unsafe pthread_cond_timedwait(changed, mutex, &time)
      }
    }
  }
}
