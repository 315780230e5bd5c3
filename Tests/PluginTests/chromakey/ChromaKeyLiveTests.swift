import CGStreamer
import Faces
import Pixels
import Support
import Testing
import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// Clicks, seeks, presets, faces that pass by, and properties that change all the time.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeyLiveTests {
  /// Sends a press of a mouse button upstream from the sink, when the second frame arrives.
  private func click(
    _ between: String, x: Double, y: Double, button: gint = 1, change: String = "identity",
    settings: String = ""
  ) throws -> (method: String, color: String, warnings: [String]) {
    #expect(Registered.now)
    // The left half of the picture is red, the right half blue.
    let pipeline = try Pipeline(
      "compositor name=mix sink_1::xpos=80 ! video/x-raw,width=160,height=120,format=I420"
        + " ! \(change) ! chromakey name=key \(settings) ! \(between) ! fakesink name=sink"
        + " videotestsrc pattern=red num-buffers=6 ! video/x-raw,width=80,height=120 ! mix."
        + " videotestsrc pattern=blue num-buffers=6 ! video/x-raw,width=80,height=120 ! mix.")
    let sink = try #require(pipeline.element("sink"))
    defer { gst_object_unref(sink) }
    let pad = try #require(gst_element_get_static_pad(sink, "sink"))
    defer { gst_object_unref(pad) }
    var seen = 0
    try pipeline.watch("sink") { _ in
      seen += 1
      guard seen == 2 else { return }
      gst_pad_push_event(
        pad,
        gst_navigation_event_new_mouse_button_press(
          button, x, y, GST_NAVIGATION_MODIFIER_NONE))
    }
    try pipeline.run()
    return (
      pipeline.value("key", "method"), pipeline.value("key", "color"), pipeline.warnings
    )
  }

  @Test(arguments: [
    ("identity", 20.0, 60.0, true), ("identity", 120.0, 60.0, false),
    ("videoscale ! video/x-raw,width=640,height=480", 300.0, 240.0, true),
    ("videoscale ! video/x-raw,width=640,height=480", 340.0, 240.0, false),
    ("videocrop left=70", 5.0, 60.0, true), ("videocrop left=70", 15.0, 60.0, false),
    ("identity", -50.0, 900.0, true), ("identity", 1e300, -1e300, false),
  ])
  func aClickPicksTheColourThere(between: String, x: Double, y: Double, isRed: Bool) throws {
    let (method, color, _) = try click(between, x: x, y: y)
    #expect(method == "custom")
    let value = UInt32(color) ?? 0
    let (red, blue) = (Int(value >> 16 & 255), Int(value & 255))
    #expect(isRed ? red > 200 && blue < 50 : blue > 200 && red < 50, "\(color)")
    #expect(value >> 24 == 255)
  }

  @Test func otherButtonsPickNothing() throws {
    let found = try click("identity", x: 20, y: 60, button: 3)
    #expect(found.method == "auto")
    let off = try click("identity", x: 20, y: 60, settings: "pick=false")
    #expect(off.method == "auto" && off.warnings.isEmpty)
  }

  @Test(arguments: ["saturation=0.0", "saturation=0.04"])
  func aClickOnGreyIsRefusedWithAWarning(change: String) throws {
    let found = try click("identity", x: 20, y: 60, change: "videobalance \(change)")
    #expect(found.method == "auto" && found.color == "4278255360")
    #expect(found.warnings.count == 1 && found.warnings[0].contains("too grey"))
  }

  @Test func aColourThatIsAllClearIsToldAsSuchOnce() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=4 ! video/x-raw,format=I420,width=64,height=48"
        + " ! chromakey background-color=0x00ff00 ! fakesink")
    try pipeline.run()
    #expect(pipeline.warnings.count == 1)
    #expect(pipeline.warnings.first?.contains("0xff00ff00") == true)
  }

  @Test func facesSurviveTheKeyer() throws {
    for (format, rest) in [
      (PixelFormat.i420, "chromakey"), (.i420, "chromakey ! compositor"),
      (.i420, "chromakey background-color=0xff203040"), (.nv12, "chromakey"),
      (.rgb, "chromakey"), (.bgrx, "chromakey"), (.yuy2, "chromakey"),
    ] {
      #expect(Registered.now)
      let pipeline = try Pipeline(
        Registered.photograph(format, width: 640, height: 640)
          + " ! facedetect ! \(rest.replacingName) ! fakesink")
      let frames = try pipeline.frames(at: "key", pad: "src")
      let face = try #require(frames.first?.faces.first)
      #expect(face.box.iou(KnownFace.box) > 0.8, "\(format) \(rest)")
      #expect(frames.first?.regions.count == 1)
      #expect(frames.first?.regions.first?.parameters.isEmpty == false)
    }
  }

  @Test func aThousandRandomPropertyChangesEndInOrder() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc name=source pattern=ball num-buffers=250 ! video/x-raw,format=I420,width=96,"
        + "height=64 ! chromakey name=key n-threads=2 ! fakesink name=sink")
    var random = SplitMix(7)
    func next(_ bound: Int) -> Int { random.below(bound) }
    let ranges: [(String, Double, Double)] = [
      ("angle", 20, 85), ("clip-black", 0, 0.5), ("clip-white", 0.5, 1), ("screen-adapt", 0, 1),
      ("despill", 0, 1), ("spill-luma", 0, 1), ("shrink", -2, 8), ("soften", 0, 4),
      ("crop-left", 0, 1), ("crop-right", 0, 1), ("crop-top", 0, 1), ("crop-bottom", 0, 1),
    ]
    let methods = ["auto", "green", "blue", "magenta", "custom"]
    let files = ["", Photograph.path, "/nonexistent.png", Photograph.root]
    func changeProperties(_ pipeline: Pipeline) {
      for _ in 0..<1 + next(6) {
        switch next(18) {
        case 0: pipeline.set("key", "method", methods[next(5)])
        case 1: pipeline.set("key", "color", "\(next(1 << 31) * 2)")
        case 2: pipeline.set("key", "background-color", next(2) == 0 ? "0" : "\(next(1 << 31) * 2)")
        case 3: pipeline.set("key", "invert", next(2) == 0 ? "true" : "false")
        case 4: pipeline.set("key", "show-matte", next(2) == 0 ? "true" : "false")
        case 5: if next(8) == 0 { pipeline.set("key", "background", files[next(4)]) }
        default:
          let (name, low, high) = ranges[next(ranges.count)]
          let share = [0, 1, Double(next(1000)) / 999][next(3)]
          pipeline.set("key", name, "\(low + share * (high - low))")
        }
      }
    }
    try pipeline.watch("source", pad: "src") { [unowned pipeline] _ in
      for _ in 0..<4 { changeProperties(pipeline) }
    }
    var frames = 0
    try pipeline.watch("sink") { _ in frames += 1 }
    try pipeline.run()
    #expect(frames == 250)
  }

  @Test func aSeekStartsTheSearchForTheScreenAnew() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc name=source pattern=green num-buffers=20 ! video/x-raw,format=I420,width=64,"
        + "height=48,framerate=10/1 ! chromakey ! fakesink name=sink")
    var clear: [Bool] = []
    try pipeline.watch("sink") { clear.append(VideoSamples($0, .a420, 64, 48)!.isTransparent) }
    pipeline.setState(GST_STATE_PAUSED)
    gst_element_get_state(pipeline.raw, nil, nil, 10_000_000_000)
    let flags = GstSeekFlags(
      rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
    for time in [1_000_000_000, 500_000_000, 0] as [gint64] {
      #expect(gst_element_seek_simple(pipeline.raw, GST_FORMAT_TIME, flags, time) != 0)
      gst_element_get_state(pipeline.raw, nil, nil, 10_000_000_000)
    }
    try pipeline.run()
    #expect(clear.count >= 20 && clear.allSatisfy { $0 })
  }

  @Test func presetsAreListedAndLoad() throws {
    #expect(Registered.now)
    try Pipeline.presets(of: "chromakey") { element, names in
      #expect(names == ["Blue clothes", "Even studio", "Uneven room", "Webcam"])
      for name in names { #expect(gst_preset_load_preset(OpaquePointer(element), name) != 0) }
      #expect(gst_preset_load_preset(OpaquePointer(element), "Even studio") != 0)
      #expect(Pipeline.value(element, "screen-adapt") == "0")
    }
  }
}

extension String {
  /// The launch text with the keyer named, so that its pads can be watched.
  fileprivate var replacingName: String {
    "chromakey name=key" + dropFirst("chromakey".count)
  }
}
