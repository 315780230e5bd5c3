import CGStreamer
import Support
import Testing

/// Frames that an element cannot read: a warning names what to put before it.
@Suite(.timeLimit(.minutes(20))) struct RefusedCapsTests {
  static let elements = [
    "facedetect", "beautifymask", "sticker", "facereshape", "facehide", "photoeffect",
    "personkey", "chromakey",
  ]

  /// The warnings of an element whose frames have these features, or another format.
  private static func refuse(
    _ features: String, _ format: String = "NV12", by element: String
  ) throws -> [String] {
    let frames = try PushedFrames(
      element, width: 32, height: 32, features: features, caps: "", named: format)
    #expect(frames.push([UInt8](repeating: 0, count: 4096)) != GST_FLOW_OK)
    return frames.warnings
  }

  @Test(arguments: elements)
  func theElementThatCopiesToTheMainMemoryIsNamed(element: String) throws {
    let warnings = try Self.refuse("(memory:GLMemory)", by: element)
    try #require(warnings.count == 1)
    #expect(warnings[0].contains("memory:GLMemory"))
    #expect(warnings[0].contains("Put \"gldownload\" before it, of the package gstreamer1.0-gl."))
  }

  @Test(arguments: [
    ("memory:CUDAMemory", "\"cudadownload\""), ("memory:VAMemory", "\"vapostproc\""),
    ("memory:DMABuf", "\"vapostproc\""),
    ("memory:SystemMemory,meta:GstVideoOverlayComposition", "\"overlaycomposition\""),
    ("memory:Unknown", "copies them to the main memory"),
  ])
  func eachMemoryHasARemedy(features: String, remedy: String) throws {
    let warnings = try Self.refuse("(\(features))", by: "facedetect")
    try #require(warnings.count == 1)
    #expect(warnings[0].contains(remedy))
  }

  @Test func aFormatThatIsNotProcessedNamesItsConverter() throws {
    let warnings = try Self.refuse("", "UYVP", by: "facedetect")
    #expect(
      warnings == [
        "facedetect does not process the format UYVP. Put \"videoconvert\" before it."
      ])
  }

  @Test func capsThatAreTakenCauseNoWarning() throws {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=2 ! video/x-raw,format=UYVP ! videoconvert ! beautifymask mask=full"
        + " ! fakesink")
    try pipeline.run()
    #expect(pipeline.warnings.isEmpty)
  }
}
