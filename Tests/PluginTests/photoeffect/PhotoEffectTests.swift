import CGStreamer
import Pixels
import Support
import Testing

/// `photoeffect` in streams.
@Suite(.timeLimit(.minutes(20))) struct PhotoEffectTests {
  private static func photograph(
    _ format: PixelFormat, width: Int = 320, height: Int = 240, count: Int = 1
  ) -> String {
    Registered.photograph(format, width: width, height: height, count: count)
  }

  private static func run(
    _ properties: String, _ format: PixelFormat = .nv12, width: Int = 320, height: Int = 240,
    count: Int = 1
  ) throws -> Retouched {
    try Retouched(
      photograph(format, width: width, height: height, count: count), properties,
      by: "photoeffect")
  }

  @Test(arguments: ["", "look=noir intensity=0"])
  func framesThatNeedNothingPassWithTheirMemory(properties: String) throws {
    let run = try Self.run(properties, count: 3)
    #expect(run.after.count == 3)
    for (before, after) in zip(run.before, run.after) {
      #expect(before.address == after.address && before.bytes == after.bytes)
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func everyFormatAndSizeIsTaken(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 3), (3, 5), (17, 1), (1, 64), (2051, 7)] {
      let run = try Retouched(
        Retouched.noise(format, width: width, height: height, count: 2), "look=transfer",
        by: "photoeffect")
      #expect(run.after.count == 2)
      #expect(run.change(1) > 0 || width < 10)
    }
  }

  // MARK: Changes

  @Test func aLookChangesWhilePlayingAndNoFrameIsLost() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Self.photograph(.i420, count: 60)) ! photoeffect name=p ! fakesink name=sink")
    var frames: [[UInt8]] = []
    let looks = ["mono", "none", "chrome", "cartoon", "sepia", "noir"]
    try pipeline.watch("sink") { [unowned pipeline] buffer in
      frames.append(CapturedFrame(buffer).bytes)
      if frames.count % 10 == 0 {
        pipeline.set("p", "look", looks[min(frames.count / 10, looks.count) - 1])
      }
    }
    try pipeline.run()
    #expect(frames.count == 60)
    // Each look from the very next frame on.
    for index in 1..<6 { #expect(frames[10 * index] != frames[10 * index - 1]) }
    #expect(frames[20] == frames[0])
  }

  @Test func aLookIsFadedInByAController() throws {
    let program = """
      import gi
      gi.require_version("Gst", "1.0")
      gi.require_version("GstController", "1.0")
      from gi.repository import Gst, GstController
      Gst.init(None)
      pipeline = Gst.parse_launch(
          "videotestsrc pattern=red num-buffers=11 ! video/x-raw,format=RGB,width=16,height=16"
          ",framerate=10/1 ! photoeffect look=mono name=p ! appsink name=sink sync=false")
      source = GstController.InterpolationControlSource()
      source.set_property("mode", GstController.InterpolationMode.LINEAR)
      pipeline.get_by_name("p").add_control_binding(
          GstController.DirectControlBinding.new(pipeline.get_by_name("p"), "intensity", source))
      source.set(0, 0.0)
      source.set(Gst.SECOND, 1.0)
      pipeline.set_state(Gst.State.PLAYING)
      while sample := pipeline.get_by_name("sink").emit("pull-sample"):
          data = sample.get_buffer().extract_dup(0, 3)
          print(data[0] - data[1])
      pipeline.set_state(Gst.State.NULL)
      """
    let run = try Command(
      ["/usr/bin/python3", "-c", program], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
    let colors = run.output.split(separator: "\n").compactMap { Int($0) }
    try #require(colors.count == 11)
    #expect(colors[0] == 255 && colors[10] == 0)
    for (index, color) in colors.enumerated() {
      #expect(abs(color - (255 - 255 * index / 10)) <= 2, "\(colors)")
    }
  }

  @Test func presetsAreListedAndLoad() throws {
    #expect(Registered.now)
    try Pipeline.presets(of: "photoeffect") { element, names in
      #expect(
        names == ["Cartoon", "Colour key", "Instant picture", "Old film", "Summer print"])
      for name in names { #expect(gst_preset_load_preset(OpaquePointer(element), name) != 0) }
      #expect(gst_preset_load_preset(OpaquePointer(element), "Old film") != 0)
      #expect(Pipeline.value(element, "look") == "noir")
    }
  }

  // MARK: Places

  @Test func facesAreGreyAndTheRestKeepsItsColours() throws {
    let run = try Retouched(
      Self.photograph(.i420), "look=mono where=faces", by: "photoeffect"
    ) { buffer, _ in
      AttachedFace.attach([AttachedFace(x: 0.4, y: 0.2, width: 0.2, height: 0.3)], to: buffer)
    }
    let face = Rectangle(x: 0.3, y: 0.05, width: 0.4, height: 0.6)
    let changes = run.changes(0, .i420, width: 320, height: 240, within: face)
    #expect(changes.inside > 3000 && changes.outside == 0)
  }

  @Test func theRoomIsGreyBehindSomebodyInColour() throws {
    let source =
      Self.photograph(.i420, width: 256, height: 256)
      + " ! facedetect ! personkey blur=0.01 despill=0 mask-meta=true"
    func chroma(_ place: String) throws -> (face: Int, room: Int) {
      let run = try Retouched(source, "look=mono where=\(place)", by: "photoeffect")
      let cr = run.after[0].bytes[(256 * 256 * 5 / 4)...]
      func colour(_ x: Int, _ y: Int) -> Int { abs(Int(cr[cr.startIndex + y * 128 + x]) - 128) }
      // Her cheek, and the flag.
      return (colour(55, 32), colour(12, 60))
    }
    let (background, people) = (try chroma("background"), try chroma("people"))
    #expect(background.face > 5 && background.room == 0, "\(background)")
    #expect(people.face == 0 && people.room > 5, "\(people)")
  }

  @Test(arguments: [("faces", "facedetect"), ("background", "personkey mask-meta=true")])
  func silenceIsWarnedOfByNamingWhatIsMissing(place: String, element: String) throws {
    let run = try Retouched(
      Retouched.noise(.gray8, width: 64, height: 48, count: 220), "look=noir where=\(place)",
      by: "photoeffect")
    #expect(run.warnings.count == 1 && run.warnings.first?.contains(element) == true)
    #expect(zip(run.before, run.after).allSatisfy { $0.address == $1.address })
  }
}
