import CGStreamer
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Makes a value on a thread of its own, so that no frame waits for a file.
///
/// `request`, `takeResult`, `cancel`, `interrupt` and `stop` may be called from any thread; the
/// newest request counts. `stop` waits for the thread to end, so that none outlives its element.
package final class Loader<Value: Sendable>: Sendable {
  private struct State {
    /// Numbers requests; the result of an older one is thrown away.
    var newest = 0
    var order: LoadOrder?
    var result: Result<Value, ElementError>?
    var thread: LoaderThread?
    var isInterrupted = false
  }

  private let state = Mutex(State())

  package init() {}

  deinit { stop() }

  /// Starts making a value; what an earlier request makes is dropped.
  ///
  /// Does not wait. `make` is told by its order when it is not wanted any more.
  package func request(
    _ make: @escaping @Sendable (LoadOrder) throws(ElementError) -> Value
  ) {
    state.withLock { state in
      state.newest += 1
      state.result = nil
      state.order?.cancel()
      let order = LoadOrder()
      state.order = order
      let number = state.newest
      let previous = state.thread
      // The thread does not keep the loader alive: `stop`, which joins it, comes first.
      let loader = Unmanaged.passUnretained(self)
      let thread = LoaderThread {
        previous?.join()
        let loader = loader.takeUnretainedValue()
        guard loader.isNewest(number) else { return }
        let result: Result<Value, ElementError>
        do throws(ElementError) {
          result = .success(try make(order))
        } catch {
          result = .failure(error)
        }
        // Before the result is there to be seen: whoever waits may end the thread next.
        Self.returnMemory()
        loader.finish(number, result)
      }
      if let thread {
        state.thread = thread
      } else {
        state.result = .failure(
          ElementError(.failed, "Nothing can be loaded: the system has no thread left."))
      }
    }
  }

  /// The value or error of the newest request, once; nil while it is being made.
  package func takeResult() -> Result<Value, ElementError>? {
    state.withLock { state in
      let result = state.result
      state.result = nil
      return result
    }
  }

  /// The same once it is made; nil without a request, and when it was interrupted.
  package func waitForResult() -> Result<Value, ElementError>? {
    while true {
      let (result, goesOn) = state.withLock { state in
        let result = state.result
        state.result = nil
        return (result, state.order != nil && !state.isInterrupted)
      }
      if result != nil || !goesOn { return result }
      // Streams wait at their beginning only; a condition variable would gain them a millisecond.
      g_usleep(1000)
    }
  }

  /// Ends the waiting of `waitForResult`, until `resume`; what is being made goes on.
  package func interrupt() { state.withLock { $0.isInterrupted = true } }

  package func resume() { state.withLock { $0.isInterrupted = false } }

  /// Forgets what was requested, without waiting for it.
  package func cancel() {
    state.withLock { state in
      state.newest += 1
      state.result = nil
      state.order?.cancel()
      state.order = nil
    }
  }

  /// Cancels what is being made, waits for the thread and forgets its result.
  package func stop() {
    let thread = state.withLock { state in
      let thread = state.thread
      state.order?.cancel()
      state = State(newest: state.newest + 1)
      return thread
    }
    thread?.join()
  }

  /// Gives freed memory back to the system.
  ///
  /// Each thread's allocations come from an arena of its own, and what decoders leave behind in
  /// them would add up: over 400 changes of packs it was 60 MB.
  private static func returnMemory() { _ = trim?(0) }

  /// `malloc_trim`, which is glibc's own, and in none of its headers that Swift imports.
  private static var trim: (@convention(c) (Int) -> CInt)? {
    dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self) }
  }

  private func isNewest(_ number: Int) -> Bool { state.withLock { $0.newest == number } }

  private func finish(_ number: Int, _ result: Result<Value, ElementError>) {
    state.withLock { state in
      if number == state.newest { state.result = result }
    }
  }
}

/// A thread that runs one closure; joined exactly once, by whoever takes it out of the loader.
private struct LoaderThread: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<GThread>

  /// Nil where the system has no thread left.
  init?(_ body: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(body))  // released by the thread
    let thread = g_thread_try_new(
      "mien-loader",
      { user in
        Unmanaged<Job>.fromOpaque(user!).takeRetainedValue().body()
        return nil
      }, job.toOpaque(), nil)
    guard let thread else {
      job.release()
      return nil
    }
    raw = thread
  }

  func join() { g_thread_join(raw) }

  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
