import CGStreamer
import Client
import Files
import Programs

/// The latest full-size frame, for snapshots; for any thread.
final class SnapshotSource: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var sample: Sample?
  private var time: Int?

  /// Stores a reference to a frame and its time by the system's clock.
  func store(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>, at new: Int?
  ) {
    let sample = Sample(buffer, caps)
    lock { (self.sample, time) = (sample, new) }
  }

  /// Calls `body` with the frame where no newer one has come for 0.1 s.
  func withStill(
    _ body: (UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstCaps>, _ now: Int) -> Void
  ) {
    let now = Element.systemTime
    lock {
      guard let sample, now - (time ?? now) > 100_000_000, let caps = sample.caps,
        let buffer = sample.buffer
      else { return }
      body(buffer, caps, now)
    }
  }

  /// Writes the frame as a PNG file on a thread of its own; calls `done` on the main thread.
  ///
  /// `name` returns an unused path, on that thread.
  func save(
    as name: @escaping () -> FilePath,
    _ done: @escaping (_ path: FilePath?, _ problem: String?) -> Void
  ) {
    guard let sample = lock({ sample }) else { return done(nil, tr("there is no picture yet")) }
    DetachedThread.run {
      var (path, problem): (FilePath?, String?)
      do throws(ProgramError) { path = try Self.writePNG(sample, as: name) } catch {
        problem = error.text
      }
      MainLoop.dispatch { done(path, problem) }
    }
  }

  private static func writePNG(
    _ sample: Sample, as name: () -> FilePath
  ) throws(ProgramError) -> FilePath {
    let caps = gst_caps_from_string("image/png")
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    var error: UnsafeMutablePointer<GError>?
    guard let raw = gst_video_convert_sample(sample.raw, caps, 10_000_000_000, &error) else {
      throw .failure(ClientError(error, or: "").text)
    }
    let encoded = Sample(adopting: raw)
    var map = GstMapInfo()
    guard let buffer = encoded.buffer, gst_buffer_map(buffer, &map, GST_MAP_READ) != 0
    else { throw .failure(tr("there is no picture yet")) }
    let bytes = Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    gst_buffer_unmap(buffer, &map)
    let path = name()
    let part = try AtomicFile(for: path)
    guard Terminal.writeAll(bytes, to: part.descriptor) else {
      part.discard()
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
    return try part.commit(as: name)
  }
}
