import CGStreamer
import Files
import Frames

/// Decides what a `decodebin` decodes, and selects one of its streams.
///
/// The first stream of raw video is linked to the pipeline downstream. All other streams are
/// dropped at the decoder's source pads, as an unlinked stream would block the selected one. No
/// probe blocks within `decodebin`, as that would interfere with its own blocking probes. Called on
/// the decoder's threads.
final class StreamSelection {
  private let collector: FrameCollector
  /// The pad to which the selected stream is linked; owned.
  private let input: UnsafeMutablePointer<GstPad>

  /// Takes ownership of the reference to `input`.
  init(_ collector: FrameCollector, to input: UnsafeMutablePointer<GstPad>) {
    self.collector = collector
    self.input = input
  }

  deinit { gst_object_unref(input) }

  /// Connects to the signals of `decoder`, which must not outlive this object.
  func follow(_ decoder: UnsafeMutablePointer<GstElement>) {
    let judge:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<GstCaps>?,
        UnsafeMutableRawPointer?
      ) -> gboolean = { _, _, caps, user in
        StreamSelection.from(user).collector.allows(caps!) ? 1 : 0
      }
    let watch: Callback = { _, part, user in
      StreamSelection.from(user).watch(part!.assumingMemoryBound(to: GstElement.self))
    }
    let take: Callback = { _, pad, user in
      StreamSelection.from(user).take(pad!.assumingMemoryBound(to: GstPad.self))
    }
    let conclude: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
      StreamSelection.from($1).conclude()
    }
    for (signal, callback) in [
      ("autoplug-continue", unsafeBitCast(judge, to: GCallback.self)),
      ("element-added", unsafeBitCast(watch, to: GCallback.self)),
      ("pad-added", unsafeBitCast(take, to: GCallback.self)),
      ("no-more-pads", unsafeBitCast(conclude, to: GCallback.self)),
    ] {
      g_signal_connect_data(
        decoder, signal, callback, Unmanaged.passUnretained(self).toOpaque(), nil,
        GConnectFlags(rawValue: 0))
    }
  }

  private typealias Callback =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Void

  private static func from(_ user: UnsafeMutableRawPointer?) -> StreamSelection {
    Unmanaged.fromOpaque(user!).takeUnretainedValue()
  }

  /// Installs the collector's probes on an element inside the decoder.
  ///
  /// `autoplug-continue` does not cover picture decoders, which are added before they have caps.
  private func watch(_ part: UnsafeMutablePointer<GstElement>) {
    probe(
      part, "src",
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue
    ) { _, info, user in StreamSelection.from(user).collector.judge(info!) }
    probe(part, "sink", GST_PAD_PROBE_TYPE_BUFFER.rawValue) { pad, info, user in
      StreamSelection.from(user).isLarger(info!, at: pad!) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Whether the header of a compressed frame exceeds the limits, regardless of its caps.
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
    let size = isVP8 ? CodedFrameHeader.vp8(start) : CodedFrameHeader.flash(start)
    return size.map { collector.isRefused(width: $0.width, height: $0.height) } ?? false
  }

  private func probe(
    _ part: UnsafeMutablePointer<GstElement>, _ name: String, _ kinds: UInt32,
    _ body: GstPadProbeCallback
  ) {
    guard let pad = gst_element_get_static_pad(part, name) else { return }
    defer { gst_object_unref(pad) }
    gst_pad_add_probe(
      pad, GstPadProbeType(rawValue: kinds), body, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  /// Links a new stream, or drops its data.
  private func take(_ pad: UnsafeMutablePointer<GstPad>) {
    if isRaw(pad), gst_pad_is_linked(input) == 0,
      gst_pad_link(pad, input) == GST_PAD_LINK_OK
    {
      return
    }
    gst_pad_add_probe(
      pad,
      GstPadProbeType(
        rawValue: GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM.rawValue), { _, _, _ in GST_PAD_PROBE_DROP },
      nil, nil)
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

  /// Called once all streams are known.
  private func conclude() {
    if gst_pad_is_linked(input) == 0 { collector.noteNoPictures() }
  }
}

/// An allocator whose allocations fail.
///
/// A decoder continues after its caps are dropped, as `gst_pad_push_event` still reports success.
/// It allocates memory next, and stops if that fails.
enum RefusingAllocator {
  /// Adds it to the answer of an allocation query.
  static func answer(_ query: UnsafeMutablePointer<GstQuery>) {
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
