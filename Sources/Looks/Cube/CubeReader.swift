package import Files
package import Threads

/// Why a .cube file cannot be used; `description` begins with the line where there is one.
package struct CubeProblem: Error, Equatable, CustomStringConvertible {
  /// Counted from 1; nil for what is wrong with the file as a whole.
  package let line: Int?
  package let reason: String

  package var description: String { (line.map { "line \($0): " } ?? "") + reason }
}

/// Reads .cube files, line by line: those of Adobe's specification (Cube LUT 1.0, 2013), and what
/// DaVinci Resolve, Nucoda and others add to it.
///
/// | line | meaning |
/// |---|---|
/// | `# ...`, blank | nothing |
/// | `TITLE "..."` | nothing here |
/// | `LUT_3D_SIZE n`, `LUT_1D_SIZE n` | 2...256, 2...65536; both: curves before a cube |
/// | `DOMAIN_MIN r g b`, `DOMAIN_MAX r g b` | the inputs that the table's ends stand for |
/// | `LUT_1D_INPUT_RANGE a b`, `LUT_3D_INPUT_RANGE a b` | the same for all three |
/// | `LUT_IN_VIDEO_RANGE`, `LUT_OUT_VIDEO_RANGE` | 16...235 stand for black and white |
/// | three numbers | an entry, red fastest |
///
/// Lines end with LF, CR LF or CR. Words that are not known are passed over before the first entry,
/// and refused after it. Nothing that a file says makes this take more memory than its entries do.
package struct CubeReader {
  /// Bytes of the largest file that is read: a cube of 256 with eight digits a number.
  package static let fileLimit = 512 << 20
  private static let lineLimit = 4096

  private var line: [UInt8] = []
  private var number = 1
  private var lastWasReturn = false
  private let size: Int
  private var parts = CubeParts()

  /// For a file of `size` bytes.
  package init(size: Int) { self.size = size }

  /// The cube in a file, read in pieces until `order` says that nobody wants it any more.
  package static func read(
    _ file: HostileFile, _ order: WorkOrder = WorkOrder()
  ) throws(CubeProblem) -> CubeFile {
    var reader = CubeReader(size: file.size)
    var start = 0
    while start < file.size {
      guard !order.isLate else { throw CubeProblem(line: nil, reason: "it took too long to read") }
      let piece: [UInt8]
      do throws(FileProblem) {
        piece = try file.bytes(from: start, count: min(1 << 20, file.size - start))
      } catch { throw CubeProblem(line: nil, reason: error.description) }
      guard !piece.isEmpty else { break }
      try reader.take(piece)
      start += piece.count
    }
    return try reader.finish()
  }

  /// The cube in a text.
  package static func read(_ bytes: [UInt8]) throws(CubeProblem) -> CubeFile {
    var reader = CubeReader(size: bytes.count)
    try reader.take(bytes)
    return try reader.finish()
  }

  /// Reads the next piece of the file.
  package mutating func take(_ bytes: [UInt8]) throws(CubeProblem) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), lastWasReturn {
        lastWasReturn = false
      } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        lastWasReturn = byte == UInt8(ascii: "\r")
        try endLine()
      } else {
        lastWasReturn = false
        guard line.count < Self.lineLimit else {
          throw problem("the line is longer than \(Self.lineLimit) bytes")
        }
        line.append(byte)
      }
    }
  }

  /// What was read, once all of it was.
  package mutating func finish() throws(CubeProblem) -> CubeFile {
    if !line.isEmpty { try endLine() }
    return try parts.file(lines: number - 1)
  }

  private func problem(_ reason: String) -> CubeProblem {
    CubeProblem(line: number, reason: reason)
  }

  private mutating func endLine() throws(CubeProblem) {
    if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    do throws(CubeFault) {
      try parts.take(CubeLine(line), size: size)
    } catch { throw problem(error.reason) }
    line.removeAll(keepingCapacity: true)
    number += 1
  }
}

/// What is wrong with a line.
struct CubeFault: Error {
  let reason: String
}

/// A line of words between blanks.
struct CubeLine {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next word; nil at the end, and before a comment.
  mutating func word() -> ArraySlice<UInt8>? {
    while at < bytes.count, bytes[at] <= 32 { at += 1 }
    guard at < bytes.count, bytes[at] != UInt8(ascii: "#") else { return nil }
    let start = at
    while at < bytes.count, bytes[at] > 32 { at += 1 }
    return bytes[start..<at]
  }

  /// The next `count` words as numbers, and nothing after them.
  mutating func numbers(_ count: Int) throws(CubeFault) -> SIMD3<Double> {
    var numbers = SIMD3<Double>.zero
    for index in 0..<count {
      guard let word = word() else {
        throw CubeFault(reason: "\(count) numbers are needed, and there are \(index)")
      }
      numbers[index] = try Self.number(word)
    }
    if word() != nil { throw CubeFault(reason: "there is more than \(count) numbers") }
    return numbers
  }

  /// A decimal number; nothing that is none, or not finite.
  static func number(_ word: ArraySlice<UInt8>) throws(CubeFault) -> Double {
    var rest = word
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var (value, scale, digits, isFraction) = (0.0, 1.0, 0, false)
    while let byte = rest.first {
      if let digit = digit(byte) {
        digits += 1
        // More digits than a number holds are only counted.
        if value < 1e17 {
          value = value * 10 + digit
          if isFraction { scale *= 10 }
        } else if !isFraction {
          scale /= 10
        }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      rest.removeFirst()
    }
    value /= scale
    if digits > 0, let byte = rest.first, byte | 32 == UInt8(ascii: "e") {
      rest.removeFirst()
      value = try raised(value, by: &rest)
    }
    guard digits > 0, rest.isEmpty, value < 1e9 else {
      let shown = String(decoding: word.prefix(20), as: UTF8.self)
      throw CubeFault(reason: "\"\(shown)\" is not a number that can stand here")
    }
    return isNegative ? -value : value
  }

  private static func raised(
    _ value: Double, by rest: inout ArraySlice<UInt8>
  ) throws(CubeFault) -> Double {
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty else { throw CubeFault(reason: "an exponent has no digits") }
    var exponent = 0
    while let byte = rest.first, let digit = digit(byte) {
      exponent = min(exponent * 10 + Int(digit), 400)
      rest.removeFirst()
    }
    var result = value
    for _ in 0..<exponent { result = isNegative ? result / 10 : result * 10 }
    return result
  }

  private static func digit(_ byte: UInt8) -> Double? {
    (48...57).contains(byte) ? Double(byte - 48) : nil
  }
}
