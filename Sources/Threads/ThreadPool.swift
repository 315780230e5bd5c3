package import CThreads
import Glibc

/// Threads for inference and pixel work, kept between frames.
///
/// Any number of graphs and kernels may share one; work from several threads at once is done one
/// after another. The body of `run` must not call `run` on the same pool.
@safe package final class ThreadPool: SliceRunner, @unchecked Sendable {
  package let threadCount: Int
  /// None when there is one thread: the caller's.
  private let pool: pthreadpool_t?

  /// Starts `threads` threads, the caller's included; 0 means one per core, of up to 64.
  ///
  /// Never more than there are cores: threads of pthreadpool wait for each
  /// other by spinning, so that one too many makes a run many times slower.
  package convenience init(threads: Int = 0) {
    let cores = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64))
    self.init(exactly: threads > 0 ? min(threads, cores) : cores)
  }

  /// Starts this many threads even when there are fewer cores.
  package init(exactly threads: Int) {
    let pool = threads > 1 ? unsafe pthreadpool_create(threads) : nil
    unsafe self.pool = pool
    threadCount = unsafe max(1, pool.map { unsafe Int(pthreadpool_get_threads_count($0)) } ?? 1)
  }

  deinit {
    if let pool = unsafe pool { unsafe pthreadpool_destroy(pool) }
  }

  /// The pool for libraries that take one; valid as long as this object lives.
  @unsafe package var handle: pthreadpool_t? { unsafe pool }

  package func run(_ count: Int, _ body: (Int) -> Void) { run(count, goesOn: false, body) }

  /// The same; where it `goesOn`, another run follows within microseconds, and the threads wait for it
  /// awake.
  package func run(_ count: Int, goesOn: Bool, _ body: (Int) -> Void) {
    guard let pool = unsafe pool, count > 1 else {
      for slice in 0..<max(count, 0) { body(slice) }
      return
    }
    unsafe runSlices(pool, count, goesOn ? 1 : 0, body)
  }
}

/// Calls `body` with every slice on the pool's threads: Sources/CThreads/slices.c says why in C.
@_silgen_name("mien_run_slices")
@unsafe private func runSlices(
  _ pool: pthreadpool_t, _ count: Int, _ goesOn: UInt32, _ body: (Int) -> Void)
