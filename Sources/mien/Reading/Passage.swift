import CGStreamer
import Programs

/// One buffer that passed a pad, with its times.
struct Passed {
  /// The stream's name.
  let stream: String
  /// On the stream's own time, nanoseconds; nil where the buffer has none.
  let position: Int?
  /// On the running time, nanoseconds, when it begins and when it ends; nil where it has no time.
  let time: Int?
  let end: Int?
  /// Whether the element that made it says that it is not right.
  let isCorrupted: Bool
  /// Whether it holds no bytes: so Matroska files say that nothing is to be shown for a while.
  let isEmpty: Bool
}

/// Has every buffer that passes a pad seen, on its stream's running time.
///
/// Used on the pad's streaming thread.
final class Passage {
  private var segment: GstSegment?
  private let see: (Passed) -> Void

  private init(_ see: @escaping (Passed) -> Void) { self.see = see }

  /// Begins to watch; goes on as long as the pad lives.
  static func watch(_ pad: Pad, _ see: @escaping (Passed) -> Void) {
    let passage = Passage(see)
    pad.probe(GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { pad, info in
      passage.pass(pad, info)
      return GST_PAD_PROBE_OK
    }
  }

  private func pass(_ pad: Pad, _ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 else {
      read(gst_pad_probe_info_get_event(info))
      return
    }
    guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
    if segment == nil, let event = gst_pad_get_sticky_event(pad.raw, GST_EVENT_SEGMENT, 0) {
      // It passed before we came.
      read(event)
      gst_mini_object_unref(cgst_mini_object(event))
    }
    var (time, end): (Int?, Int?) = (nil, nil)
    let position = buffer.pointee.pts
    if position != cgst_clock_time_none, segment != nil {
      let running = gst_segment_to_running_time(&segment!, GST_FORMAT_TIME, position)
      guard running != UInt64.max else { return }  // It is not to be shown.
      let lasting = buffer.pointee.duration
      time = Int(running)
      end = Int(running) + (lasting == cgst_clock_time_none ? 0 : Int(lasting))
    }
    see(
      Passed(
        stream: pad.stream, position: position == cgst_clock_time_none ? nil : Int(position),
        time: time, end: end,
        isCorrupted: buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_CORRUPTED.rawValue != 0,
        isEmpty: gst_buffer_get_size(buffer) == 0))
  }

  private func read(_ event: UnsafeMutablePointer<GstEvent>?) {
    guard let event, cgst_event_type(event) == GST_EVENT_SEGMENT else { return }
    var copy = GstSegment()
    gst_event_copy_segment(event, &copy)
    segment = copy
  }
}
