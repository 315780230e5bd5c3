import CGStreamer
import Support
import Testing

/// The builds for newer processors that lie beside the plugin, and how the system's loader is kept
/// from them: by taking features of the processor away from it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct LevelTests {
  /// What makes the loader take which build, where `make build` built it and the processor runs it.
  private static let withheld = [
    "any processor": "-AVX2", "x86-64-v3": "-AVX512F", "x86-64-v4": "",
  ]

  private static func environment(_ build: String) -> [String: String] {
    withheld[build].map { ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + $0] } ?? [:]
  }

  /// Builds other than the one for any processor that run here, by the plugin's own word.
  private static let levels: [String] = ["x86-64-v3", "x86-64-v4"].filter {
    (try? log(environment($0)))?.contains("running the build for \($0)") ?? false
  }

  private static func log(_ more: [String: String] = [:]) throws -> String {
    let environment = [
      "GST_DEBUG": "mien:4", "GST_DEBUG_NO_COLOR": "1",
      "GST_REGISTRY_1_0": "/nonexistent/registry", "GST_REGISTRY_UPDATE": "no",
      "GST_PLUGIN_PATH_1_0": BuiltPlugin.folder, "GST_PLUGIN_SYSTEM_PATH_1_0": "/nonexistent",
      "GST_REGISTRY_FORK": "no",
    ]
    let run = try Command(
      ["gst-inspect-1.0", BuiltPlugin.file], environment: environment.merging(more) { $1 })
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
    ("personkey ! video/x-raw,format=A420", "I420"),
    ("facedetect ! personkey blur=4 light-wrap=0.3", "NV12"),
    ("photoeffect look=chrome vignette=0.6 grain=0.4", "NV12"),
    ("photoeffect look=cartoon intensity=0.8", "RGB"),
    ("facedetect ! photoeffect look=noir where=faces", "YUY2"),
    ("photoeffect look=noir", "I420"),
    ("facedetect ! facehide lookahead=1", "NV12"),
    ("facedetect ! facehide mode=blur", "RGB"),
    ("facedetect ! facereshape slim=1 jaw=-1 eyes=0.7 nose=-0.5 chin=0.4 forehead=0.3", "NV12"),
    ("facedetect ! facereshape effect=twirl amount=0.8 mouth=-1", "RGB"),
    ("facedetect landmarks=false ! facereshape effect=pinch amount=1", "YUY2"),
    ("personkey background-color=0xff203040 soften=1", "BGRx"),
    ("chromakey shrink=1 soften=2 ! video/x-raw,format=A420_10LE", "I420_10LE"),
    ("chromakey background=models/astronaut.png despill=0.5", "v210"),
    ("chromakey background=models/astronaut.png ! video/x-raw,format=P010_10LE", "P010_10LE"),
    ("photoeffect look=chrome vignette=0.6 grain=0.4", "P010_10LE"),
    ("photoeffect look=noir", "I422_10LE"),
    ("photoeffect look=cartoon intensity=0.8", "Y210"),
    ("facedetect ! beautifymask even-skin=0.5 ! sticker location=dog", "I420_10LE"),
    ("facedetect ! facehide ! facereshape slim=1", "I422_10LE"),
    ("personkey blur=4 light-wrap=0.3", "Y444_10LE"),
  ]

  @Test(
    .enabled(if: !levels.isEmpty, "no build but the one for any processor runs here"),
    arguments: chains)
  func everyLevelGivesTheSameFrames(elements: String, format: String) throws {
    let scratch = ScratchFolder()
    // Not a multiple of 16, for the ends of rows; one of 8, and even, or there are bytes that
    // nobody writes.
    func frames(_ build: String) throws -> [UInt8] {
      let path = scratch.path + "/frames"
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
        environment: try Command.pluginEnvironment(Self.environment(build)))
      #expect(run.status == 0, "\(run.errors)")
      return ScratchFolder.bytes(path)
    }
    let plain = try frames("any processor")
    #expect(plain.count > 643 * 481 * 3)
    // Networks sum as wide as the build is, and a face may lie a thousandth of a pixel elsewhere.
    let isExact = !elements.contains("facedetect") && !elements.contains("personkey")
    for level in Self.levels {
      let own = try frames(level)
      try #require(own.count == plain.count)
      // Planes of 10 bits have words, in which four codes are one of 8 bits.
      let isDeep = format.hasSuffix("10LE")
      let (ownCodes, plainCodes) = (codes(own, isDeep), codes(plain, isDeep))
      let distances = zip(ownCodes, plainCodes).map { abs($0 - $1) }
      let (most, changed) = (distances.max() ?? 0, distances.count { $0 > (isDeep ? 4 : 1) })
      #expect(
        isExact ? own == plain : changed * 2000 <= distances.count,
        "\(level): \(changed) of \(distances.count) samples differ, by up to \(most)")
    }
  }

  /// Samples of a byte or of a little-endian word each.
  private func codes(_ bytes: [UInt8], _ isDeep: Bool) -> [Int] {
    guard isDeep else { return bytes.map(Int.init) }
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8
    }
  }

  /// All numbers of the messages about a face in three frames.
  private func faces(_ build: String) throws -> [Double] {
    let text =
      "gst-launch-1.0 -m filesrc location=models/astronaut.png ! pngdec ! imagefreeze num-buffers=3"
      + " ! videoconvert ! video/x-raw,format=NV12 ! facedetect updates=every_frame ! fakesink"
    let run = try Command(
      text.split(separator: " ").map(String.init),
      environment: try Command.pluginEnvironment(Self.environment(build)))
    #expect(run.status == 0, "\(run.errors)")
    // What stands before is the message's own number, which counts all that elements say.
    return run.output.split(separator: "\n").compactMap { line in
      line.firstRange(of: "facedetect, ").map { line[$0.upperBound...] }
    }.flatMap {
      $0.split { !"0123456789.-+e".contains($0) }.compactMap { Double($0) }
    }
  }

  @Test(.enabled(if: !levels.isEmpty, "no build but the one for any processor runs here"))
  func everyLevelFindsTheSameFaces() throws {
    let plain = try faces("any processor")
    #expect(plain.count > 3 * 20)
    for level in Self.levels {
      let own = try faces(level)
      try #require(own.count == plain.count)
      for (a, b) in zip(own, plain) { #expect(abs(a - b) <= 0.05, "\(level): \(a), \(b)") }
    }
  }

  @Test func theLogSaysWhichBuildRuns() throws {
    let plain = Self.environment("any processor")
    #expect(try Self.log(plain).contains("running the build for any processor"))
    let best = Self.levels.last ?? "any processor"
    #expect(try Self.log().contains("running the build for \(best)"))
  }

  @Test(arguments: ["any processor", nil])
  func oneBuildIsLoadedAndOneSwiftRuntime(build: String?) throws {
    var environment = build.map(Self.environment) ?? [:]
    environment["LD_DEBUG"] = "libs"
    let log = try Self.log(environment)
    let loaded = log.split(separator: "\n").filter { $0.contains("calling init: ") }
    #expect(loaded.filter { $0.hasSuffix("/libmien.so") }.count == 1)
    #expect(!loaded.contains { $0.contains("libswift") })
  }

  /// With every build there is, as a package would lay it out, far from the source tree.
  @Test func whatIsInstalledFindsItsFiles() throws {
    let scratch = ScratchFolder()
    let lib = "/usr/lib/x86_64-linux-gnu"
    let install = try Command([
      "make", "-s", "copy-files", "DESTDIR=" + scratch.path, "PREFIX=/usr", "LIBDIR=" + lib,
    ])
    try #require(install.status == 0, "\(install.errors)")
    for build in ["any processor"] + Self.levels {
      let run = try Command(
        [
          "gst-launch-1.0", "filesrc", "location=" + Photograph.path, "!", "pngdec", "!",
          "videoconvert", "!", "mienfacedetect", "!", "sticker", "location=halo", "!", "fakesink",
        ],
        environment: try Command.pluginEnvironment(Self.environment(build)).merging([
          "GST_PLUGIN_PATH_1_0": scratch.path + lib + "/gstreamer-1.0",
          "GST_PLUGIN_SYSTEM_PATH_1_0": try Command.pluginFolder(),
          "GST_REGISTRY_1_0": scratch.path + "/registry", "GST_DEBUG": "mien:4",
          "XDG_DATA_HOME": "/nonexistent", "XDG_DATA_DIRS": "/nonexistent",
        ]) { $1 })
      #expect(run.status == 0, "\(build): \(run.errors)")
      #expect(run.errors.contains("running the build for \(build)"))
    }
  }
}
