import Pixels

extension SliceRunner {
  /// Cuts `0..<rows` into at most one piece per thread and calls `body` with each piece's number,
  /// under `threadCount`, and its rows.
  func runPieces(_ rows: Int, _ body: (_ piece: Int, _ rows: Range<Int>) -> Void) {
    guard rows > 0 else { return }
    let pieces = max(1, min(threadCount, rows / 4))
    guard pieces > 1 else {
      body(0, 0..<rows)
      return
    }
    run(pieces) { piece in
      body(piece, (rows * piece / pieces)..<(rows * (piece + 1) / pieces))
    }
  }
}
