import CGStreamer
import Client
import Files

/// Decides what a `decodebin` decodes, and selects one of its streams.
///
/// The first stream of raw video is linked to the pipeline downstream. All other streams are
/// dropped at the decoder's source pads, as an unlinked stream would block the selected one. No
/// probe blocks within `decodebin`, as that would interfere with its own blocking probes. Called on
/// the decoder's threads.
final class StreamSelection {
  private let collector: FrameCollector
  /// Where the pictures go.
  private let input: Pad

  init(_ collector: FrameCollector, to input: Pad) {
    self.collector = collector
    self.input = input
  }

  /// Follows the signals of `decoder`, which owns this from here on.
  func connectSignals(of decoder: Element) {
    decoder.onCaps("autoplug-continue", collector.allows)
    decoder.onElement("element-added", installProbes)
    decoder.onDeepElementAdded(configureAlphaDecoder)
    decoder.onPad("pad-added", linkOrDrop)
    decoder.on("no-more-pads") { if !self.input.isLinked { self.collector.recordNoPictures() } }
  }

  /// Installs the collector's probes on an element inside the decoder.
  ///
  /// `autoplug-continue` does not cover picture decoders, which are added before they have caps.
  private func installProbes(on part: Element) {
    let collector = collector
    part.pad("src")?.addRawProbe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM
    ) { _, info in collector.filterCaps(info) }
    part.pad("sink")?.addRawProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      self.exceedsLimits(info, at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Prepares the decoders inside a decoder of films with alpha.
  ///
  /// `alphacombine` waits for ever for a frame that its other decoder could not decode. The first such
  /// frame is an error instead.
  private func configureAlphaDecoder(_ part: Element) {
    AlphaCombine.keepLastFrame(part)
    if part.parentClassification?.contains("Decoder") == true, part.has("max-errors") {
      part.set("max-errors", "0")
    }
  }

  /// Whether the header of a compressed frame exceeds the limits, regardless of its caps.
  private func exceedsLimits(
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
    return size.map { collector.rejectsSize(width: $0.width, height: $0.height) } ?? false
  }

  /// Links a new stream, or drops its data.
  private func linkOrDrop(_ pad: Pad) {
    if isRawVideo(pad.raw), !input.isLinked, pad.link(input) { return }
    pad.addRawProbe(GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM) { _, _ in GST_PAD_PROBE_DROP }
  }

  private func isRawVideo(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
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

/// An allocator whose allocations fail.
///
/// A decoder continues after its caps are dropped, as `gst_pad_push_event` still reports success.
/// It allocates memory next, and stops if that fails.
enum RefusingAllocator {
  /// Adds it to the answer of an allocation query.
  static func propose(in query: UnsafeMutablePointer<GstQuery>) {
    nonisolated(unsafe) let allocator = made
    gst_query_add_allocation_param(query, allocator, nil)
  }

  /// Never freed.
  nonisolated(unsafe) private static let made: UnsafeMutablePointer<GstAllocator>? = {
    let name = "MienRefusingAllocator"
    var type = g_type_from_name(name)
    if type == 0 {
      // The class has no `alloc` function.
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
