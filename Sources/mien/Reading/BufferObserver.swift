import CGStreamer
import Client

/// A buffer that passed a pad.
struct ObservedBuffer {
  let streamID: String
  /// The stream time in nanoseconds; nil where the buffer has none.
  let position: Int?
  /// Begin and end in nanoseconds of running time; nil where the buffer has no time.
  let time: Int?
  let end: Int?
  /// Whether it is flagged as corrupted.
  let isCorrupted: Bool
  /// Whether it has no bytes: Matroska files store gaps so.
  let isEmpty: Bool
}

/// Reports the buffers that pass a pad, with their running times.
///
/// Used on the pad's streaming thread.
final class BufferObserver {
  private var segment: GstSegment?
  private let onBuffer: (ObservedBuffer) -> Void

  private init(_ onBuffer: @escaping (ObservedBuffer) -> Void) { self.onBuffer = onBuffer }

  /// Calls `onBuffer` with each buffer that passes, as long as the pad lives.
  static func observe(_ pad: Pad, _ onBuffer: @escaping (ObservedBuffer) -> Void) {
    let observer = BufferObserver(onBuffer)
    pad.addProbe(GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { pad, info in
      if let buffer = info.buffer { observer.report(buffer, pad) }
      if let event = info.event { observer.updateSegment(event) }
      return GST_PAD_PROBE_OK
    }
  }

  private func report(_ buffer: UnsafeMutablePointer<GstBuffer>, _ pad: Pad) {
    // The segment may have passed before the probe was added.
    if segment == nil { _ = pad.withStickyEvent(GST_EVENT_SEGMENT) { updateSegment($0) } }
    var (time, end): (Int?, Int?) = (nil, nil)
    let position = buffer.pointee.pts
    if position != cgst_clock_time_none, segment != nil {
      let running = gst_segment_to_running_time(&segment!, GST_FORMAT_TIME, position)
      guard running != UInt64.max else { return }  // It is outside of the segment.
      let duration = buffer.pointee.duration
      time = Int(running)
      end = Int(running) + (duration == cgst_clock_time_none ? 0 : Int(duration))
    }
    onBuffer(
      ObservedBuffer(
        streamID: pad.streamID, position: position == cgst_clock_time_none ? nil : Int(position),
        time: time, end: end,
        isCorrupted: buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_CORRUPTED.rawValue != 0,
        isEmpty: gst_buffer_get_size(buffer) == 0))
  }

  private func updateSegment(_ event: UnsafeMutablePointer<GstEvent>) {
    guard cgst_event_type(event) == GST_EVENT_SEGMENT else { return }
    var copy = GstSegment()
    gst_event_copy_segment(event, &copy)
    segment = copy
  }
}
