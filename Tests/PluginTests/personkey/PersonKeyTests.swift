import CGStreamer
import Pixels
import Support
import Testing

/// The element on the photograph of one person, in real pipelines.
@Suite struct PersonKeyTests {
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
}
