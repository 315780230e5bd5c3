import CGStreamer
import Gst
import Pixels
import Support
import Testing

/// The element that docs/new-element.md shows, as it shows it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FaceMosaicTests {
  private static let isRegistered: Bool = {
    _ = Registered.now
    return gst_plugin_register_static(
      gint(GST_VERSION_MAJOR), gint(GST_VERSION_MINOR), "mosaic", "the example of the pages",
      { register(FaceMosaic.self, in: $0) ? 1 : 0 }, "0", "MIT/X11", "gst-mien", "gst-mien",
      "local") != 0
  }()

  @Test func thePageShowsThisFile() {
    let page = String(
      decoding: ScratchFolder.bytes(Photograph.root + "/docs/new-element.md"), as: UTF8.self)
    let file = String(
      decoding: ScratchFolder.bytes(Photograph.root + "/Tests/PluginTests/FaceMosaic.swift"),
      as: UTF8.self)
    #expect(!file.isEmpty && page.contains("```swift\n" + file + "```"))
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .rgb, .gray8])
  func itHidesTheFaceAndNothingElse(format: PixelFormat) throws {
    #expect(Self.isRegistered)
    func frame(_ elements: String) throws -> CapturedFrame {
      let frames = try Registered.frames(
        "\(Registered.photograph(format)) ! facedetect \(elements) ! fakesink name=sink")
      return try #require(frames.first)
    }
    let (before, after) = (try frame(""), try frame("! facemosaic blocks=4"))
    let changed = zip(before.bytes, after.bytes).filter { $0 != $1 }.count
    #expect(before.bytes.count == after.bytes.count)
    // The box is a fifth of the picture's width and height.
    #expect(changed > before.bytes.count / 60 && changed < before.bytes.count / 18)
  }
}
