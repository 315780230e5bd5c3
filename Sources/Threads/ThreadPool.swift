import CThreads
import Glibc

/// Threads for inference and pixel work, kept between frames.
///
/// Any number of graphs and kernels may share one; work from several threads at once is done one
/// after another. The body of `run` must not call `run` on the same pool.
@safe package final class ThreadPool: SliceRunner, @unchecked Sendable {
  package let threadCount: Int
  /// None when there is one thread: the caller's.
  private let crew: OpaquePointer?

  /// Starts `threads` threads, the caller's included; 0 means one per core, of up to 64.
  ///
  /// Never more than there are cores: more would only take turns.
  package convenience init(threads: Int = 0) {
    let cores = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64))
    self.init(exactly: threads > 0 ? min(threads, cores) : cores)
  }

  /// Starts this many threads even when there are fewer cores.
  package init(exactly threads: Int) {
    let crew = threads > 1 ? unsafe mien_crew_new(UInt32(threads - 1)) : nil
    unsafe self.crew = crew
    threadCount = unsafe 1 + (crew.map { unsafe Int(mien_crew_helpers($0)) } ?? 0)
  }

  deinit {
    if let crew = unsafe crew { unsafe mien_crew_free(crew) }
  }

  package func run(_ count: Int, _ body: (Int) -> Void) { run(count, goesOn: false, body) }

  /// The same; where it `goesOn`, another run follows within microseconds, and the threads look out for
  /// it before they sleep.
  package func run(_ count: Int, goesOn: Bool, _ body: (Int) -> Void) {
    guard let crew = unsafe crew, count > 1 else {
      for slice in 0..<max(count, 0) { body(slice) }
      return
    }
    unsafe runSlices(crew, count, goesOn ? 1 : 0, body)
  }
}

/// Calls `body` with every slice on the crew's threads: Sources/CThreads/crew.c says why in C.
@_silgen_name("mien_run_slices")
@unsafe private func runSlices(
  _ crew: OpaquePointer, _ count: Int, _ goesOn: UInt32, _ body: (Int) -> Void)
