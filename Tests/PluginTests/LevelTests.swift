import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The builds for newer processors that lie beside the plugin.
@Suite(.serialized) struct LevelTests {
  private static let build = Photograph.root + "/.build/release"

  /// Levels that `make build` built and this processor runs, by the plugin's own word.
  private static let levels: [String] = ["x86-64-v3", "x86-64-v4"].filter {
    (try? log(ceiling: $0))?.contains("running the build for \($0)") ?? false
  }

  private static func log(ceiling: String?, folder: String = build) throws -> String {
    var environment = [
      "GST_DEBUG": "mien:5", "GST_DEBUG_NO_COLOR": "1",
      "GST_REGISTRY_1_0": "/nonexistent/registry", "GST_REGISTRY_UPDATE": "no",
      "GST_PLUGIN_PATH_1_0": folder, "GST_PLUGIN_SYSTEM_PATH_1_0": "/nonexistent",
      "GST_REGISTRY_FORK": "no",
    ]
    if let ceiling { environment["MIEN_CPU_LEVEL"] = ceiling }
    let run = try Command(
      ["gst-inspect-1.0", folder + "/libgstmien.so"], environment: environment)
    #expect(run.output.contains("mienfacedetect"), "\(run.errors)")
    return run.errors
  }

  /// Elements, and the format that they are given and give.
  static let chains = [
    ("facedetect ! beautifymask even-skin=0.5 ! sticker location=dog", "NV12"),
    ("facedetect ! beautifymask ! sticker location=halo ! sticker location=hearts", "I420"),
    ("facedetect ! beautifymask mask=ellipse radius=7 ! sticker location=glasses", "RGB"),
    ("facedetect ! beautifymask intensity=1 ! sticker location=hat", "YUY2"),
    ("facedetect landmarks=false ! beautifymask ! sticker location=frame", "Y444"),
    ("chromakey ! video/x-raw,format=AV12", "NV12"),
    ("chromakey method=custom color=0xff4060a0 shrink=1 soften=2", "BGRx"),
    ("chromakey background=models/astronaut.png despill=0.5", "I420"),
    ("chromakey method=green screen-adapt=0 ! video/x-raw,format=A420", "I420"),
  ]

  @Test(arguments: chains)
  func everyLevelGivesTheSameFrames(elements: String, format: String) throws {
    let scratch = ScratchFolder()
    // Not a multiple of 16, for the ends of rows; one of 8, and even, or there are bytes that
    // nobody writes.
    func frames(_ level: String) throws -> [UInt8] {
      let path = scratch.path + "/" + level
      let source =
        elements.hasPrefix("chromakey")
        ? "videotestsrc num-buffers=3 pattern=ball background-color=0xff10a040"
        : "filesrc location=models/astronaut.png ! pngdec ! imagefreeze num-buffers=3"
      let text =
        "gst-launch-1.0 -q \(source) ! videoconvert ! videoscale"
        + " ! video/x-raw,format=\(format),width=648,height=482 ! \(elements)"
        + " ! filesink location=\(path)"
      let run = try Command(
        text.split(separator: " ").map(String.init),
        environment: try Command.pluginEnvironment(["MIEN_CPU_LEVEL": level]))
      #expect(run.status == 0, "\(run.errors)")
      return ScratchFolder.bytes(path)
    }
    let plain = try frames("baseline")
    #expect(plain.count > 643 * 481 * 3)
    for level in Self.levels {
      #expect(try frames(level) == plain, "\(level) differs")
    }
  }

  @Test func theLogSaysWhichBuildRunsAndTheEnvironmentSetsACeiling() throws {
    #expect(try Self.log(ceiling: "baseline").contains("running the build for any processor"))
    if let best = Self.levels.last {
      #expect(try Self.log(ceiling: nil).contains("running the build for \(best) ("))
    }
  }

  @Test func aLevelThatIsOldOrBrokenIsNamedAndTheOthersRun() throws {
    guard let level = Self.levels.first else { return }
    let scratch = ScratchFolder()
    let (plugins, place) = (scratch.path + "/plugins", scratch.path + "/mien/" + level)
    let file = place + "/libgstmien.so"
    func shell(_ text: String) throws { #expect(try Command(["sh", "-c", text]).status == 0) }
    try shell("mkdir -p \(plugins) \(place) && cp \(Self.build)/libgstmien.so \(plugins)/")
    try shell("cp $(realpath \(Self.build))/../mien/\(level)/libgstmien.so \(file)")
    #expect(
      try Self.log(ceiling: level, folder: plugins).contains("running the build for \(level)"))

    try shell("touch -d '2001-01-01' \(file)")
    let old = try Self.log(ceiling: level, folder: plugins)
    #expect(old.contains("is older than") && old.contains("for any processor"))

    for damage in [
      "truncate -s 0", "truncate -s 40000", "truncate -s -1", "cp /bin/true",
      "cp $(gcc -print-file-name=libm.so.6)",
    ] {
      try shell("rm \(file); cp $(realpath \(Self.build))/../mien/\(level)/libgstmien.so \(file)")
      try shell("\(damage) \(file)")
      let broken = try Self.log(ceiling: level, folder: plugins)
      #expect(broken.contains("cannot be loaded") && broken.contains("for any processor"))
    }
  }
}
