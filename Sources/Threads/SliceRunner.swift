/// Runs the slices of one piece of work, in one thread or several; see `ThreadPool`.
///
/// Kernels take `any SliceRunner` and cut their rows into slices that do not touch each other's
/// bytes, so that the result is the same for every number of threads.
package protocol SliceRunner: AnyObject {
  /// Threads that can be at work at once, the caller's included; at least 1.
  var threadCount: Int { get }

  /// Calls `body` once for every slice in `0..<count`, in any order and possibly at the same
  /// time on several threads; returns when all have returned.
  func run(_ count: Int, _ body: (Int) -> Void)
}

extension SliceRunner {
  /// Cuts `0..<rows` into at most one piece per thread, of `least` rows or more, and calls `body` with
  /// each piece's number, under `threadCount`, and its rows.
  package func runPieces(
    _ rows: Int, least: Int = 4, _ body: (_ piece: Int, _ rows: Range<Int>) -> Void
  ) {
    guard rows > 0 else { return }
    let pieces = max(1, min(threadCount, rows / least))
    guard pieces > 1 else {
      body(0, 0..<rows)
      return
    }
    run(pieces) { piece in
      body(piece, (rows * piece / pieces)..<(rows * (piece + 1) / pieces))
    }
  }
}
