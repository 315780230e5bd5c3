import CGStreamer
import Pixels
import Support
import Testing

/// What happens to the picture's memory when alpha is added.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeyMemoryTests {
  private struct Seen {
    var addresses: [UInt] = []
    var memories: [Int] = []
    /// Format, plane count, alpha's offset and stride as GstVideoMeta says.
    var metas: [(format: GstVideoFormat, planes: Int)?] = []
    var frames: [VideoSamples] = []
  }

  private func see(
    _ pipeline: Pipeline, _ element: String, pad: String = "sink", _ format: PixelFormat? = nil,
    _ width: Int = 0, _ height: Int = 0
  ) throws -> () -> Seen {
    final class Box { var seen = Seen() }
    let box = Box()
    try pipeline.watch(element, pad: pad) { buffer in
      var map = GstMapInfo()
      let memory = gst_buffer_peek_memory(buffer, 0)
      gst_memory_map(memory, &map, GST_MAP_READ)
      box.seen.addresses.append(UInt(bitPattern: map.data))
      gst_memory_unmap(memory, &map)
      box.seen.memories.append(Int(gst_buffer_n_memory(buffer)))
      let meta = gst_buffer_get_video_meta(buffer)
      box.seen.metas.append(meta.map { ($0.pointee.format, Int($0.pointee.n_planes)) })
      if let format { box.seen.frames.append(VideoSamples(buffer, format, width, height)!) }
    }
    return { box.seen }
  }

  static let twins: [(from: PixelFormat, to: PixelFormat, gst: GstVideoFormat, planes: Int)] = [
    (.i420, .a420, GST_VIDEO_FORMAT_A420, 4), (.nv12, .av12, GST_VIDEO_FORMAT_AV12, 3),
    // Cr lies before Cb, and stays there: GstVideoMeta says where.
    (.yv12, .a420, GST_VIDEO_FORMAT_A420, 4),
  ]

  @Test func planesThatChangePlacesKeepTheirColours() throws {
    let source = "videotestsrc pattern=smpte num-buffers=2 ! video/x-raw,width=320,height=240"
    let planes = try ["I420", "YV12"].map { format in
      try VideoSamples.frames(
        source + ",format=\(format) ! chromakey name=key ! compositor ! fakesink", .a420, 320,
        240, at: "key", pad: "src")
    }
    #expect(planes[0].count >= 2 && planes[1].count >= 2)
    for (a, b) in zip(planes[0], planes[1]) {
      let isSame = VideoSamples.isSame(a.components, b.components)
      #expect(isSame)
    }
  }

  @Test(arguments: [(641, 481), (64, 48), (1, 1)])
  func alphaIsAMemoryMoreAndThePictureStaysWhereItIs(width: Int, height: Int) throws {
    #expect(Registered.now)
    for twin in Self.twins {
      // A compositor understands frames whose planes lie in several memories.
      let pipeline = try Pipeline(
        "videotestsrc name=source pattern=green num-buffers=4 ! video/x-raw,"
          + "format=\(twin.from.rawValue),width=\(width),height=\(height) ! chromakey name=key"
          + " ! compositor name=mix ! fakesink")
      let before = try see(pipeline, "source", pad: "src")
      let after = try see(pipeline, "key", pad: "src", twin.to, width, height)
      try pipeline.run()
      let (a, b) = (before(), after())
      #expect(b.addresses.count == 4)
      #expect(a.addresses.prefix(4) == b.addresses.prefix(4))
      #expect(b.memories.allSatisfy { $0 == 2 })
      #expect(b.metas.allSatisfy { $0?.format == twin.gst && $0?.planes == twin.planes })
      let isClear = b.frames.allSatisfy { $0.alpha.count == width * height && $0.isTransparent }
      #expect(isClear)
    }
  }

  @Test func aSharedPictureIsCopiedAndTheOthersStaysAsItWas() throws {
    for twin in Self.twins {
      #expect(Registered.now)
      let pipeline = try Pipeline(
        "videotestsrc name=source pattern=smpte num-buffers=3 ! video/x-raw,"
          + "format=\(twin.from.rawValue),width=160,height=120 ! tee name=t"
          + " t. ! queue ! chromakey name=key method=green ! compositor name=mix ! fakesink"
          + " t. ! queue ! fakesink name=other")
      let before = try see(pipeline, "source", pad: "src")
      let after = try see(pipeline, "key", pad: "src", twin.to, 160, 120)
      let others = try pipeline.collect(at: "other") { CapturedFrame($0).bytes }
      let plain = try Registered.frames(
        "videotestsrc pattern=smpte num-buffers=3 ! video/x-raw,format=\(twin.from.rawValue),"
          + "width=160,height=120 ! fakesink name=sink")
      let isSame = VideoSamples.isSame(others, plain.map(\.bytes))
      #expect(isSame)
      let hasBoth = after().frames.allSatisfy { $0.alpha.contains(0) && $0.alpha.contains(255) }
      #expect(after().frames.count == 3 && hasBoth)
      #expect(before().addresses.count == 3)
    }
  }

  @Test func aSinkThatKnowsNoVideoMetaGetsOnePlainFrame() throws {
    for twin in Self.twins {
      #expect(Registered.now)
      // fakesink announces no GstVideoMeta.
      let pipeline = try Pipeline(
        "videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=\(twin.from.rawValue),"
          + "width=641,height=481 ! chromakey ! video/x-raw,format=\(twin.to.rawValue)"
          + " ! fakesink name=sink")
      let seen = try see(pipeline, "sink", twin.to, 641, 481)
      let sizes = try pipeline.collect { Int(gst_buffer_get_size($0)) }
      var info = GstVideoInfo()
      gst_video_info_set_format(&info, twin.gst, 641, 481)
      #expect(sizes == [Int(info.size), Int(info.size)])
      #expect(seen().memories.allSatisfy { $0 == 1 })
      let isClear = seen().frames.allSatisfy { $0.isTransparent }
      #expect(isClear)
    }
  }

  @Test func packedFormatsAreRenamedWhereTheyLie() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc name=source pattern=green num-buffers=3 ! video/x-raw,format=BGRx,width=64,"
        + "height=48 ! chromakey ! video/x-raw,format=BGRA ! fakesink name=sink")
    let before = try see(pipeline, "source", pad: "src")
    let after = try see(pipeline, "sink", .bgra, 64, 48)
    try pipeline.run()
    #expect(after().addresses == before().addresses && after().addresses.count == 3)
    let isClear = after().frames.allSatisfy { $0.isTransparent }
    #expect(isClear)
  }

  @Test func framesOutliveTheElementThatGaveThemAlpha() throws {
    #expect(Registered.now)
    var kept: [UnsafeMutablePointer<GstBuffer>] = []
    do {
      let pipeline = try Pipeline(
        "videotestsrc pattern=green num-buffers=12 ! video/x-raw,format=I420,width=64,height=48"
          + " ! chromakey name=key ! compositor ! fakesink")
      try pipeline.watch("key", pad: "src") { buffer in
        let mini = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
        gst_mini_object_ref(mini)
        kept.append(buffer)
      }
      try pipeline.run()
    }
    #expect(kept.count == 12)
    for buffer in kept {
      #expect(VideoSamples(buffer, .a420, 64, 48)?.isTransparent == true)
      gst_mini_object_unref(
        UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
    }
  }
}
