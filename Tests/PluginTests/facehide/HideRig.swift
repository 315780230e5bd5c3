import CGStreamer
import Pixels
import Support
import Testing

/// `facehide` between a pad of the test's and a sink: what is pushed has passed when the call returns.
///
/// Frames are grey, with a face of black and white noise, which no hidden frame can show.
final class HideRig {
  private let pipeline: Pipeline
  private let pad: UnsafeMutablePointer<GstPad>
  private var size = (width: 0, height: 0)

  /// What left: the frame's time and number, how many of its samples are black or white, and how many
  /// differ from the grey around the face.
  private(set) var frames: [(time: UInt64, number: Int, bare: Int, changed: Int)] = []
  /// Whether each has as many bytes as the caps say with which it left.
  private(set) var areWhole: [Bool] = []

  init(_ properties: String) throws {
    precondition(Registered.now)
    pipeline = try Pipeline(
      "facehide name=b \(properties) ! fakesink name=sink sync=false async=false")
    pad = gst_pad_new("src", GST_PAD_SRC)
    try pipeline.watch("sink") { [unowned self] buffer in
      let frame = CapturedFrame(buffer)
      let bare = frame.bytes.count { $0 < 30 || $0 > 225 }
      let changed = frame.bytes.count { abs(Int($0) - 127) > 2 }
      frames.append((frame.pts, Int(buffer.pointee.offset), bare, changed))
      areWhole.append(frame.bytes.count == sinkSize)
    }
    gst_pad_set_active(pad, 1)
    let element = try #require(pipeline.element("b"))
    let sink = try #require(gst_element_get_static_pad(element, "sink"))
    gst_pad_link(pad, sink)
    gst_object_unref(sink)
    gst_object_unref(element)
    pipeline.setState(GST_STATE_PLAYING)
    send(gst_event_new_stream_start("faces"))
  }

  deinit {
    gst_pad_set_active(pad, 0)
    pipeline.setState(GST_STATE_NULL)
    gst_object_unref(pad)
  }

  /// What was said on the bus so far.
  var messages: [String] {
    // The end arrives at the sink only after all of it.
    try? pipeline.wait(seconds: 5)
    return pipeline.messages
  }

  /// Bytes of a frame of the caps that the sink has; 0 without caps.
  private var sinkSize: Int {
    guard let sink = pipeline.element("sink"), let pad = gst_element_get_static_pad(sink, "sink")
    else { return 0 }
    defer {
      gst_object_unref(pad)
      gst_object_unref(sink)
    }
    guard let caps = gst_pad_get_current_caps(pad) else { return 0 }
    defer { gst_caps_unref(caps) }
    var info = GstVideoInfo()
    return gst_video_info_from_caps(&info, caps) != 0 ? Int(info.size) : 0
  }

  @discardableResult
  func send(_ event: UnsafeMutablePointer<GstEvent>?) -> Bool {
    gst_pad_push_event(pad, event) != 0
  }

  func caps(_ width: Int, _ height: Int, rate: String = "25/1") {
    size = (width, height)
    let caps = gst_caps_from_string(
      "video/x-raw,format=GRAY8,width=\(width),height=\(height),framerate=\(rate)")
    send(gst_event_new_caps(caps))
    gst_caps_unref(caps)
  }

  func segment(rate: Double = 1, stop: UInt64 = 100_000_000_000) {
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.rate = rate
    segment.stop = guint64(stop)
    send(gst_event_new_segment(&segment))
  }

  /// Whether faces are spoken of in a frame.
  enum Word {
    case found, nobody, nothing
  }

  /// The box of the face in frame `number`, in shares of the frame.
  static func place(_ number: Int) -> Rectangle {
    Rectangle(x: 0.2 + 0.002 * Double(number % 100), y: 0.375, width: 0.2, height: 0.25)
  }

  /// Pushes frame `number`, whose face is at a place that moves with it; milliseconds, or no time.
  @discardableResult
  func push(_ number: Int, _ word: Word, at time: Int?) -> GstFlowReturn {
    push(number, at: time) { buffer in
      let place = Self.place(number)
      switch word {
      case .found:
        AttachedFace.attach(
          [AttachedFace(x: place.x, y: place.y, width: place.width, height: place.height)],
          to: buffer)
      case .nobody: AttachedFace.attach([], to: buffer)
      case .nothing: break
      }
    }
  }

  /// The same with whatever metadata `describe` puts on the buffer.
  @discardableResult
  func push(
    _ number: Int, at time: Int?, describe: (UnsafeMutablePointer<GstBuffer>) -> Void
  ) -> GstFlowReturn {
    let (width, height) = size
    guard let buffer = gst_buffer_new_allocate(nil, gsize(width * height), nil) else {
      return GST_FLOW_ERROR
    }
    let place = Self.place(number)
    let (w, h) = (place.width, place.height)
    var random = SplitMix(UInt64(number))
    let bytes = (0..<width * height).map { index -> UInt8 in
      let u = ((Double(index % width) + 0.5) / Double(width) - place.center.x) / (w / 2)
      let v = ((Double(index / width) + 0.5) / Double(height) - place.center.y) / (h / 2)
      guard u * u + v * v <= 1 else { return 127 }
      return random.below(2) == 0 ? 0 : 255
    }
    bytes.withUnsafeBytes { _ = gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
    buffer.pointee.pts = time.map { GstClockTime($0) * 1_000_000 } ?? noTime
    buffer.pointee.offset = guint64(number)
    describe(buffer)
    return gst_pad_push(pad, buffer)
  }

  /// What the element adds to the latency of its upstream, in milliseconds; nil where it does not say.
  var latency: Int? {
    guard let element = pipeline.element("b"),
      let source = gst_element_get_static_pad(element, "src")
    else { return nil }
    defer {
      gst_object_unref(source)
      gst_object_unref(element)
    }
    gst_pad_set_query_function_full(
      pad,
      { _, _, query in
        guard query!.pointee.type == GST_QUERY_LATENCY else { return 0 }
        gst_query_set_latency(query, 1, 10_000_000, 20_000_000)
        return 1
      }, nil, nil)
    let query = gst_query_new_latency()
    defer {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(query!).assumingMemoryBound(to: GstMiniObject.self))
    }
    guard gst_pad_query(source, query) != 0 else { return nil }
    var live: gboolean = 0
    var (least, most) = (GstClockTime(0), GstClockTime(0))
    gst_query_parse_latency(query, &live, &least, &most)
    guard live != 0, most - least == 10_000_000 else { return nil }
    return Int(least / 1_000_000) - 10
  }

  func set(_ property: String, _ value: String) { pipeline.set("b", property, value) }

  /// Takes the element's source pad off the sink, or puts it back.
  func link(_ isLinked: Bool) throws {
    let (element, sink) = (
      try #require(pipeline.element("b")), try #require(pipeline.element("sink"))
    )
    let output = try #require(gst_element_get_static_pad(element, "src"))
    let input = try #require(gst_element_get_static_pad(sink, "sink"))
    if isLinked { gst_pad_link(output, input) } else { gst_pad_unlink(output, input) }
    for object in [output, input].map({ UnsafeMutableRawPointer($0) }) { gst_object_unref(object) }
    for object in [element, sink].map({ UnsafeMutableRawPointer($0) }) { gst_object_unref(object) }
  }
}

private let noTime = GstClockTime.max
