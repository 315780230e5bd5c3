import Support
import Testing

/// Recordings of the window, the mouse wheel, and permissions of files.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StudioRecordingTests {
  private let scratch = ScratchFolder()

  /// With enough disk space and with a full disk; of a GIF, a picture and a film with sound.
  @Test func aRecordingIsCompleteOrMarkedIncomplete() throws {
    try #require(Registered.now)
    let (film, gif) = (scratch.path + "/tone.mkv", scratch.path + "/test.gif")
    try Pipeline(
      "videotestsrc num-buffers=90 ! video/x-raw,width=640,height=360,framerate=30/1 ! vp8enc deadline=1"
        + " ! mux. audiotestsrc num-buffers=130 volume=0.2 ! audio/x-raw,rate=44100 ! vorbisenc"
        + " ! matroskamux name=mux ! filesink location=\(film)"
    ).run()
    let run = try Command.shell(
      "ffmpeg -nostdin -v error -f lavfi -i testsrc=size=320x240:rate=10:duration=1 \"$4\""
        + " && mkdir \"$1\"/plugins && ln -s \"$2\"/.build/debug/libdevices.so \"$1\"/plugins"
        + " && bash \"$2\"/Tests/PluginTests/studio/recordings.sh \"$1\" \"$mien\" \"$1\"/plugins \"$3\" \"$4\""
        + " \"$2\"/.build/debug/libfault-injection.so", [scratch.path, Photograph.root, film, gif])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    _ = try Command.shell(
      "mkdir -p \"$2\" && cp \"$1\"/*.png \"$2\"", [scratch.path, Photograph.root + "/out/studio"])
  }

  @Test func theWheelScrollsAndReplacedSourcesAreFreed() throws {
    try #require(Registered.now)
    let run = try Command.shell(
      "bash \"$2\"/Tests/PluginTests/studio/wheel.sh \"$1\" \"$mien\"",
      [scratch.path, Photograph.root])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// `make monkey` sends more.
  @Test func randomEventsDoNotStopTheWindow() throws {
    try #require(Registered.now)
    let run = try Command.shell(
      "bash \"$2\"/Tests/PluginTests/studio/monkey.sh \"$1\" \"$mien\" 250 1"
        + " \"$2\"/models/scenes/WolfgangLanger_Pexels.mp4", [scratch.path, Photograph.root])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// The kernel applies the umask: reading it with umask(2) would change it for all threads.
  @Test func filesGetThePermissionsOfTheUmask() throws {
    let run = try Command.shell(
      "cd \"$1\" && for mask in 022 077 027 002; do umask $mask; MIEN_UMASK=1"
        + " LD_PRELOAD=\"$2\"/.build/debug/libfault-injection.so \"$mien\" decorate --force --look noir"
        + " \"$2\"/models/astronaut.png $mask.png >wrote.txt || exit 1; stat -c %a $mask.png; done",
      [scratch.path, Photograph.root])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n") == ["644", "600", "640", "664"], "\(run.output)")
    #expect(!run.errors.contains("umask"), "\(run.errors)")
  }
}
