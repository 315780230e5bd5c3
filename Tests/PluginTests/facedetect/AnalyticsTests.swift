import CGStreamer
import Pixels
import Support
import Testing

/// Faces as GstAnalytics, from `facedetect` and from others' detectors, where the system has it.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(
    if: SystemAnalytics.isInstalled,
    "GStreamer before 1.24, or without gst-plugins-bad, has no GstAnalytics"))
struct AnalyticsTests {
  private typealias Found = SystemAnalytics.Found

  private static let source = Registered.photograph(.i420, width: 640, height: 640, count: 3)

  /// What is on each frame that reaches the sink.
  private func frames(
    _ rest: String, _ source: String = source
  ) throws -> [(frame: CapturedFrame, found: [Found]?)] {
    precondition(Registered.now)
    let pipeline = try Pipeline("\(source) ! \(rest) ! fakesink name=sink")
    var frames: [(frame: CapturedFrame, found: [Found]?)] = []
    try pipeline.watch("sink") { buffer in
      frames.append((CapturedFrame(buffer), SystemAnalytics.shared?.detections(buffer)))
    }
    try pipeline.run()
    return frames
  }

  @Test func everyFaceIsADetectionWithItsTrackAndExpression() throws {
    let frames = try frames("facedetect analytics=always")
    #expect(frames.count == 3)
    for (index, (frame, found)) in frames.enumerated() {
      let detection = try #require(found?.first)
      let region = try #require(frame.regions.first)
      let face = try #require(frame.faces.first)
      #expect(found?.count == 1 && frame.faces.count == 1)
      #expect(detection.label == "face")
      #expect(Double(detection.x) == region.box.x && Double(detection.y) == region.box.y)
      #expect(Double(detection.width) == region.box.width)
      #expect(Double(detection.height) == region.box.height)
      #expect(abs(Double(detection.confidence) - face.confidence) < 1e-6)
      // DL Streamer knows the region of a detection by this number.
      #expect(Int32(bitPattern: detection.number) == region.id && region.id != 0)
      #expect(detection.track == [UInt64(face.id), frames[0].frame.pts, frame.pts], "\(index)")
      #expect(
        detection.classes.keys.sorted()
          == ["left-eye-open", "mouth-open", "right-eye-open", "smile"])
      #expect(detection.classes["left-eye-open"] ?? 0 > 0.5)
    }
  }

  @Test func whatIsSwitchedOffIsNotSaid() throws {
    #expect(try frames("facedetect analytics=never").allSatisfy { $0.found == nil })
    let bare = try frames("facedetect analytics=always expressions=false")
    #expect(bare.allSatisfy { $0.found?.first?.classes.isEmpty == true })
  }

  /// This process has loaded the library, as one with an overlay downstream has.
  @Test func whereSomethingUsesTheLibraryItIsWrittenUnasked() throws {
    #expect(try frames("facedetect").allSatisfy { $0.found?.count == 1 })
  }

  @Test func aFrameWithoutFacesCarriesNone() throws {
    let frames = try frames("facedetect analytics=always", "videotestsrc num-buffers=2")
    #expect(frames.count == 2 && frames.allSatisfy { $0.found == nil })
  }

  @Test func aSecondDetectorReplacesWhatTheFirstSaid() throws {
    for frame in try frames("facedetect analytics=always ! facedetect accuracy=low") {
      #expect(frame.found?.count == 1)
      #expect(frame.found?.first?.number == frame.frame.regions.first.map { UInt32($0.id) })
    }
    // And takes it away where it is to say nothing.
    let silent = try frames("facedetect analytics=always ! facedetect analytics=never")
    #expect(silent.allSatisfy { $0.found == nil && $0.frame.faces.count == 1 })
  }

  /// A detection with its track and its gesture, which a second detector replaces like a face.
  @Test(arguments: ["hands=always", "hands=always ! facedetect accuracy=low hands=always"])
  func aHandIsADetectionWithItsTrackAndGesture(rest: String) throws {
    precondition(Registered.now)
    let hand = DrawnHand(.open, wrist: Point(x: 256, y: 400), size: 230)
    let bytes = DrawnHand.picture([hand], width: 512, height: 512).tightBytes
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=2 ! video/x-raw,format=RGB,width=512,height=512 ! identity name=d"
        + " ! facedetect analytics=always \(rest) ! fakesink name=sink")
    try pipeline.watch("d", pad: "src") { buffer in
      _ = bytes.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, gsize(bytes.count)) }
    }
    var all: [[Found]?] = []
    try pipeline.watch("sink") { all.append(SystemAnalytics.shared?.detections($0)) }
    try pipeline.run()
    #expect(all.count == 2)
    for found in all {
      let found = try #require(found)
      #expect(found.map(\.label) == ["hand"])
      #expect(found[0].classes.keys.sorted() == ["Open_Palm"])
      #expect((0.3...1).contains(found[0].classes["Open_Palm"] ?? 0))
      #expect(found[0].track?.first == 1 && found[0].confidence > 0.8)
      // The drawn hand: its wrist below, its fingers above.
      let (bottom, top) = (found[0].y + found[0].height, found[0].y)
      #expect((360...440).contains(bottom) && (120...240).contains(top), "\(top) to \(bottom)")
      #expect(found[0].x < 256 && found[0].x + found[0].width > 256)
    }
  }

  @Test func detectionsSurviveConvertingAndScaling() throws {
    let first = try #require(try frames("facedetect analytics=always").first?.found?.first)
    let rest =
      "facedetect analytics=always ! videoconvert ! video/x-raw,format=NV12"
      + " ! videoscale add-borders=false ! video/x-raw,width=320,height=160 ! videoconvert"
    let scaled = try #require(try frames(rest).first?.found?.first)
    #expect(abs(scaled.x - first.x / 2) <= 1 && abs(scaled.y - first.y / 4) <= 1)
    #expect(abs(scaled.width - first.width / 2) <= 1)
    #expect(scaled.track == first.track && scaled.classes == first.classes)
  }

  // MARK: Others' detections

  private enum Known: CaseIterable { case nothing, region, detection, both, otherThing }

  /// A face as another detector knows it, or no face.
  private static func attach(_ known: Known, to buffer: UnsafeMutablePointer<GstBuffer>) {
    let (x, y, width, height): (Int32, Int32, Int32, Int32) = (217, 85, 130, 130)
    if known == .region || known == .both {
      AttachedFace.attachRegion(
        x: UInt32(x), y: UInt32(y), width: UInt32(width), height: UInt32(height), to: buffer)
    }
    guard known == .detection || known == .both || known == .otherThing else { return }
    SystemAnalytics.shared?.attach(
      known == .otherThing ? "dog" : "Face", x: x, y: y, width: width, height: height, to: buffer)
  }

  static let consumers = [
    "beautifymask", "sticker location=halo", "facehide when-unknown=pass hold=0",
    "facereshape effect=bulge amount=1", "photoeffect look=mono where=faces",
    "personkey people=faces background-color=0xff204060",
  ]

  @Test(arguments: consumers)
  func aDetectionIsAsGoodAsARegion(element: String) throws {
    precondition(Registered.now)
    var results: [Known: [[UInt8]]] = [:]
    for known in Known.allCases {
      let pipeline = try Pipeline(
        "\(Self.source) ! videoconvert ! identity name=d ! \(element) ! fakesink name=sink")
      try pipeline.watch("d", pad: "src") { Self.attach(known, to: $0) }
      let frames = try pipeline.collect { CapturedFrame($0).bytes }
      results[known] = frames
    }
    #expect(results[.detection] == results[.region])
    #expect(results[.both] == results[.region])
    #expect(results[.otherThing] == results[.nothing])
    #expect(results[.detection] != results[.nothing])
  }

  @Test func aFaceOfTwoDetectorsIsOneAndHasTheTracksNumber() throws {
    for (known, id): (Known, Int) in [(.detection, 41), (.both, 0)] {
      let pipeline = try Pipeline(
        "\(Self.source) ! identity name=d ! facehide name=h report=true hold=0 ! fakesink")
      try pipeline.watch("d", pad: "src") { buffer in
        if known == .both { Self.attach(.region, to: buffer) }
        SystemAnalytics.shared?.attach(
          "face", x: 217, y: 85, width: 130, height: 130, track: 41, to: buffer)
      }
      try pipeline.run()
      let messages = pipeline.messages.filter { $0.hasPrefix("facehide,") }
      #expect(!messages.isEmpty)
      for message in messages {
        let ids = message.split(separator: "id\\=\\(uint\\)").dropFirst().map {
          Int($0.prefix { $0.isNumber })
        }
        #expect(ids == [id], "\(message)")
      }
    }
  }

  // MARK: Other elements and programs

  private let scratch = ScratchFolder()

  /// Of the built plugin, in a process of its own: nothing but the overlay brings the library.
  @Test func anOverlayDrawsWhatItIsNotToldToAskFor() throws {
    func picture(_ rest: String) throws -> [UInt8] {
      let file = scratch.path + "/overlay.rgb"
      let run = try Command.launch(
        "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! mienfacedetect \(rest)"
          + " ! videoconvert ! video/x-raw,format=RGB ! filesink location=\(file)")
      #expect(run.status == 0, "\(run.errors)")
      return ScratchFolder.bytes(file)
    }
    let overlay = "! videoconvert ! objectdetectionoverlay"
    let plain = try picture("")
    #expect(plain.count == 512 * 512 * 3)
    let drawn = try picture(overlay)
    let changed = zip(plain, drawn).count { $0 != $1 }
    #expect(changed > 500 && changed < 20_000, "\(changed)")
    #expect(try picture("analytics=never \(overlay)") == plain)
  }

  @Test(
    .enabled(
      if: (try? Command([
        "/usr/bin/python3", "-c", "import gi; gi.require_version('GstAnalytics', '1.0')",
      ]))?.status == 0, "GstAnalytics for Python (gir1.2-gst-plugins-bad-1.0) is not installed"))
  func pythonReadsFacesThroughIntrospection() throws {
    let run = try Command(
      ["/usr/bin/python3", "pipelines/read_analytics.py"],
      environment: Command.pluginEnvironment(["G_DEBUG": ""]))
    #expect(run.status == 0, "\(run.errors)")
    let words = run.output.split(whereSeparator: \.isWhitespace)
    #expect(words.prefix(2) == ["1", "face"], "\(run.output)")
    #expect(run.output.contains("'smile': "))
  }
}

/// The same where the system has none.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: !SystemAnalytics.isInstalled, "GstAnalytics is installed"))
struct MissingAnalyticsTests {
  @Test(arguments: ["auto", "never", "always"])
  func facesAreFoundAllTheSame(choice: String) throws {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(.i420, width: 320, height: 320, count: 3)
        + " ! facedetect analytics=\(choice) ! fakesink name=sink")
    let faces = try pipeline.collect { CapturedFrame($0).faces.count }
    #expect(faces == [1, 1, 1])
    #expect(pipeline.warnings.count == (choice == "always" ? 1 : 0), "\(pipeline.warnings)")
    #expect(pipeline.warnings.allSatisfy { $0.hasPrefix("GstAnalytics is not installed") })
  }
}
