import CGStreamer
import CJSONGLib

/// What gst-libav gets wrong of animated GIFs, put right for whoever shows them: their end, and their times.
///
/// Its reader asks for what lies behind the end of a file, on and on, and keeps a processor busy with that; its
/// decoder gives every picture the time of the first one.
package enum GIFPlayback {
  /// Has what `decoder` makes of GIFs come at its times, and end; `file` is where it reads from.
  ///
  /// To be called before it starts. Other files are not touched.
  package static func mend(_ decoder: Element, reading file: Element) {
    decoder.onElementInside { element in
      switch element.factory {
      case "avdemux_gif": file.pad("src")?.endReads()
      case "avdec_gif": GIFTimes.mend(element)
      default: break
      }
    }
  }
}

extension Pad {
  /// Has reads behind the end of a file fail: the reader of GIFs takes that for the end, and the end for nothing.
  fileprivate func endReads() {
    guard let function = raw.pointee.getrangefunc else { return }
    let reads: GstPadGetRangeFunction = { pad, parent, place, count, buffer in
      let function = Unmanaged<Box<GstPadGetRangeFunction>>
        .fromOpaque(pad!.pointee.getrangedata).takeUnretainedValue().content
      let flow = function(pad, parent, place, count, buffer)
      return flow == GST_FLOW_EOS ? GST_FLOW_CUSTOM_ERROR : flow
    }
    gst_pad_set_getrange_function_full(
      raw, reads, Unmanaged.passRetained(Box<GstPadGetRangeFunction>(function)).toOpaque(),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }
}

/// The times at which pictures go into a decoder that gives one out for each, in their order.
///
/// Both pads are served by one thread.
private final class GIFTimes {
  private var waiting: [(time: GstClockTime, duration: GstClockTime)] = []
  /// When the last picture that came out is over.
  private var end: GstClockTime = 0

  static func mend(_ decoder: Element) {
    let times = GIFTimes()
    decoder.pad("sink")?.probe(
      GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH
    ) { _, info in
      times.takeIn(info)
      return GST_PAD_PROBE_OK
    }
    decoder.pad("src")?.probe(GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
      pad, info in
      times.giveOut(pad, info)
      return GST_PAD_PROBE_OK
    }
  }

  private func takeIn(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
      guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
      waiting.append((buffer.pointee.pts, buffer.pointee.duration))
    } else if let event = gst_pad_probe_info_get_event(info),
      [GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT].contains(cgst_event_type(event))
    {
      waiting = []
    }
  }

  private func giveOut(_ pad: Pad, _ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 else {
      // The last picture is seen as long as it says, too.
      if let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_EOS,
        end > 0
      {
        gst_pad_push_event(pad.raw, gst_event_new_gap(end, cgst_clock_time_none))
      }
      return
    }
    guard !waiting.isEmpty, let data = info.pointee.data,
      let buffer = gst_mini_object_make_writable(cgst_mini_object(data))
    else { return }
    info.pointee.data = UnsafeMutableRawPointer(buffer)
    let (time, duration) = waiting.removeFirst()
    let picture = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstBuffer.self)
    picture.pointee.pts = time
    picture.pointee.duration = duration
    guard time != cgst_clock_time_none else { return }
    end = time &+ (duration == cgst_clock_time_none ? 0 : duration)
  }
}
