import Files
import Glibc
import Programs

/// What comes out is called, and of which kind it is: by what was asked for, and by what went in.
struct OutputNaming {
  private let input: FilePath
  /// What was asked for; nil where nothing was.
  private let output: FilePath?
  private let makesAlpha: Bool
  private let mayReplace: Bool
  /// What must stay as it is, with its name.
  private let kept: [(FilePath, FileIdentity)]

  /// Throws at once what is known to be wrong before the input is looked into.
  init(
    input: FilePath, output: FilePath?, effects: Effects, mayReplace: Bool
  ) throws(Problem) {
    self.input = input
    makesAlpha = effects.makesAlpha
    self.mayReplace = mayReplace
    kept = ([input] + effects.files).compactMap { path in FileIdentity(path).map { (path, $0) } }
    guard output?.bytes.isEmpty != true else { throw .use("OUT is empty; name a file or a folder") }
    if let output, case .folder = FileKind(output) {
      self.output = output.appending(input.split.name)
    } else {
      self.output = output
    }
    if let output = self.output {
      try check(output)
      let folder = output.split.folder
      guard case .folder = FileKind(folder) else {
        throw .use("there is no folder \(Terminal.shown(folder)) to write to")
      }
    }
  }

  /// Throws where the name is taken by what must stay.
  private func check(_ path: FilePath) throws(Problem) {
    guard let identity = FileIdentity(path) else { return }
    let shown = Terminal.shown(path)
    if let (read, _) = kept.first(where: { $0.1 == identity }) {
      let which = read == path ? "" : ", which is \(Terminal.shown(read))"
      throw .use("\(shown)\(which) is read, and is never written; name another OUT")
    }
    if case .folder = FileKind(path) {
      throw .use("\(shown) is a folder; name another OUT")
    }
    guard case .file = FileKind(path) else { throw .use("\(shown) is no file; name another OUT") }
    guard mayReplace else {
      throw .use("\(shown) is there already; name another OUT, or say --force to replace it")
    }
  }

  /// Where what comes out of a file of the GStreamer type `type` goes.
  @Sendable func target(_ type: String, isFilm: Bool) throws(Problem) -> Decoration.Target {
    var remark: String?
    var kind = OutputType(kept: type, input)
    let asked = output.flatMap { OutputType(ending: $0) }
    if let asked {
      guard asked.isFilm == isFilm else {
        throw .use(
          isFilm
            ? "\(Terminal.shown(input)) is a film; name an OUT that ends with .mp4, .mkv or .webm"
            : "\(Terminal.shown(input)) is a picture; name an OUT that ends with .jpg or .png")
      }
      kind = asked
    }
    if makesAlpha {
      guard !isFilm else {
        throw .use(
          "films with holes are made by pipelines/key-one-file.sh; put something behind instead")
      }
      guard asked != .jpeg else { throw .use("JPEG has no holes; name an OUT that ends with .png") }
      kind = .png
    }
    var path = output
    if kind == nil {
      kind = .instead(isFilm: isFilm)
      remark = "\(type) is not written here; it becomes \(isFilm ? "WebM" : "PNG")"
    }
    if kind!.needsH264, !Encoding.hasH264 {
      kind = .webm
      remark =
        "GStreamer has no encoder for H.264 and AAC here (gstreamer1.0-plugins-ugly and -libav have):"
        + " it becomes WebM"
      if asked != nil { path = output?.withoutEnding.adding(kind!.rawValue) }
    }
    if let output, asked == nil { path = output.adding(kind!.rawValue) }
    if path == nil {
      let isKept = OutputType(ending: input) == kind
      let ending = isKept ? input.bytes.dropFirst(input.withoutEnding.bytes.count) : []
      path = input.withoutEnding.adding("-mien")
      path = isKept ? path!.adding(FilePath(bytes: ending)) : path!.adding(kind!.rawValue)
    }
    try check(path!)
    return Decoration.Target(path: path!, type: kind!, remark: remark)
  }
}
