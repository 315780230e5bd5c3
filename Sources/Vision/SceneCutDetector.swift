import Pixels

/// Notices that a film has cut to another scene, from 16 x 16 averages of brightness.
///
/// Two thumbnails of one scene stay alike in pattern whatever the light does. A picture without
/// pattern, as in a fade, is no scene: the one before it is compared with the one after it.
struct SceneCutDetector {
  private static let cells = 16
  /// Samples along each axis of a cell.
  private static let density = 2

  private var reference: [Float] = []
  private var current: [Float] = []

  mutating func reset() { reference.removeAll(keepingCapacity: true) }

  /// How alike the picture is to the last one with a pattern: 1 the same, 0 not at all, -1 a
  /// negative of it; 1 when there is none to compare with or this one has no pattern.
  mutating func similarity(_ picture: borrowing Picture) -> Float {
    guard thumbnail(picture) else { return 1 }
    defer { swap(&reference, &current) }
    guard reference.count == current.count else { return 1 }
    var product: Float = 0
    for index in current.indices { product += current[index] * reference[index] }
    return product
  }

  /// Writes the picture's pattern, of mean 0 and length 1, to `current`; false if it has none.
  private mutating func thumbnail(_ picture: borrowing Picture) -> Bool {
    // Green is most of what brightness is made of.
    let luma = picture.component(picture.format.family == .rgb ? 1 : 0)
    let side = Self.cells
    let count = Self.cells * Self.density
    current.removeAll(keepingCapacity: true)
    current.append(contentsOf: repeatElement(0, count: side * side))
    for row in 0..<count {
      let y = (2 * row + 1) * luma.height / (2 * count)
      for column in 0..<count {
        let x = (2 * column + 1) * luma.width / (2 * count)
        current[row / Self.density * side + column / Self.density] += Float(luma[x, y])
      }
    }
    var sum: Float = 0
    for value in current { sum += value }
    let mean = sum / Float(current.count)
    var squareSum: Float = 0
    for index in current.indices {
      current[index] -= mean
      squareSum += current[index] * current[index]
    }
    let samples = Float(Self.density * Self.density)
    // Less than three codes of deviation is noise, not a pattern.
    guard squareSum > Float(current.count) * (3 * samples) * (3 * samples) else { return false }
    let scale = 1 / squareSum.squareRoot()
    for index in current.indices { current[index] *= scale }
    return true
  }
}
