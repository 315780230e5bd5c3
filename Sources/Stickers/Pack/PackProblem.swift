/// A problem of a pack, and its location.
package struct PackProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// Path of the file or folder with the problem.
  package let file: String
  /// The number of the item, from 1, and its folder or file; nil for the pack itself.
  package let item: Int?
  package let itemName: String?
  package let key: String?
  /// The predicate of a sentence whose subject is the above.
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
