package import CGStreamer
import CJSONGLib

/// A pad of an element; holds a reference.
package final class Pad {
  package let raw: UnsafeMutablePointer<GstPad>

  /// Takes a reference of its own.
  package init(_ raw: UnsafeMutablePointer<GstPad>) {
    self.raw = raw
    gst_object_ref(raw)
  }

  deinit { gst_object_unref(raw) }

  /// The element that the pad belongs to.
  package var element: Element? {
    guard let parent = gst_pad_get_parent_element(raw) else { return nil }
    defer { gst_object_unref(parent) }
    return Element(parent)
  }

  package var isLinked: Bool { gst_pad_is_linked(raw) != 0 }

  /// False where the pads are not compatible.
  package func link(_ sink: Pad?) -> Bool {
    guard let sink else { return false }
    return gst_pad_link(raw, sink.raw) == GST_PAD_LINK_OK
  }

  // MARK: Caps

  /// Calls `body` with the current caps; nil before there are any.
  package func withCaps<R>(_ body: (UnsafeMutablePointer<GstCaps>) -> R) -> R? {
    guard let caps = gst_pad_get_current_caps(raw) else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    return body(caps)
  }

  private func withStructure<R>(_ body: (UnsafeMutablePointer<GstStructure>) -> R?) -> R? {
    withCaps { caps in gst_caps_get_structure(caps, 0).flatMap(body) } ?? nil
  }

  /// The media type of the current caps, as "video/x-raw"; nil before there are any.
  package var mediaType: String? { withStructure { String(cString: gst_structure_get_name($0)) } }

  /// Frames per second in the current caps; nil where they do not give a rate.
  package var frameRate: Double? {
    withStructure { structure -> Double? in
      var (count, seconds): (gint, gint) = (0, 0)
      let isKnown = gst_structure_get_fraction(structure, "framerate", &count, &seconds) != 0
      return isKnown && count > 0 && seconds > 0 ? Double(count) / Double(seconds) : nil
    }
  }

  /// Width and height in the current caps, in pixels; 0 where they give none.
  package var size: (width: Int, height: Int) { withStructure { $0.frameSize } ?? (0, 0) }

  /// The layout of raw frames; nil where the current caps are not those of raw video.
  package var videoInfo: GstVideoInfo? {
    withCaps { caps in
      var info = GstVideoInfo()
      return gst_video_info_from_caps(&info, caps) != 0 ? info : nil
    } ?? nil
  }

  // MARK: The stream

  /// The stream ID, which is the same at every element that the stream passes.
  package var streamID: String {
    guard let name = gst_pad_get_stream_id(raw) else { return "" }
    defer { g_free(name) }
    return String(cString: name)
  }

  /// The duration in nanoseconds that the container gives; 0 where it gives none.
  package var duration: Int {
    var duration: gint64 = 0
    return gst_pad_query_duration(raw, GST_FORMAT_TIME, &duration) != 0 ? Int(duration) : 0
  }

  /// The last sticky event of a type, passed to `body`; nil where there was none.
  package func withStickyEvent<R>(
    _ type: GstEventType, _ body: (UnsafeMutablePointer<GstEvent>) -> R
  ) -> R? {
    guard let event = gst_pad_get_sticky_event(raw, type, 0) else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(event)) }
    return body(event)
  }

  /// Whether a tag of the stream gives its frames another orientation.
  package var isTurned: Bool {
    var index: guint = 0
    while let event = gst_pad_get_sticky_event(raw, GST_EVENT_TAG, index) {
      defer { gst_mini_object_unref(cgst_mini_object(event)) }
      var tags: UnsafeMutablePointer<GstTagList>?
      gst_event_parse_tag(event, &tags)
      var text: UnsafeMutablePointer<CChar>?
      if gst_tag_list_get_string(tags, "image-orientation", &text) != 0, let text {
        defer { g_free(text) }
        if String(cString: text) != "rotate-0" { return true }
      }
      index += 1
    }
    return false
  }

  /// The running time of a buffer in nanoseconds; nil without a segment or outside of it.
  package func runningTime(of buffer: UnsafeMutablePointer<GstBuffer>) -> Int? {
    withStickyEvent(GST_EVENT_SEGMENT) { event -> Int? in
      var segment: UnsafePointer<GstSegment>?
      gst_event_parse_segment(event, &segment)
      let time = gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
      return time == cgst_clock_time_none ? nil : Int(time)
    } ?? nil
  }

  // MARK: Probes

  package typealias Probe = (Pad, UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

  /// Calls `body` on the streaming thread with what passes, as long as the pad lives.
  ///
  /// The pad owns `body`: a body that captures the pad, its element or its pipeline is a reference
  /// cycle. Use the pad that it is called with instead.
  package func addProbe(_ kinds: GstPadProbeType..., body: @escaping Probe) {
    addRawProbe(kinds) { body(Pad($0), $1) }
  }

  package typealias RawProbe = (
    UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>
  ) -> GstPadProbeReturn

  /// As `addProbe`, without an object for the pad: nothing is allocated per call.
  package func addRawProbe(_ kinds: GstPadProbeType..., body: @escaping RawProbe) {
    addRawProbe(kinds, body)
  }

  private func addRawProbe(_ kinds: [GstPadProbeType], _ body: @escaping RawProbe) {
    gst_pad_add_probe(
      raw, GstPadProbeType(rawValue: kinds.reduce(0) { $0 | $1.rawValue }),
      { pad, info, user in Box<RawProbe>.content(user)(pad!, info!) }, Box.retained(body),
      releaseBox)
  }

  /// Calls `body` on the streaming thread with each buffer that passes.
  package func onBuffer(_ body: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void) {
    addProbe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      if let buffer = info.buffer { body(buffer) }
      return GST_PAD_PROBE_OK
    }
  }
}

/// What a probe is called with.
extension UnsafeMutablePointer<GstPadProbeInfo> {
  /// The buffer that passes; nil where it is something else.
  package var buffer: UnsafeMutablePointer<GstBuffer>? {
    pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
      ? gst_pad_probe_info_get_buffer(self) : nil
  }

  /// The event that passes; nil where it is something else.
  package var event: UnsafeMutablePointer<GstEvent>? {
    let events = GST_PAD_PROBE_TYPE_EVENT_BOTH.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
    return pointee.type.rawValue & events != 0 ? gst_pad_probe_info_get_event(self) : nil
  }

  /// The first structure of the caps that pass in an event; nil where it is something else.
  package var caps: UnsafeMutablePointer<GstStructure>? {
    guard let event, cgst_event_type(event) == GST_EVENT_CAPS else { return nil }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    return caps.flatMap { gst_caps_get_structure($0, 0) }
  }
}

extension UnsafeMutablePointer<GstStructure> {
  /// The fields "width" and "height"; nil where one is missing.
  package var frameSize: (width: Int, height: Int)? {
    var (width, height): (gint, gint) = (0, 0)
    guard gst_structure_get_int(self, "width", &width) != 0,
      gst_structure_get_int(self, "height", &height) != 0
    else { return nil }
    return (Int(width), Int(height))
  }
}
