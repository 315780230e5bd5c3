import CGStreamer
import Files
import Glibc
import Programs

/// The standard input and output as IN and OUT of `mien decorate`, where they are named "-".
struct StandardStreams {
  /// The path by which the standard input is read; nil where IN is a file.
  let input: FilePath?
  /// A name for the input, whose extension is its type; nil where IN is a file.
  let name: FilePath?
  /// What the standard output becomes: `.some(nil)` for the type of the input; nil where OUT is a file.
  let outputType: OutputType??

  private static let dash: FilePath = "-"

  /// Throws where the options contradict each other, or the input cannot be read.
  init(_ options: Options) throws(ProgramError) {
    let paths = options.positional
    let isOutput = paths.count > 1 && paths[1] == Self.dash
    if let text = options.value("to-type") {
      guard isOutput else { throw .usage("--to-type goes with an OUT of -") }
      let ending = FilePath("." + text.description)
      guard let type = ending == ".ts" ? .transportStream : OutputType(ending: ending) else {
        throw .usage(
          "--to-type=\(Terminal.printable(text)) is none of mkv, ts, webm, mp4, mov, jpg, png")
      }
      outputType = .some(type)
    } else {
      outputType = isOutput ? .some(nil) : nil
    }
    if isOutput {
      guard !options.has("verbose") else {
        throw .usage("--verbose writes to the standard output too; leave it out")
      }
      guard isatty(STDOUT_FILENO) == 0 else {
        throw .usage("the standard output is a terminal; pass it on, or name a file as OUT")
      }
    }
    guard paths[0] == Self.dash else {
      guard !options.has("type") else { throw .usage("--type goes with an IN of -") }
      (input, name) = (nil, nil)
      return
    }
    guard paths.count > 1 else {
      throw .usage("name an OUT for what comes from the standard input")
    }
    guard isatty(STDIN_FILENO) == 0 else {
      throw .usage("the standard input is a terminal; pass a picture or film to it")
    }
    name = FilePath("-." + (options.value("type")?.description ?? ""))
    input = try Self.file()
  }

  /// A path of the standard input as a file: a pipe is read to its end, into a file without a name.
  ///
  /// Films are checked, and most MP4 files can only be read, from the whole.
  private static func file() throws(ProgramError) -> FilePath {
    let standardInput: FilePath = "/proc/self/fd/0"
    var status = stat()
    if fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      lseek(STDIN_FILENO, 0, SEEK_CUR) == 0
    {
      return standardInput
    }
    guard let folder = g_get_tmp_dir() else { throw .failure("there is no temporary folder") }
    let copy = try AtomicFile(for: FilePath(folder).appending("input"))
    defer { copy.discard() }
    var (part, total) = ([UInt8](repeating: 0, count: 1 << 18), 0)
    while true {
      let count = read(STDIN_FILENO, &part, part.count)
      if let signal = TerminationSignal.received { throw .interrupted(signal) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .failure("the standard input: \(Terminal.errnoText)") }
      if count == 0 { break }
      guard Terminal.writeAll(Array(part[..<count]), to: copy.descriptor) else {
        throw .failure("\(Terminal.printable(FilePath(folder))): \(Terminal.errnoText)")
      }
      total += count
    }
    guard total > 0 else { throw .failure("the standard input is empty") }
    let kept = fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 3)
    return FilePath("/proc/self/fd/\(kept)")
  }
}
