/// An argument of a message.
enum OSCArgument: Equatable {
  case int(Int32)
  case float(Float)
  case string(String)
}

/// A bundle of Open Sound Control messages, as the bytes of a datagram.
///
/// All numbers are big-endian, all parts padded with zeros to multiples of four bytes (M. Wright,
/// "The Open Sound Control 1.0 Specification", 2002).
struct OSCBundle {
  private(set) var bytes: [UInt8] = []

  /// An empty bundle, to be executed on arrival: its time tag is 1.
  init() {
    bytes.reserveCapacity(4096)
    append("#bundle")
    append(0)
    append(1)
  }

  mutating func add(_ address: String, _ arguments: OSCArgument...) {
    let start = bytes.count
    append(0)
    append(address)
    var types = ","
    for argument in arguments {
      switch argument {
      case .int: types += "i"
      case .float: types += "f"
      case .string: types += "s"
      }
    }
    append(types)
    for argument in arguments {
      switch argument {
      case .int(let number): append(UInt32(bitPattern: number))
      case .float(let number): append(number.bitPattern)
      case .string(let text): append(text)
      }
    }
    // The size of the message stands before it.
    let size = UInt32(bytes.count - start - 4)
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
    }
  }

  private mutating func append(_ word: UInt32) {
    for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: word >> (24 - 8 * index))) }
  }

  /// Appends text and at least one zero.
  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    repeat { bytes.append(0) } while !bytes.count.isMultiple(of: 4)
  }
}
