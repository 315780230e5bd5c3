import Pixels

/// Detects cuts by the correlation of thumbnails, 16 x 16 averages of luma.
///
/// Thumbnails of one scene correlate under every change of light. A picture without contrast, as in
/// a fade, is skipped: the pictures before and after it are compared.
struct SceneCutDetector {
  private static let cells = 16
  /// The samples along each axis of a cell.
  private static let density = 2

  private var reference: [Float] = []
  private var current: [Float] = []

  mutating func reset() { reference.removeAll(keepingCapacity: true) }

  /// The normalized correlation with the last picture that had contrast, -1...1; 1 where there is
  /// none, or where this one has none.
  mutating func similarity(_ picture: borrowing Picture) -> Float {
    guard thumbnail(picture) else { return 1 }
    defer { swap(&reference, &current) }
    guard reference.count == current.count else { return 1 }
    var product: Float = 0
    for index in current.indices { product += current[index] * reference[index] }
    return product
  }

  /// Writes the thumbnail, with mean 0 and length 1, to `current`; returns false without contrast.
  private mutating func thumbnail(_ picture: borrowing Picture) -> Bool {
    // Green has the largest weight in luma.
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
    let samples = Float(Self.density * Self.density)
    // A standard deviation below three codes is noise.
    return current.standardize(minimum: Float(current.count) * (3 * samples) * (3 * samples))
  }
}
