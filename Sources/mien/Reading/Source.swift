import Files
import Glibc
import Programs

/// What a command was told to read.
struct Source {
  let path: FilePath

  /// Throws where it is nothing that can be read as a file.
  init(_ path: FilePath) throws(Problem) {
    let shown = Terminal.shown(path)
    switch FileKind(path) {
    case .file: break
    case .folder: throw .use("\(shown) is a folder; mien batch does all that is in one")
    case .nothing: throw .use("there is no file \(shown)")
    case .other: throw .use("\(shown) is no file")
    }
    guard path.withCString({ access($0, R_OK) }) == 0 else {
      throw .failure("\(shown) cannot be read: \(Terminal.reason)")
    }
    self.path = path
  }

  func reading(_ look: FrameLook) throws(Problem) -> Reading {
    let reading = try Reading(path)
    reading.connect = { [unowned reading] (streams) throws(Problem) in
      try look.connect(reading, streams)
    }
    return reading
  }
}
