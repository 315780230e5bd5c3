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

/// A value behind a lock, and a way to wait until it is as one wants it.
///
/// For any thread. What the closures are given must not leave them, and they must not use the
/// monitor themselves.
@safe package final class Monitor<State>: @unchecked Sendable {
  /// What somebody who looks at the state finds.
  package enum Finding<Result> {
    case done(Result)
    /// To look again after the next `change`, or at this moment; nil stands for never.
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

  /// Looks at the state, or changes what nobody waits for.
  package func withLock<R>(_ body: (inout State) -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Changes the state and has all who wait look at it again.
  package func change<R>(_ body: (inout State) -> R) -> R {
    withLock { state in
      defer { unsafe pthread_cond_broadcast(changed) }
      return body(&state)
    }
  }

  /// Looks at the state, again and again, until `look` is done.
  package func wait<R>(_ look: (inout State) -> Finding<R>) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      switch look(&state) {
      case .done(let result): return result
      case .wait(nil): unsafe pthread_cond_wait(changed, mutex)
      case .wait(let moment?):
        var time = moment.timespec
        unsafe pthread_cond_timedwait(changed, mutex, &time)
      }
    }
  }
}
