import Glibc
import Synchronization

/// The thread of a `Worker`: started once, and then joined or left behind, once.
///
/// The flags belong to the worker's lock.
@safe final class WorkerThread: @unchecked Sendable {
  /// It has nothing left to do but to end.
  var hasEnded = false
  /// Nobody waits for it any more; it ends by itself.
  private(set) var isLeftBehind = false
  private var thread = pthread_t()

  private static let count = Atomic(0)

  /// Threads of this process that were left behind and have not ended yet.
  static var leftBehind: Int { count.load(ordering: .relaxed) }

  /// Runs `body`; false where the system has no thread left.
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

  /// Waits for a thread that `hasEnded`.
  func join() { pthread_join(thread, nil) }

  func leaveBehind() {
    isLeftBehind = true
    Self.count.add(1, ordering: .relaxed)
    pthread_detach(thread)
  }

  func end() {
    hasEnded = true
    if isLeftBehind { Self.count.subtract(1, ordering: .relaxed) }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
