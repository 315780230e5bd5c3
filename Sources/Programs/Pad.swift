package import CGStreamer
import CJSONGLib

/// A pad of an element, kept by a reference.
package final class Pad {
  package let raw: UnsafeMutablePointer<GstPad>

  /// Takes a reference of its own.
  package init(_ raw: UnsafeMutablePointer<GstPad>) {
    self.raw = raw
    gst_object_ref(raw)
  }

  deinit { gst_object_unref(raw) }

  /// The element that it is a pad of.
  package var element: Element? {
    guard let parent = gst_pad_get_parent_element(raw) else { return nil }
    defer { gst_object_unref(parent) }
    return Element(parent)
  }

  /// The media type of its current caps, as "video/x-raw"; none before there were any.
  package var mediaType: String? { shape { MediaType.name($0) } }

  /// Calls `body` with the first structure of its current caps.
  package func shape<R>(_ body: (UnsafePointer<GstStructure>) -> R) -> R? {
    guard let caps = gst_pad_get_current_caps(raw) else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    return gst_caps_get_structure(caps, 0).map { body(UnsafePointer($0)) }
  }

  /// Frames a second as the caps say; nil where they do not.
  package var frameRate: Double? {
    shape { shape -> Double? in
      var (count, seconds): (gint, gint) = (0, 0)
      let isKnown = gst_structure_get_fraction(shape, "framerate", &count, &seconds) != 0
      return isKnown && count > 0 && seconds > 0 ? Double(count) / Double(seconds) : nil
    } ?? nil
  }

  package var size: (width: Int, height: Int) {
    shape { shape in
      var (width, height): (gint, gint) = (0, 0)
      gst_structure_get_int(shape, "width", &width)
      gst_structure_get_int(shape, "height", &height)
      return (Int(width), Int(height))
    } ?? (0, 0)
  }

  /// The stream's name, the same at every element it passes.
  package var stream: String {
    guard let name = gst_pad_get_stream_id(raw) else { return "" }
    defer { g_free(name) }
    return String(cString: name)
  }

  /// When a buffer is for, in nanoseconds of running time; nil where nothing says so.
  package func runningTime(of buffer: UnsafeMutablePointer<GstBuffer>) -> Int? {
    guard let event = gst_pad_get_sticky_event(raw, GST_EVENT_SEGMENT, 0) else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(event))) }
    var segment: UnsafePointer<GstSegment>?
    gst_event_parse_segment(event, &segment)
    let time = gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
    return time == cgst_clock_time_none ? nil : Int(time)
  }

  /// How long the stream is, in nanoseconds, as its container says; 0 where it does not.
  package var length: Int {
    var length: gint64 = 0
    return gst_pad_query_duration(raw, GST_FORMAT_TIME, &length) != 0 ? Int(length) : 0
  }

  package var isLinked: Bool { gst_pad_is_linked(raw) != 0 }

  /// False where the two do not fit.
  package func link(_ sink: Pad?) -> Bool {
    guard let sink else { return false }
    return gst_pad_link(raw, sink.raw) == GST_PAD_LINK_OK
  }

  package typealias Probe = (Pad, UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

  /// Has `body` see what passes, on the streaming thread, as long as the pad lives.
  ///
  /// The pad keeps `body`: one that holds the pad, its element or what the element is in keeps all of them for
  /// ever. It is given the pad, which knows its element.
  package func probe(_ kinds: GstPadProbeType..., body: @escaping Probe) {
    let kinds = GstPadProbeType(rawValue: kinds.reduce(0) { $0 | $1.rawValue })
    gst_pad_add_probe(
      raw, kinds,
      { pad, info, user in
        Unmanaged<Box<Probe>>.fromOpaque(user!).takeUnretainedValue().content(Pad(pad!), info!)
      }, Unmanaged.passRetained(Box(body)).toOpaque(),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }

  /// Has `body` see each buffer that passes.
  package func buffers(_ body: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void) {
    probe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      if let buffer = gst_pad_probe_info_get_buffer(info) { body(buffer) }
      return GST_PAD_PROBE_OK
    }
  }
}

/// Something that C keeps for us by a reference.
package final class Box<Content> {
  package let content: Content
  package init(_ content: Content) { self.content = content }
}

/// What GStreamer calls kinds of data.
package enum MediaType {
  package static func name(_ structure: UnsafePointer<GstStructure>) -> String {
    gst_structure_get_name(structure).map { String(cString: $0) } ?? ""
  }

  package static func name(_ caps: UnsafeMutablePointer<GstCaps>) -> String {
    gst_caps_get_structure(caps, 0).map { name(UnsafePointer($0)) } ?? ""
  }

  /// The same as 30 whole frames a second of one view, whatever they are; the caller gets the reference.
  package static func steady(
    _ caps: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    guard let copy = gst_caps_copy(caps) else { return nil }
    var rate = GValue()
    g_value_init(&rate, gst_fraction_get_type())
    gst_value_set_fraction(&rate, 30, 1)
    gst_caps_set_value(copy, "framerate", &rate)
    g_value_unset(&rate)
    if let shape = gst_caps_get_structure(copy, 0) {
      for name in ["interlace-mode", "field-order", "multiview-mode", "multiview-flags", "views"] {
        gst_structure_remove_field(shape, name)
      }
    }
    return copy
  }
}
