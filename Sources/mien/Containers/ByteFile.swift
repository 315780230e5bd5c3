import Files
import Glibc
import Programs

/// A file read from any place, with a place of its own from which it goes on.
final class ByteFile {
  let size: Int
  /// Where the next bytes come from.
  var place = 0
  private let descriptor: Int32
  /// What was read last, for headers stand close together.
  private var window: [UInt8] = []
  private var windowStart = 0

  init(_ path: FilePath) throws(Problem) {
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
    }
    size = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next bytes, fewer where the file ends.
  func read(_ count: Int) -> ArraySlice<UInt8> {
    if place < windowStart || place + count > windowStart + window.count {
      windowStart = place
      window = bytes(at: place, max(count, 512))
    }
    let start = min(place - windowStart, window.count)
    let found = window[start..<min(start + count, window.count)]
    place += found.count
    return found
  }

  /// The next bytes, or the reason that the file ends before.
  func need(_ count: Int) throws(Damage) -> [UInt8] {
    let found = read(count)
    guard found.count == count else { throw .endMissing }
    return Array(found)
  }

  private func bytes(at place: Int, _ count: Int) -> [UInt8] {
    guard place >= 0, count > 0 else { return [] }
    let expected = min(count, max(size - place, 0))
    var bytes = [UInt8](repeating: 0, count: expected)
    var have = 0
    while have < expected {
      let more = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + have, expected - have, off_t(place + have))
      }
      if more < 0 && errno == EINTR { continue }
      if more <= 0 { break }
      have += more
    }
    return Array(bytes[..<have])
  }
}

/// What is wrong with a file, in words for the user.
struct Damage: Error {
  let text: String

  static let endMissing = Damage(text: "its end is missing")

  static func broken(_ place: Int) -> Damage {
    Damage(text: "what stands at byte \(place) is no part of a film")
  }

  /// Throws where something reaches beyond the file.
  static func checkEnd(_ end: Int, _ size: Int) throws(Damage) {
    if end > size { throw Damage(text: "its last \(end - size) bytes are missing") }
  }
}

extension Sequence<UInt8> {
  /// The number that they are, the largest byte first.
  var bigEndian: Int { reduce(0) { $0 &<< 8 | Int($1) } }
  /// The number that they are, the smallest byte first.
  var littleEndian: Int { reversed().bigEndian }
}
