import Glibc

/// A lock that the thread which holds it may take again.
package final class Lock {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() {
    var kind = pthread_mutexattr_t()
    pthread_mutexattr_init(&kind)
    pthread_mutexattr_settype(&kind, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &kind)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func callAsFunction<R>(_ body: () throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

extension Lock {
  /// Something that happens once, and can be waited for.
  package final class Flag: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let raised = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRaised = false

    package init() {
      pthread_mutex_init(mutex, nil)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(raised, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    deinit {
      pthread_cond_destroy(raised)
      pthread_mutex_destroy(mutex)
      raised.deallocate()
      mutex.deallocate()
    }

    package func raise() {
      pthread_mutex_lock(mutex)
      isRaised = true
      pthread_cond_broadcast(raised)
      pthread_mutex_unlock(mutex)
    }

    /// Whether it has happened, at the latest after so many milliseconds.
    ///
    /// Neither a change of the system's clock nor a signal makes the wait longer or shorter.
    package func wait(milliseconds: Int) -> Bool {
      var until = timespec()
      clock_gettime(CLOCK_MONOTONIC, &until)
      until.tv_nsec += milliseconds * 1_000_000
      until.tv_sec += until.tv_nsec / 1_000_000_000
      until.tv_nsec %= 1_000_000_000
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      while !isRaised, pthread_cond_timedwait(raised, mutex, &until) == 0 {}
      return isRaised
    }
  }
}

/// A thread that does one thing and ends.
package enum Worker {
  /// Runs `body` on a new thread; where the system has none left, now and on this one.
  package static func run(_ body: @escaping () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let status = pthread_create(
      &thread, nil,
      { user in
        // Balances passRetained above.
        Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeRetainedValue().content()
        return nil
      }, box.toOpaque())
    if status == 0 {
      pthread_detach(thread)
    } else {
      box.release()
      body()
    }
  }
}
