import Pixels

/// The forehead over the mesh's oval: what is skin there, and joined to the face, fades out upward.
///
/// Without it smoothed skin would end in a line across high foreheads. Nothing is known of where a
/// forehead ends but the skin itself, so hair, hats and walls must be told by their likeness, and
/// what lies beyond something unlike is left alone.
struct ForeheadCap {
  let form: FaceForm
  let region: CellRegion

  /// Likeness under which skin is not believed here, and over which it is, in shares.
  private static let believed: (none: Float, all: Float) = (0.75, 0.95)

  /// Multiplies `kept` above the oval by likeness and by height; `ring` is the oval with its cap.
  ///
  /// Cells are gone through from the face upward: by rows, or by columns in a head that lies on its
  /// side. `mean` holds the likeness of the cells, `full` for skin; it is left changed.
  func apply(
    to kept: Grid<Float>, mean: Grid<UInt16>, ring: ArraySlice<Point>, full: Float
  ) {
    let isUpright = abs(form.up.y) >= abs(form.up.x)
    let (along, aside) = isUpright ? (form.up.y, form.up.x) : (form.up.x, form.up.y)
    let (lines, length) = isUpright ? (kept.height, kept.width) : (kept.width, kept.height)
    let advance = along < 0 ? -1 : 1
    // Toward the face lies the last line, so much to one side.
    let shift = Float(-aside / abs(along))
    let side = shift < 0 ? -1 : 1
    let believed = 1 / (Self.believed.all - Self.believed.none)
    let limits = range(of: ring, isUpright: isUpright, lines: lines)
    let origin = place(line: 0, index: 0, isUpright)
    let byLine = place(line: 1, index: 0, isUpright) - origin
    let byIndex = place(line: 0, index: 1, isUpright) - origin
    var line = advance < 0 ? limits.upperBound : limits.lowerBound
    var isFirst = true
    while limits.contains(line) {
      let start = origin + byLine * Double(line)
      for index in 0..<length {
        let (x, y) = isUpright ? (index, line) : (line, index)
        let across = Float(start.x + byIndex.x * Double(index))
        let up = Float(start.y + byIndex.y * Double(index))
        let arc = max(1 - across * across, 0).squareRoot()
        // 0 at the oval, 1 at the top of the cap.
        let height = (up - arc) * Float(0.5 / FaceForm.cap)
        var value = kept.row(y)[x]
        if height > 0 {
          let like = Float(Int32(truncatingIfNeeded: mean.row(y)[x])) / full
          let strict = min(max((like - Self.believed.none) * believed, 0), 1)
          value += (strict - value) * min(height * 8, 1)
          if !isFirst {
            let other = min(max(index + side, 0), length - 1)
            let last = line - advance
            let a = isUpright ? mean.row(last)[index] : mean.row(index)[last]
            let b = isUpright ? mean.row(last)[other] : mean.row(other)[last]
            let below = Float(a) + (Float(b) - Float(a)) * abs(shift)
            value = min(value, below / full)
          }
        }
        mean.row(y)[x] = UInt16(truncatingIfNeeded: nearest(value * full))
        // Slowly at first: smooth skin shows a little texture more than rough skin a little less.
        let over = min(max(height, 0), 1)
        kept.row(y)[x] = value * (1 - over * over)
      }
      line += advance
      isFirst = false
    }
  }

  /// The lines from the middle of the oval to the top of the cap.
  private func range(
    of ring: ArraySlice<Point>, isUpright: Bool, lines: Int
  ) -> ClosedRange<Int> {
    let middle = form.center + form.up * (0.2 * form.halfHeight)
    func line(_ point: Point) -> Int {
      let cell = (isUpright ? point.y : point.x) / Double(region.step)
      let first = Double(isUpright ? region.y : region.x)
      return Int(min(max(cell - first, 0), Double(lines - 1)))
    }
    var (low, high) = (line(middle), line(middle))
    let isDown = (isUpright ? form.up.y : form.up.x) > 0
    for point in ring {
      if isDown { high = max(high, line(point)) } else { low = min(low, line(point)) }
    }
    return low...high
  }

  /// Where a cell's middle lies in the frame of the oval: across and up, in its halves.
  private func place(line: Int, index: Int, _ isUpright: Bool) -> Point {
    let (x, y) = isUpright ? (index, line) : (line, index)
    let step = Double(region.step)
    return form.place(
      Point(
        x: (Double(region.x + x) + SkinMap.middle) * step,
        y: (Double(region.y + y) + SkinMap.middle) * step))
  }
}
