import Support
import Testing

/// The keying scripts, run as printed with stubs for films, cameras and screens.
@Suite(.timeLimit(.minutes(20))) struct KeyingPipelinesTests {
  private static let green = "videotestsrc pattern=green num-buffers=5"

  @Test(arguments: [
    ["pipelines/key-camera.sh", Photograph.path],
    ["pipelines/key-streams.sh", "shot.mp4", "waves.mp4"],
    ["pipelines/key-webm.sh", "shot.mp4", "/dev/null", "/dev/null"],
  ])
  func theScriptRunsAsPrinted(arguments: [String]) throws {
    let run = try Command(
      arguments,
      environment: [
        "SOURCE": Self.green, "BEHIND": "videotestsrc num-buffers=5", "SINK": "fakesink",
      ])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func fileNamesMayContainSpaces() throws {
    let scratch = ScratchFolder()
    let folder = scratch.path + "/two words"
    #expect(try Command(["pipelines/clips.sh", folder]).status == 0)
    #expect(try Command(["mv", folder + "/clip-1.webm", folder + "/a film.webm"]).status == 0)
    let film = folder + "/a film.webm"
    for arguments in [
      ["pipelines/key-webm.sh", film, folder + "/out 2.webm", folder + "/out 3.webm"],
      ["pipelines/key-streams.sh", film, film],
      ["pipelines/env.sh", "pipelines/split-screen.sh", film, folder + "/out 4.webm"],
    ] {
      let run = try Command(arguments, environment: ["SINK": "fakesink"])
      #expect(run.status == 0, "\(arguments[0]): \(run.errors)")
    }
    let made = try Command(["find", folder, "-name", "out *", "-size", "+1k"]).output
    #expect(made.split(separator: "\n").count == 3)
  }
}
