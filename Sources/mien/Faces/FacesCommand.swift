import CGStreamer
import Files
import Programs
import Puppets

/// `mien faces`: prints the faces in a picture, a film or a camera.
enum FacesCommand {
  private static let options: [Options.Option] = [
    .init("json", "j", "Write JSON, an object a line and frame"),
    .init("csv", "c", "Write a table, a line a face"),
    .init("summary", "s", "Write only a summary at the end"),
    .init("mesh", "m", "With --json: the 468 points of each face too"),
    .init("blendshapes", "b", "With --json: the 52 blendshapes of each face, and its gaze"),
    .init("hands", "H", "With --json: up to four hands too, with their points and gestures"),
    .init(
      "send", "S", .required("PROTOCOL"),
      "Send the face to an avatar: vmc, openseeface or ifacialmocap"),
    .init("to", "t", .required("HOST:PORT"), "With --send: where to; else this machine"),
    .init("expect", "e", .required("N"), "End with 1 unless so many faces are seen: 2, 1-3 or 1+"),
  ]

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let options = try Options.parse(
      arguments, options, usage: "IN",
      summary: "Finds the faces in a picture, a film or a camera (/dev/video0), and writes a line\n"
        + "for each frame. Places are shares of the picture as it is seen, upright.",
      text: """
        --expect looks at the most faces that are seen in one frame. It writes nothing where the
        expectation holds, unless --json, --csv or --summary is given too.

        --send has a film run at its pace, and a camera until Ctrl-C; it writes the faces only if
        --json, --csv or --summary is given too. Datagrams leave this machine only with --to.
        PROTOCOL is vmc (port 39539), openseeface (11573) or ifacialmocap (49983).

        Exit code: 0; 1 where the expectation does not hold; 2 for wrong use; 3 where the film
        cannot be read to its end.
        """)
    guard options.positional.count == 1 else {
      throw .usage("name one picture or film (see mien faces --help)")
    }
    let formats = ["json", "csv", "summary"].filter(options.has)
    guard formats.count < 2 else {
      throw .usage("--\(formats[0]) and --\(formats[1]) exclude each other")
    }
    var expectation: FaceExpectation?
    if let text = options.value("expect")?.description {
      expectation = FaceExpectation(text)
      guard expectation != nil else {
        throw .usage("--expect takes a number of faces, as 2, 1-3 or 1+, not \(text)")
      }
    }
    for name in ["mesh", "blendshapes", "hands"] where options.has(name) && !options.has("json") {
      throw .usage("--\(name) goes with --json")
    }
    let puppet = try makePuppet(options)
    let format: FaceFormat? =
      switch formats.first {
      case "json": .json(withMesh: options.has("mesh"), withBlendshapes: options.has("blendshapes"))
      case "csv": .csv
      case "summary": nil
      default: expectation == nil && puppet == nil ? .text : nil
      }
    let summary = try scan(
      options.positional[0], format, puppet, hasHands: options.has("hands"),
      continues: expectation != nil || formats == ["summary"] || puppet != nil)
    // Output was lost: the expectation is not judged.
    if let failure = Terminal.outputError { return failure.code }
    if formats == ["summary"] { summary.lines.forEach(Terminal.printLine) }
    guard let expectation, !expectation.holds(summary.maximum) else {
      return ExitCode.success.rawValue
    }
    let seen = summary.maximum == 1 ? "1 face" : "\(summary.maximum) faces"
    Terminal.warn(
      "\(Terminal.printable(options.positional[0])): \(seen), expected \(expectation.text)")
    return ExitCode.negative.rawValue
  }

  /// The puppet of `--send`, if there is one.
  private static func makePuppet(_ options: Options) throws(ProgramError) -> Puppet? {
    let place = options.value("to")?.description
    guard let name = options.value("send")?.description else {
      if place != nil { throw .usage("--to goes with --send") }
      return nil
    }
    guard let kind = PuppetProtocol(rawValue: name) else {
      throw .usage(
        "--send takes vmc, openseeface or ifacialmocap, not \(Terminal.singleLine(name))")
    }
    return try Puppet(kind, to: place)
  }

  /// Reads to the end, or until a write fails; without `continues` also until the pipe is closed.
  private static func scan(
    _ input: FilePath, _ format: FaceFormat?, _ puppet: Puppet?, hasHands: Bool, continues: Bool
  ) throws(ProgramError) -> FaceSummary {
    try Plugin.load()
    let isCamera = input.isCamera
    let source = isCamera ? nil : try InputFile(input)
    if let puppet, format == nil { Terminal.warn("sending to \(puppet.place)") }
    if let heading = format?.heading { Terminal.printLine(heading) }
    let (lock, shared) = (RecursiveLock(), Shared())
    func isEnough() -> Bool { Terminal.outputError != nil || Terminal.isClosed && !continues }
    let scan = FaceScan(
      puppet: puppet, hasBlendshapes: format?.hasBlendshapes == true, hasHands: hasHands
    ) { frame in
      lock {
        shared.summary.add(frame)
        if let format, !Terminal.isClosed { Terminal.printLine(format.line(frame)) }
      }
      if isEnough() { shared.reader?.stop(ProgramError(code: 0, text: "")) }
    }
    do throws(ProgramError) {
      guard let source else {
        try Camera.scanFaces(input, scan, isEnough: isEnough)
        return lock { shared.summary }
      }
      let reader = try source.makeReader(scan)
      shared.reader = reader
      defer { shared.reader = nil }
      try reader.play(tick: {}) { Terminal.warn("\(Terminal.printable(input)): \($0.text)") }
    } catch {
      if error.code == 0 { return shared.summary }
      throw error.prefixed(by: Terminal.printable(input))
    }
    return lock { shared.summary }
  }

  private final class Shared {
    var summary = FaceSummary()
    weak var reader: MediaReader?
  }
}
