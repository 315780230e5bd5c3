import Compose
import Pixels

/// A frame on the network's working grid: colours, and probabilities of people.
final class PersonCells {
  /// What a segmenter found on a grid of cells of `step` pixels each way; valid for a call.
  struct Mask {
    let step: Int
    let probability, temporalWeight: Grid<Float>
    let colors: OwnedPicture
  }

  let step, columns, rows: Int
  /// The means of the three components, less 128.
  let colors: (Grid<Int16>, Grid<Int16>, Grid<Int16>)
  /// The probability that a cell shows a person, in 1/4096.
  let probability: Grid<Int16>

  init(step: Int, columns: Int, rows: Int) {
    (self.step, self.columns, self.rows) = (step, columns, rows)
    func plane() -> Grid<Int16> { Grid(width: columns, height: rows, of: 0) }
    colors = (plane(), plane(), plane())
    probability = plane()
  }

  /// Sets a frame, with its probabilities cut at `black` and `white`.
  func update(_ mask: Mask, black: Float, white: Float) {
    mask.colors.withPicture { picture in
      for index in 0..<3 {
        let (target, source) = (pick(index, colors), picture.plane(index))
        for y in 0..<rows { CellKernels.subtract128(target.row(y), source.row(y)) }
      }
    }
    for y in 0..<rows {
      CellKernels.clipProbabilities(
        probability.row(y), mask.probability.row(y), black: black, white: white)
    }
  }
}
