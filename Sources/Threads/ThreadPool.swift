import CThreads
import Glibc

/// Threads for inference and pixel work, kept between frames.
///
/// Graphs and kernels may share one pool; concurrent runs are serialized. The body of `run` must
/// not call `run` on the same pool.
@safe package final class ThreadPool: SliceRunner, @unchecked Sendable {
  package let threadCount: Int
  /// Nil for a pool of one thread, the caller's.
  private let pool: OpaquePointer?

  /// A pool of `threads` threads, the caller's included, at most one per core; 0 means one per
  /// core, up to 64.
  package convenience init(threads: Int = 0) {
    let cores = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64))
    self.init(exactly: threads > 0 ? min(threads, cores) : cores)
  }

  /// A pool of this many threads even if there are fewer cores.
  package init(exactly threads: Int) {
    let pool = threads > 1 ? unsafe mien_thread_pool_new(UInt32(threads - 1)) : nil
    unsafe self.pool = pool
    threadCount = unsafe 1 + (pool.map { unsafe Int(mien_thread_pool_helpers($0)) } ?? 0)
  }

  deinit {
    if let pool = unsafe pool { unsafe mien_thread_pool_free(pool) }
  }

  package func run(_ count: Int, _ body: (Int) -> Void) { run(count, keepSpinning: false, body) }

  /// As `run(_:_:)`; with `keepSpinning` the threads spin for the next run, which follows within
  /// microseconds, before they sleep.
  package func run(_ count: Int, keepSpinning: Bool, _ body: (Int) -> Void) {
    guard let pool = unsafe pool, count > 1 else {
      for slice in 0..<max(count, 0) { body(slice) }
      return
    }
    unsafe runOnPool(pool, count, keepSpinning ? 1 : 0, body)
  }
}

/// Calls `body` with every slice on the pool's threads; Sources/CThreads/thread_pool.c says why in
/// C.
@_silgen_name("mien_run_slices")
@unsafe private func runOnPool(
  _ pool: OpaquePointer, _ count: Int, _ keepSpinning: UInt32, _ body: (Int) -> Void)
