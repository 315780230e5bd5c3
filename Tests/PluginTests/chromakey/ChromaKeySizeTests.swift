import CGStreamer
import Pixels
import Support
import Testing
import Threads

/// Frames from one pixel to 8K, and what the caps of such frames say.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeySizeTests {
  private typealias Size = (width: Int, height: Int)

  /// Plays a frame or two of each size in one stream; each frame that comes out.
  private func play(
    _ sizes: [Size], _ input: PixelFormat, _ keyer: String, _ output: PixelFormat,
    see: @escaping (VideoSamples, Size) -> Void
  ) throws -> Int {
    #expect(Registered.now)
    let sources = sizes.map {
      " videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=\(input.rawValue),"
        + "width=\($0.width),height=\($0.height) ! source."
    }
    let pipeline = try Pipeline(
      "concat name=source ! \(keyer) n-threads=2 ! fakesink name=sink" + sources.joined())
    var frames = 0
    try pipeline.watch("sink") { buffer in
      let size = sizes[min(frames / 2, sizes.count - 1)]
      if let samples = VideoSamples(buffer, output, size.width, size.height) {
        see(samples, size)
      }
      frames += 1
    }
    try pipeline.run()
    return frames
  }

  @Test func oneStreamMayGoFromOnePixelTo8KAndBack() throws {
    let sizes: [Size] = [(1, 1), (7680, 4320), (1, 1), (16384, 2), (2, 16384)]
    for (input, output) in [(PixelFormat.i420, PixelFormat.a420), (.nv12, .av12)] {
      var clear = 0
      let frames = try play(sizes, input, "chromakey", output) { samples, size in
        if samples.alpha.count == size.width * size.height, samples.isTransparent { clear += 1 }
      }
      #expect(frames == 10 && clear == 10)
    }
  }

  @Test func aPictureIsPutBehind8K() throws {
    var last: Set<UInt8> = []
    let frames = try play(
      [(7680, 4320)], .nv12, "chromakey background=\(Photograph.path)", .nv12
    ) { samples, _ in
      last = Set(samples.components[0].prefix(7680 * 100))
    }
    // A photograph, not a colour: it has many shades.
    #expect(frames == 2 && last.count > 20)
  }

  @Test(arguments: ["I420", "YUY2", "RGBx"])
  func capsKeepAllThatIsNoConcernOfTheKeyer(format: String) throws {
    #expect(Registered.now)
    let kept = [
      "width", "height", "framerate", "pixel-aspect-ratio", "interlace-mode", "field-order",
      "multiview-mode", "colorimetry", "views",
    ]
    let colorimetry = format == "RGBx" ? "1:1:5:1" : "2:3:5:1"
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,format=\(format),width=64,height=48,"
        + "framerate=24000/1001,pixel-aspect-ratio=16/15 ! capssetter caps=video/x-raw,"
        + "interlace-mode=interleaved,field-order=bottom-field-first,multiview-mode=mono,"
        + "views=1,colorimetry=\(colorimetry)"
        + " ! identity name=before ! chromakey name=key ! fakesink")
    func caps(_ name: String) throws -> [String] {
      let element = try #require(pipeline.element(name))
      defer { gst_object_unref(element) }
      let pad = try #require(gst_element_get_static_pad(element, "src"))
      defer { gst_object_unref(pad) }
      let caps = try #require(gst_pad_get_current_caps(pad))
      defer { gst_caps_unref(caps) }
      let structure = gst_caps_get_structure(caps, 0)
      return try kept.map { field in
        let value = try #require(gst_structure_get_value(structure, field), "\(field)")
        let text = gst_value_serialize(value)
        defer { g_free(text) }
        return field + "=" + (text.map { String(cString: $0) } ?? "")
      }
    }
    var (before, after): ([String], [String]) = ([], [])
    try pipeline.watch("key", pad: "src") { _ in
      before = (try? caps("before")) ?? []
      after = (try? caps("key")) ?? []
    }
    try pipeline.run()
    #expect(before.count == kept.count && before == after)
  }
}
