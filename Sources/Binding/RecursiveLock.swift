import CGStreamer

/// A lock that the thread which holds it may take again; GLib's GRecMutex.
package final class RecursiveLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<GRecMutex>.allocate(capacity: 1)

  package init() { g_rec_mutex_init(mutex) }

  deinit {
    g_rec_mutex_clear(mutex)
    mutex.deallocate()
  }

  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    g_rec_mutex_lock(mutex)
    defer { g_rec_mutex_unlock(mutex) }
    return try body()
  }
}
