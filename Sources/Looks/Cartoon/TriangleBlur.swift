import Pixels

/// A blur with triangular weights.
enum TriangleBlur {
  /// Writes a row of cells, blurred over `radius` cells to each side; cells outside are those of the border.
  ///
  /// `scratch` is a row.
  static func apply(
    _ out: Row<Float>, _ cells: Grid<Float>, _ y: Int, radius: Int, scratch: Row<Float>
  ) {
    let n = out.count
    let scratch = scratch[..<n]
    scratch.fill(0)
    out.fill(0)
    let scale = 1 / Float((radius + 1) * (radius + 1))
    for step in -radius...radius {
      let row = cells.row(min(max(y + step, 0), cells.height - 1))
      addWeighted(scratch, row, Float(radius + 1 - abs(step)) * scale)
    }
    for step in -radius...radius {
      let weight = Float(radius + 1 - abs(step)) * scale
      let (from, to) = (min(max(0, -step), n), max(0, min(n, n - step)))
      if from < to { addWeighted(out[from..<to], scratch[(from + step)..<(to + step)], weight) }
      for x in 0..<from { out[x] += scratch[0] * weight }
      for x in max(to, from)..<n { out[x] += scratch[n - 1] * weight }
    }
  }

  @inline(never)
  private static func addWeighted(_ out: Row<Float>, _ row: Row<Float>, _ weight: Float) {
    let n = min(out.count, row.count)
    for x in 0..<n { out[x] += row[x] * weight }
  }
}
