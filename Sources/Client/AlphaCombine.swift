import CGStreamer

/// The element that joins the two decoders of VP8 and VP9 with alpha.
package enum AlphaCombine {
  /// Keeps the last frame of a film if `element` is an `alphacombine`; else does nothing.
  ///
  /// When the alpha stream ends first, `alphacombine` drops the colour frame that has yet to come,
  /// although its alpha frame is there (seen in GStreamer 1.26.2). Only the end of the colour stream
  /// goes downstream, so the end of the alpha stream need not arrive.
  package static func keepLastFrame(_ element: Element) {
    guard element.factoryName == "alphacombine" else { return }
    element.pad("alpha")?.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
      info.event.map(cgst_event_type) == GST_EVENT_EOS ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }
}
