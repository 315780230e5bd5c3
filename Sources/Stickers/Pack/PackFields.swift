/// The members of one JSON object, read by name and type; what is wrong is noted, not thrown,
/// so that a whole pack can be judged at once.
struct PackFields {
  private let members: [String: JSONValue]
  private(set) var faults: [(key: String, reason: String)] = []

  init(_ members: [String: JSONValue]) { self.members = members }

  /// What an item is known by in messages.
  var itemName: String? {
    for key in ["folder", "file"] {
      if case .string(let name)? = members[key] { return shown(name) }
    }
    return nil
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  mutating func fault(_ key: String, _ reason: String) { faults.append((key, reason)) }

  /// A number in `range`; nil and a fault where it is missing (unless `missing` is given) or
  /// wrong.
  mutating func number(
    _ key: String, _ range: ClosedRange<Double>, missing: Double? = nil
  ) -> Double? {
    guard let value = members[key] else {
      if missing == nil { fault(key, "is missing") }
      return missing
    }
    guard case .number(let number) = value else {
      fault(key, "must be a number, is \(Self.kind(value))")
      return nil
    }
    guard range.contains(number) else {
      fault(key, "must be from \(range.lowerBound) to \(range.upperBound), is \(number)")
      return nil
    }
    return number
  }

  mutating func int(_ key: String, _ range: ClosedRange<Int>, missing: Int? = nil) -> Int? {
    guard let value = members[key] else {
      if missing == nil { fault(key, "is missing") }
      return missing
    }
    return int(value, key, range)
  }

  private mutating func int(
    _ value: JSONValue, _ key: String, _ range: ClosedRange<Int>
  ) -> Int? {
    guard case .number(let number) = value, number == number.rounded() else {
      fault(key, "must be a whole number, is \(Self.kind(value))")
      return nil
    }
    guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
      fault(key, "must be from \(range.lowerBound) to \(range.upperBound), is \(number)")
      return nil
    }
    return Int(number)
  }

  /// Exactly `count` whole numbers.
  mutating func ints(_ key: String, count: Int, _ range: ClosedRange<Int>) -> [Int]? {
    guard let values = array(key, count...count) else { return nil }
    var numbers: [Int] = []
    for value in values {
      guard let number = int(value, key, range) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  mutating func array(_ key: String, _ counts: ClosedRange<Int>) -> [JSONValue]? {
    guard let value = members[key] else {
      fault(key, "is missing")
      return nil
    }
    guard case .array(let values) = value else {
      fault(key, "must be an array, is \(Self.kind(value))")
      return nil
    }
    guard counts.contains(values.count) else {
      let wanted =
        counts.count == 1
        ? "\(counts.lowerBound)" : "from \(counts.lowerBound) to \(counts.upperBound)"
      fault(key, "must have \(wanted) members, has \(values.count)")
      return nil
    }
    return values
  }

  mutating func string(_ key: String) -> String? {
    guard has(key) else {
      fault(key, "is missing")
      return nil
    }
    return optionalString(key)
  }

  /// Nil where it is missing; that, and only that, without a fault.
  mutating func optionalString(_ key: String) -> String? {
    guard let value = members[key] else { return nil }
    guard case .string(let text) = value else {
      fault(key, "must be a string, is \(Self.kind(value))")
      return nil
    }
    return text
  }

  mutating func bool(_ key: String, missing: Bool) -> Bool? {
    guard let value = members[key] else { return missing }
    guard case .bool(let bool) = value else {
      fault(key, "must be true or false, is \(Self.kind(value))")
      return nil
    }
    return bool
  }

  /// One of the names of an enumeration.
  mutating func choice<E: RawRepresentable & CaseIterable>(
    _ key: String, _: E.Type, missing: E? = nil
  ) -> E? where E.RawValue == String {
    guard has(key) else {
      if missing == nil { fault(key, "is missing") }
      return missing
    }
    guard let name = optionalString(key) else { return nil }
    guard let value = E(rawValue: name) else {
      let names = E.allCases.map(\.rawValue).joined(separator: ", ")
      fault(key, "must be one of \(names), is \"\(shown(name))\"")
      return nil
    }
    return value
  }

  private static func kind(_ value: JSONValue) -> String {
    switch value {
    case .object: "an object"
    case .array: "an array"
    case .string(let text): "the string \"\(shown(text))\""
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .null: "null"
    }
  }
}

/// At most 64 characters of a text that is not trusted, with those replaced that steer a terminal.
private func shown(_ text: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.prefix(64).unicodeScalars.prefix(256) {
    let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    shown.append(isControl ? "\u{FFFD}" : scalar)
  }
  return String(shown)
}
