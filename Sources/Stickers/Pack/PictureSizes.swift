package import Files

/// Sums the sizes of a pack's pictures by their headers, within `SpriteBudget`.
///
/// PNG only; the sizes of other files are checked when they are decoded.
package struct PictureSizes {
  /// Files named as PNG that are not, and pictures that exceed the limits.
  package private(set) var problems: [PackProblem] = []
  package private(set) var tooLarge: PackProblem?
  private var budget = SpriteBudget()

  package init() {}

  /// Checks the header of one of the pack's pictures.
  package mutating func addPicture(_ name: FilePath, of pack: StickerPack) {
    guard name.hasSuffix(".png") else { return }
    guard let file = try? pack.openFile(name, limit: .max),
      let bytes = try? file.prefix(PNGHeader.length), let header = PNGHeader(bytes)
    else {
      problems.append(Self.problem(pack.path(of: name), "is named .png but is not a PNG file"))
      return
    }
    do {
      try budget.reserve(width: header.width, height: header.height)
    } catch {
      let problem = Self.problem(pack.path(of: name), error.reason)
      problems.append(problem)
      tooLarge = tooLarge ?? problem
    }
  }

  private static func problem(_ path: FilePath, _ reason: String) -> PackProblem {
    PackProblem(file: path.description, item: nil, itemName: nil, key: nil, reason: reason)
  }
}
