import Files
import Glibc
import Programs

/// The names of films from a list, for --files-from.
enum FileList {
  /// The names in a file, or in the standard input for "-", relative to the folder: one a line, or each
  /// with a NUL behind it where the list contains one.
  static func names(_ list: FilePath, in folder: FilePath) throws(ProgramError) -> [FilePath] {
    let bytes = try read(list)
    let separator = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    var (names, seen): ([FilePath], Set<FilePath>) = ([], [])
    for line in bytes.split(separator: separator) {
      var name = FilePath(bytes: line)
      if name.isAbsolute {
        let root = folder.bytes + [UInt8(ascii: "/")]
        guard line.starts(with: root) else {
          throw .usage("\(Terminal.printable(name)) is not in \(Terminal.printable(folder))")
        }
        name = FilePath(bytes: line.dropFirst(root.count))
      }
      let parts = name.bytes.split(separator: UInt8(ascii: "/")).filter {
        $0 != [UInt8(ascii: ".")]
      }
      guard !parts.contains(Array("..".utf8)[...]), !parts.isEmpty else {
        throw .usage("\(Terminal.printable(name)) is not in \(Terminal.printable(folder))")
      }
      // One name for a file, so that it is done once.
      name = FilePath(bytes: parts.joined(separator: [UInt8(ascii: "/")]))
      if seen.insert(name).inserted { names.append(name) }
    }
    return names
  }

  private static func read(_ list: FilePath) throws(ProgramError) -> [UInt8] {
    let file =
      list == "-" ? dup(STDIN_FILENO) : list.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { throw .usage("\(Terminal.printable(list)): \(Terminal.errnoText)") }
    defer { close(file) }
    var (bytes, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = Glibc.read(file, &part, part.count)
      if count < 0, errno == EINTR, TerminationSignal.received == nil { continue }
      guard count >= 0 else { throw .usage("\(Terminal.printable(list)): \(Terminal.errnoText)") }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }
}
