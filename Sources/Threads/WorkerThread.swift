import Glibc
import Synchronization

/// The thread of a `BackgroundWorker`: started once, then joined or abandoned once.
///
/// The worker's lock protects the flags.
@safe final class WorkerThread: @unchecked Sendable {
  /// Whether the body has returned.
  var hasEnded = false
  /// Whether the thread is detached and ends by itself.
  private(set) var isAbandoned = false
  private var thread = pthread_t()

  private static let count = Atomic(0)

  /// Abandoned threads of this process that have not ended yet.
  static var abandonedCount: Int { count.load(ordering: .relaxed) }

  /// Runs `body` on a new thread; false if none can be started.
  func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = unsafe Unmanaged.passRetained(Body(body))
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        // Balances passRetained above.
        unsafe Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if status != 0 { unsafe context.release() }
    return status == 0
  }

  /// Joins a thread that `hasEnded`.
  func join() { pthread_join(thread, nil) }

  /// Detaches the thread, which then ends by itself.
  func abandon() {
    isAbandoned = true
    Self.count.add(1, ordering: .relaxed)
    pthread_detach(thread)
  }

  /// Records that the body has returned.
  func markEnded() {
    hasEnded = true
    if isAbandoned { Self.count.subtract(1, ordering: .relaxed) }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
