import CGStreamer
import Client
import Files
import Frames

/// Decides what a `decodebin` decodes and which one of its streams is shown.
///
/// The first stream of raw pictures is linked to the pipeline behind. All other streams are dropped
/// where they leave the decoder: a stream that nobody takes would hold up the one that is shown.
/// Nothing here waits within `decodebin`, whose own blocks a waiting probe would undo or prolong.
/// Called on the decoder's threads.
final class StreamSelection {
  private let collector: FrameCollector
  /// Where the pictures go.
  private let input: Pad

  init(_ collector: FrameCollector, to input: Pad) {
    self.collector = collector
    self.input = input
  }

  /// Follows the signals of `decoder`, which owns this from here on.
  func follow(_ decoder: Element) {
    decoder.onCaps("autoplug-continue", collector.allows)
    decoder.onElement("element-added", watch)
    decoder.onPad("pad-added", take)
    decoder.on("no-more-pads") { if !self.input.isLinked { self.collector.noteNoPictures() } }
  }

  /// Has the collector see what a part of the decoder takes, and the caps of what it gives.
  ///
  /// What gives pictures is not asked about before: it is part of the decoder before it has caps.
  private func watch(_ part: Element) {
    let collector = collector
    part.pad("src")?.addRawProbe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM
    ) { _, info in collector.judge(info) }
    part.pad("sink")?.addRawProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      self.isLarger(info, at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Whether a compressed frame says that it is larger than is wanted, whatever its caps say.
  private func isLarger(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, at pad: UnsafeMutablePointer<GstPad>
  ) -> Bool {
    guard let buffer = gst_pad_probe_info_get_buffer(info),
      let caps = gst_pad_get_current_caps(pad)
    else { return false }
    defer { gst_caps_unref(caps) }
    let structure = gst_caps_get_structure(caps, 0)
    let isVP8 = gst_structure_has_name(structure, "video/x-vp8") != 0
    guard isVP8 || gst_structure_has_name(structure, "video/x-flash-video") != 0 else {
      return false
    }
    var start = [UInt8](repeating: 0, count: CodedFrameHeader.length)
    let count = gst_buffer_extract(buffer, 0, &start, gsize(start.count))
    start.removeLast(start.count - Int(count))
    let size = isVP8 ? CodedFrameHeader.vp8Size(start) : CodedFrameHeader.flashVideoSize(start)
    return size.map { collector.isRefused(width: $0.width, height: $0.height) } ?? false
  }

  /// Links a new stream, or drops all that comes of it.
  private func take(_ pad: Pad) {
    if isRaw(pad.raw), !input.isLinked, pad.link(input) { return }
    pad.addRawProbe(GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM) { _, _ in GST_PAD_PROBE_DROP }
  }

  private func isRaw(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else {
      return false
    }
    defer { gst_caps_unref(caps) }
    guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0) else {
      return false
    }
    return gst_structure_has_name(structure, "video/x-raw") != 0
  }
}

/// An allocator that has no memory to give.
///
/// A decoder whose caps are refused goes on all the same: GStreamer's `gst_pad_push_event` says of
/// caps that they arrived, whatever became of them. It asks for memory next, and ends without.
enum RefusingAllocator {
  /// Adds it to what an allocation query is answered with.
  static func answer(_ query: UnsafeMutablePointer<GstQuery>) {
    nonisolated(unsafe) let allocator = made
    gst_query_add_allocation_param(query, allocator, nil)
  }

  /// Lives as long as the process.
  nonisolated(unsafe) private static let made: UnsafeMutablePointer<GstAllocator>? = {
    let name = "MienRefusingAllocator"
    var type = g_type_from_name(name)
    if type == 0 {
      // Its class has no function that allocates.
      type = g_type_register_static_simple(
        gst_allocator_get_type(), name, guint(MemoryLayout<GstAllocatorClass>.size), nil,
        guint(MemoryLayout<GstAllocator>.size), nil, GTypeFlags(rawValue: 0))
    }
    let object = g_object_new_with_properties(type, 0, nil, nil)
    return object.map {
      gst_object_ref_sink($0).assumingMemoryBound(to: GstAllocator.self)
    }
  }()
}
