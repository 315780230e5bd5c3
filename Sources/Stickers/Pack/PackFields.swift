import JSON

/// Why the value of a member is rejected: the rest of a sentence that begins with the member's key.
struct FieldError: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// The members of one JSON object, read by name and type.
///
/// Faults are collected, so that all faults of a pack are reported at once.
struct PackFields {
  private let members: [String: JSONValue]
  private(set) var faults: [(key: String, reason: String)] = []

  init(_ members: [String: JSONValue]) { self.members = members }

  /// The item's name in messages: its folder or file.
  var itemName: String? {
    for key in ["folder", "file"] {
      if case .string(let name)? = members[key] { return Self.sanitized(name) }
    }
    return nil
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  mutating func addFault(_ key: String, _ reason: String) { faults.append((key, reason)) }

  /// Runs `body`; an error is recorded as a fault of member `key`.
  mutating func recordingFault(_ key: String, _ body: () throws(FieldError) -> Void) {
    do throws(FieldError) { try body() } catch { addFault(key, error.reason) }
  }

  /// The member `key`, converted by `cast`; the default if it is missing.
  ///
  /// Nil, and a fault, if it has another type, or is missing without a default.
  private mutating func member<T>(
    _ key: String, _ kind: String, default missing: T?, _ cast: (JSONValue) -> T?
  ) -> T? {
    guard let value = members[key] else {
      if missing == nil { addFault(key, "is missing") }
      return missing
    }
    let found = cast(value)
    if found == nil { addFault(key, "must be \(kind), is \(Self.typeDescription(value))") }
    return found
  }

  /// A number in `range`; the default may lie outside.
  mutating func number(
    _ key: String, _ range: ClosedRange<Double>, default missing: Double? = nil
  ) -> Double? {
    let number = member(key, "a number", default: missing, \.number)
    return checkRange(number, key, range, shown: range) ? number : nil
  }

  mutating func int(_ key: String, _ range: ClosedRange<Int>, default missing: Int? = nil) -> Int? {
    let number = member(key, "a whole number", default: missing.map(Double.init), \.wholeNumber)
    return int(number, key, range)
  }

  private mutating func int(
    _ number: Double?, _ key: String, _ range: ClosedRange<Int>
  ) -> Int? {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    return checkRange(number, key, bounds, shown: range) ? number.map { Int($0) } : nil
  }

  private mutating func checkRange<Bound>(
    _ number: Double?, _ key: String, _ range: ClosedRange<Double>, shown: ClosedRange<Bound>
  ) -> Bool {
    guard let number, !range.contains(number) else { return true }
    addFault(key, "must be from \(shown.lowerBound) to \(shown.upperBound), is \(number)")
    return false
  }

  /// Exactly `count` whole numbers.
  mutating func ints(_ key: String, count: Int, _ range: ClosedRange<Int>) -> [Int]? {
    guard let values = array(key, count...count) else { return nil }
    var numbers: [Int] = []
    for value in values {
      if value.wholeNumber == nil {
        addFault(key, "must be a whole number, is \(Self.typeDescription(value))")
      }
      guard let number = int(value.wholeNumber, key, range) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Exactly `count` numbers.
  mutating func numbers(_ key: String, count: Int, _ range: ClosedRange<Double>) -> [Double]? {
    guard let values = array(key, count...count) else { return nil }
    var numbers: [Double] = []
    for value in values {
      guard let number = value.number else {
        addFault(key, "must contain only numbers, has \(Self.typeDescription(value))")
        return nil
      }
      guard checkRange(number, key, range, shown: range) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  mutating func array(_ key: String, _ counts: ClosedRange<Int>) -> [JSONValue]? {
    guard let values = member(key, "an array", default: nil, \.array) else { return nil }
    guard counts.contains(values.count) else {
      let wanted =
        counts.count == 1
        ? "\(counts.lowerBound)" : "from \(counts.lowerBound) to \(counts.upperBound)"
      addFault(key, "must have \(wanted) members, has \(values.count)")
      return nil
    }
    return values
  }

  mutating func strings(_ key: String, _ counts: ClosedRange<Int>) -> [String]? {
    guard let values = array(key, counts) else { return nil }
    let texts = values.compactMap(\.string)
    if texts.count < values.count { addFault(key, "must contain only strings") }
    return texts
  }

  /// A colour as "#rrggbb", in hexadecimal digits.
  mutating func color(_ key: String) -> SIMD3<UInt8>? {
    guard let text = string(key) else { return nil }
    let digits = Array(text.utf8.dropFirst()).map { UInt8(hexadecimal: $0) }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, !digits.contains(nil) else {
      addFault(key, "must be a colour like \"#c03040\", is \"\(Self.sanitized(text))\"")
      return nil
    }
    func byte(_ index: Int) -> UInt8 {
      (digits[2 * index] ?? 0) << 4 | (digits[2 * index + 1] ?? 0)
    }
    return SIMD3(byte(0), byte(1), byte(2))
  }

  /// Whether the member is this number; records no fault.
  func hasNumber(_ key: String, _ number: Double) -> Bool { members[key]?.number == number }

  mutating func string(_ key: String) -> String? {
    member(key, "a string", default: nil, \.string)
  }

  /// The member if it is a string; records no fault.
  func text(_ key: String) -> String? { members[key]?.string }

  /// Nil without a fault if the member is missing.
  mutating func optionalString(_ key: String) -> String? { has(key) ? string(key) : nil }

  mutating func bool(_ key: String, default missing: Bool) -> Bool? {
    member(key, "true or false", default: missing) { value in
      if case .bool(let bool) = value { bool } else { nil }
    }
  }

  /// The enumeration case of this name.
  mutating func choice<E: RawRepresentable & CaseIterable>(
    _ key: String, _: E.Type, default missing: E? = nil
  ) -> E? where E.RawValue == String {
    guard let name = member(key, "a string", default: missing?.rawValue, \.string) else {
      return nil
    }
    guard let value = E(rawValue: name) else {
      let names = E.allCases.map(\.rawValue).joined(separator: ", ")
      addFault(key, "must be one of \(names), is \"\(Self.sanitized(name))\"")
      return nil
    }
    return value
  }

  /// At most 64 characters of untrusted text, with control characters replaced.
  static func sanitized(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.prefix(64).unicodeScalars.prefix(256) {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      shown.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(shown)
  }

  private static func typeDescription(_ value: JSONValue) -> String {
    switch value {
    case .object: "an object"
    case .array: "an array"
    case .string(let text): "the string \"\(sanitized(text))\""
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .null: "null"
    }
  }
}

extension JSONValue {
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var wholeNumber: Double? { number.flatMap { $0 == $0.rounded() ? $0 : nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [JSONValue]? { if case .array(let all) = self { all } else { nil } }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  fileprivate init?(hexadecimal digit: UInt8) {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self = digit - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}
