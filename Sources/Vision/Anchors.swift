import Pixels

/// The places a face detector looks at: centres of its anchors, in shares of its square input.
///
/// From MediaPipe's SSD anchor options for its two face detectors; with fixed anchor size every
/// anchor is as large as the input, so only centres matter. Order: rows, columns, anchors of a cell.
enum Anchors {
  /// The 896 anchors of the short-range model.
  ///
  /// Strides 8, 16, 16, 16 on 128 pixels; layers of equal stride share their cells: 16 x 16 cells
  /// of 2 anchors, then 8 x 8 of 6.
  static let shortRange = grid(cells: 16, perCell: 2) + grid(cells: 8, perCell: 6)

  /// The 2304 anchors of the full-range model.
  ///
  /// Stride 4 on 192 pixels: 48 x 48 cells of 1 anchor.
  static let fullRange = grid(cells: 48, perCell: 1)

  private static func grid(cells: Int, perCell: Int) -> [Point] {
    (0..<cells * cells * perCell).map { index in
      let cell = index / perCell
      return Point(
        x: (Double(cell % cells) + 0.5) / Double(cells),
        y: (Double(cell / cells) + 0.5) / Double(cells))
    }
  }
}
