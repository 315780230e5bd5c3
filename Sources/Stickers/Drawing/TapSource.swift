import Pixels

/// The part of a picture row that a source covers.
protocol TapRun {
  /// Columns outside which the source is transparent.
  var columns: Range<Int> { get }
  /// An empty run.
  static var none: Self { get }
}

/// A source of samples for picture rows: a sprite under an affine transform, or a texture on a
/// mesh.
protocol TapSource {
  associatedtype Run: TapRun

  /// Picture rows that the source can cover, not clipped to the picture.
  var rows: Range<Int> { get }
  /// The covered part of row `y`, which may lie outside the picture.
  func coveredRun(_ y: Int) -> Run
  /// The same with the lighting of row `lightingRow`: row `y` may have been drawn on already.
  func coveredRun(_ y: Int, lightingRow: Int) -> Run
  /// Fills `taps` from column `first` on; columns outside the run are transparent.
  func fill(
    _ taps: SpriteTaps, from first: Int, run: Run, clear: UInt32, _ scratch: SpriteScratch)
}

extension TapSource {
  func coveredRun(_ y: Int, lightingRow _: Int) -> Run { coveredRun(y) }

  /// Clears the columns of `taps` outside the run; returns the indices of the others.
  func clearOutside(
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
