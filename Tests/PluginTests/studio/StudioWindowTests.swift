import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The window on a virtual screen, operated with keys and a mouse.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StudioWindowTests {
  private let scratch = ScratchFolder()

  /// Writes a film of the photograph before a green screen, two and a half seconds long.
  private func film(_ name: String) throws -> String {
    try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! videoscale"
        + " ! video/x-raw,width=640,height=640 ! facedetect"
        + " ! personkey background-color=4278235456 ! videocrop bottom=160"
        + " ! imagefreeze num-buffers=38 ! video/x-raw,framerate=15/1 ! videoconvert"
        + " ! vp8enc deadline=1 cpu-used=8 target-bitrate=4000000 ! webmmux"
        + " ! filesink location=\(scratch.path)/\(name)"
    ).run()
    return scratch.path + "/" + name
  }

  /// The script lists the steps.
  @Test(
    .enabled(
      if: !GStreamerHabits.fileDialogueLosesKeys,
      "paths cannot be typed into the file dialogue of GTK 4.10 and newer without looking at it"))
  func theDocumentedKeysAndMouseActionsWork() throws {
    try #require(Registered.now)
    let film = try film("green.webm")
    let run = try Command(
      [
        "bash", Photograph.root + "/Tests/PluginTests/studio/drive.sh", scratch.path,
        Command.mienPath, film, Photograph.root + "/models/scenes/WolfgangLanger_Pexels.mp4",
      ], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("frames shown"), "\(run.output)")
    // For inspection, and for docs/studio.md.
    _ = try Command.shell(
      "mkdir -p \"$2\" && cp \"$1\"/*.png \"$2\"", [scratch.path, Photograph.root + "/out/studio"])
  }

  /// With two cameras and a loudspeaker simulated by a plugin, and without.
  @Test func camerasAreShownAndTheSoundOfFilmsIsPlayed() throws {
    try #require(Registered.now)
    let film = scratch.path + "/tone.mkv"
    try Pipeline(
      "videotestsrc num-buffers=90 ! video/x-raw,width=320,height=240,framerate=30/1 ! vp8enc ! mux."
        + " audiotestsrc num-buffers=130 volume=0.2 ! audio/x-raw,rate=44100 ! vorbisenc"
        + " ! matroskamux name=mux ! filesink location=\(film)"
    ).run()
    let run = try Command.shell(
      "mkdir \"$1\"/plugins && ln -s \"$2\"/.build/debug/libdevices.so \"$1\"/plugins"
        + " && bash \"$2\"/Tests/PluginTests/studio/devices.sh \"$1\" \"$mien\" \"$1\"/plugins \"$3\"",
      [scratch.path, Photograph.root, film])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    _ = try Command.shell(
      "mkdir -p \"$2\" && cp \"$1\"/*.png \"$2\"", [scratch.path, Photograph.root + "/out/studio"])
  }

  @Test(
    .enabled(
      if: GStreamerHabits.canReadControls,
      "needs gir1.2-atspi-2.0, and the names that GTK 4.8 gives to kinds of controls"))
  func everyControlHasANameAndTheKeyboardReachesIt() throws {
    try #require(Registered.now)
    let run = try Command(
      [
        "dbus-run-session", "--", "bash",
        Photograph.root + "/Tests/PluginTests/studio/accessibility.sh", scratch.path,
        Command.mienPath,
      ], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("controls have names"), "\(run.output)")
  }

  @Test func withoutADisplayTheErrorIsOneLine() throws {
    let run = try Command.mien(
      ["studio"], under: ["env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"])
    #expect(run.status == 3 && run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  @Test func withoutTheWindowTheErrorNamesItsPackage() throws {
    let run = try Command.shell(
      "cp \"$mien\" \"$1\" && PATH=/nowhere \"$1\"/mien studio", [scratch.path])
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.errors.contains("install the package mien-studio"), "\(run.errors)")
  }
}
