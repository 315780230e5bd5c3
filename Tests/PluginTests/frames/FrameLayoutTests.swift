import CGStreamer
import Pixels
import Support
import Testing

/// Frames whose metadata says otherwise than their caps how large they are, how many views they have,
/// or what lies over them.
@Suite(.timeLimit(.minutes(20))) struct FrameLayoutTests {
  private static let (width, height) = (100, 80)
  private static let size = 100 * 80

  /// Metadata with which a frame of GRAY8 is not what its caps say.
  enum Lie: String, CaseIterable {
    case narrower, lower, empty, otherFormat, noPlanes, secondView

    func attach(to buffer: UnsafeMutablePointer<GstBuffer>) {
      let gray = GST_VIDEO_FORMAT_GRAY8
      switch self {
      case .narrower: buffer.describe(gray, width: 99, height: 80)
      case .lower: buffer.describe(gray, width: 100, height: 79)
      case .empty: buffer.describe(gray, width: 100, height: 80).pointee.width = 0
      case .otherFormat: buffer.describe(GST_VIDEO_FORMAT_I420, width: 100, height: 80)
      case .noPlanes: buffer.describe(gray, width: 100, height: 80).pointee.n_planes = 0
      case .secondView:
        buffer.describe(gray, width: 100, height: 80)
        let view = buffer.describe(gray, width: 100, height: 80, view: 1)
        view.pointee.offset.0 = gsize(100 * 80)
      }
    }
  }

  private static let noise: [UInt8] = {
    var random = SplitMix(11)
    return (0..<2 * size).map { _ in random.below(2) == 0 ? 0 : 255 }
  }()

  /// GST_VIDEO_META_API is not warned of either: G_DEBUG=fatal-warnings would end the process.
  @Test(arguments: ["facedetect", "photoeffect look=noir", "beautifymask mask=full"], Lie.allCases)
  func aFrameThatIsNotWhatItsCapsSayEndsTheStream(element: String, lie: Lie) throws {
    let frames = try PushedFrames(
      element, .gray8, width: Self.width, height: Self.height)
    let flow = frames.push(Self.noise) {
      lie.attach(to: $0)
      AttachedFace.attach([CropTests.face], to: $0)
    }
    #expect(flow == GST_FLOW_ERROR && frames.count == 0)
    #expect(frames.failure?.description.contains("GstVideoMeta") == true)
  }

  @Test(arguments: Lie.allCases)
  func facehideHidesAllOfSuchAFrame(lie: Lie) throws {
    let frames = try PushedFrames("facehide", .gray8, width: Self.width, height: Self.height)
    let flow = frames.push(Self.noise) {
      lie.attach(to: $0)
      AttachedFace.attach([], to: $0)
    }
    #expect(flow == GST_FLOW_OK)
    #expect(frames.arrivals.map { Set($0.bytes).count } == [1])
  }

  @Test(arguments: ["chromakey method=green", "personkey"])
  func alphaIsNotAddedToSuchAFrame(element: String) throws {
    for (width, height, view) in [(63, 48, 0), (64, 47, 0), (64, 48, 1)] {
      let frames = try PushedFrames(
        element, .i420, width: 64, height: 48, sinkOffers: [gst_video_meta_api_get_type()])
      let flow = frames.push([UInt8](repeating: 90, count: 64 * 48 * 2)) {
        if view == 1 { $0.describe(GST_VIDEO_FORMAT_I420, width: 64, height: 48) }
        $0.describe(GST_VIDEO_FORMAT_I420, width: width, height: height, view: view)
      }
      #expect(flow == GST_FLOW_ERROR && frames.count == 0)
    }
  }

  /// A frame in a larger one, without a rectangle: what is seen begins with the first pixel, for
  /// GStreamer's own elements too, up to 1.26.
  @Test func ofALargerFrameThePartAtTheTopLeftIsSeen() throws {
    let bytes = (0..<200 * 160).map { index in
      index % 200 < 100 && index / 200 < 80 ? UInt8(40) : 200
    }
    let describe = { (buffer: UnsafeMutablePointer<GstBuffer>) in
      _ = buffer.describe(GST_VIDEO_FORMAT_GRAY8, width: 200, height: 160)
    }
    let converted = try PushedFrames(
      "videoconvert ! video/x-raw,format=I420", .gray8, width: 100,
      height: 80)
    #expect(converted.push(bytes, describe) == GST_FLOW_OK)
    let luma = converted.arrivals.first?.bytes.prefix(100 * 80)
    #expect(luma.map { Set($0).count } == (GStreamerHabits.convertsLargerFramesWhole ? 2 : 1))
    let hidden = try PushedFrames(
      "facehide mode=color color=0xffffffff", .gray8, width: 100, height: 80)
    #expect(hidden.push(bytes, describe) == GST_FLOW_OK)
    let after = try #require(hidden.arrivals.first?.bytes)
    let isHidden = after.indices.allSatisfy { index in
      after[index] == (bytes[index] == 40 ? 255 : 200)
    }
    #expect(isHidden)
  }

  // MARK: What lies over a frame

  /// A picture of one colour that sinks lay over the frame.
  private static func overlay(on buffer: UnsafeMutablePointer<GstBuffer>) {
    let pixels = gst_buffer_new_allocate(nil, 16 * 16 * 4, nil)!
    gst_buffer_memset(pixels, 0, 255, 16 * 16 * 4)
    gst_buffer_add_video_meta(pixels, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_BGRA, 16, 16)
    let rectangle = gst_video_overlay_rectangle_new_raw(
      pixels, 10, 10, 16, 16, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE)
    let composition = gst_video_overlay_composition_new(rectangle)
    gst_buffer_add_video_overlay_composition_meta(buffer, composition)
    for object in [OpaquePointer(pixels), rectangle, composition] {
      gst_mini_object_unref(UnsafeMutablePointer(object))
    }
  }

  @Test func anOverlayIsTakenOffAndTheFrameIsHidden() throws {
    let frames = try PushedFrames("facehide", .gray8, width: Self.width, height: Self.height)
    let flow = frames.push(Self.noise) {
      Self.overlay(on: $0)
      AttachedFace.attach([], to: $0)
    }
    #expect(flow == GST_FLOW_OK)
    #expect(frames.arrivals.map { Set($0.bytes).count } == [1])
    #expect(frames.arrivals.first?.metas.contains("GstVideoOverlayCompositionMetaAPI") == false)
  }

  /// As GStreamer's own filters leave it where it is: over what they have made of the frame.
  @Test func otherElementsLeaveAnOverlayWhereItIs() throws {
    let frames = try PushedFrames(
      "photoeffect look=noir", .gray8, width: Self.width, height: Self.height)
    #expect(frames.push(Self.noise) { Self.overlay(on: $0) } == GST_FLOW_OK)
    #expect(frames.arrivals.first?.metas == ["GstVideoOverlayCompositionMetaAPI"])
  }
}
