import CGStreamer
import Files
import Programs

/// The newest whole frame, for a snapshot; for any thread.
final class Whole: @unchecked Sendable {
  private let lock = Lock()
  private var sample: OpaquePointer?

  /// Takes a frame, by reference.
  func put(_ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>) {
    let new = gst_sample_new(buffer, caps, nil, nil)
    let old = lock {
      defer { sample = new }
      return sample
    }
    if let old { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(old))) }
  }

  /// Writes the frame as a PNG file, on a thread of its own; says on the main one how it went.
  func save(to path: FilePath, _ done: @escaping (_ problem: String?) -> Void) {
    let taken = lock { () -> OpaquePointer? in
      if let sample { gst_mini_object_ref(cgst_mini_object(UnsafeMutableRawPointer(sample))) }
      return sample
    }
    guard let taken else { return done(tr("there is no picture yet")) }
    Worker.run {
      var problem: String?
      do throws(Problem) { try Self.write(taken, to: path) } catch { problem = error.text }
      gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(taken)))
      MainLoop.soon { done(problem) }
    }
  }

  private static func write(_ sample: OpaquePointer, to path: FilePath) throws(Problem) {
    let caps = gst_caps_from_string("image/png")
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    var error: UnsafeMutablePointer<GError>?
    guard let made = gst_video_convert_sample(sample, caps, 10_000_000_000, &error) else {
      defer { g_error_free(error) }
      throw .failure(error.map { String(cString: $0.pointee.message) } ?? "")
    }
    defer { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(made))) }
    var map = GstMapInfo()
    guard let buffer = gst_sample_get_buffer(made), gst_buffer_map(buffer, &map, GST_MAP_READ) != 0
    else { throw .failure(tr("there is no picture yet")) }
    let bytes = Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    gst_buffer_unmap(buffer, &map)
    let part = try PartFile(for: path)
    guard Terminal.writeAll(bytes, to: part.descriptor) else {
      part.discard()
      throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
    }
    try part.keep()
  }
}
