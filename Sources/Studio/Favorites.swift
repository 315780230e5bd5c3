/// The packs and looks that the user marked; they come first on the shelf.
package struct Favorites: Equatable, Sendable {
  /// In the order in which they were marked.
  package private(set) var names: [String]

  package init(_ names: [String] = []) { self.names = names }

  /// Reads a file with a name on each line.
  package init(text: String) {
    var names: [String] = []
    for line in text.split(separator: "\n") where !names.contains(String(line)) {
      names.append(String(line))
    }
    self.names = names
  }

  package var text: String { names.map { $0 + "\n" }.joined() }

  package func contains(_ name: String) -> Bool { names.contains(name) }

  /// Marks a name, or removes its mark.
  package mutating func toggle(_ name: String) {
    // The file has one name on each line.
    guard !name.isEmpty, !name.contains("\n") else { return }
    if let index = names.firstIndex(of: name) {
      names.remove(at: index)
    } else {
      names.append(name)
    }
  }

  /// The indices of `items` in the order of the shelf: the favourites, then the others as they are.
  package func order(of items: [String]) -> [Int] {
    let first = names.compactMap { items.firstIndex(of: $0) }
    return first + items.indices.filter { !first.contains($0) }
  }
}

/// Digits that are typed one after another, as one number.
package struct DigitKeys: Sendable {
  /// Digits within this many seconds belong to one number.
  package static let interval = 0.7

  private var number = 0
  private var time = -1.0

  package init() {}

  /// The number of the digits up to this one, of which there are `count` to choose from.
  ///
  /// 0 alone is 0; a digit that would make a number above `count` begins a new one.
  package mutating func type(_ digit: Int, at seconds: Double, count: Int) -> Int {
    let longer = number * 10 + digit
    let continues = number > 0 && seconds - time <= Self.interval && longer <= count
    number = continues ? longer : digit
    time = seconds
    return number
  }
}
