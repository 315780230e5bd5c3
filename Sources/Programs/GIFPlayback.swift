import CGStreamer
package import Client

/// Works around two faults of gst-libav with animated GIFs.
///
/// Its demuxer does not notice the end of the file: it reads beyond it in a busy loop. Its decoder
/// gives every picture the time of the first one.
package enum GIFPlayback {
  /// Repairs the end and the times of GIFs that `decoder` decodes from the source `file`.
  ///
  /// Call it before the decoder starts. Other formats are not changed.
  package static func repair(_ decoder: Element, reading file: Element) {
    decoder.onDeepElementAdded { element in
      switch element.factoryName {
      case "avdemux_gif": file.pad("src")?.failReadsBeyondEnd()
      case "avdec_gif": GIFTimes.restoreTimes(of: element)
      default: break
      }
    }
  }
}

extension Pad {
  /// Turns end-of-stream into an error for reads: the GIF demuxer ends on errors alone.
  fileprivate func failReadsBeyondEnd() {
    guard let function = raw.pointee.getrangefunc else { return }
    let read: GstPadGetRangeFunction = { pad, parent, offset, count, buffer in
      let function = Box<GstPadGetRangeFunction>.content(pad!.pointee.getrangedata)
      let flow = function(pad, parent, offset, count, buffer)
      return flow == GST_FLOW_EOS ? GST_FLOW_CUSTOM_ERROR : flow
    }
    gst_pad_set_getrange_function_full(
      raw, read, Box<GstPadGetRangeFunction>.retained(function), releaseBox)
  }
}

/// A queue of the times of pictures that are in the decoder, which returns one for each in order.
///
/// One thread serves both pads.
private final class GIFTimes {
  private var queue: [(time: GstClockTime, duration: GstClockTime)] = []
  /// The end of the last picture.
  private var end: GstClockTime = 0

  static func restoreTimes(of decoder: Element) {
    let times = GIFTimes()
    decoder.pad("sink")?.addProbe(
      GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH
    ) { _, info in
      times.recordTime(info)
      return GST_PAD_PROBE_OK
    }
    decoder.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
      pad, info in
      times.applyNextTime(pad, info)
      return GST_PAD_PROBE_OK
    }
  }

  private func recordTime(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    if let buffer = info.buffer {
      queue.append((buffer.pointee.pts, buffer.pointee.duration))
    } else if let event = info.event,
      [GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT].contains(cgst_event_type(event))
    {
      queue = []
    }
  }

  private func applyNextTime(_ pad: Pad, _ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    if let event = info.event {
      // The gap keeps the last picture visible for its duration.
      if cgst_event_type(event) == GST_EVENT_EOS, end > 0 {
        gst_pad_push_event(pad.raw, gst_event_new_gap(end, cgst_clock_time_none))
      }
      return
    }
    guard !queue.isEmpty, let data = info.pointee.data,
      let buffer = gst_mini_object_make_writable(cgst_mini_object(data))
    else { return }
    info.pointee.data = UnsafeMutableRawPointer(buffer)
    let (time, duration) = queue.removeFirst()
    let picture = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstBuffer.self)
    picture.pointee.pts = time
    picture.pointee.duration = duration
    guard time != cgst_clock_time_none else { return }
    end = time &+ (duration == cgst_clock_time_none ? 0 : duration)
  }
}
