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
    guard let (width, height) = Self.pngSize(PackFolder.bytes(of: path, limit: 24) ?? []) else {
      problem(path, "is named a PNG file and is none")
      return
    }
    do {
      try budget.take(width: width, height: height)
    } catch {
      problem(path, error.reason)
    }
  }

  /// Width and height by the header of a PNG file (ISO/IEC 15948, 5.2 and 11.2.2).
  private static func pngSize(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count == 24,
      bytes[..<8].elementsEqual([137, 80, 78, 71, 13, 10, 26, 10]),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
  }

  private mutating func problem(_ path: String, _ reason: String) {
    problems.append(
      PackProblem(file: path, item: nil, itemName: nil, key: nil, reason: reason))
  }
}
