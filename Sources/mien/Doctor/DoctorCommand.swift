import CGStreamer
import Client
import Files
import Glibc
import Programs

/// `mien doctor`: says what is installed, what is missing, and which package brings it.
enum DoctorCommand {
  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let options = try Options.parse(
      arguments, [.init("missing", "m", "Print only what is missing")], usage: "",
      summary: "Says what of Mien and of GStreamer is there, what is missing, and which package of"
        + "\nDebian brings it.",
      text: "Exit code: 0 when all that is needed is there, 1 when not, 2 for wrong use.")
    guard options.positional.isEmpty else { throw .usage("mien doctor takes no words") }
    let isBrief = options.has("missing")
    var isHealthy = true
    do throws(ProgramError) {
      try Plugin.load()
      if !isBrief { printVersions() }
      for check in Self.trials {
        do throws(ProgramError) {
          let effects = try EffectOptions(DecorateCommand.parse(check.words))
          try effects.runOnTestPicture()
          if !isBrief { printLine("there", check.name, "") }
        } catch {
          isHealthy = false
          printLine("MISSING", check.name, "\(error.text) (\(check.package))")
        }
      }
    } catch {
      isHealthy = false
      printLine("MISSING", "the plugin", "\(error.text) (gstreamer1.0-mien)")
    }
    for part in HelpfulPart.all {
      let isThere = part.isThere()
      if isThere, !isBrief { printLine("there", part.name, part.use) }
      if isThere { continue }
      printLine(
        part.isNeeded ? "MISSING" : "missing", part.name,
        "\(part.use): apt install \(part.package)")
      if part.isNeeded { isHealthy = false }
    }
    return (isHealthy ? ExitCode.success : ExitCode.negative).rawValue
  }

  /// Effects that are tried on a test picture: what they need is there when they work.
  private static let trials: [(name: String, package: String, words: [FilePath])] = [
    ("faces, with their networks", "gstreamer1.0-mien", ["--boxes"]),
    ("people, with their networks", "gstreamer1.0-mien", ["--person=blur"]),
    ("sticker packs", "gstreamer1.0-mien", ["--sticker=halo"]),
    ("presets", "gstreamer1.0-mien", ["--retouch=soft", "--reshape=natural"]),
    ("looks and hiding", "gstreamer1.0-mien", ["--look=noir", "--hide"]),
  ]

  private static func printVersions() {
    var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
    gst_version(&major, &minor, &micro, &nano)
    Terminal.printLine("mien \(Plugin.version), GStreamer \(major).\(minor).\(micro)")
    if let file = Plugin.fileName { Terminal.printLine("plugin: \(file)") }
    if let file = Plugin.libraryName { Terminal.printLine("build for this processor: \(file)") }
  }

  private static func printLine(_ state: String, _ name: String, _ text: String) {
    let first = state + String(repeating: " ", count: 9 - state.count) + name
    let gap = String(repeating: " ", count: max(2, 44 - first.count))
    Terminal.printLine(text.isEmpty ? first : first + gap + Terminal.singleLine(text))
  }
}

/// A program or an element of GStreamer that a task of the command uses.
struct HelpfulPart {
  let name: String
  /// What it is used for.
  let use: String
  /// The package of Debian.
  let package: String
  /// Whether little works without it.
  var isNeeded = false
  /// One of these elements is enough.
  var elements: [String] = []
  /// One of these programs is enough.
  var programs: [String] = []

  func isThere() -> Bool {
    if elements.contains(where: { Element.isAvailable($0) }) { return true }
    return programs.contains { program in
      if access(Plugin.root + "/bin/" + program, X_OK) == 0 { return true }
      guard let path = g_find_program_in_path(program) else { return false }
      g_free(path)
      return true
    }
  }

  static let all = [
    HelpfulPart(
      name: "conversion of frames", use: "all tasks", package: "gstreamer1.0-plugins-base",
      isNeeded: true, elements: ["videoconvert"]),
    HelpfulPart(
      name: "PNG, JPEG, MP4, Matroska and WebM", use: "pictures and films",
      package: "gstreamer1.0-plugins-good", isNeeded: true, elements: ["matroskamux"]),
    HelpfulPart(
      name: "decoders of most films", use: "H.264, H.265, MPEG, AAC and more",
      package: "gstreamer1.0-libav", elements: ["avdec_h264"]),
    HelpfulPart(
      name: "encoder of H.264", use: "without, MP4 and MOV become WebM",
      package: "gstreamer1.0-plugins-ugly",
      elements: ["x264enc", "openh264enc", "nvh264enc", "vah264enc"]),
    HelpfulPart(
      name: "encoder of AAC", use: "sound of MP4 and MOV", package: "gstreamer1.0-libav",
      elements: ["fdkaacenc", "avenc_aac", "voaacenc", "faac"]),
    HelpfulPart(
      name: "parsers and transport streams", use: "JPEG from cameras, H.264 in other containers",
      package: "gstreamer1.0-plugins-bad", elements: ["mpegtsmux"]),
    HelpfulPart(
      name: "GNU parallel", use: "mien batch", package: "parallel", programs: ["parallel"]),
    HelpfulPart(
      name: "ssh", use: "mien batch on several machines", package: "openssh-client",
      programs: ["ssh"]),
    HelpfulPart(
      name: "the window", use: "mien studio", package: "mien-studio", programs: ["mien-studio"]),
    HelpfulPart(
      name: "PipeWire", use: "mien studio as a camera for other programs",
      package: "gstreamer1.0-pipewire", elements: ["pipewiresink"]),
    HelpfulPart(
      name: "gst-launch-1.0", use: "pipelines of one's own", package: "gstreamer1.0-tools",
      programs: ["gst-launch-1.0"]),
  ]
}
