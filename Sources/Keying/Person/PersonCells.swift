import Pixels

/// A frame on its working grid, as the keyer works with it: colours, and who is where.
final class PersonCells {
  /// What somebody has found on a grid of cells of `step` pixels each way; valid for a call.
  struct Mask {
    let step: Int
    let presence, stillness: Grid<Float>
    let colors: OwnedPicture
  }

  let step, columns, rows: Int
  /// The means of the three components, less 128.
  let colors: (Grid<Int16>, Grid<Int16>, Grid<Int16>)
  /// How surely each cell shows somebody, in 1/4096.
  let presence: Grid<Int16>

  init(step: Int, columns: Int, rows: Int) {
    (self.step, self.columns, self.rows) = (step, columns, rows)
    func plane() -> Grid<Int16> { Grid(width: columns, height: rows, of: 0) }
    colors = (plane(), plane(), plane())
    presence = plane()
  }

  /// Sets a frame, with its probabilities cut at `black` and `white`.
  func update(_ mask: Mask, black: Float, white: Float) {
    mask.colors.withPicture { picture in
      for index in 0..<3 {
        let (target, source) = (pick(index, colors), picture.plane(index))
        for y in 0..<rows { CellKernels.center(target.row(y), source.row(y)) }
      }
    }
    for y in 0..<rows {
      CellKernels.clip(presence.row(y), mask.presence.row(y), black: black, white: white)
    }
  }
}
