import CGStreamer
import Pixels
import Support
import Testing

/// Which formats are agreed on, and what happens when that changes in mid-stream.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeyNegotiationTests {
  /// Runs and returns the format on the element's source pad with every buffer.
  private func formats(
    _ description: String,
    see: ((UnsafeMutablePointer<GstBuffer>, Int, String) -> Void)? = nil,
    changing change: ((Pipeline, Int) -> Void)? = nil
  ) throws -> [String] {
    #expect(Registered.now)
    let pipeline = try Pipeline(description)
    var sent = 0
    try pipeline.watch("source", pad: "src") { [unowned pipeline] _ in
      change?(pipeline, sent)
      sent += 1
    }
    let key = try #require(pipeline.element("key"))
    defer { gst_object_unref(key) }
    let pad = try #require(gst_element_get_static_pad(key, "src"))
    defer { gst_object_unref(pad) }
    var formats: [String] = []
    try pipeline.watch("key", pad: "src") { buffer in
      let caps = gst_pad_get_current_caps(pad)
      let structure = gst_caps_get_structure(caps, 0)
      let format = gst_structure_get_string(structure, "format").map { String(cString: $0) } ?? ""
      gst_caps_unref(caps)
      see?(buffer, formats.count, format)
      formats.append(format)
    }
    try pipeline.run()
    return formats
  }

  private func source(_ caps: String, count: Int = 4, pattern: String = "green") -> String {
    "videotestsrc name=source pattern=\(pattern) num-buffers=\(count) ! video/x-raw,width=64,"
      + "height=48\(caps)"
  }

  @Test(arguments: [
    ("A420", ["I420", "YV12", "A420"]), ("AV12", ["NV12", "NV21", "AV12"]),
    ("AYUV", ["YUY2", "UYVY", "Y42B", "Y444", "AYUV"]), ("RGBA", ["RGB", "RGBx", "RGBA"]),
    ("BGRA", ["BGR", "BGRx", "BGRA"]), ("ARGB", ["xRGB", "ARGB"]), ("ABGR", ["xBGR", "ABGR"]),
  ])
  func aFormatThatDownstreamForcesReachesUpstream(output: String, inputs: [String]) throws {
    let found = try formats(
      source("") + " ! chromakey name=key ! video/x-raw,format=\(output) ! fakesink")
    #expect(found == Array(repeating: output, count: 4))
    for input in inputs {
      let found = try formats(
        source(",format=\(input)") + " ! chromakey name=key ! fakesink")
      #expect(found == Array(repeating: output, count: 4))
    }
  }

  @Test(arguments: [
    ("I420", "AV12", ""), ("NV12", "NV12", ""), ("I420", "A420", "background-color=0xff000000"),
    ("RGB", "AYUV", ""), ("GRAY8", "RGBA", ""),
  ])
  func whatCannotBeIsRefused(input: String, output: String, properties: String) throws {
    #expect(throws: Pipeline.Failure.self) {
      _ = try formats(
        source(",format=\(input)") + " ! chromakey name=key \(properties)"
          + " ! video/x-raw,format=\(output) ! fakesink")
    }
  }

  @Test func sizesOverTheCeilingAreRefused() throws {
    #expect(throws: Pipeline.Failure.self) {
      _ = try formats(
        "videotestsrc name=source num-buffers=1 ! video/x-raw,format=I420,width=16385,height=1"
          + " ! chromakey name=key ! fakesink")
    }
    #expect(
      try formats(
        "videotestsrc name=source num-buffers=1 ! video/x-raw,format=I420,width=16384,height=2"
          + " ! chromakey name=key ! fakesink") == ["A420"])
  }

  @Test(arguments: [("I420", "A420"), ("NV12", "AV12"), ("BGRx", "BGRA"), ("RGB", "RGBA")])
  func aBackgroundMayComeAndGoWhilePlaying(input: String, output: String) throws {
    var alphas: [Int: VideoSamples] = [:]
    let found = try formats(
      source(",format=\(input)", count: 12) + " ! chromakey name=key ! fakesink"
    ) { buffer, frame, format in
      if let format = PixelFormat(rawValue: format) {
        alphas[frame] = VideoSamples(buffer, format, 64, 48)
      }
    } changing: { pipeline, frame in
      if frame == 4 { pipeline.set("key", "background-color", "0xff0000ff") }
      if frame == 8 { pipeline.set("key", "background-color", "0") }
    }
    #expect(found.prefix(4) == ArraySlice(repeating: output, count: 4))
    #expect(found.dropFirst(4).prefix(4) == ArraySlice(repeating: input, count: 4))
    #expect(found.suffix(4) == ArraySlice(repeating: output, count: 4))
    for frame in [0, 3, 8, 11] {
      #expect(alphas[frame]?.isTransparent == true)
    }
  }

  @Test func theFormatMayChangeInMidStream() throws {
    // Two sources in turn: concat hands on the new caps between two frames.
    let found = try formats(
      "concat name=source ! chromakey name=key ! fakesink"
        + " videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=I420,width=64,height=48"
        + " ! source. videotestsrc pattern=blue num-buffers=2 ! video/x-raw,format=NV12,width=31,"
        + "height=17 ! source. videotestsrc num-buffers=2"
        + " ! video/x-raw,format=RGB,width=1,height=1 ! source. videotestsrc pattern=green"
        + " num-buffers=2 ! video/x-raw,format=YUY2,width=640,height=480 ! source."
    ) { buffer, frame, format in
      let size = [(64, 48), (31, 17), (1, 1), (640, 480)][frame / 2]
      let samples = VideoSamples(buffer, PixelFormat(rawValue: format)!, size.0, size.1)
      #expect(samples?.alpha.count == size.0 * size.1)
      let isRight = frame / 2 == 2 ? samples?.isOpaque : samples?.isTransparent
      #expect(isRight == true, "\(frame)")
    }
    #expect(found == ["A420", "A420", "AV12", "AV12", "RGBA", "RGBA", "AYUV", "AYUV"])
  }

  @Test func aBackgroundFollowsTheFormatInMidStream() throws {
    let path = Photograph.path
    let found = try formats(
      "concat name=source ! chromakey name=key background=\(path) ! fakesink"
        + " videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=I420,width=64,height=48"
        + " ! source. videotestsrc pattern=blue num-buffers=2 ! video/x-raw,format=NV12,width=31,"
        + "height=17 ! source. videotestsrc pattern=green num-buffers=2"
        + " ! video/x-raw,format=RGB,width=8,height=200 ! source."
    ) { buffer, frame, format in
      let size = [(64, 48), (31, 17), (8, 200)][frame / 2]
      let samples = VideoSamples(buffer, PixelFormat(rawValue: format)!, size.0, size.1)
      // A photograph, not a colour: it has many shades.
      #expect(Set(samples?.components[0] ?? []).count > 20)
    }
    #expect(found == ["I420", "I420", "NV12", "NV12", "RGB", "RGB"])
  }

  @Test func upstreamMayHandOverStridesOnlyWhereTheyAreUnderstood() throws {
    #expect(Registered.now)
    for (properties, sink, expected) in [
      ("", "compositor ! fakesink", true), ("", "fakesink", true),
      ("background-color=0xff000000", "fakesink", false),
      ("background-color=0xff000000", "compositor ! fakesink", true),
    ] {
      let pipeline = try Pipeline(
        source(",format=I420") + " ! identity name=before ! chromakey name=key \(properties)"
          + " ! \(sink)")
      var offered: [Bool] = []
      let before = try #require(pipeline.element("before"))
      defer { gst_object_unref(before) }
      let pad = try #require(gst_element_get_static_pad(before, "src"))
      defer { gst_object_unref(pad) }
      try pipeline.watch("before", pad: "src") { _ in
        guard offered.isEmpty else { return }
        let caps = gst_pad_get_current_caps(pad)
        let query = gst_query_new_allocation(caps, 1)
        if gst_pad_peer_query(pad, query) != 0 {
          offered.append(
            gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0)
        }
        gst_mini_object_unref(
          UnsafeMutableRawPointer(query!).assumingMemoryBound(to: GstMiniObject.self))
        gst_caps_unref(caps)
      }
      try pipeline.run()
      #expect(offered.first ?? false == expected, "\(properties) ! \(sink)")
    }
  }
}
