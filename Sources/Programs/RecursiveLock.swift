import Client
import Glibc

/// A mutex that the thread which holds it may lock again.
package final class RecursiveLock {
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

  /// Runs `body` with the mutex locked.
  package func callAsFunction<R>(_ body: () throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

/// An event that happens once, and that threads wait for.
package final class Latch: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let opened = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isOpen = false

  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(opened, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(opened)
    pthread_mutex_destroy(mutex)
    opened.deallocate()
    mutex.deallocate()
  }

  package func open() {
    pthread_mutex_lock(mutex)
    isOpen = true
    pthread_cond_broadcast(opened)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for `open`; false after the timeout, which neither signals nor changes of the system's
  /// clock lengthen or shorten.
  package func wait(milliseconds: Int) -> Bool {
    var until = timespec()
    clock_gettime(CLOCK_MONOTONIC, &until)
    until.tv_nsec += milliseconds * 1_000_000
    until.tv_sec += until.tv_nsec / 1_000_000_000
    until.tv_nsec %= 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isOpen, pthread_cond_timedwait(opened, mutex, &until) == 0 {}
    return isOpen
  }
}

/// A detached thread for one piece of work.
package enum DetachedThread {
  /// Runs `body` on a new thread, or on the calling one where the system has no thread left.
  package static func run(_ body: @escaping () -> Void) {
    var thread = pthread_t()
    let user = Box.retained(body)
    let status = pthread_create(
      &thread, nil,
      { user in
        Box<() -> Void>.content(user)()
        releaseBox(user)
        return nil
      }, user)
    if status == 0 {
      pthread_detach(thread)
    } else {
      releaseBox(user)
      body()
    }
  }
}
