import CGStreamer
import Programs

/// Counts the faces in the metadata of a film's frames; for any thread.
final class FaceCounter: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var most = 0
  private var ids: Set<guint> = []

  func count(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let meta = gst_buffer_get_custom_meta(buffer, "MienFaces"),
      let contents = gst_custom_meta_get_structure(meta),
      let list = gst_structure_get_value(contents, "faces")
    else { return }
    let count = gst_value_array_get_size(list)
    lock {
      most = max(most, Int(count))
      for index in 0..<count {
        var id: guint = 0
        if let face = gst_value_get_structure(gst_value_array_get_value(list, index)),
          gst_structure_get_uint(face, "id", &id) != 0
        {
          ids.insert(id)
        }
      }
    }
  }

  /// The most faces in one frame, and the number of faces followed.
  var counts: (most: Int, followed: Int) { lock { (most, ids.count) } }
}
