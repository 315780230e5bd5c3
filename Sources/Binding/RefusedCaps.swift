import CGStreamer
import Frames
import Pixels

/// Posts a warning about caps that an element's sink pad refuses, which says what to put before it.
///
/// The element upstream only reports "not-negotiated".
func warnOfRefusedCaps(
  _ caps: UnsafeMutablePointer<GstCaps>, by transform: UnsafeMutablePointer<GstBaseTransform>
) {
  let instance = instance(of: transform)
  let description = type(of: instance.anyElement).description
  guard instance.isStarted,
    let reason = refusalReason(caps, name: description.name, formats: description.formats),
    instance.isFirstRefusal()
  else { return }
  let text = gst_caps_to_string(caps)
  defer { g_free(text) }
  ElementError(.settings, reason, detail: text.map { String(cString: $0) } ?? "")
    .post(on: cast(transform), as: GST_MESSAGE_WARNING)
}

/// Why an element does not take fixed caps, and the remedy; nil if it is not known.
private func refusalReason(
  _ caps: UnsafeMutablePointer<GstCaps>, name: String, formats: [PixelFormat]
) -> String? {
  guard gst_caps_is_fixed(caps) != 0, let structure = gst_caps_get_structure(caps, 0),
    gst_structure_has_name(structure, "video/x-raw") != 0
  else { return nil }
  if let features = gst_caps_get_features(caps, 0), cgst_is_system_memory(features) == 0,
    let text = gst_caps_features_to_string(features)
  {
    defer { g_free(text) }
    let features = String(cString: text)
    let start = "\(name) processes frames in the main memory, and these have \(features). "
    guard let memory = FrameMemory(features: features) else {
      return start + "Put an element before it that copies them to the main memory."
    }
    return start + "Put \"\(memory.element)\" before it, of the package \(memory.package)."
  }
  guard let format = gst_structure_get_string(structure, "format") else { return nil }
  let isTaken = PixelFormat(rawValue: String(cString: format)).map(formats.contains) ?? false
  return isTaken
    ? nil
    : "\(name) does not process the format \(String(cString: format)). Put \"videoconvert\" before it."
}
