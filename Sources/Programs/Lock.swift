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
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    package func raise() { sem_post(semaphore) }

    /// Whether it has happened, at the latest after so many milliseconds.
    package func wait(milliseconds: Int) -> Bool {
      var until = timespec()
      clock_gettime(CLOCK_REALTIME, &until)
      until.tv_nsec += milliseconds * 1_000_000
      until.tv_sec += until.tv_nsec / 1_000_000_000
      until.tv_nsec %= 1_000_000_000
      return sem_timedwait(semaphore, &until) == 0
    }
  }
}

/// A thread that does one thing and ends.
package enum Worker {
  package static func run(_ body: @escaping () -> Void) {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { user in
        Unmanaged<Box<() -> Void>>.fromOpaque(user!).takeRetainedValue().content()
        return nil
      }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
  }
}
