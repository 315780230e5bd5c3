import CGStreamer
import Files
import Programs

/// `mien decorate`: a picture or film with effects, as a file of its own.
enum DecorateCommand {
  private static let own: [Options.Option] = [
    .init("force", "f", "Replace OUT where it is there already"),
    .init("verbose", "v", "Print each face that is found, when faces come or go"),
  ]

  static func run(_ arguments: [FilePath]) throws(Problem) -> Int32 {
    let options = try Options.read(
      arguments, Effects.options + own, usage: "IN [OUT]",
      summary: "Decorates a picture or a film, and leaves the one that it was. Without OUT, what\n"
        + "comes out of holiday.jpg is holiday-mien.jpg beside it.",
      text: Effects.help + "\n\n" + """
        JPEG, PNG, MP4, MOV, Matroska and WebM stay what they are, films with their sound, JPEG with
        its EXIF record; other pictures become PNG, other films WebM. A camera, as /dev/video0, is
        shown in a window until Ctrl-C.

        Exit code: 0; 2 for wrong use; 3 where nothing could be written.
        """)
    guard (1...2).contains(options.words.count) else {
      throw .use("name a picture or film, and perhaps what comes out (see mien decorate --help)")
    }
    try Plugin.load()
    let effects = try Effects(options)
    let input = options.words[0]
    let output = options.words.count > 1 ? options.words[1] : nil
    if input.isCamera {
      guard output == nil else { throw .use("a camera is shown, not written; leave out OUT") }
      do throws(Problem) {
        try Camera.show(input, effects)
      } catch {
        throw error.of(Terminal.shown(input))
      }
      return Ending.done.rawValue
    }
    let source = try Source(input)
    let naming = try OutputNaming(
      input: input, output: output, effects: effects, mayReplace: options.has("force"))
    let decoration: Decoration
    do throws(Problem) {
      decoration = try Decoration(source.path, effects, threads: 0, name: naming.target)
      decoration.lastWords = { Terminal.complain("\(Terminal.shown(input)): \($0)") }
      let report = FaceReport()
      if options.has("verbose") { decoration.onFrame = { report.see($0, decoration.isFilm) } }
      let progress = Progress()
      let made = try decoration.run { progress.show(decoration) }
      Terminal.clearProgress()
      if let remark = made.remark { Terminal.complain(remark) }
      if let leftOut = decoration.leftOut { Terminal.complain("\(leftOut) was left out") }
      Terminal.say("wrote \(Terminal.shown(made.path))")
    } catch {
      throw error.code == Ending.wrongUse.rawValue ? error : error.of(Terminal.shown(input))
    }
    return Ending.done.rawValue
  }
}

/// How far a film is, and how long it will take, on the terminal of whoever waits for it.
final class Progress {
  private var started: Double?
  private var shown = 0.0

  func show(_ decoration: Decoration) {
    guard Terminal.isWatched, decoration.isFilm, let share = decoration.share, share > 0 else {
      return
    }
    let now = StallWatch.seconds(CLOCK_MONOTONIC)
    let began = started ?? now
    started = began
    guard now - shown >= 0.2 else { return }
    shown = now
    let left = share > 0.01 ? ", \(Terminal.clock((now - began) * (1 - share) / share)) left" : ""
    Terminal.progress("\((100 * share).fixed(1)) %\(left)")
  }
}

/// Prints the faces of the frames that pass, of a film when they come or go, at most twice a second.
final class FaceReport {
  private var count = -1
  private var printed = -1.0

  func see(_ buffer: UnsafeMutablePointer<GstBuffer>, _ isFilm: Bool) {
    guard let frame = FrameRecord(buffer), frame.faces.count != count else { return }
    let time = frame.time ?? 0
    guard printed < 0 || !isFilm || time - printed >= 0.5 else { return }
    let at =
      isFilm
      ? String(repeating: " ", count: max(0, 8 - time.fixed(2).count)) + time.fixed(2) + " s  " : ""
    for face in frame.faces { Terminal.say(at + face.description) }
    if frame.faces.isEmpty { Terminal.say(at + "no face") }
    (count, printed) = (frame.faces.count, time)
  }
}
