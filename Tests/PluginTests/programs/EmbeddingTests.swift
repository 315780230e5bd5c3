import Faces
import Support
import Testing

/// The three programs that embed the plugin, built as their first lines say.
@Suite(.serialized, .timeLimit(.minutes(20))) struct EmbeddingTests {
  private static let swift = "pipelines/embed/swift"
  private let scratch = ScratchFolder()

  /// The commands of the three, the compiled ones built anew where their source changed.
  private func programs() throws -> [String] {
    let c = scratch.path + "/faces"
    let sources = Photograph.root + "/pipelines/embed"
    let compiled = try Command([
      "sh", "-c",
      "cc -Wall -Wextra -Wno-unused-parameter -Werror -o '\(c)' '\(sources)/faces.c'"
        + " $(pkg-config --cflags --libs gstreamer-1.0)",
    ])
    try #require(compiled.status == 0, "\(compiled.errors)")
    let built = try Command([
      "swift", "build", "--package-path", Self.swift, "--scratch-path", ".build/embed",
    ])
    try #require(built.status == 0, "\(built.output)\(built.errors)")
    return [c, "pipelines/embed/faces.py", ".build/embed/debug/faces"]
  }

  private func clip(frames: Int) throws -> String {
    let made = try Command(["pipelines/clips.sh", scratch.path, "1", "\(frames)"])
    try #require(made.status == 0, "\(made.errors)")
    return scratch.path + "/clip-1.webm"
  }

  private func turnedPhotograph() throws -> String {
    let path = scratch.path + "/turned.jpg"
    try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! videoflip video-direction=90l ! videoconvert"
        + " ! jpegenc ! taginject tags=image-orientation=rotate-90 ! jifmux ! filesink location=\(path)"
    ).run()
    return path
  }

  private func run(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Command {
    try Command(
      ["pipelines/env.sh", program] + arguments,
      environment: Command.pluginEnvironment(environment))
  }

  @Test func allThreePrintTheSameFacesAndEvents() throws {
    let programs = try programs()
    let clip = try clip(frames: 12)
    for (input, frames) in [([], 1), ([clip], 12)] {
      let runs = try programs.map { try run($0, input) }
      for run in runs {
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == runs[0].output)
        #expect(run.errors == runs[0].errors)
      }
      #expect(runs[0].output.split(separator: "\n").count { $0.contains(" s: face 1, ") } == frames)
      #expect(runs[0].errors.contains("face 1: found\n"))
      #expect(runs[0].errors.contains("faces: 1, alpha of the sticker: 1.0\n"))
    }
    // Lying on its side, as phones store pictures, the face is found where it is stored.
    let turned = try turnedPhotograph()
    for program in programs {
      let run = try run(program, [turned])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.hasPrefix("0.000 s: face 1, confidence 0.9"), "\(program): \(run.output)")
    }
    // What is wrong is said by all three, and they end.
    for (wrong, program) in product(
      [[scratch.path + "/none"], ["Makefile"], [clip, "no-such-element"]], programs)
    {
      let run = try run(program, wrong)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("faces: "))
    }
    for program in programs where !program.hasSuffix(".py") {
      let run = try run(program, [clip], Command.tracingLeaks)
      #expect(run.errors.contains("face 1: found"))
      #expect(run.leakedObjects.isEmpty, "\(run.leakedObjects)")
    }
  }

  @Test func controlCEndsEachOfThemCleanly() throws {
    let clip = try clip(frames: 200)
    for (index, program) in try programs().enumerated() {
      // A file each: what the one before printed would be taken for this one's first line.
      let output = scratch.path + "/output-\(index)"
      let script =
        "pipelines/env.sh \"$0\" \"$1\" 'fakesink sync=true' >\"$2\" & "
        + "for i in $(seq 300); do [ -s \"$2\" ] && break; sleep 0.1; done; kill -INT $!; wait $!"
      let run = try Command(
        ["sh", "-c", script, program, clip, output],
        environment: Command.pluginEnvironment())
      #expect(run.status == 0, "\(program): \(run.errors)")
      let lines = ScratchFolder.bytes(output).count { $0 == UInt8(ascii: "\n") }
      #expect((1..<200).contains(lines), "\(program): \(lines)")
    }
  }

  @Test(arguments: ["faces.c", "faces.py", "swift/Sources/faces/main.swift"])
  func eachIsUnderAHundredLines(file: String) {
    let bytes = ScratchFolder.bytes(Photograph.root + "/pipelines/embed/" + file)
    #expect((1..<100).contains(bytes.count { $0 == UInt8(ascii: "\n") }))
  }
}
