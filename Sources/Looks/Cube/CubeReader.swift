package import Files
package import Threads

/// Why a .cube file cannot be used; `description` begins with the line number, if any.
package struct CubeError: Error, Equatable, CustomStringConvertible {
  /// The line, counted from 1; nil for errors of the whole file.
  package let line: Int?
  package let reason: String

  package var description: String { (line.map { "line \($0): " } ?? "") + reason }
}

/// Reads .cube files line by line: Adobe's specification (Cube LUT 1.0, 2013) and the extensions of
/// DaVinci Resolve, Nucoda and others.
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
/// Lines end with LF, CR LF or CR. Unknown keywords are ignored before the first entry and rejected
/// after it. Memory is limited by the number of entries that the file can hold.
package struct CubeReader {
  /// The maximum file size in bytes: a cube of 256 with eight digits a number.
  package static let fileLimit = 512 << 20
  private static let lineLimit = 4096

  private var line: [UInt8] = []
  private var number = 1
  private var lastWasReturn = false
  private let size: Int
  private var parser = CubeParser()

  /// For a file of `size` bytes.
  package init(size: Int) { self.size = size }

  /// Reads a file in chunks; stops when `token` is cancelled or expires.
  package static func read(
    _ file: UntrustedFile, _ token: CancellationToken = CancellationToken()
  ) throws(CubeError) -> CubeFile {
    var reader = CubeReader(size: file.size)
    var start = 0
    while start < file.size {
      guard !token.shouldStop else {
        throw CubeError(line: nil, reason: "it took too long to read")
      }
      let chunk: [UInt8]
      do throws(FileError) {
        chunk = try file.bytes(from: start, count: min(1 << 20, file.size - start))
      } catch { throw CubeError(line: nil, reason: error.description) }
      guard !chunk.isEmpty else { break }
      try reader.append(chunk)
      start += chunk.count
    }
    return try reader.finish()
  }

  /// Reads a text.
  package static func read(_ bytes: [UInt8]) throws(CubeError) -> CubeFile {
    var reader = CubeReader(size: bytes.count)
    try reader.append(bytes)
    return try reader.finish()
  }

  /// Parses the next chunk of the file.
  package mutating func append(_ bytes: [UInt8]) throws(CubeError) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), lastWasReturn {
        lastWasReturn = false
      } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        lastWasReturn = byte == UInt8(ascii: "\r")
        try parseLine()
      } else {
        lastWasReturn = false
        guard line.count < Self.lineLimit else {
          throw lineError("the line is longer than \(Self.lineLimit) bytes")
        }
        line.append(byte)
      }
    }
  }

  /// The file's contents, after the last chunk.
  package mutating func finish() throws(CubeError) -> CubeFile {
    if !line.isEmpty { try parseLine() }
    return try parser.makeFile(lines: number - 1)
  }

  private func lineError(_ reason: String) -> CubeError {
    CubeError(line: number, reason: reason)
  }

  private mutating func parseLine() throws(CubeError) {
    if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    do throws(CubeLineError) {
      try parser.parse(CubeLine(line), size: size)
    } catch { throw lineError(error.reason) }
    line.removeAll(keepingCapacity: true)
    number += 1
  }
}

/// Why a line is invalid.
struct CubeLineError: Error {
  let reason: String
}

/// A tokenizer of a line of words separated by blanks.
struct CubeLine {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next word; nil at the end, and before a comment.
  mutating func nextWord() -> ArraySlice<UInt8>? {
    while position < bytes.count, bytes[position] <= 32 { position += 1 }
    guard position < bytes.count, bytes[position] != UInt8(ascii: "#") else { return nil }
    let start = position
    while position < bytes.count, bytes[position] > 32 { position += 1 }
    return bytes[start..<position]
  }

  /// The next `count` words as numbers; throws if there are more.
  mutating func remainingNumbers(_ count: Int) throws(CubeLineError) -> SIMD3<Double> {
    var numbers = SIMD3<Double>.zero
    for index in 0..<count {
      guard let word = nextWord() else {
        throw CubeLineError(reason: "\(count) numbers are needed, \(index) found")
      }
      numbers[index] = try Self.parseNumber(word)
    }
    if nextWord() != nil { throw CubeLineError(reason: "only \(count) numbers are allowed") }
    return numbers
  }

  /// Parses a finite decimal number.
  static func parseNumber(_ word: ArraySlice<UInt8>) throws(CubeLineError) -> Double {
    var remaining = word
    let isNegative = remaining.first == UInt8(ascii: "-")
    if isNegative || remaining.first == UInt8(ascii: "+") { remaining.removeFirst() }
    var (value, scale, digits, isFraction) = (0.0, 1.0, 0, false)
    while let byte = remaining.first {
      if let digit = digit(byte) {
        digits += 1
        // Digits beyond the precision of a Double only count.
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
      remaining.removeFirst()
    }
    value /= scale
    if digits > 0, let byte = remaining.first, byte | 32 == UInt8(ascii: "e") {
      remaining.removeFirst()
      value = try applyExponent(value, by: &remaining)
    }
    guard digits > 0, remaining.isEmpty, value < 1e9 else {
      let shown = String(decoding: word.prefix(20), as: UTF8.self)
      throw CubeLineError(reason: "\"\(shown)\" is not a valid number here")
    }
    return isNegative ? -value : value
  }

  private static func applyExponent(
    _ value: Double, by remaining: inout ArraySlice<UInt8>
  ) throws(CubeLineError) -> Double {
    let isNegative = remaining.first == UInt8(ascii: "-")
    if isNegative || remaining.first == UInt8(ascii: "+") { remaining.removeFirst() }
    guard !remaining.isEmpty else { throw CubeLineError(reason: "an exponent has no digits") }
    var exponent = 0
    while let byte = remaining.first, let digit = digit(byte) {
      exponent = min(exponent * 10 + Int(digit), 400)
      remaining.removeFirst()
    }
    var result = value
    for _ in 0..<exponent { result = isNegative ? result / 10 : result * 10 }
    return result
  }

  private static func digit(_ byte: UInt8) -> Double? {
    (48...57).contains(byte) ? Double(byte - 48) : nil
  }
}
