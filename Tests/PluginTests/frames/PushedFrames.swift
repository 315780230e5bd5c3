import CGStreamer
import Pixels
import Support
import Testing

/// An element between a pad of the test's and a sink that offers metadata: a buffer that is pushed has
/// passed when the call returns.
final class PushedFrames {
  /// What reached the sink.
  struct Arrival {
    let bytes: [UInt8]
    let faces: Int?
    /// Kinds of the metadata, by the names of their APIs.
    let metas: [String]
  }

  private let pipeline: Pipeline
  private let pad: UnsafeMutablePointer<GstPad>
  private var caps: UnsafeMutablePointer<GstCaps>?
  private(set) var arrivals: [Arrival] = []
  var count: Int { arrivals.count }

  /// Runs `element`, given with its properties and what follows it.
  ///
  /// Frames have this format and size in their caps, with `features` and `more` fields. `name` replaces
  /// the format by one that elements do not have.
  init(
    _ element: String, _ format: PixelFormat = .i420, width: Int, height: Int,
    features: String = "", caps more: String = "", named name: String? = nil,
    sinkOffers apis: [GType] = []
  ) throws {
    precondition(Registered.now)
    let (factory, rest) = (element.prefix { $0 != " " }, element.drop { $0 != " " })
    pipeline = try Pipeline("\(factory) name=e \(rest) ! fakesink name=sink sync=false async=false")
    pad = gst_pad_new("src", GST_PAD_SRC)
    caps = gst_caps_from_string(
      "video/x-raw\(features),format=\(name ?? format.rawValue),width=\(width),height=\(height)"
        + ",framerate=25/1\(more)")
    try pipeline.announceMetadata(apis, at: "sink")
    try pipeline.watch("sink") { [unowned self] buffer in
      let frame = CapturedFrame(buffer)
      arrivals.append(
        Arrival(
          bytes: frame.bytes, faces: frame.measuredOn == nil ? nil : frame.faces.count,
          metas: buffer.metaNames))
    }
    gst_pad_set_active(pad, 1)
    let named = try #require(pipeline.element("e"))
    let sink = try #require(gst_element_get_static_pad(named, "sink"))
    gst_pad_link(pad, sink)
    gst_object_unref(sink)
    gst_object_unref(named)
    pipeline.setState(GST_STATE_PLAYING)
    gst_pad_push_event(pad, gst_event_new_stream_start("frames"))
    gst_pad_push_event(pad, gst_event_new_caps(caps))
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    gst_pad_push_event(pad, gst_event_new_segment(&segment))
  }

  deinit {
    gst_pad_set_active(pad, 0)
    pipeline.setState(GST_STATE_NULL)
    gst_object_unref(pad)
    gst_caps_unref(caps)
  }

  /// Pushes a buffer of these bytes, which `describe` may give metadata.
  @discardableResult
  func push(
    _ bytes: [UInt8], _ describe: (UnsafeMutablePointer<GstBuffer>) -> Void = { _ in }
  ) -> GstFlowReturn {
    guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else {
      return GST_FLOW_ERROR
    }
    bytes.withUnsafeBytes { _ = gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
    buffer.pointee.pts = GstClockTime(arrivals.count) * 40_000_000
    describe(buffer)
    return gst_pad_push(pad, buffer)
  }

  /// The error on the bus; nil where there is none within a tenth of a second.
  var failure: Pipeline.Failure? {
    do { try pipeline.wait(seconds: 1) } catch { return error as? Pipeline.Failure }
    return nil
  }

  /// The warnings on the bus, once none has come for a second.
  var warnings: [String] {
    try? pipeline.wait(seconds: 1)
    return pipeline.warnings
  }

  /// The metadata that the element's answer to the allocation query says may come, by their APIs' names.
  func offered() -> [String] {
    let query = gst_query_new_allocation(caps, 1)!
    defer {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(query).assumingMemoryBound(to: GstMiniObject.self))
    }
    guard gst_pad_peer_query(pad, query) != 0 else { return [] }
    return (0..<gst_query_get_n_allocation_metas(query)).map {
      String(cString: g_type_name(gst_query_parse_nth_allocation_meta(query, $0, nil)))
    }.sorted()
  }
}

extension UnsafeMutablePointer<GstBuffer> {
  /// Kinds of its metadata, by the names of their APIs.
  var metaNames: [String] {
    var names: [String] = []
    var state: gpointer?
    while let meta = gst_buffer_iterate_meta(self, &state) {
      names.append(String(cString: g_type_name(meta.pointee.info.pointee.api)))
    }
    return names.sorted()
  }

  /// Adds a GstVideoCropMeta: x, y, width and height.
  func crop(_ rectangle: [UInt32]) {
    let meta = gst_buffer_add_meta(self, gst_video_crop_meta_get_info(), nil)
    let crop = UnsafeMutableRawPointer(meta!).assumingMemoryBound(to: GstVideoCropMeta.self)
    (crop.pointee.x, crop.pointee.y) = (rectangle[0], rectangle[1])
    (crop.pointee.width, crop.pointee.height) = (rectangle[2], rectangle[3])
  }

  /// Adds a GstVideoMeta of a size, whose planes lie as they do by default.
  @discardableResult
  func describe(
    _ format: GstVideoFormat, width: Int, height: Int, view: Int = 0
  ) -> UnsafeMutablePointer<GstVideoMeta> {
    let meta = gst_buffer_add_video_meta(
      self, GST_VIDEO_FRAME_FLAG_NONE, format, guint(width), guint(height))!
    meta.pointee.id = gint(view)
    return meta
  }
}
