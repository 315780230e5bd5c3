import Filters
import Pixels

/// Values of a coarse grid between its cells, at the samples of lines: bilinear.
struct CellSampler {
  /// Where the middle of a column or row of pixels lies among the cells: `scale * pixel + offset`.
  struct Axis {
    let scale, offset: Double

    /// Of `cells` that cover `length` pixels from `start` on; all of them over one where that cannot
    /// be.
    init(start: Double, length: Double, cells: Int) {
      let canBe = length > 1e-3 && length < 1e9 && abs(start) < 1e9
      let (start, size) = canBe ? (start, length) : (0, 1)
      scale = min(Double(cells) / size, 4096)
      offset = (0.5 - start) * Double(cells) / size - 0.5
    }

    /// The place of a sample that stands for `1 << shift` pixels; far outside any is as good as another.
    func place(_ sample: Int, shift: Int) -> Double {
      let middle = Double((sample << shift) + (1 << shift) / 2) - (shift > 0 ? 0.5 : 0)
      return min(max(scale * middle + offset, -1e6), 1e6)
    }
  }

  let across, down: Axis

  /// Values at a line's samples into `values`, as long; `room` has a row of cells.
  func sample(_ cells: Grid<Float>, _ line: PictureLine, into values: Row<Float>, room: Row<Float>)
  {
    let place = min(max(down.place(line.y, shift: line.vShift), 0), Double(cells.height - 1))
    let upper = Int(place)
    let lower = min(upper + 1, cells.height - 1)
    let row = room[..<cells.width]
    BilinearRows.blend(row, cells.row(upper), cells.row(lower), Float(place - Double(upper)))
    let first = across.place(line.x, shift: line.hShift)
    BilinearRows.upsampleBilinear(
      values, row, from: first, step: across.scale * Double(1 << line.hShift))
  }
}
