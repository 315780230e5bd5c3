import CGStreamer
import Synchronization

/// Makes a value on a thread of its own, so that no frame waits for a file.
///
/// `request`, `takeResult` and `stop` may be called from any thread; the newest request counts.
/// `stop` waits for the thread to end, so that none outlives its element.
package final class Loader<Value: Sendable>: Sendable {
  private struct State {
    /// Numbers requests; the result of an older one is thrown away.
    var newest = 0
    var result: Result<Value, ElementError>?
    var thread = LoaderThread(nil)
  }

  private let state = Mutex(State())

  package init() {}

  deinit { stop() }

  /// Starts making a value; what an earlier request makes is dropped.
  ///
  /// Does not wait.
  package func request(_ make: @escaping @Sendable () throws(ElementError) -> Value) {
    state.withLock { state in
      state.newest += 1
      state.result = nil
      let number = state.newest
      let previous = state.thread
      // The thread does not keep the loader alive: `stop`, which joins it, comes first.
      let loader = Unmanaged.passUnretained(self)
      state.thread = LoaderThread {
        previous.join()
        let loader = loader.takeUnretainedValue()
        guard loader.isNewest(number) else { return }
        let result: Result<Value, ElementError>
        do throws(ElementError) { result = .success(try make()) } catch { result = .failure(error) }
        loader.finish(number, result)
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

  /// The same once it is made; nil without a request.
  package func waitForResult() -> Result<Value, ElementError>? {
    let thread = state.withLock { state in
      let thread = state.thread
      state.thread = LoaderThread(nil)
      return thread
    }
    thread.join()
    return takeResult()
  }

  /// Forgets the request; does not wait.
  package func cancel() {
    state.withLock { state in
      state.newest += 1
      state.result = nil
    }
  }

  /// Waits for the thread and forgets its result.
  package func stop() {
    let thread = state.withLock { state in
      let thread = state.thread
      state = State(newest: state.newest + 1)
      return thread
    }
    thread.join()
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
  private let raw: UnsafeMutablePointer<GThread>?

  init(_: Void?) { raw = nil }

  init(_ body: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(body))  // released by the thread
    raw = g_thread_new(
      "mien-loader",
      { user in
        Unmanaged<Job>.fromOpaque(user!).takeRetainedValue().body()
        return nil
      }, job.toOpaque())
  }

  func join() {
    if let raw { g_thread_join(raw) }
  }

  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
