import CGStreamer
import Pixels
import Support
import Testing

/// The element on the photograph of one person, in real pipelines.
@Suite(.timeLimit(.minutes(20))) struct PersonKeyTests {
  /// The photograph before a lot of room, as frames of a stream.
  static func person(_ format: PixelFormat = .i420, frames: Int = 1, more: String = "") -> String {
    "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! videoscale"
      + " ! video/x-raw,format=\(format.rawValue),width=320,height=320,pixel-aspect-ratio=1/1"
      + " ! imagefreeze num-buffers=\(frames)\(more)"
  }

  /// Frames of a stream of `person`, behind `personkey` with these properties.
  static func keyed(
    _ properties: String, _ format: PixelFormat = .i420, _ output: PixelFormat = .a420,
    frames: Int = 1
  ) throws -> [VideoSamples] {
    try VideoSamples.frames(
      person(format, frames: frames) + " ! personkey \(properties)"
        + " ! video/x-raw,format=\(output.rawValue) ! fakesink name=sink", output, 320, 320)
  }

  /// Shares of a face, a chest and the corner of the room above her, in the photograph.
  private static let face = (0.45, 0.22)
  private static let chest = (0.20, 0.62)
  private static let corner = (0.05, 0.05)

  static func sample(_ plane: [UInt8], _ place: (Double, Double), side: Int = 320) -> UInt8 {
    plane[Int(place.1 * Double(side)) * side + Int(place.0 * Double(side))]
  }

  @Test func aPersonIsOpaqueAndUnchangedAndTheRoomIsGone() throws {
    let plain = try VideoSamples.frames(
      Self.person() + " ! fakesink name=sink", .i420, 320, 320)
    let keyed = try #require(try Self.keyed("").first)
    #expect(Self.sample(keyed.alpha, Self.face) == 255)
    #expect(Self.sample(keyed.alpha, Self.chest) == 255)
    #expect(Self.sample(keyed.alpha, Self.corner) == 0)
    let share = keyed.alpha.reduce(0.0) { $0 + Double($1) } / 255 / Double(keyed.alpha.count)
    #expect((0.4...0.65).contains(share), "\(share)")
    var changed = 0
    for (at, alpha) in keyed.alpha.enumerated() where alpha == 255 {
      if keyed.components[0][at] != plain[0].components[0][at] { changed += 1 }
    }
    #expect(changed == 0)
  }

  @Test func aColourStandsBehindAndFramesKeepTheirFormat() throws {
    let frame = try #require(
      try Self.keyed("background-color=0xff0000ff", .rgb, .rgb).first)
    #expect(frame.components.map { Self.sample($0, Self.corner) } == [0, 0, 255])
    #expect(Self.sample(frame.components[0], Self.chest) > 150)
  }

  @Test func aPictureStandsBehind() throws {
    let scratch = ScratchFolder()
    try Pipeline(
      "videotestsrc num-buffers=1 pattern=red ! video/x-raw,format=RGBA,width=40,height=30 ! pngenc"
        + " ! filesink location=\(scratch.path)/red.png"
    ).run()
    let frame = try #require(
      try Self.keyed("background=\(scratch.path)/red.png", .bgrx, .bgrx).first)
    #expect(frame.components.prefix(3).map { Self.sample($0, Self.corner) } == [255, 0, 0])
  }

  @Test func whereNobodyIsAllIsBackground() throws {
    for pattern in ["smpte", "snow", "black", "gradient"] {
      let frames = try VideoSamples.frames(
        "videotestsrc num-buffers=3 pattern=\(pattern) ! video/x-raw,format=RGB,width=160,height=90"
          + " ! personkey background-color=0xff204060 ! fakesink name=sink", .rgb, 160, 90)
      #expect(frames.count == 3)
      for frame in frames {
        let isBackground = zip(frame.components, [0x20, 0x40, 0x60] as [UInt8]).allSatisfy {
          samples, code in samples.allSatisfy { $0 == code }
        }
        #expect(isBackground, "\(pattern)")
      }
    }
  }

  @Test func theMatteIsShownAndInverted() throws {
    let shown = try #require(try Self.keyed("show-matte=true", .rgb, .rgba).first)
    #expect(Self.sample(shown.components[0], Self.face) == 255)
    #expect(Self.sample(shown.components[0], Self.corner) == 0)
    let inverted = try #require(try Self.keyed("invert=true").first)
    #expect(Self.sample(inverted.alpha, Self.face) == 0)
    #expect(Self.sample(inverted.alpha, Self.corner) == 255)
  }

  @Test func aMissingModelIsNamedAtStart() throws {
    #expect(Registered.now)
    let scratch = ScratchFolder()
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=1 ! personkey model-dir=\(scratch.path) ! fakesink")
    let failure = #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    #expect(failure?.description.contains("selfie_segmentation.tflite was not found") == true)
    #expect(failure?.detail.contains(scratch.path) == true)
  }

  @Test func aDamagedModelIsNamedAtStart() throws {
    #expect(Registered.now)
    let scratch = ScratchFolder()
    _ = scratch.write("selfie_segmentation.tflite", [UInt8](repeating: 7, count: 100))
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=1 ! personkey model=general model-dir=\(scratch.path) ! fakesink")
    let failure = #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    #expect(failure?.description.contains("selfie_segmentation.tflite cannot be used") == true)
  }

  @Test func whereThePersonIsIsToldAsMetadata() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      Self.person(.nv12) + " ! personkey mask-meta=true ! videoconvert ! videoscale"
        + " ! video/x-raw,format=RGB,width=100,height=100 ! fakesink name=sink")
    var seen: (width: guint, height: guint, alpha: [UInt8])?
    try pipeline.watch("sink") { buffer in
      guard let meta = gst_buffer_get_custom_meta(buffer, "MienMask") else { return }
      let structure = gst_custom_meta_get_structure(meta)
      var (width, height): (guint, guint) = (0, 0)
      gst_structure_get_uint(structure, "width", &width)
      gst_structure_get_uint(structure, "height", &height)
      var size: gsize = 0
      guard let value = gst_structure_get_value(structure, "alpha"),
        let bytes = g_value_get_boxed(value),
        let data = g_bytes_get_data(OpaquePointer(bytes), &size)
      else { return }
      seen = (
        width, height,
        Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
      )
    }
    try pipeline.run()
    let mask = try #require(seen)
    #expect(mask.alpha.count == Int(mask.width * mask.height) && mask.width == mask.height)
    let side = Int(mask.width)
    #expect(Self.sample(mask.alpha, Self.face, side: side) == 255)
    #expect(Self.sample(mask.alpha, Self.corner, side: side) == 0)
  }

  @Test func withoutBeingAskedNothingIsAttached() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(Self.person() + " ! personkey ! fakesink name=sink")
    var hasMask = false
    try pipeline.watch("sink") { hasMask = gst_buffer_get_custom_meta($0, "MienMask") != nil }
    try pipeline.run()
    #expect(!hasMask)
  }

  @Test(arguments: [
    ("cover", [255, 255, 255] as [UInt8]), ("contain", [0, 255, 0]), ("stretch", [255, 255, 255]),
  ])
  func aPictureOfAnotherShapeIsFitted(fit: String, corner: [UInt8]) throws {
    let scratch = ScratchFolder()
    try Pipeline(
      "videotestsrc num-buffers=1 pattern=white ! video/x-raw,format=RGBA,width=80,height=20"
        + " ! pngenc ! filesink location=\(scratch.path)/white.png"
    ).run()
    for element in ["personkey", "chromakey method=green"] {
      let frames = try VideoSamples.frames(
        "videotestsrc pattern=green num-buffers=1 ! video/x-raw,format=RGB,width=64,height=64"
          + " ! \(element) fit=\(fit) background=\(scratch.path)/white.png"
          + " background-color=0xff00ff00 ! fakesink name=sink", .rgb, 64, 64)
      let frame = try #require(frames.first)
      #expect(frame.components.map { $0[2 * 64 + 2] } == corner, "\(element)")
      #expect(frame.components.map { $0[32 * 64 + 32] } == [255, 255, 255], "\(element)")
    }
  }

  @Test(arguments: ["chromakey method=green", "personkey"])
  func aFilmStandsBehindAgainAndAgainByRunningTime(element: String) throws {
    let scratch = ScratchFolder()
    let halves = ["red", "blue"].map {
      " videotestsrc pattern=\($0) num-buffers=2 ! video/x-raw,width=32,height=32,framerate=10/1"
        + " ! film."
    }
    try Pipeline(
      "concat name=film ! videoconvert ! jpegenc ! avimux ! filesink"
        + " location=\(scratch.path)/film.avi" + halves.joined()
    ).run()
    let frames = try VideoSamples.frames(
      "videotestsrc pattern=green num-buffers=8 ! video/x-raw,format=RGB,width=32,height=32,"
        + "framerate=10/1 ! \(element) background=\(scratch.path)/film.avi ! fakesink name=sink",
      .rgb, 32, 32)
    let isRed = frames.map { $0.components[0][0] > 200 }
    #expect(isRed == [true, true, false, false, true, true, false, false])
  }

  @Test(arguments: [("faces", 1), ("all", 0)])
  func whoKeepsFacesAloneIsToldThatNobodyLooksForThem(people: String, warnings: Int) throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! video/x-raw,format=RGB,width=32,height=32"
        + " ! personkey people=\(people) ! fakesink")
    try pipeline.run()
    #expect(pipeline.warnings.count == warnings)
    #expect(pipeline.warnings.allSatisfy { $0.contains("personkey removes all people") })
  }
}
