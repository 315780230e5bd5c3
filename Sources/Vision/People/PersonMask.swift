package import Pixels

/// What a segmenter knows of a frame, on a working grid of cells.
///
/// Cell (i, j) covers `step` pixels each way from (i step, j step) on, the last ones less.
package final class PersonMask {
  package let step: Int
  /// How surely each cell shows a person, 0...1, filtered in time.
  package let probability: Grid<Float>
  /// How still the picture is round each cell, 1 where nothing moves; 0 in the first frame of a
  /// scene.
  package let temporalWeight: Grid<Float>
  /// The means of the picture's three components in each cell, as planes of Y444.
  package internal(set) var colors: OwnedPicture

  package var columns: Int { probability.width }
  package var rows: Int { probability.height }

  /// The cells of a picture: about 57 600, as many as keep the cost of all that is done with
  /// them the same for interval size of picture, and as few as change nothing that is detected.
  init(_ video: VideoFormat) {
    step = Self.step(video)
    let columns = (video.width + step - 1) / step
    let rows = (video.height + step - 1) / step
    probability = Grid(width: columns, height: rows, of: 0)
    temporalWeight = Grid(width: columns, height: rows, of: 0)
    colors = Self.makeColors(columns, rows)
  }

  static func makeColors(_ columns: Int, _ rows: Int) -> OwnedPicture {
    OwnedPicture(format: .y444, width: columns, height: rows, colorimetry: .bt709)
  }

  /// Pixels of a cell's side in pictures of a format.
  package static func step(_ video: VideoFormat) -> Int {
    let area = Double(video.width) * Double(video.height)
    return max(1, Int((area / 57_600).squareRoot().rounded()))
  }
}
