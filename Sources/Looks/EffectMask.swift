package import Faces
import Glibc
package import Pixels

/// The weights, 0...1, of the effects in a picture, on a coarse grid.
package final class EffectMask {
  private let cells = Grid<Float>(of: 0)
  private let cover = CoverSampler()
  private var sampler = BilinearGridSampler(
    across: .init(start: 0, length: 1, cells: 1), down: .init(start: 0, length: 1, cells: 1))

  package init() {}

  /// The longer side of the grid for faces.
  private static let faceCells = 240

  /// Sets the mask to soft ellipses over faces in a picture of this size, or to the complement.
  ///
  /// With a `fieldCount` of 2 it is sampled in the picture's fields, which are half as high.
  package func setFaces(
    _ faces: [Face], width: Int, height: Int, fieldCount: Int = 1, inverted: Bool
  ) {
    let size = max(width, height)
    let columns = max(width * Self.faceCells / size, 1)
    let rows = max(height * Self.faceCells / size, 1)
    cells.resize(width: columns, height: rows)
    setRegion(Rectangle(x: 0, y: 0, width: 1, height: 1), width, height / fieldCount)
    for y in 0..<rows { cells.row(y).fill(0) }
    for face in faces { drawEllipse(face, Double(width), Double(height)) }
    guard inverted else { return }
    for y in 0..<rows {
      let row = cells.row(y)
      for x in 0..<columns { row[x] = 1 - row[x] }
    }
  }

  /// Sets the mask from bytes, 255 for the full effect, or to the complement; `region` is the part
  /// of the picture that the bytes cover, in normalized coordinates.
  package func setMask(
    _ mask: Grid<UInt8>, region: Rectangle, width: Int, height: Int, fieldCount: Int = 1,
    inverted: Bool
  ) {
    cells.resize(width: mask.width, height: mask.height)
    setRegion(region, width, height / fieldCount)
    for y in 0..<mask.height {
      let (row, bytes) = (cells.row(y), mask.row(y))
      for x in 0..<mask.width {
        let weight = Float(bytes[x]) * (1 / 255)
        row[x] = inverted ? 1 - weight : weight
      }
    }
  }

  var width: Int { cells.width }

  /// Writes the weights at a line's samples.
  func sample(_ line: LinePosition, into weights: Row<Float>, scratch: Row<Float>) {
    sampler.sample(cells, line, into: weights, scratch: scratch)
  }

  private func setRegion(_ region: Rectangle, _ width: Int, _ height: Int) {
    let (w, h) = (Double(width), Double(height))
    sampler = BilinearGridSampler(
      across: .init(start: region.x * w, length: region.width * w, cells: cells.width),
      down: .init(start: region.y * h, length: region.height * h, cells: cells.height))
  }

  /// Draws an ellipse around a face box (brows to chin) that includes some hair and neck.
  private func drawEllipse(_ face: Face, _ width: Double, _ height: Double) {
    let box = face.box.scaled(x: width, y: height)
    let numbers = [box.x, box.y, box.width, box.height]
    guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }), box.width > 1, box.height > 1
    else { return }
    let (a, b) = (0.66 * box.width, 0.82 * box.height)
    let center = Point(x: box.center.x, y: box.center.y - 0.1 * box.height)
    let roll = (face.pose?.roll ?? 0) * .pi / 180
    let turn = roll.isFinite ? roll : 0
    let isCovered = cover.set(face.cover, width: Int(width), height: Int(height))
    let (c, s) = (cos(turn), sin(turn))
    let scaleX = width / Double(cells.width)
    let scaleY = height / Double(cells.height)
    let radius = 1.2 * max(a, b)
    func range(_ middle: Double, _ scale: Double, _ count: Int) -> Range<Int> {
      let low = min(max((middle - radius) / scale, 0), Double(count))
      let high = min(max((middle + radius) / scale + 1, low), Double(count))
      return Int(low)..<Int(high)
    }
    for y in range(center.y, scaleY, cells.height) {
      let row = cells.row(y)
      for x in range(center.x, scaleX, cells.width) {
        let dx = (Double(x) + 0.5) * scaleX - center.x
        let dy = (Double(y) + 0.5) * scaleY - center.y
        let (u, v) = ((dx * c + dy * s) / a, (dy * c - dx * s) / b)
        // Fades from 0.8 to 1.1 times the ellipse.
        let t = min(max((1.1 - (u * u + v * v).squareRoot()) / 0.3, 0), 1)
        var weight = Float(t * t * (3 - 2 * t))
        if isCovered, weight > 0 {
          weight *= cover.visibility(
            at: Point(x: (Double(x) + 0.5) * scaleX, y: (Double(y) + 0.5) * scaleY))
        }
        row[x] = max(row[x], weight)
      }
    }
  }
}
