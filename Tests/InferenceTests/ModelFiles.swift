import Testing

@testable import Inference

/// The model files that set-up puts into `models/` at the package's root.
enum ModelFiles {
  static let folder: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/models/"
  }()

  static func path(_ name: String) -> String { folder + name + ".tflite" }
}

/// Numbers that look random and are the same on every machine.
///
/// Value i is `((i * 2654435761 mod 2^32) >> 8) / 2^23 - 1`, exact in a Float.
func scatteredValue(_ index: Int) -> Float {
  let product = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
  return Float(product >> 8) / 8_388_608 - 1
}
