import Support
import Testing

/// The keying scripts, run as printed with stand-ins for films, cameras and screens.
@Suite struct KeyingPipelinesTests {
  private static let green = "videotestsrc pattern=green num-buffers=5"

  @Test(arguments: [
    ["pipelines/key-file.sh", "shot.mp4", Photograph.path, "/dev/null"],
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
}
