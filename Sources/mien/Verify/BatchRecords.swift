import Files
import Glibc
import JSON
import Programs

/// What reports say of each film; reports are untrusted.
struct BatchRecords {
  /// A line of a report.
  struct Record {
    var state = ""
    var version = ""
    var options: [String] = []
    var inputChecksum: String?
    var outputChecksum: String?
    var reason: String?
  }

  private var records: [FilePath: [Record]] = [:]
  /// The number of lines that were understood, and of others.
  private(set) var lineCount = 0
  private(set) var brokenLineCount = 0

  /// Throws where a report cannot be read.
  init(_ reports: [FilePath]) throws(ProgramError) {
    for report in reports { try read(report) }
  }

  /// In the order of the lines.
  subscript(film: FilePath) -> [Record] { records[film] ?? [] }

  private mutating func read(_ report: FilePath) throws(ProgramError) {
    guard let file = report.withCString({ fopen($0, "re") }) else {
      throw .failure("\(Terminal.printable(report)): \(Terminal.errnoText)")
    }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while true {
      let count = getline(&line, &capacity, file)
      guard count > 0, let line else { break }
      let bytes = UnsafeBufferPointer(start: line, count: count).map { UInt8(bitPattern: $0) }
      addLine(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes)
    }
    guard ferror(file) == 0 else {
      throw .failure("\(Terminal.printable(report)): \(Terminal.errnoText)")
    }
  }

  private mutating func addLine(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    guard case .object(let fields)? = try? JSONValue.parse(bytes), let film = Self.path(fields)
    else {
      brokenLineCount += 1
      return
    }
    func text(_ name: String) -> String? {
      if case .string(let text)? = fields[name] { text } else { nil }
    }
    var record = Record(state: text("state") ?? "", version: text("version") ?? "")
    (record.inputChecksum, record.outputChecksum) = (text("sha256"), text("output_sha256"))
    record.reason = text("why")
    if case .array(let options)? = fields["options"] {
      record.options = options.map { if case .string(let option) = $0 { option } else { "" } }
    }
    records[film, default: []].append(record)
    lineCount += 1
  }

  private static func path(_ fields: [String: JSONValue]) -> FilePath? {
    if case .string(let digits)? = fields["file_hex"] {
      let digits = Array(digits)
      return FilePath(
        bytes: stride(from: 0, to: digits.count - 1, by: 2).compactMap {
          UInt8(String(digits[$0...$0 + 1]), radix: 16)
        })
    }
    if case .string(let name)? = fields["file"] { return FilePath(name) }
    return nil
  }
}
