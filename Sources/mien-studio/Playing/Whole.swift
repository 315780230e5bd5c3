import CGStreamer
import Files
import Programs

/// The newest whole frame, for a snapshot; for any thread.
final class Whole: @unchecked Sendable {
  private let lock = Lock()
  private var sample: OpaquePointer?
  private var time: Int?

  /// Takes a frame, by reference, and when it is for by the system's clock.
  func put(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>, at new: Int?
  ) {
    let (newTime, new) = (new, gst_sample_new(buffer, caps, nil, nil))
    let old = lock {
      defer { (sample, time) = (new, newTime) }
      return sample
    }
    if let old { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(old))) }
  }

  /// What is seen for a while already, where it is: nothing newer has come for a tenth of a second.
  func withStill(
    _ body: (UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstCaps>, _ now: Int) -> Void
  ) {
    let now = Element.systemTime
    lock {
      guard let sample, now - (time ?? now) > 100_000_000, let caps = gst_sample_get_caps(sample),
        let buffer = gst_sample_get_buffer(sample)
      else { return }
      body(buffer, caps, now)
    }
  }

  /// Writes the frame as a PNG file, on a thread of its own; says on the main one how it went.
  ///
  /// `name` says a name that is free, on that thread.
  func save(
    as name: @escaping () -> FilePath,
    _ done: @escaping (_ path: FilePath?, _ problem: String?) -> Void
  ) {
    let taken = lock { () -> OpaquePointer? in
      if let sample { gst_mini_object_ref(cgst_mini_object(UnsafeMutableRawPointer(sample))) }
      return sample
    }
    guard let taken else { return done(nil, tr("there is no picture yet")) }
    Worker.run {
      var (path, problem): (FilePath?, String?)
      do throws(Problem) { path = try Self.write(taken, as: name) } catch { problem = error.text }
      gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(taken)))
      MainLoop.soon { done(path, problem) }
    }
  }

  private static func write(_ sample: OpaquePointer, as name: () -> FilePath) throws(Problem)
    -> FilePath
  {
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
    let path = name()
    let part = try PartFile(for: path)
    guard Terminal.writeAll(bytes, to: part.descriptor) else {
      part.discard()
      throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
    }
    return try part.keep(as: name)
  }
}
