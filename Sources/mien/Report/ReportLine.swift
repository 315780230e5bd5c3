import CGStreamer
import Files
import Programs

/// What a batch reports of one film: a JSON object on one line.
struct ReportLine {
  /// The film's path in the folder.
  var file: FilePath
  /// "done", "partly", "damaged" or "failed".
  var state = "done"
  var input: FileChecksum?
  var frames = 0
  /// The most faces in a frame, and the number of faces followed; nil where none were looked for.
  var faces: (most: Int, followed: Int)?
  var seconds = 0.0
  var options: [FilePath] = []
  /// The output's path in the folder of outputs.
  var output: FilePath?
  var result: FileChecksum?
  /// Why there is no output, or what it lacks.
  var reason: String?

  /// The line, with its line break.
  var text: String {
    var fields = Self.name("file", file)
    fields += [("state", JSONText.string(state))]
    fields += [("sha256", JSONText.string(input?.sha256)), ("size", JSONText.number(input?.size))]
    fields += [
      ("frames", JSONText.number(frames)), ("faces", JSONText.number(faces?.most)),
      ("persons", JSONText.number(faces?.followed)), ("seconds", seconds.short(3)),
      ("host", JSONText.string(ClaimHolder.hostName)), ("version", JSONText.string(Plugin.version)),
      ("options", "[" + options.map { JSONText.string("\($0)") }.joined(separator: ", ") + "]"),
    ]
    if let output { fields += Self.name("output", output) } else { fields += [("output", "null")] }
    fields += [
      ("output_sha256", JSONText.string(result?.sha256)),
      ("output_size", JSONText.number(result?.size)), ("why", JSONText.string(reason)),
      ("time", JSONText.string(Self.now)),
    ]
    return "{" + fields.map { JSONText.string($0) + ": " + $1 }.joined(separator: ", ") + "}\n"
  }

  /// A path; one that is not UTF-8 has a second field with its bytes.
  private static func name(_ key: String, _ path: FilePath) -> [(String, String)] {
    let text = [(key, JSONText.string("\(path)"))]
    guard String(validating: path.bytes, as: UTF8.self) == nil else { return text }
    return text + [(key + "_hex", JSONText.string(JSONText.hex(path.bytes)))]
  }

  /// In UTC, as "2026-11-25T03:00:00Z".
  private static var now: String {
    guard let time = g_date_time_new_now_utc() else { return "" }
    defer { g_date_time_unref(time) }
    guard let text = g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ") else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}

/// Values in JSON syntax.
enum JSONText {
  static func number(_ value: Int?) -> String { value.map { "\($0)" } ?? "null" }

  static func string(_ text: String?) -> String {
    guard let text else { return "null" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\" + String(scalar)
      case 0..<0x20, 0x7F, 0x2028, 0x2029:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
