import Filters
import Pixels

/// Samples a coarse grid bilinearly at the samples of picture lines.
struct BilinearGridSampler {
  /// The map from pixel columns or rows to cells: `scale * pixel + offset`.
  struct Axis {
    let scale, offset: Double

    /// `cells` cover `length` pixels from `start` on; out of range they cover one pixel.
    init(start: Double, length: Double, cells: Int) {
      let isValid = length > 1e-3 && length < 1e9 && abs(start) < 1e9
      let (start, size) = isValid ? (start, length) : (0, 1)
      scale = min(Double(cells) / size, 4096)
      offset = (0.5 - start) * Double(cells) / size - 0.5
    }

    /// The position in cells of a sample of `1 << shift` pixels, clamped far outside.
    func position(_ sample: Int, shift: Int) -> Double {
      let middle = Double((sample << shift) + (1 << shift) / 2) - (shift > 0 ? 0.5 : 0)
      return min(max(scale * middle + offset, -1e6), 1e6)
    }
  }

  let across, down: Axis

  /// Writes the values at a line's samples; `scratch` has the length of a row of cells.
  func sample(
    _ cells: Grid<Float>, _ line: LinePosition, into values: Row<Float>, scratch: Row<Float>
  ) {
    let position = min(max(down.position(line.y, shift: line.vShift), 0), Double(cells.height - 1))
    let upper = Int(position)
    let lower = min(upper + 1, cells.height - 1)
    let row = scratch[..<cells.width]
    let first = across.position(line.x, shift: line.hShift)
    let step = across.scale * Double(1 << line.hShift)
    // The cells that samples of the line lie between.
    let last = min(first + step * Double(values.count), 1e6)
    let start = min(max(Int(first), 0), cells.width - 1)
    let needed = start..<min(max(Int(last) + 2, start + 1), cells.width)
    BilinearRows.blend(
      row[needed], cells.row(upper)[needed], cells.row(lower)[needed],
      Float(position - Double(upper)))
    BilinearRows.upsampleBilinear(values, row, from: first, step: step)
  }
}
