import Pixels
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

  @Test(arguments: [
    ("keyed.mkv", "matroskademux ! avdec_ffv1", PixelFormat.a420),
    ("keyed.mov", "qtdemux ! pngdec", .rgba),
  ])
  func oneFileKeepsTheAlphaExactly(name: String, reader: String, format: PixelFormat) throws {
    #expect(Registered.now)
    let scratch = ScratchFolder()
    let file = scratch.path + "/" + name
    let shot =
      "videotestsrc pattern=ball background-color=0xff10a040 num-buffers=5"
      + " ! video/x-raw,format=I420,width=160,height=120"
    let run = try Command(
      ["pipelines/key-one-file.sh", "shot.mp4", file], environment: ["SOURCE": shot])
    #expect(run.status == 0, "\(run.errors)")
    let keyed = try VideoSamples.frames(
      shot + " ! chromakey ! video/x-raw,format=A420 ! fakesink name=sink", .a420, 160, 120)
    let read = try VideoSamples.frames(
      "filesrc location=\(file) ! \(reader) ! video/x-raw,format=\(format.rawValue)"
        + " ! fakesink name=sink", format, 160, 120)
    #expect(read.count == 5 && keyed.count == 5)
    for (a, b) in zip(keyed, read) {
      let isSame = VideoSamples.isSame([a.alpha], [b.alpha])
      #expect(isSame && a.alpha.contains(0) && a.alpha.contains(255))
    }
  }
}
