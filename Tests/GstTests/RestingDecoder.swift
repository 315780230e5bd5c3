import CGStreamer

/// A decoder that takes all it is given, the end of the stream too, and gives and says nothing.
///
/// Its own kind of file begins with `magic`.
enum RestingDecoder {
  static let magic = Array("MIENREST".utf8)
  private static let caps = "video/x-mien-resting"

  /// Has GStreamer know it from now on, in this process.
  static let isRegistered: Bool = {
    gst_init(nil, nil)
    let type = g_type_register_static_simple(
      gst_element_get_type(), "MienRestingDecoder", guint(MemoryLayout<GstElementClass>.size),
      { kind, _ in RestingDecoder.describe(kind!) }, guint(MemoryLayout<GstElement>.size),
      { instance, _ in RestingDecoder.addPads(to: instance!) }, GTypeFlags(rawValue: 0))
    return gst_element_register(nil, "mienrestingdecoder", 1000, type) != 0
      && gst_type_find_register(
        nil, "mienresting", 1000, { find, _ in RestingDecoder.recognise(find!) }, nil,
        gst_caps_from_string(caps), nil, nil) != 0
  }()

  private static func describe(_ kind: UnsafeMutableRawPointer) {
    let element = kind.assumingMemoryBound(to: GstElementClass.self)
    gst_element_class_set_static_metadata(
      element, "Resting decoder", "Codec/Decoder/Video", "Never gives anything", "Mien")
    for (name, direction, text) in [
      ("sink", GST_PAD_SINK, caps), ("src", GST_PAD_SRC, "video/x-raw"),
    ] {
      let caps = gst_caps_from_string(text)
      gst_element_class_add_pad_template(
        element, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps))
      gst_caps_unref(caps)
    }
  }

  private static func addPads(to instance: UnsafeMutablePointer<GTypeInstance>) {
    let element = UnsafeMutableRawPointer(instance).assumingMemoryBound(to: GstElement.self)
    // The class that is being made, which the instance does not have as its own yet.
    let kind = UnsafeMutableRawPointer(instance.pointee.g_class!)
      .assumingMemoryBound(to: GstElementClass.self)
    for name in ["sink", "src"] {
      let pad = gst_pad_new_from_template(gst_element_class_get_pad_template(kind, name), name)
      if name == "sink" {
        gst_pad_set_chain_function_full(
          pad,
          { _, _, buffer in
            gst_buffer_unref(buffer)
            return GST_FLOW_OK
          }, nil, nil)
      }
      gst_pad_set_event_function_full(
        pad,
        { _, _, event in
          gst_event_unref(event)
          return 1
        }, nil, nil)
      gst_element_add_pad(element, pad)
    }
  }

  private static func recognise(_ find: UnsafeMutablePointer<GstTypeFind>) {
    guard let bytes = gst_type_find_peek(find, 0, guint(magic.count)),
      magic.indices.allSatisfy({ bytes[$0] == magic[$0] })
    else { return }
    let caps = gst_caps_from_string(caps)
    gst_type_find_suggest(find, guint(GST_TYPE_FIND_MAXIMUM.rawValue), caps)
    gst_caps_unref(caps)
  }
}
