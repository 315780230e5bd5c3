// Prints the faces in a picture, a film or a stream, and shows a sticker while there is a face.
//
//   swift build --package-path pipelines/embed/swift --scratch-path .build/embed
//   pipelines/env.sh .build/embed/debug/faces [FILE|URI [SINK]]
// SINK: elements in gst-launch syntax, fakesink by default; autovideosink is a window.
import CGst
import Glibc

/// Writes formatted values to standard output (1) or standard error (2), with C's printf.
func say(_ file: Int32, _ format: String, _ values: any CVarArg...) {
  _ = withVaList(values) { vdprintf(file, format, $0) }
}

/// Called on the streaming thread for every frame that leaves the detector.
func look(
  _: UnsafeMutablePointer<GstPad>?, info: UnsafeMutablePointer<GstPadProbeInfo>?, _: gpointer?
) -> GstPadProbeReturn {
  guard let buffer = gst_pad_probe_info_get_buffer(info),
    let meta = gst_buffer_get_custom_meta(buffer, "MienFaces"),
    let faces = gst_structure_get_value(gst_custom_meta_get_structure(meta), "faces")
  else { return GST_PAD_PROBE_OK }
  for index in 0..<gst_value_array_get_size(faces) {
    let face = gst_value_get_structure(gst_value_array_get_value(faces, index))
    func number(_ name: String) -> Double {
      var value = 0.0
      gst_structure_get_double(face, name, &value)
      return value
    }
    var id: guint = 0
    gst_structure_get_uint(face, "id", &id)
    let bytes = OpaquePointer(g_value_get_boxed(gst_structure_get_value(face, "keypoints")))
    let points = g_bytes_get_data(bytes, nil)!.assumingMemoryBound(to: Float.self)
    say(
      1, "%.3f s: face %u, confidence %.3f, box %.3f %.3f %.3f %.3f, nose %.3f %.3f\n",
      Double(buffer.pointee.pts) / 1e9, id, number("confidence"), number("x"), number("y"),
      number("width"), number("height"), points[4], points[5])
  }
  return GST_PAD_PROBE_OK
}

nonisolated(unsafe) var isPlaying: sig_atomic_t = 1
func interrupted(_: Int32) { isPlaying = 0 }

setenv("GST_PLUGIN_FEATURE_RANK", "jpegparse:300", 0)  // only jpegparse reads EXIF
gst_init(nil, nil)
let given = Array(CommandLine.arguments.dropFirst())
let input = given.first ?? "models/astronaut.png"
var error: UnsafeMutablePointer<GError>?
let uri = gst_uri_is_valid(input) != 0 ? g_strdup(input) : gst_filename_to_uri(input, &error)
let text =
  "uridecodebin uri=\"\(uri.map { String(cString: $0) } ?? "")\" ! videoconvert"
  + " ! mienfacedetect name=faces video-direction=auto ! sticker name=sticker location=halo"
  + " alpha=0 ! " + (given.count > 1 ? given[1] : "fakesink")
guard let pipeline = gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, &error) else {
  say(2, "faces: %s\n", error!.pointee.message)
  exit(1)
}
let detector = gst_bin_get_by_name(cgst_bin(pipeline), "faces")
let sticker = gst_bin_get_by_name(cgst_bin(pipeline), "sticker")
let pad = gst_element_get_static_pad(detector, "src")
let bus = gst_element_get_bus(pipeline)
gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, look, nil, nil)
signal(SIGINT, interrupted)
gst_element_set_state(pipeline, GST_STATE_PLAYING)

var count: guint = 0  // number of faces in the previous message
var status: Int32 = 0
while isPlaying != 0 {
  guard let message = gst_bus_timed_pop(bus, 100_000_000) else { continue }
  let said = gst_message_get_structure(message)
  if message.pointee.type == GST_MESSAGE_ERROR {
    var detail: UnsafeMutablePointer<gchar>?
    gst_message_parse_error(message, &error, &detail)
    say(2, "faces: %s\n%s\n", error!.pointee.message, detail!)
    g_error_free(error)
    g_free(detail)
    status = 1
  } else if gst_message_has_name(message, "facedetect") != 0 {
    let now = gst_value_list_get_size(gst_structure_get_value(said, "faces"))
    if now != count {
      gst_util_set_object_arg(cgst_object(sticker), "alpha", now > 0 ? "1" : "0")
      say(2, "faces: %u, alpha of the sticker: %.1f\n", now, now > 0 ? 1.0 : 0.0)
    }
    count = now
  } else if gst_message_has_name(message, "face-event") != 0 {
    let id = g_value_get_uint(gst_structure_get_value(said, "id"))
    say(2, "face %u: %s\n", id, gst_structure_get_string(said, "event"))
  }
  if [GST_MESSAGE_ERROR, GST_MESSAGE_EOS].contains(message.pointee.type) { isPlaying = 0 }
  gst_message_unref(message)
}
gst_element_set_state(pipeline, GST_STATE_NULL)
gst_object_unref(pad)
gst_object_unref(detector)
gst_object_unref(sticker)
gst_object_unref(bus)
gst_object_unref(pipeline)
g_free(uri)
exit(status)
