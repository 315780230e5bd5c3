import Support
import Testing

/// `mien camera` in a session with PipeWire, as other programs see it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct VirtualCameraTests {
  private let scratch = ScratchFolder()

  private static func isInstalled(_ programs: String...) -> Bool {
    programs.allSatisfy { (try? Command(["sh", "-c", "command -v \($0)"]))?.status == 0 }
  }

  private static let hasSession =
    isInstalled("pipewire", "wireplumber", "pw-dump", "dbus-run-session", "gdbus")
    && (try? Command(["gst-inspect-1.0", "pipewiresink"]))?.status == 0

  private static let browsers = ["chromium", "firefox-esr"].filter {
    hasSession && isInstalled($0, "Xvfb")
      && isInstalled("/usr/libexec/xdg-desktop-portal", "/usr/libexec/xdg-desktop-portal-gtk")
  }

  private func run(_ script: String, _ arguments: String...) throws -> Command {
    try #require(Registered.now)
    return try Command(
      [
        "dbus-run-session", "--", "bash", "\(Photograph.root)/Tests/PluginTests/camera/\(script)",
        scratch.path, Command.mienPath, Photograph.root + "/models/scenes/single_face.mp4",
      ] + arguments,
      // Warnings of the programs around must not end them; the script sets this for the command.
      environment: Command.pluginEnvironment(["G_DEBUG": ""]))
  }

  @Test(.enabled(if: hasSession, "needs pipewire, wireplumber and gstreamer1.0-pipewire"))
  func oneConsumerAfterTheOtherGetsMovingFrames() throws {
    let run = try run("consumers.sh")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    for number in 1...3 {
      let line = run.output.split(separator: "\n").first { $0.hasPrefix("consumer \(number): 20 ") }
      let words = line?.split(separator: " ") ?? []
      let different = words.dropLast().last.flatMap { Int($0) } ?? 0
      #expect(different >= 15, "\(run.output)")
      // Twenty frames of a film of 30 a second take 0.67 s.
      let time = words.dropLast(3).last.flatMap { Int($0) } ?? .max
      #expect(time < 2700, "\(run.output)")
    }
    #expect(run.output.contains("other programs see the camera Mien, 640x360 at 30 frames a "))
  }

  @Test(
    .enabled(if: !browsers.isEmpty, "needs chromium or firefox-esr, and xdg-desktop-portal-gtk"),
    arguments: browsers)
  func browsersListTheCameraAndShowMovingFrames(browser: String) throws {
    let run = try run("browser.sh", browser)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("cameras: Mien\n"), "\(run.output)")
    let end = run.output.split(separator: "\n").last { $0.hasPrefix("end: 640x360, 10 different") }
    let time = end?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? .max
    #expect(time < 2000, "\(run.output)")
  }

  @Test func withoutPipeWireOneLineSaysWhatIsMissing() throws {
    try #require(Registered.now)
    let run = try Command(
      [Command.mienPath, "camera", Photograph.path],
      environment: Command.pluginEnvironment(["XDG_RUNTIME_DIR": scratch.path]))
    #expect(run.status == 3)
    #expect(
      run.errors.hasPrefix("mien: PipeWire does not run for this user: ")
        || run.errors.hasPrefix("mien: the system has no way to be a camera: install "),
      "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func wrongSourcesAreNamed() throws {
    try #require(Registered.now)
    let run = try Command(
      [Command.mienPath, "camera", "a", "b"], environment: Command.pluginEnvironment())
    #expect(run.status == 2)
  }
}
