import Pixels

/// The weights of the forehead above the mesh's oval: skin that is connected to the face, faded out
/// upward.
///
/// Without it smoothed skin would end in a line across high foreheads. The hairline is unknown, so
/// hair, hats and walls are recognized by their dissimilarity to skin, and cells beyond them are
/// excluded.
struct ForeheadMask {
  let ovalFrame: OvalFrame
  let region: CellRegion

  /// The similarities at which a cell begins to count as skin and counts fully.
  private static let acceptance: (none: Float, all: Float) = (0.75, 0.95)

  /// Multiplies `weights` above the oval by similarity and height; `ring` is the oval with its
  /// forehead.
  ///
  /// Cells are visited from the face upward: by rows, or by columns if the head lies on its side.
  /// `similarity` has the cells' similarities, `full` for skin; it is overwritten.
  func apply(
    to weights: Grid<Float>, similarity: Grid<UInt16>, ring: ArraySlice<Point>, full: Float
  ) {
    let isUpright = abs(ovalFrame.up.y) >= abs(ovalFrame.up.x)
    let (along, aside) =
      isUpright ? (ovalFrame.up.y, ovalFrame.up.x) : (ovalFrame.up.x, ovalFrame.up.y)
    let (lines, length) =
      isUpright ? (weights.height, weights.width) : (weights.width, weights.height)
    let advance = along < 0 ? -1 : 1
    // The previous line, toward the face, is shifted sideways by this many cells.
    let shift = Float(-aside / abs(along))
    let side = shift < 0 ? -1 : 1
    let acceptance = 1 / (Self.acceptance.all - Self.acceptance.none)
    let limits = lineRange(of: ring, isUpright: isUpright, lines: lines)
    let origin = ovalCoordinates(line: 0, index: 0, isUpright)
    let byLine = ovalCoordinates(line: 1, index: 0, isUpright) - origin
    let byIndex = ovalCoordinates(line: 0, index: 1, isUpright) - origin
    var line = advance < 0 ? limits.upperBound : limits.lowerBound
    var isFirst = true
    while limits.contains(line) {
      let start = origin + byLine * Double(line)
      for index in 0..<length {
        let (x, y) = isUpright ? (index, line) : (line, index)
        let across = Float(start.x + byIndex.x * Double(index))
        let up = Float(start.y + byIndex.y * Double(index))
        let arc = max(1 - across * across, 0).squareRoot()
        // 0 at the oval, 1 at the maximum height.
        let height = (up - arc) * Float(0.5 / OvalFrame.cap)
        var value = weights.row(y)[x]
        if height > 0 {
          let ratio = Float(Int32(truncatingIfNeeded: similarity.row(y)[x])) / full
          let strict = min(max((ratio - Self.acceptance.none) * acceptance, 0), 1)
          value += (strict - value) * min(height * 8, 1)
          if !isFirst {
            let other = min(max(index + side, 0), length - 1)
            let last = line - advance
            let a = isUpright ? similarity.row(last)[index] : similarity.row(index)[last]
            let b = isUpright ? similarity.row(last)[other] : similarity.row(other)[last]
            let below = Float(a) + (Float(b) - Float(a)) * abs(shift)
            value = min(value, below / full)
          }
        }
        similarity.row(y)[x] = UInt16(truncatingIfNeeded: nearest(value * full))
        // Quadratic, because a little added texture shows more on smooth skin than a little less on
        // rough.
        let over = min(max(height, 0), 1)
        weights.row(y)[x] = value * (1 - over * over)
      }
      line += advance
      isFirst = false
    }
  }

  /// The lines from the centre of the oval to the maximum height.
  private func lineRange(
    of ring: ArraySlice<Point>, isUpright: Bool, lines: Int
  ) -> ClosedRange<Int> {
    let middle = ovalFrame.center + ovalFrame.up * (0.2 * ovalFrame.halfHeight)
    func line(_ point: Point) -> Int {
      let cell = (isUpright ? point.y : point.x) / Double(region.step)
      let first = Double(isUpright ? region.y : region.x)
      return Int(min(max(cell - first, 0), Double(lines - 1)))
    }
    var (low, high) = (line(middle), line(middle))
    let isDown = (isUpright ? ovalFrame.up.y : ovalFrame.up.x) > 0
    for point in ring {
      if isDown { high = max(high, line(point)) } else { low = min(low, line(point)) }
    }
    return low...high
  }

  /// A cell centre in the oval's coordinates.
  private func ovalCoordinates(line: Int, index: Int, _ isUpright: Bool) -> Point {
    let (x, y) = isUpright ? (index, line) : (line, index)
    let step = Double(region.step)
    return ovalFrame.coordinates(
      of:
        Point(
          x: (Double(region.x + x) + SkinMap.middle) * step,
          y: (Double(region.y + y) + SkinMap.middle) * step))
  }
}
