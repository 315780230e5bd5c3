/// The messages of an Open Sound Control bundle, read independently of the code that writes them.
struct OSCMessages {
  struct Message {
    let address: String
    var ints: [Int32] = []
    var floats: [Float] = []
    var texts: [String] = []
  }

  private(set) var messages: [Message] = []
  private var rest: ArraySlice<UInt8>

  /// Nil for bytes that are not a bundle of messages.
  init?(_ bytes: [UInt8]) {
    rest = bytes[...]
    guard text() == "#bundle", word() == 0, word() == 1 else { return nil }
    while !rest.isEmpty {
      guard let size = word(), size <= rest.count, size.isMultiple(of: 4) else { return nil }
      let end = rest.startIndex + Int(size)
      guard let address = text(), let types = text(), types.hasPrefix(",") else { return nil }
      var message = Message(address: address)
      for type in types.dropFirst() {
        switch type {
        case "i": message.ints.append(Int32(bitPattern: word() ?? 0))
        case "f": message.floats.append(Float(bitPattern: word() ?? 0))
        case "s": message.texts.append(text() ?? "")
        default: return nil
        }
      }
      guard rest.startIndex == end else { return nil }
      messages.append(message)
    }
  }

  func first(_ address: String) -> Message? { messages.first { $0.address == address } }

  /// The values of /VMC/Ext/Blend/Val by name.
  var blendshapes: [String: Float] {
    var values: [String: Float] = [:]
    for message in messages where message.address == "/VMC/Ext/Blend/Val" {
      values[message.texts[0]] = message.floats[0]
    }
    return values
  }

  private mutating func word() -> UInt32? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func text() -> String? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    let bytes = rest[..<end]
    let length = (bytes.count / 4 + 1) * 4
    guard rest.count >= length, rest[end..<rest.startIndex + length].allSatisfy({ $0 == 0 }) else {
      return nil
    }
    rest = rest.dropFirst(length)
    return String(decoding: bytes, as: UTF8.self)
  }
}
