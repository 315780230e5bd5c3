import CGStreamer

/// A thread that a test waits for.
package struct BackgroundThread {
  private let raw: UnsafeMutablePointer<GThread>

  package init(_ body: @escaping @Sendable () -> Void) {
    final class Job: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    raw = g_thread_new(
      "test",
      { user in
        Unmanaged<Job>.fromOpaque(user!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Job(body)).toOpaque())
  }

  package func join() { g_thread_join(raw) }
}
