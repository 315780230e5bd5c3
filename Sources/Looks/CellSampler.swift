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
    Self.mix(row, cells.row(upper), cells.row(lower), Float(place - Double(upper)))
    let first = across.place(line.x, shift: line.hShift)
    Self.expand(values, row, first, across.scale * Double(1 << line.hShift))
  }

  @inline(never)
  private static func mix(_ out: Row<Float>, _ a: Row<Float>, _ b: Row<Float>, _ part: Float) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    for x in 0..<n { out[x] = a[x] + (b[x] - a[x]) * part }
  }

  /// Values from the place `first` on, `step` cells apart; beyond the ends those of the ends.
  @inline(never)
  private static func expand(_ out: Row<Float>, _ row: Row<Float>, _ first: Double, _ step: Double)
  {
    let (n, last) = (out.count, row.count - 1)
    // In 2^-32 of a cell: exact enough for the widest row, and nothing to be converted on the way.
    let (start, pace) = (Int(first * 4_294_967_296), max(Int(step * 4_294_967_296), 1))
    func reaching(_ place: Int) -> Int {
      place <= start ? 0 : min((place - start + pace - 1) / pace, n)
    }
    let from = reaching(0)
    let to = max(reaching(last << 32), from)
    out[0..<from].fill(row[0])
    out[to..<n].fill(row[last])
    var place = start &+ from &* pace
    for x in from..<to {
      let index = place &>> 32
      let part = Float(Int32(truncatingIfNeeded: (place &>> 8) & 0xff_ffff)) * (1 / 16_777_216)
      let value = row[index]
      out[x] = value + (row[index &+ 1] - value) * part
      place &+= pace
    }
  }
}
