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
}
