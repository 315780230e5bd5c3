import CGStreamer
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Names, packs and amounts that nobody means well with.
@Suite(.timeLimit(.minutes(20))) struct StickerTrustTests {
  /// Sets a property to these very bytes, as applications do.
  private func set(_ pipeline: Pipeline, _ name: String, _ bytes: [UInt8]) throws {
    let element = try #require(pipeline.element(name))
    defer { gst_object_unref(element) }
    var value = GValue()
    g_value_init(&value, GType(16 << 2))
    defer { g_value_unset(&value) }
    (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
      g_value_set_string(&value, $0.baseAddress)
    }
    g_object_set_property(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), "location", &value)
  }

  /// The middle of a frame that wears the picture of these bytes' name.
  private func middle(wearing location: [UInt8]) throws -> [UInt8] {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      StickerScene.blank(.rgb, count: 2) + " ! sticker name=s anchor=screen ! fakesink name=sink")
    try set(pipeline, "s", location)
    var color: [UInt8] = []
    try pipeline.watch("sink") {
      color = Array(CapturedFrame($0).bytes[(24 * 64 + 32) * 3..<(24 * 64 + 33) * 3])
    }
    try pipeline.run()
    #expect(pipeline.messages.count == 1)
    return color
  }

  @Test func filesAreOpenedByTheirVeryNames() throws {
    let folder = StickerFolder()
    let red = ScratchFolder.bytes(try folder.paint("red.jpg", 0xFFFF_0000))
    let blue = ScratchFolder.bytes(try folder.paint("blue.png", 0xFF00_00FF))
    // Where quotes are taken off, the other one is opened.
    folder.write("red.jpg", red)
    for name in ["\"red.jpg\"", "NULL", "a b\\\"c", "(string)x"] {
      folder.write(name, blue)
      #expect(
        try middle(wearing: Array((folder.path + "/" + name).utf8)) == [0, 0, 255], "\(name)")
    }
  }

  @Test func namesThatAreNoUTF8AreOpenedAndShownReadably() throws {
    let folder = StickerFolder()
    let blue = try folder.paint("blue.png", 0xFF00_00FF)
    let name = Array((folder.path + "/").utf8) + [0xE9, 0x74, 0xE9] + Array(".png".utf8)
    let moved = (name + [0]).map { CChar(bitPattern: $0) }
    #expect(rename(blue, moved) == 0)
    #expect(try middle(wearing: name) == [0, 0, 255])
    #expect(unlink(moved) == 0)
    let pipeline = try Pipeline(
      StickerScene.blank(.rgb, count: 2) + " ! sticker name=s ! fakesink name=sink")
    try set(pipeline, "s", name)
    let error = #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    #expect(
      error?.description.contains("\u{FFFD}t\u{FFFD}.png") == true,
      "\(error?.description ?? "none")")
  }

  /// Writes a pack's manifest that has as many of an item as may be.
  private func writeManifest(of item: String, to folder: StickerFolder) {
    let items = [String](repeating: item, count: 256).joined(separator: ",")
    folder.write(
      "meta.json", Array("{\"version\": 2, \"name\": \"n\", \"items\": [\(items)]}".utf8))
  }

  @Test func aPackThatNamesAnEnormousFolderManyTimesIsReadOnceAndSoon() throws {
    let folder = StickerFolder()
    mkdir(folder.path + "/frames", 0o755)
    try folder.paint("frames/0.png", 0xFFFF_0000)
    for index in 1..<66_000 { close(open(folder.path + "/frames/\(index)", O_CREAT, 0o600)) }
    let item =
      "{\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 1, \"width\": 1, \"height\": 1,"
      + " \"folder\": \"frames\", \"frames\": 1}"
    writeManifest(of: item, to: folder)
    let pipeline = try Pipeline(
      StickerScene.blank(.rgb, count: 2) + " ! sticker location=\(folder.path) ! fakesink")
    let start = g_get_monotonic_time()
    let error = #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    #expect(g_get_monotonic_time() - start < 5_000_000)
    #expect(
      error?.description.contains("more than 65536 files") == true,
      "\(error?.description ?? "none")")
  }

  @Test func aPackThatPaintsWithoutEndIsBoundedAndSaysSoOnce() throws {
    #expect(Registered.now)
    let folder = StickerFolder()
    try folder.paint("a.png", 0x8080_8080, width: 512, height: 512)
    let item =
      "{\"type\": 1, \"anchor\": \"centre\", \"scaleWidth\": 100, \"blend\": \"screen\","
      + " \"width\": 1, \"height\": 1, \"file\": \"a.png\"}"
    writeManifest(of: item, to: folder)
    let pipeline = try Pipeline(
      "videotestsrc pattern=black ! video/x-raw,format=RGB,width=1280,height=720,framerate=30/1"
        + " ! sticker name=s location=\(folder.path) ! fakesink name=sink")
    var frames = 0
    try pipeline.watch("sink") { [unowned pipeline] _ in
      frames += 1
      if frames == 3 { pipeline.end() }
    }
    pipeline.setState(GST_STATE_PLAYING)
    try pipeline.wait()
    let start = g_get_monotonic_time()
    pipeline.setState(GST_STATE_NULL)
    #expect(frames >= 3 && g_get_monotonic_time() - start < 1_000_000)
    let said = pipeline.warnings.filter { $0.contains("more than 16 times") }
    #expect(said.count == 1 && said[0].contains(folder.path), "\(pipeline.warnings)")
  }

  @Test(arguments: ["sticker location=halo", "beautifymask"])
  func aShortStreamWithoutADetectorIsToldAtItsEnd(element: String) throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! video/x-raw,width=64,height=48 ! \(element) ! fakesink")
    try pipeline.run()
    let said = pipeline.warnings.filter { $0.hasPrefix("3 frames came without face metadata") }
    #expect(said.count == 1 && pipeline.warnings.count == 1, "\(pipeline.warnings)")
    let right = try Pipeline(StickerScene.blank(count: 3) + " ! \(element) ! fakesink")
    try right.run()
    #expect(right.warnings.isEmpty)
  }
}
