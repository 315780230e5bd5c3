package import Faces
import Glibc
package import Pixels

/// Where in a picture a look is seen, as shares 0...1 on a coarse grid.
package final class Coverage {
  private let cells = Grid<Float>(of: 0)
  private var sampler = CellSampler(
    across: .init(start: 0, length: 1, cells: 1), down: .init(start: 0, length: 1, cells: 1))

  package init() {}

  /// Longest side of the grid that faces are drawn on.
  private static let faceCells = 240

  /// Covers soft ellipses over faces in a picture of this size, or all but them.
  package func cover(_ faces: [Face], width: Int, height: Int, inverted: Bool) {
    let size = max(width, height)
    let columns = max(width * Self.faceCells / size, 1)
    let rows = max(height * Self.faceCells / size, 1)
    cells.resize(width: columns, height: rows)
    place(Rectangle(x: 0, y: 0, width: 1, height: 1), width, height)
    for y in 0..<rows { cells.row(y).fill(0) }
    for face in faces { draw(face, Double(width), Double(height)) }
    guard inverted else { return }
    for y in 0..<rows {
      let row = cells.row(y)
      for x in 0..<columns { row[x] = 1 - row[x] }
    }
  }

  /// Covers what a mask of bytes says, 255 for all of it, or the rest; `cover` is the part of the
  /// picture that the mask stands for, in shares of it.
  package func cover(
    _ mask: Grid<UInt8>, cover: Rectangle, width: Int, height: Int, inverted: Bool
  ) {
    cells.resize(width: mask.width, height: mask.height)
    place(cover, width, height)
    for y in 0..<mask.height {
      let (row, bytes) = (cells.row(y), mask.row(y))
      for x in 0..<mask.width {
        let share = Float(bytes[x]) * (1 / 255)
        row[x] = inverted ? 1 - share : share
      }
    }
  }

  /// Covers all of the picture, or nothing.
  package func cover(all: Bool) {
    cells.resize(width: 1, height: 1)
    cells.row(0)[0] = all ? 1 : 0
    place(Rectangle(x: 0, y: 0, width: 1, height: 1), 1, 1)
  }

  var width: Int { cells.width }

  /// How much of the look each sample of a line gets, 0...1.
  func weigh(_ line: PictureLine, into values: Row<Float>, room: Row<Float>) {
    sampler.sample(cells, line, into: values, room: room)
  }

  private func place(_ cover: Rectangle, _ width: Int, _ height: Int) {
    let (w, h) = (Double(width), Double(height))
    sampler = CellSampler(
      across: .init(start: cover.x * w, length: cover.width * w, cells: cells.width),
      down: .init(start: cover.y * h, length: cover.height * h, cells: cells.height))
  }

  /// A box reaches from the brows to the chin; the ellipse takes hair and neck in part.
  private func draw(_ face: Face, _ width: Double, _ height: Double) {
    let box = face.box.scaled(x: width, y: height)
    let numbers = [box.x, box.y, box.width, box.height]
    guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }), box.width > 1, box.height > 1
    else { return }
    let (a, b) = (0.66 * box.width, 0.82 * box.height)
    let center = Point(x: box.center.x, y: box.center.y - 0.1 * box.height)
    let roll = (face.pose?.roll ?? 0) * .pi / 180
    let turn = roll.isFinite ? roll : 0
    let (c, s) = (cos(turn), sin(turn))
    let scaleX = width / Double(cells.width)
    let scaleY = height / Double(cells.height)
    let reach = 1.2 * max(a, b)
    func range(_ middle: Double, _ scale: Double, _ count: Int) -> Range<Int> {
      let low = min(max((middle - reach) / scale, 0), Double(count))
      let high = min(max((middle + reach) / scale + 1, low), Double(count))
      return Int(low)..<Int(high)
    }
    for y in range(center.y, scaleY, cells.height) {
      let row = cells.row(y)
      for x in range(center.x, scaleX, cells.width) {
        let dx = (Double(x) + 0.5) * scaleX - center.x
        let dy = (Double(y) + 0.5) * scaleY - center.y
        let (u, v) = ((dx * c + dy * s) / a, (dy * c - dx * s) / b)
        // From the ellipse's 0.8 to its 1.1 fold.
        let t = min(max((1.1 - (u * u + v * v).squareRoot()) / 0.3, 0), 1)
        row[x] = max(row[x], Float(t * t * (3 - 2 * t)))
      }
    }
  }
}
