/// The model files that set-up puts into `models/` at the package's root.
enum ModelFiles {
  static let folder: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/models/"
  }()

  static func path(_ name: String) -> String { folder + name + ".tflite" }
}
