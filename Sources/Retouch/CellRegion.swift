import Pixels

/// A rectangle of square cells of `step` x `step` pixels.
///
/// Cells are aligned to the picture's corner, so that the grid does not move with the face.
struct CellRegion: Equatable {
  var x = 0
  var y = 0
  var width = 0
  var height = 0
  var step = 2

  var isEmpty: Bool { width <= 0 || height <= 0 }
  var maxX: Int { x + width }

  init() {}

  /// The cells that intersect `box` (pixels, finite), padded by `padding` cells and clipped to a
  /// picture of the given size.
  init(_ box: Rectangle, step: Int, padding: Int, pictureWidth: Int, pictureHeight: Int) {
    let columns = (pictureWidth + step - 1) / step
    let rows = (pictureHeight + step - 1) / step
    func cell(_ position: Double, _ limit: Int) -> Int {
      Int(min(max(position / Double(step), -1), Double(limit) + 1).rounded(.down))
    }
    let left = cell(box.x, columns)
    let right = cell(box.maxX, columns) + 1
    let top = cell(box.y, rows)
    let bottom = cell(box.maxY, rows) + 1
    self.step = step
    guard right > 0, bottom > 0, left < columns, top < rows, left < right, top < bottom else {
      return
    }
    x = max(0, left - padding)
    y = max(0, top - padding)
    width = min(columns, right + padding) - x
    height = min(rows, bottom + padding) - y
  }

  /// The cells of twice the size that cover the region.
  var withDoubledCells: CellRegion {
    var result = self
    (result.x, result.y, result.step) = (x / 2, y / 2, 2 * step)
    result.width = (x + width + 1) / 2 - result.x
    result.height = (y + height + 1) / 2 - result.y
    return result
  }

  /// The rows, counted from the region's top, that intersect the pixels from `top` to `bottom`.
  func rows(from top: Double, to bottom: Double) -> Range<Int> {
    let scale = 1 / Double(step)
    let limit = Double(height)
    let first = min(max((top * scale).rounded(.down) - Double(y), 0), limit)
    let last = min(max((bottom * scale).rounded(.down) + 1 - Double(y), first), limit)
    return Int(first)..<Int(last)
  }
}
