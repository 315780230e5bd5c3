/// The limits of a model's size: an untrusted file must not take all memory or time.
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
  /// Pixels in all windows of a layer together; XNNPACK has an address of 8 bytes for each.
  static let windowPixels = 4 << 20
  /// Channels of a map; XNNPACK's pooling has a row of them on the stack.
  static let channels = 16_384

  /// The number of elements of a tensor; nil for one that is empty, of a rank outside 1...4, or
  /// larger than `limit`.
  static func elementCount(of shape: [Int], limit: Int) -> Int? {
    guard (1...4).contains(shape.count) else { return nil }
    var count = 1
    for dimension in shape {
      guard dimension >= 1, dimension <= limit / count else { return nil }
      count *= dimension
    }
    return count
  }

  /// The shape that a tensor of shape `old` is reshaped to: one dimension of `shape` may be -1, and
  /// follows from the others.
  static func reshape(_ old: [Int], to shape: [Int]) throws(ModelError) -> [Int] {
    let count = old.reduce(1, *)
    var shape = shape
    if let free = shape.firstIndex(of: -1) {
      shape[free] = 1
      guard let rest = elementCount(of: shape, limit: count), count % rest == 0 else {
        throw ModelError("\(old) cannot become \(shape)")
      }
      shape[free] = count / rest
    }
    guard elementCount(of: shape, limit: count) == count else {
      throw ModelError("\(old) cannot become \(shape)")
    }
    return shape
  }
}
