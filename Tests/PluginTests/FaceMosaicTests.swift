import Binding
import CGStreamer
import Pixels
import Support
import Testing

/// The example of docs/new-element.md, compiled and run as the page shows it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FaceMosaicTests {
  private static let isRegistered: Bool = {
    _ = Registered.now
    return gst_plugin_register_static(
      gint(GST_VERSION_MAJOR), gint(GST_VERSION_MINOR), "mosaic", "example of the documentation",
      { register(FaceMosaic.self, in: $0) ? 1 : 0 }, "0", "MIT/X11", "gst-mien", "gst-mien",
      "local") != 0
  }()

  /// On the page the algorithm is a module and the element belongs to Elements, so the imports differ.
  @Test func thePageShowsTheseFiles() {
    func text(_ path: String) -> String {
      String(decoding: ScratchFolder.bytes(Photograph.root + "/" + path), as: UTF8.self)
    }
    let page = text("docs/new-element.md")
    let algorithm = text("Tests/PluginTests/FaceBlocks.swift")
    let element = text("Tests/PluginTests/FaceMosaic.swift")
      .replacing("\n@testable import Elements\n", with: "")
      .replacing("import Faces\n", with: "import FaceBlocks\nimport Faces\n")
    #expect(!algorithm.isEmpty && page.contains("```swift\n" + algorithm + "```"))
    #expect(!element.isEmpty && page.contains("```swift\n" + element + "```"))
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

  @Test func threadsMakeNoDifference() throws {
    #expect(Self.isRegistered)
    func bytes(_ threads: Int) throws -> [UInt8] {
      let frames = try Registered.frames(
        "\(Registered.photograph(.i420)) ! facedetect ! facemosaic blocks=7 n-threads=\(threads)"
          + " ! fakesink name=sink")
      return try #require(frames.first).bytes
    }
    #expect(try bytes(1) == bytes(3))
  }
}
