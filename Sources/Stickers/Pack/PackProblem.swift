/// What is wrong with a pack, and where.
package struct PackProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// Path of the file or folder it was found in.
  package let file: String
  /// Which item, from 1, and the folder or file it is known by; nil for the pack itself.
  package let item: Int?
  package let itemName: String?
  package let key: String?
  /// The rest of a sentence that begins with the above.
  package let reason: String

  package init(file: String, item: Int?, itemName: String?, key: String?, reason: String) {
    self.file = file
    self.item = item
    self.itemName = itemName
    self.key = key
    self.reason = reason
  }

  /// One line: file, item, key, reason.
  package var description: String {
    var text = file
    if let item {
      text += ": item \(item)"
      if let itemName { text += " (\(itemName))" }
    }
    if let key { text += ": \"\(key)\"" }
    return text + ": " + reason
  }
}
