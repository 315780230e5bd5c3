import CGStreamer
import Frames
import Pixels

/// The caps on the other side of an element, given those on one side; returns new caps.
///
/// Each format is replaced by its list from `formats`; nil keeps all formats. Other fields stay,
/// except for the chroma siting if the subsampling changes.
func transformCaps(
  _ caps: UnsafeMutablePointer<GstCaps>?, _ filter: UnsafeMutablePointer<GstCaps>?,
  formats: ((PixelFormat) -> [PixelFormat])?
) -> UnsafeMutablePointer<GstCaps>? {
  guard let formats else {
    return filter.map { gst_caps_intersect_full($0, caps, GST_CAPS_INTERSECT_FIRST) }
      ?? gst_caps_ref(caps)
  }
  let result = gst_caps_new_empty()
  for index in 0..<gst_caps_get_size(caps) {
    guard let structure = gst_structure_copy(gst_caps_get_structure(caps, index)) else { continue }
    let given = pixelFormats(in: structure)
    var others: [PixelFormat] = []
    for format in given {
      for other in formats(format) where !others.contains(other) { others.append(other) }
    }
    guard !others.isEmpty else {
      gst_structure_free(structure)
      continue
    }
    let shifts = Set((given + others).map { [$0.layout.chromaShifts.h, $0.layout.chromaShifts.v] })
    if shifts.count > 1 { gst_structure_remove_field(structure, "chroma-site") }
    let named = gst_video_make_raw_caps(others.map(\.gst), guint(others.count))
    gst_structure_set_value(
      structure, "format", gst_structure_get_value(gst_caps_get_structure(named, 0), "format"))
    gst_caps_unref(named)
    let features = gst_caps_features_copy(gst_caps_get_features(caps, index))
    gst_caps_append_structure_full(result, structure, features)
  }
  guard let filter else { return result }
  let filtered = gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST)
  gst_caps_unref(result)
  return filtered
}

/// The formats that a structure allows; all if it has no format field.
private func pixelFormats(in structure: UnsafeMutablePointer<GstStructure>) -> [PixelFormat] {
  guard let value = gst_structure_get_value(structure, "format") else {
    return PixelFormat.allCases
  }
  let isList = g_type_check_value_holds(value, cgst_type_list()) != 0
  return (0..<(isList ? gst_value_list_get_size(value) : 1)).compactMap { index in
    guard let item = isList ? gst_value_list_get_value(value, index) : value,
      g_type_check_value_holds(item, cgst_type_string) != 0, let text = g_value_get_string(item)
    else { return nil }
    return PixelFormat(rawValue: String(cString: text))
  }
}
