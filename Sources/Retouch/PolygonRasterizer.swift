import Pixels

/// Rasterizes polygons into planes of cells with antialiasing.
///
/// Each row of cells is sampled by four scan lines, along which coverage is exact. The nonzero
/// winding rule applies, so that self-intersecting rings (turned heads) have no holes.
struct PolygonRasterizer {
  /// The coverage of a whole cell.
  static let full: UInt16 = 256
  private static let lines = 4

  private struct Crossing {
    var x: Double
    var direction: Int
  }

  private var crossings: [Crossing] = []

  /// Sets `plane`, or some of its rows, to the coverage, 0...256, of its cells by a polygon.
  ///
  /// `region` says where the plane's cells lie in the picture; points are in pixels and finite.
  mutating func fill(
    _ points: [Point], _ ring: Range<Int>, _ region: CellRegion, into plane: Grid<UInt16>,
    _ rows: Range<Int>? = nil
  ) {
    for y in rows ?? 0..<region.height {
      let row = plane.row(y)
      row.fill(0)
      rasterizeRow(points, ring, region, y, row)
      for x in 0..<row.count { row[x] = min(row[x], Self.full) }
    }
  }

  /// Subtracts a polygon from the coverage in `plane`; fully covered cells become exactly 0.
  mutating func subtract(
    _ points: [Point], _ ring: Range<Int>, _ region: CellRegion,
    from plane: Grid<UInt16>, scratch: Row<UInt16>, _ rows: Range<Int>? = nil
  ) {
    let (low, high) = points[ring].boundingCorners
    let temporary = scratch[0..<region.width]
    let intersected = region.rows(from: low.y, to: high.y)
    for y in rows.map(intersected.clamped) ?? intersected {
      temporary.fill(0)
      rasterizeRow(points, ring, region, y, temporary)
      let row = plane.row(y)
      let n = min(row.count, temporary.count)
      for x in 0..<n {
        let left = UInt32(truncatingIfNeeded: Self.full &- min(temporary[x], Self.full))
        row[x] = UInt16(truncatingIfNeeded: (UInt32(truncatingIfNeeded: row[x]) &* left) &>> 8)
      }
    }
  }

  private mutating func rasterizeRow(
    _ points: [Point], _ ring: Range<Int>, _ region: CellRegion, _ y: Int, _ row: Row<UInt16>
  ) {
    let scale = 1 / Double(region.step)
    let left = Double(region.x)
    let limit = Double(region.width)
    for line in 0..<Self.lines {
      let height =
        Double(region.step)
        * (Double(region.y + y) + (Double(line) + 0.5) / Double(Self.lines))
      crossings.removeAll(keepingCapacity: true)
      var a = points[ring.upperBound - 1]
      for index in ring {
        let b = points[index]
        if (a.y <= height) != (b.y <= height) {
          let x = a.x + (b.x - a.x) * ((height - a.y) / (b.y - a.y))
          insertCrossing(
            Crossing(x: min(max(x * scale - left, 0), limit), direction: a.y < b.y ? 1 : -1))
        }
        a = b
      }
      var winding = 0
      var start = 0.0
      for crossing in crossings {
        if winding == 0 { start = crossing.x }
        winding += crossing.direction
        if winding == 0 { addSpan(start, crossing.x, row) }
      }
    }
  }

  /// Inserts a crossing in order of x.
  private mutating func insertCrossing(_ crossing: Crossing) {
    crossings.append(crossing)
    var index = crossings.count - 1
    while index > 0, crossings[index - 1].x > crossing.x {
      crossings[index] = crossings[index - 1]
      index -= 1
    }
    crossings[index] = crossing
  }

  /// Adds a scan line's coverage from `start` to `end`, both in 0...count.
  private func addSpan(_ start: Double, _ end: Double, _ row: Row<UInt16>) {
    let whole = Double(Int(Self.full) / Self.lines)
    let (first, last) = (min(Int(start), row.count - 1), min(Int(end), row.count - 1))
    if first == last {
      row[first] &+= UInt16((end - start) * whole)
      return
    }
    row[first] &+= UInt16((Double(first + 1) - start) * whole)
    let step = UInt16(whole)
    for x in (first + 1)..<max(last, first + 1) { row[x] &+= step }
    row[last] &+= UInt16((end - Double(last)) * whole)
  }
}
