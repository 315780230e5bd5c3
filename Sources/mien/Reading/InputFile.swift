import Files
import Glibc
import Programs

/// A file that a command reads.
struct InputFile {
  let path: FilePath

  /// Throws where it is not a readable file.
  init(_ path: FilePath) throws(ProgramError) {
    let shown = Terminal.printable(path)
    switch FileKind(path) {
    case .file: break
    case .folder: throw .usage("\(shown) is a folder; mien batch does all that is in one")
    case .nothing: throw .usage("there is no file \(shown)")
    case .other: throw .usage("\(shown) is no file")
    }
    guard path.withCString({ access($0, R_OK) }) == 0 else {
      throw .failure("\(shown) cannot be read: \(Terminal.errnoText)")
    }
    self.path = path
  }

  func makeReader(_ scan: FaceScan) throws(ProgramError) -> MediaReader {
    let reader = try MediaReader(path)
    reader.connect = { [unowned reader] (streams) throws(ProgramError) in
      try scan.connect(reader, streams)
    }
    return reader
  }
}
