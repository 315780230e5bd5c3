/// The members of one JSON object, read by name and type; faults are collected, not thrown, so that
/// all faults of a pack are reported at once.
struct PackFields {
  private let members: [String: JSONValue]
  private(set) var faults: [(key: String, reason: String)] = []

  init(_ members: [String: JSONValue]) { self.members = members }

  /// What an item is known by in messages.
  var itemName: String? {
    for key in ["folder", "file"] {
      if case .string(let name)? = members[key] { return Self.shown(name) }
    }
    return nil
  }

  func has(_ key: String) -> Bool { members[key] != nil }

  mutating func fault(_ key: String, _ reason: String) { faults.append((key, reason)) }

  /// Runs `body`; what it throws is a fault of this member.
  mutating func recordingFault(_ key: String, _ body: () throws(JSONProblem) -> Void) {
    do throws(JSONProblem) { try body() } catch { fault(key, error.reason) }
  }

  /// The member of this name as `cast` finds it; nil and a fault where it is missing (unless
  /// `missing` is given) or of another kind.
  private mutating func member<T>(
    _ key: String, _ kind: String, default missing: T?, _ cast: (JSONValue) -> T?
  ) -> T? {
    guard let value = members[key] else {
      if missing == nil { fault(key, "is missing") }
      return missing
    }
    let found = cast(value)
    if found == nil { fault(key, "must be \(kind), is \(Self.kind(value))") }
    return found
  }

  /// A number in `range`; what stands for a missing one may be any.
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
    fault(key, "must be from \(shown.lowerBound) to \(shown.upperBound), is \(number)")
    return false
  }

  /// Exactly `count` whole numbers.
  mutating func ints(_ key: String, count: Int, _ range: ClosedRange<Int>) -> [Int]? {
    guard let values = array(key, count...count) else { return nil }
    var numbers: [Int] = []
    for value in values {
      if value.wholeNumber == nil {
        fault(key, "must be a whole number, is \(Self.kind(value))")
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
        fault(key, "must contain only numbers, has \(Self.kind(value))")
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
      fault(key, "must have \(wanted) members, has \(values.count)")
      return nil
    }
    return values
  }

  mutating func strings(_ key: String, _ counts: ClosedRange<Int>) -> [String]? {
    guard let values = array(key, counts) else { return nil }
    let texts = values.compactMap(\.string)
    if texts.count < values.count { fault(key, "must contain only strings") }
    return texts
  }

  /// "#rrggbb" in hexadecimal digits.
  mutating func color(_ key: String) -> SIMD3<UInt8>? {
    guard let text = string(key) else { return nil }
    let digits = Array(text.utf8.dropFirst()).map { UInt8(hexadecimal: $0) }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, !digits.contains(nil) else {
      fault(key, "must be a colour like \"#c03040\", is \"\(Self.shown(text))\"")
      return nil
    }
    func byte(_ index: Int) -> UInt8 {
      (digits[2 * index] ?? 0) << 4 | (digits[2 * index + 1] ?? 0)
    }
    return SIMD3(byte(0), byte(1), byte(2))
  }

  /// Whether the member is this number; says nothing where it is not.
  func `is`(_ key: String, _ number: Double) -> Bool { members[key]?.number == number }

  mutating func string(_ key: String) -> String? {
    member(key, "a string", default: nil, \.string)
  }

  /// Nil where it is missing; that, and only that, without a fault.
  mutating func optionalString(_ key: String) -> String? { has(key) ? string(key) : nil }

  mutating func bool(_ key: String, default missing: Bool) -> Bool? {
    member(key, "true or false", default: missing) { value in
      if case .bool(let bool) = value { bool } else { nil }
    }
  }

  /// One of the names of an enumeration.
  mutating func choice<E: RawRepresentable & CaseIterable>(
    _ key: String, _: E.Type, default missing: E? = nil
  ) -> E? where E.RawValue == String {
    guard let name = member(key, "a string", default: missing?.rawValue, \.string) else {
      return nil
    }
    guard let value = E(rawValue: name) else {
      let names = E.allCases.map(\.rawValue).joined(separator: ", ")
      fault(key, "must be one of \(names), is \"\(Self.shown(name))\"")
      return nil
    }
    return value
  }

  /// At most 64 characters of a text that is not trusted, with those replaced that steer a terminal.
  static func shown(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.prefix(64).unicodeScalars.prefix(256) {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      shown.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(shown)
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

extension JSONValue {
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var wholeNumber: Double? { number.flatMap { $0 == $0.rounded() ? $0 : nil } }
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var array: [JSONValue]? { if case .array(let all) = self { all } else { nil } }
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
