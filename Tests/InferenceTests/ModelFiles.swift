@testable import Inference

/// The model files that set-up puts into `models/` at the package's root.
enum ModelFiles {
  static let folder: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/models/"
  }()

  /// The file of a network; the one with sparse weights is there for these tests alone.
  static func path(_ name: String) -> String {
    folder + (name.hasSuffix("sparse") ? "reference/" : "") + name + ".tflite"
  }
}

extension Graph {
  /// A copy of an output's values.
  func output(_ number: Int) -> [Float] {
    withOutput(number) { output in output.indices.map { output[$0] } }
  }
}
