import Client
import Effects
import Files
import Glibc
import Programs

/// Chooses the output's path and format from the arguments and the input.
struct OutputNaming {
  private let input: FilePath
  /// The argument OUT; nil without one.
  private let output: FilePath?
  private let makesAlpha: Bool
  private let mayReplace: Bool
  /// The type of a streamed output, or `.some(nil)` for that of the input; nil for a file.
  private let streamed: OutputType??
  /// Files that must not be overwritten.
  private let protected: [(FilePath, FileIdentity)]

  /// Throws for errors that are known before the input is read.
  init(
    input: FilePath, output: FilePath?, effects: EffectOptions, mayReplace: Bool,
    streamed: OutputType?? = nil
  ) throws(ProgramError) {
    self.input = input
    self.streamed = streamed
    makesAlpha = effects.chain.makesAlpha
    self.mayReplace = mayReplace
    protected = ([input] + effects.chain.files).compactMap { path in
      FileIdentity(path).map { (path, $0) }
    }
    guard output?.bytes.isEmpty != true else {
      throw .usage("OUT is empty; name a file or a folder")
    }
    if streamed != nil {
      self.output = nil
    } else if let output, case .folder = FileKind(output) {
      self.output = output.appending(input.split.name)
    } else {
      self.output = output
    }
    if let output = self.output {
      try checkWritable(output)
      let folder = output.split.folder
      guard case .folder = FileKind(folder) else {
        throw .usage("there is no folder \(Terminal.printable(folder)) to write to")
      }
    }
  }

  /// Throws where the path must not be written.
  private func checkWritable(_ path: FilePath) throws(ProgramError) {
    guard let identity = FileIdentity(path) else { return }
    let shown = Terminal.printable(path)
    if let (read, _) = protected.first(where: { $0.1 == identity }) {
      let which = read == path ? "" : ", which is \(Terminal.printable(read))"
      throw .usage("\(shown)\(which) is read, and is never written; name another OUT")
    }
    if case .folder = FileKind(path) {
      throw .usage("\(shown) is a folder; name another OUT")
    }
    guard case .file = FileKind(path) else { throw .usage("\(shown) is no file; name another OUT") }
    guard mayReplace else {
      throw .usage("\(shown) is there already; name another OUT, or say --force to replace it")
    }
  }

  /// Throws where a film of the type needs an encoder that is missing.
  static func checkAlphaEncoder(_ type: OutputType) throws(ProgramError) {
    guard let encoder = FilmEncoding.alphaEncoder(type), !Element.isAvailable(encoder.element)
    else { return }
    throw .failure(
      "GStreamer has no encoder for \(encoder.codec) here (\(encoder.element) of gstreamer1.0-libav)"
    )
  }

  /// The standard output for an input of the media type `type`.
  private func streamTarget(_ wanted: OutputType?, _ type: String, isFilm: Bool)
    throws(ProgramError) -> Decoration.Target
  {
    var kind = wanted ?? OutputType(preserving: type, input) ?? .fallback(isFilm: isFilm)
    guard kind.isFilm == isFilm else {
      throw .usage(
        isFilm
          ? "this is a film; name mkv, ts, webm or mp4 as --to-type"
          : "this is a picture; name jpg or png as --to-type")
    }
    if makesAlpha {
      guard let holding = kind.withAlpha(mayChange: wanted == nil) else {
        throw .usage(
          "\(kind.name) has no transparency; say --to-type=\(isFilm ? "mov or mkv" : "png")")
      }
      kind = holding
      try Self.checkAlphaEncoder(kind)
    } else if kind.needsH264, !FilmEncoding.hasH264 {
      guard wanted == nil else {
        throw .failure(
          "GStreamer has no encoder for H.264 and AAC here (gstreamer1.0-plugins-ugly and -libav"
            + " have); say --to-type=mkv or webm")
      }
      kind = .webm
    }
    return Decoration.Target(path: "the standard output", type: kind, stream: STDOUT_FILENO)
  }

  /// The output for an input of the media type `type`.
  @Sendable func target(_ type: String, isFilm: Bool) throws(ProgramError) -> Decoration.Target {
    if let streamed { return try streamTarget(streamed, type, isFilm: isFilm) }
    var remark: String?
    var kind = OutputType(preserving: type, input)
    let asked = output.flatMap { OutputType(ending: $0) }
    if let asked {
      guard asked.isFilm == isFilm else {
        throw .usage(
          isFilm
            ? "\(Terminal.printable(input)) is a film; name an OUT that ends with .mp4, .mkv or .webm"
            : "\(Terminal.printable(input)) is a picture; name an OUT that ends with .jpg or .png")
      }
      kind = asked
    }
    if makesAlpha {
      let known = kind ?? .fallback(isFilm: isFilm)
      guard let holding = known.withAlpha(mayChange: asked == nil) else {
        throw .usage(
          "\(known.name) has no transparency; name an OUT that ends with "
            + (isFilm ? ".mov (ProRes 4444) or .mkv (FFV1)" : ".png"))
      }
      kind = holding
      try Self.checkAlphaEncoder(holding)
    }
    var path = output
    if kind == nil {
      kind = .fallback(isFilm: isFilm)
      remark = "\(type) is not written here; it becomes \(isFilm ? "WebM" : "PNG")"
    }
    if kind!.needsH264, !makesAlpha, !FilmEncoding.hasH264 {
      kind = .webm
      remark =
        "GStreamer has no encoder for H.264 and AAC here (gstreamer1.0-plugins-ugly and -libav have):"
        + " it becomes WebM"
      if asked != nil { path = output?.withoutEnding.appendingText(kind!.rawValue) }
    }
    if let output, asked == nil { path = output.appendingText(kind!.rawValue) }
    if path == nil {
      let isKept = OutputType(ending: input) == kind
      let ending = isKept ? input.bytes.dropFirst(input.withoutEnding.bytes.count) : []
      path = input.withoutEnding.appendingText("-mien")
      path =
        isKept ? path!.appendingText(FilePath(bytes: ending)) : path!.appendingText(kind!.rawValue)
    }
    try checkWritable(path!)
    return Decoration.Target(path: path!, type: kind!, remark: remark)
  }
}
