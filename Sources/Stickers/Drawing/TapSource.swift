import Pixels

/// What a row of a picture meets of something that is drawn on it.
protocol TapRun {
  /// Columns outside which there is nothing of it.
  var columns: Range<Int> { get }
  /// A row that meets nothing.
  static var none: Self { get }
}

/// Something that can be drawn row by row: a sprite under a map of the plane, or one on a surface.
///
/// Slices ask for rows from several threads at once, each with its own scratch.
protocol TapSource {
  associatedtype Run: TapRun

  /// Picture rows that can hold anything, not clipped to the picture.
  var rows: Range<Int> { get }
  /// What row `y`, which may lie outside the picture, meets.
  func run(_ y: Int) -> Run
  /// The same for a row that is asked for again when it may have been drawn: by the light of row `lit`.
  func run(_ y: Int, lit: Int) -> Run
  /// Fills `taps` from column `first` on; what the run leaves out is transparent.
  func fill(
    _ taps: SpriteTaps, from first: Int, run: Run, clear: UInt32, _ scratch: SpriteScratch)
}

extension TapSource {
  func run(_ y: Int, lit _: Int) -> Run { run(y) }

  /// Fills the columns of `taps` that the run leaves out, and says which it does not.
  func fillOutside(
    _ taps: SpriteTaps, from first: Int, run: Run, clear: UInt32
  ) -> Range<Int> {
    let columns = run.columns.clamped(to: first..<first + taps.count)
    let inside = columns.lowerBound - first..<columns.upperBound - first
    guard inside.count < taps.count else { return inside }
    for component in 0..<4 {
      let value = UInt16(clear >> (8 * UInt32(component)) & 255) << 8
      let row = taps[component]
      row[0..<inside.lowerBound].fill(value)
      row[inside.upperBound..<taps.count].fill(value)
    }
    return inside
  }
}
