import CGStreamer
import Files
import Programs

/// `mien decorate`: writes a picture or film with effects to another file.
enum DecorateCommand {
  private static let own: [Options.Option] = [
    .init("force", "f", "Replace OUT where it is there already"),
    .init("strict", "S", "Write nothing where the output would lack bits or tracks of a film"),
    .init("verbose", "v", "Print each face that is found, when faces come or go"),
    .init(
      "type", "t", .required("TYPE"),
      "What IN is where it is -, as mp4 or jpg; else it is found out"),
    .init(
      "to-type", "T", .required("TYPE"),
      "What OUT becomes where it is -: mkv, ts, webm, mp4 in fragments, jpg or png"),
  ]

  /// The options of effects, as they are given to the command.
  static func parse(_ effects: [FilePath]) throws(ProgramError) -> Options {
    try Options.parse(
      ["decorate"] + effects, EffectOptions.options, usage: "", summary: "", text: "")
  }

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let options = try Options.parse(
      arguments, EffectOptions.options + own, usage: "IN [OUT]",
      summary: "Decorates a picture or a film, and leaves the one that it was. Without OUT, what\n"
        + "comes out of holiday.jpg is holiday-mien.jpg beside it.",
      text: EffectOptions.help + "\n\n" + """
        JPEG, PNG, MP4, MOV, Matroska and WebM stay what they are, films with their sound, JPEG with
        its EXIF record; other pictures become PNG, other films WebM. A camera, as /dev/video0, is
        shown in a window until Ctrl-C. IN may be -, the standard input, and OUT -, the standard
        output; with IN - an OUT has to be named.

        Exit code: 0; 2 for wrong use; 3 where nothing could be written.
        """)
    guard (1...2).contains(options.positional.count) else {
      throw .usage("name a picture or film, and perhaps what comes out (see mien decorate --help)")
    }
    try Plugin.load()
    let effects = try EffectOptions(options)
    let input = options.positional[0]
    let output = options.positional.count > 1 ? options.positional[1] : nil
    if input.isCamera {
      guard output == nil else { throw .usage("a camera is shown, not written; leave out OUT") }
      do throws(ProgramError) {
        try Camera.show(input, effects)
      } catch {
        throw error.prefixed(by: Terminal.printable(input))
      }
      return ExitCode.success.rawValue
    }
    let streams = try StandardStreams(options)
    let source = if let file = streams.input { file } else { try InputFile(input).path }
    let naming = try OutputNaming(
      input: streams.name ?? input, output: output, effects: effects,
      mayReplace: options.has("force"), streamed: streams.outputType)
    let decoration: Decoration
    do throws(ProgramError) {
      decoration = try Decoration(source, effects, threads: 0, name: naming.target)
      decoration.isStrict = options.has("strict")
      decoration.onAbort = { Terminal.warn("\(Terminal.printable(input)): \($0)") }
      let report = FaceReport()
      if options.has("verbose") {
        decoration.onFrame = { report.printFaces($0, decoration.isFilm) }
      }
      let progress = Progress()
      let made = try decoration.run { progress.show(decoration) }
      Terminal.clearProgress()
      if let remark = made.remark { Terminal.warn(remark) }
      if let leftOut = decoration.leftOut { Terminal.warn("\(leftOut) was left out") }
      if let loss = decoration.loss { Terminal.warn(loss) }
      if made.stream == nil { Terminal.printLine("wrote \(Terminal.printable(made.path))") }
    } catch {
      throw error.code == ExitCode.usageError.rawValue
        ? error : error.prefixed(by: Terminal.printable(input))
    }
    return ExitCode.success.rawValue
  }
}

/// Shows on the terminal how much of a film is done, and the time left.
final class Progress {
  private var started: Double?
  private var shown = 0.0

  func show(_ decoration: Decoration) {
    guard Terminal.isInteractive, decoration.isFilm, let fraction = decoration.progress,
      fraction > 0
    else {
      return
    }
    let now = MonotonicClock.seconds
    let began = started ?? now
    started = began
    guard now - shown >= 0.2 else { return }
    shown = now
    let left =
      fraction > 0.01
      ? ", \(Terminal.formattedDuration((now - began) * (1 - fraction) / fraction)) left" : ""
    Terminal.showProgress("\((100 * fraction).fixed(1)) %\(left)")
  }
}

/// Prints the faces of frames; of a film when their number changes, at most twice per second.
final class FaceReport {
  private var count = -1
  private var printed = -1.0

  func printFaces(_ buffer: UnsafeMutablePointer<GstBuffer>, _ isFilm: Bool) {
    guard let frame = FrameRecord(buffer), frame.faces.count != count else { return }
    let time = frame.time ?? 0
    guard printed < 0 || !isFilm || time - printed >= 0.5 else { return }
    let at =
      isFilm
      ? String(repeating: " ", count: max(0, 8 - time.fixed(2).count)) + time.fixed(2) + " s  " : ""
    for face in frame.faces { Terminal.printLine(at + face.description) }
    if frame.faces.isEmpty { Terminal.printLine(at + "no face") }
    (count, printed) = (frame.faces.count, time)
  }
}
