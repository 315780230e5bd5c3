import CGStreamer
import Pixels
import Support
import Testing

/// The mask as a GstAnalytics segmentation, where the system's library knows them.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(
    if: SystemSegmentation.isKnown,
    "GStreamer before 1.26, or without gst-plugins-bad, has no masks in GstAnalytics"))
struct SegmentationTests {
  private typealias Found = (masks: [SystemSegmentation], mien: MienMask?, faces: Int)

  /// What is on each frame of the photograph that reaches the sink.
  private func frames(
    _ rest: String, width: Int = 480, height: Int = 360, count: Int = 1
  ) throws -> [Found] {
    precondition(Registered.now)
    let source = Registered.photograph(.i420, width: width, height: height, count: count)
    let pipeline = try Pipeline("\(source) ! \(rest) ! fakesink name=sink")
    var frames: [Found] = []
    try pipeline.watch("sink") { buffer in
      frames.append(
        (
          SystemSegmentation.all(on: buffer), MienMask(on: buffer),
          SystemAnalytics.shared?.detections(buffer)?.count ?? 0
        ))
    }
    try pipeline.run()
    return frames
  }

  private static let keyed = "personkey mask-meta=true analytics=always"
  private static let colored = keyed + " background-color=0xff204060"

  /// Of sizes that are a multiple of the cells' size, and not; with alpha, and in the same format.
  @Test(
    arguments: [(320, 320), (480, 360), (854, 480), (1366, 300), (321, 239)],
    [keyed, colored])
  func twoRegionsCoverTheFrameAndSayWhatTheMaskSays(
    size: (width: Int, height: Int), element: String
  ) throws {
    let frame = try #require(
      try frames(element, width: size.width, height: size.height).first)
    let mask = try #require(frame.masks.first)
    let mien = try #require(frame.mien)
    #expect(frame.masks.count == 1)
    #expect((mask.x, mask.y) == (0, 0))
    #expect((Int(mask.width), Int(mask.height)) == size)
    #expect((mask.columns, mask.rows) == (mien.width, mien.height))
    #expect(mask.names == [0: "background", 1: "person"])
    let people = mask.cells.count { $0 == 1 }
    #expect(people + mask.cells.count { $0 == 0 } == mask.cells.count)
    #expect(people * 10 > mask.cells.count * 2 && people * 10 < mask.cells.count * 9)
    // At every pixel the two agree, but for what lies next to an edge.
    let (width, height) = (Double(size.width), Double(size.height))
    let cell = (mien.cover.width / Double(mien.width), mien.cover.height / Double(mien.height))
    var wrong = 0
    for (y, x) in product(0..<size.height, 0..<size.width) {
      let place = ((Double(x) + 0.5) / width, (Double(y) + 0.5) / height)
      let around = [-1.0, 0, 1].flatMap { dy in
        [-1.0, 0, 1].map { dx in
          mien.value(place.0 + dx * cell.0, place.1 + dy * cell.1)
        }
      }.filter { $0 >= 0 }
      let region = mask.region(x, y)
      if around.allSatisfy({ $0 > 127 }) && region == 0
        || around.allSatisfy({ $0 <= 127 }) && region == 1
      {
        wrong += 1
      }
    }
    #expect(wrong == 0)
  }

  @Test func itIsWrittenOnlyWhereMasksAreWanted() throws {
    for element in ["personkey analytics=always", "personkey mask-meta=true analytics=never"] {
      let frame = try #require(try frames(element).first)
      #expect(frame.masks.isEmpty && (frame.mien != nil) == element.contains("never"))
    }
    // This process has loaded the library, as one with an overlay downstream has.
    #expect(try frames("personkey mask-meta=true").first?.masks.count == 1)
  }

  @Test func whatOthersFoundStaysBesideIt() throws {
    for order in [
      "facedetect analytics=always ! \(Self.keyed)",
      "facedetect analytics=always ! \(Self.colored)",
      "\(Self.colored) ! facedetect analytics=always",
    ] {
      let frames = try frames(order, count: 3)
      #expect(frames.count == 3)
      #expect(frames.allSatisfy { $0.masks.count == 1 && $0.faces == 1 }, "\(order)")
      #expect(frames.allSatisfy { $0.masks.first?.names.count == 2 }, "\(order)")
    }
  }

  @Test func aSecondKeyerReplacesTheMaskOfTheFirst() throws {
    let again =
      "\(Self.colored) ! personkey background-color=0xff204060 mask-meta=true clip-black=0.9"
    let first = try #require(try frames(Self.colored).first?.masks.first)
    let masks = try #require(try frames("\(again) analytics=always").first?.masks)
    #expect(masks.count == 1 && masks.first?.cells != first.cells)
    // Beside others' results, which cannot be taken apart, the first one stays.
    let mixed = try frames("facedetect analytics=always ! \(again) analytics=always")
    #expect(mixed.first?.masks.count == 1 && mixed.first?.faces == 1)
  }

  @Test func itGoesAlongWhereFramesAreConvertedAndScaled() throws {
    let rest =
      "videoconvert ! video/x-raw,format=RGB ! videoscale add-borders=false"
      + " ! video/x-raw,width=240,height=90"
    let before = try #require(try frames(Self.colored).first?.masks.first)
    let after = try #require(try frames("\(Self.colored) ! \(rest)").first?.masks.first)
    #expect((after.x, after.y, after.width, after.height) == (0, 0, 240, 90))
    #expect(after.cells == before.cells && after.names == before.names)
  }

  @Test(
    .enabled(
      if: GStreamerHabits.metadataMovesWithPixels, "before GStreamer 1.28 metadata is dropped there"
    ), arguments: [("videocrop left=120 top=36", -120, -36), ("videobox left=-50 top=-20", 50, 20)])
  func cropsAndBordersMoveItsRectangle(element: String, x: Int, y: Int) throws {
    let before = try #require(try frames(Self.colored).first?.masks.first)
    let after = try #require(try frames("\(Self.colored) ! \(element)").first?.masks.first)
    // GStreamer's own rounding may take a pixel.
    #expect(abs(Int(after.x) - x) <= 1 && abs(Int(after.y) - y) <= 1)
    #expect(abs(Int(after.width) - 480) <= 1 && abs(Int(after.height) - 360) <= 1)
    #expect(after.cells == before.cells)
  }

  @Test func masksComeBackAndAreUsedAgain() throws {
    let frames = try frames(
      "\(Self.colored) every=10 ! queue max-size-buffers=3 ! videoconvert"
        + " ! video/x-raw,format=RGB", count: 60)
    let addresses = Set(frames.compactMap { $0.masks.first?.address })
    #expect(
      frames.allSatisfy { $0.masks.count == 1 } && addresses.count <= 10, "\(addresses.count)")
  }

  /// As where an element downstream does not let go of what it drops.
  @Test func whereMasksNeverComeBackMemoryEndsAndSomebodyHears() throws {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=330 ! video/x-raw,format=RGB,width=32,height=32"
        + " ! \(Self.colored) every=10 ! fakesink name=sink")
    var held: [UnsafeMutablePointer<GstBuffer>] = []
    var masks: [Int] = []
    func release() {
      for buffer in held {
        gst_mini_object_unref(
          UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
      }
      held = []
    }
    try pipeline.watch("sink") { buffer in
      masks.append(SystemSegmentation.all(on: buffer).count)
      guard masks.count <= 320 else { return release() }
      gst_mini_object_ref(
        UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
      held.append(buffer)
    }
    try pipeline.run()
    release()
    #expect(masks.count == 330)
    #expect(masks[..<300].allSatisfy { $0 == 1 } && masks[300..<320].allSatisfy { $0 == 0 })
    #expect(masks[322...].allSatisfy { $0 == 1 })
    #expect(pipeline.warnings.count == 1)
    #expect(pipeline.warnings.first?.hasPrefix("Downstream holds 300 masks") == true)
  }

  // MARK: Other elements

  private static let hasOverlay =
    (try? Command(["gst-inspect-1.0", "--exists", "segmentationoverlay"]).status) == 0

  /// Of the built plugin, in a process of its own: nothing but the overlay brings the library.
  @Test(.enabled(if: hasOverlay, "segmentationoverlay comes with GStreamer 1.28"))
  func theOverlayColoursPeopleAlone() throws {
    let scratch = ScratchFolder()
    func picture(_ rest: String) throws -> [UInt8] {
      let file = scratch.path + "/overlay.rgb"
      let run = try Command.launch(
        "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! video/x-raw,format=RGBx"
          + " ! personkey mask-meta=true background-color=0xff204060 \(rest)"
          + " ! videoconvert ! video/x-raw,format=RGB ! filesink location=\(file)")
      #expect(run.status == 0, "\(run.errors)")
      return ScratchFolder.bytes(file)
    }
    let (plain, drawn) = (try picture(""), try picture("! videoconvert ! segmentationoverlay"))
    try #require(plain.count == 512 * 512 * 3 && drawn.count == plain.count)
    func isChanged(_ x: Int, _ y: Int) -> Bool {
      let at = (y * 512 + x) * 3
      return plain[at..<at + 3] != drawn[at..<at + 3]
    }
    // Her face and chest; the room above her and beside her.
    #expect(isChanged(230, 112) && isChanged(102, 317) && isChanged(235, 30))
    #expect(!isChanged(25, 25) && !isChanged(400, 60))
    #expect(try picture("analytics=never ! videoconvert ! segmentationoverlay") == plain)
  }
}

/// The same where the system's library knows none, or is missing.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: !SystemSegmentation.isKnown, "GstAnalytics has masks here"))
struct MissingSegmentationTests {
  @Test(arguments: ["auto", "never", "always"], [true, false])
  func masksAreWrittenAsMienMaskAllTheSame(choice: String, isWanted: Bool) throws {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(.i420, width: 160, height: 160, count: 3)
        + " ! personkey analytics=\(choice) mask-meta=\(isWanted) ! fakesink name=sink")
    var masks = 0
    try pipeline.watch("sink") { masks += MienMask(on: $0) != nil ? 1 : 0 }
    try pipeline.run()
    #expect(masks == (isWanted ? 3 : 0))
    let expected = isWanted && choice == "always" ? 1 : 0
    #expect(pipeline.warnings.count == expected, "\(pipeline.warnings)")
    #expect(
      pipeline.warnings.allSatisfy { $0.hasPrefix("GstAnalytics with masks is not installed") })
  }
}
