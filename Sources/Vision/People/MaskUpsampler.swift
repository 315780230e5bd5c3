import Filters
import Pixels

/// Upsamples the mask of a region to a grid of cells, bilinearly.
final class MaskUpsampler {
  private static let maximum = 256

  /// A row interpolated between two rows of the mask; its last number is repeated.
  private let line = Grid(width: maximum + 1, height: 1, of: Float(0))
  /// For each grid column the mask column left of it, and the weight of the next one.
  private let columns: Grid<Int32>
  private let weights: Grid<Float>

  init(columns count: Int) {
    columns = Grid(width: count, height: 1, of: 0)
    weights = Grid(width: count, height: 1, of: 0)
  }

  /// Writes a probability for each cell.
  ///
  /// `map` leads from cells to mask samples. Cells outside the mask, and NaN, become 0.
  func upsample(
    _ result: Span<Float>, _ size: (width: Int, height: Int), into grid: Grid<Float>,
    _ map: Affine
  ) {
    let (w, h) = size
    precondition(w <= Self.maximum && result.count >= w * h && grid.width == columns.width)
    let inside = setColumns(Float(map.tx), Float(map.a), grid.width, w)
    let line = line.row(0)[..<(w + 1)]
    for y in 0..<grid.height {
      let out = grid.row(y)
      let v = map.ty + map.d * Double(y)
      guard v >= -0.5, v <= Double(h) - 0.5 else {
        out.fill(0)
        continue
      }
      let top = min(max(Int(v.rounded(.down)), 0), h - 1)
      let bottom = min(top + 1, h - 1)
      let weight = Float(min(max(v - Double(top), 0), 1))
      for x in 0..<w {
        let (a, b) = (result[top &* w &+ x], result[bottom &* w &+ x])
        // NaN becomes 0.
        let value = a + (b - a) * weight
        line[x] = value > 0 ? min(value, 1) : 0
      }
      line[w] = line[w - 1]
      out[..<inside.lowerBound].fill(0)
      BilinearRows.upsampleBilinear(
        out[inside], line, columns.row(0)[inside], weights.row(0)[inside])
      out[inside.upperBound...].fill(0)
    }
  }

  /// Sets the columns and their weights; returns the grid columns inside the mask.
  private func setColumns(
    _ start: Float, _ step: Float, _ count: Int, _ width: Int
  ) -> Range<Int> {
    let (columns, weights) = (columns.row(0), weights.row(0))
    let last = Float(width - 1)
    var (first, end) = (count, 0)
    for x in 0..<count {
      let u = start + step * Float(x)
      let position = min(max(u, 0), last)
      columns[x] = Int32(position)
      weights[x] = position - Float(columns[x])
      if u >= -0.5, u <= last + 0.5 {
        first = min(first, x)
        end = x + 1
      }
    }
    return first < end ? first..<end : 0..<0
  }
}
