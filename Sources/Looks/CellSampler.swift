import Pixels

/// Values of a coarse grid between its cells, at the samples of lines: bilinear.
struct CellSampler {
  /// Where the middle of a column or row of pixels lies among the cells: `scale * pixel + offset`.
  struct Axis {
    let scale, offset: Float

    /// Of `cells` that cover `length` pixels from `start` on; all of them over one where that cannot
    /// be.
    init(start: Double, length: Double, cells: Int) {
      let canBe = length > 1e-3 && length < 1e9 && abs(start) < 1e9
      let (start, size) = canBe ? (start, length) : (0, 1)
      scale = Float(Double(cells) / size)
      offset = Float((0.5 - start) * Double(cells) / size - 0.5)
    }

    /// The place of a sample that stands for `1 << shift` pixels.
    func place(_ sample: Int, shift: Int) -> Float {
      let middle = Float((sample << shift) + (1 << shift) / 2) - (shift > 0 ? 0.5 : 0)
      return scale * middle + offset
    }
  }

  let across, down: Axis

  /// Values at a line's samples into `values`, as long; `room` has a row of cells.
  func sample(_ cells: Grid<Float>, _ line: PictureLine, into values: Row<Float>, room: Row<Float>)
  {
    let place = min(max(down.place(line.y, shift: line.vShift), 0), Float(cells.height - 1))
    let upper = Int(place)
    let lower = min(upper + 1, cells.height - 1)
    let row = room[..<cells.width]
    Self.mix(row, cells.row(upper), cells.row(lower), place - Float(upper))
    let first = across.place(line.x, shift: line.hShift)
    Self.expand(values, row, first, across.scale * Float(1 << line.hShift))
  }

  @inline(never)
  private static func mix(_ out: Row<Float>, _ a: Row<Float>, _ b: Row<Float>, _ part: Float) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    for x in 0..<n { out[x] = a[x] + (b[x] - a[x]) * part }
  }

  @inline(never)
  private static func expand(_ out: Row<Float>, _ row: Row<Float>, _ first: Float, _ step: Float) {
    let last = row.count - 1
    let limit = Float(last)
    for x in 0..<out.count {
      let place = min(max(first + step * Float(Int32(truncatingIfNeeded: x)), 0), limit)
      let index = Int(Int32(place))
      let next = min(index &+ 1, last)
      let part = place - Float(Int32(truncatingIfNeeded: index))
      out[x] = row[index] + (row[next] - row[index]) * part
    }
  }
}
