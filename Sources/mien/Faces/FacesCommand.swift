import CGStreamer
import Files
import Programs

/// `mien faces`: what is known of the faces in a picture, a film or a camera.
enum FacesCommand {
  private static let options: [Options.Option] = [
    .init("json", "j", "Write JSON, an object a line and frame"),
    .init("csv", "c", "Write a table, a line a face"),
    .init("summary", "s", "Write only a summary at the end"),
    .init("mesh", "m", "With --json: the 468 points of each face too"),
    .init("expect", "e", .required("N"), "End with 1 unless so many faces are seen: 2, 1-3 or 1+"),
  ]

  static func run(_ arguments: [FilePath]) throws(Problem) -> Int32 {
    let options = try Options.read(
      arguments, options, usage: "IN",
      summary: "Finds the faces in a picture, a film or a camera (/dev/video0), and writes a line\n"
        + "for each frame. Places are shares of the picture as it is seen, upright.",
      text: """
        --expect looks at the most faces that are seen in one frame. It writes nothing where the
        expectation holds, unless --json, --csv or --summary is given too.

        Exit code: 0; 1 where the expectation does not hold; 2 for wrong use; 3 where the film
        cannot be read to its end.
        """)
    guard options.words.count == 1 else {
      throw .use("name one picture or film (see mien faces --help)")
    }
    let formats = ["json", "csv", "summary"].filter(options.has)
    guard formats.count < 2 else {
      throw .use("--\(formats[0]) and --\(formats[1]) exclude each other")
    }
    var expectation: FaceExpectation?
    if let text = options.value("expect")?.description {
      expectation = FaceExpectation(text)
      guard expectation != nil else {
        throw .use("--expect takes a number of faces, as 2, 1-3 or 1+, not \(text)")
      }
    }
    if options.has("mesh"), !options.has("json") { throw .use("--mesh goes with --json") }
    let format: FaceFormat? =
      switch formats.first {
      case "json": .json(withMesh: options.has("mesh"))
      case "csv": .csv
      case "summary": nil
      default: expectation == nil ? .text : nil
      }
    let summary = try look(
      options.words[0], format, goesOn: expectation != nil || formats == ["summary"])
    // What was asked for is not all there: no expectation holds or fails by it.
    if let failure = Terminal.failure { return failure.code }
    if formats == ["summary"] { summary.lines.forEach(Terminal.say) }
    guard let expectation, !expectation.holds(summary.most) else { return Ending.done.rawValue }
    let seen = summary.most == 1 ? "1 face" : "\(summary.most) faces"
    Terminal.complain(
      "\(Terminal.shown(options.words[0])): \(seen), expected \(expectation.text)")
    return Ending.no.rawValue
  }

  /// Reads to the end, or until what is written is lost; unless `goesOn`, until nobody reads it.
  private static func look(
    _ input: FilePath, _ format: FaceFormat?, goesOn: Bool
  ) throws(Problem) -> FaceSummary {
    try Plugin.load()
    let isCamera = input.isCamera
    let source = isCamera ? nil : try Source(input)
    if let heading = format?.heading { Terminal.say(heading) }
    let (lock, shared) = (Lock(), Shared())
    func isEnough() -> Bool { Terminal.failure != nil || Terminal.isUnread && !goesOn }
    let look = FrameLook { frame in
      lock {
        shared.summary.add(frame)
        if let format, !Terminal.isUnread { Terminal.say(format.line(frame)) }
      }
      if isEnough() { shared.reading?.stop(Problem(code: 0, text: "")) }
    }
    do throws(Problem) {
      guard let source else {
        try Camera.watch(input, look, isEnough: isEnough)
        return lock { shared.summary }
      }
      let reading = try source.reading(look)
      shared.reading = reading
      defer { shared.reading = nil }
      try reading.play(tick: {}) { Terminal.complain("\(Terminal.shown(input)): \($0.text)") }
    } catch {
      if error.code == 0 { return shared.summary }
      throw error.of(Terminal.shown(input))
    }
    return lock { shared.summary }
  }

  private final class Shared {
    var summary = FaceSummary()
    weak var reading: Reading?
  }
}
