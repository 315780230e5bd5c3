/// Runs slices of work on one thread or several; see `ThreadPool`.
///
/// Kernels cut their rows into slices that write disjoint bytes, so that the result is the same for
/// every number of threads.
package protocol SliceRunner: AnyObject {
  /// The maximum number of concurrent slices, the caller's included; at least 1.
  var threadCount: Int { get }

  /// Calls `body` once for every slice in `0..<count`, in any order and possibly concurrently;
  /// returns when all calls have returned.
  func run(_ count: Int, _ body: (Int) -> Void)
}

extension SliceRunner {
  /// Cuts `0..<rows` into at most one slice per thread, of `minimumRows` or more, and calls `body`
  /// with each slice's index, below `threadCount`, and its rows.
  package func runSlices(
    _ rows: Int, minimumRows: Int = 4, _ body: (_ slice: Int, _ rows: Range<Int>) -> Void
  ) {
    guard rows > 0 else { return }
    let slices = max(1, min(threadCount, rows / minimumRows))
    guard slices > 1 else {
      body(0, 0..<rows)
      return
    }
    run(slices) { slice in
      body(slice, (rows * slice / slices)..<(rows * (slice + 1) / slices))
    }
  }
}
