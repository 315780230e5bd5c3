/// How large a model may be, so that a hostile file cannot take all memory or time.
///
/// Each is several times what the largest of the face and person models needs.
enum Limits {
  /// Bytes of a model file.
  static let fileBytes = 64 << 20
  /// Elements of one constant tensor.
  static let constantElements = 4 << 20
  /// Elements of all constants together: 64 MB of weights.
  static let weightElements = 16 << 20
  /// Elements of one computed tensor.
  static let activationElements = 4 << 20
  /// Elements of all computed tensors together.
  static let totalActivationElements = 32 << 20
  /// Multiplications of one run.
  static let multiplications = 4 << 30
  /// Cells in a layer's table of input addresses (8 bytes each), one per output pixel and tap.
  static let windowCells = 4 << 20
  /// Channels; pooling keeps a row of them on the stack.
  static let channels = 16_384

  /// The number of elements of a tensor whose dimensions are all at least 1, or nil when it is
  /// over `limit`, empty, or of a rank outside 1...4.
  static func elements(_ shape: [Int], limit: Int) -> Int? {
    guard (1...4).contains(shape.count) else { return nil }
    var count = 1
    for dimension in shape {
      guard dimension >= 1, dimension <= limit / count else { return nil }
      count *= dimension
    }
    return count
  }
}
