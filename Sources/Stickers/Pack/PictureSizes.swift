import Files

/// Adds up what the pictures of a pack will take, from what their headers say.
///
/// PNG only; the sizes of others come to light when they are decoded.
package struct PictureSizes {
  package private(set) var problems: [PackProblem] = []
  private var budget = SpriteBudget()

  package init() {}

  /// Looks at one picture's header.
  package mutating func add(_ path: String) {
    guard path.lowercased().hasSuffix(".png") else { return }
    guard let file = try? HostileFile(path, limit: .max),
      let bytes = try? file.first(PNGHeader.length), let header = PNGHeader(bytes)
    else {
      problem(path, "is named a PNG file and is none")
      return
    }
    do {
      try budget.take(width: header.width, height: header.height)
    } catch {
      problem(path, error.reason)
    }
  }

  private mutating func problem(_ path: String, _ reason: String) {
    problems.append(
      PackProblem(file: path, item: nil, itemName: nil, key: nil, reason: reason))
  }
}
