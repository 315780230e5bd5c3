import CGStreamer
import Programs

/// The MienFaces metadata of a frame, read through GStreamer's API as any application does.
struct FrameRecord {
  /// Pixels.
  var width = 0
  var height = 0
  /// Stream time in seconds; nil for a picture without a time.
  var time: Double?
  var faces: [FaceRecord] = []

  /// Nil without the metadata.
  init?(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let meta = gst_buffer_get_custom_meta(buffer, "MienFaces"),
      let contents = gst_custom_meta_get_structure(meta)
    else { return nil }
    var (width, height): (guint, guint) = (0, 0)
    gst_structure_get_uint(contents, "width", &width)
    gst_structure_get_uint(contents, "height", &height)
    (self.width, self.height) = (Int(width), Int(height))
    let position = buffer.pointee.pts
    time = position == cgst_clock_time_none ? nil : Double(position) / 1e9
    guard let list = gst_structure_get_value(contents, "faces") else { return }
    for index in 0..<gst_value_array_get_size(list) {
      if let face = gst_value_get_structure(gst_value_array_get_value(list, index)) {
        faces.append(FaceRecord(face))
      }
    }
  }
}

/// One face of a frame; coordinates are normalized by the frame's size.
struct FaceRecord {
  /// The numeric fields in output order.
  static let names = [
    "x", "y", "width", "height", "confidence", "roll", "yaw", "pitch", "left-eye-open",
    "right-eye-open", "mouth-open", "smile",
  ]

  let id: Int
  /// Values by field name; unknown ones are missing.
  private(set) var numbers: [String: Double] = [:]
  /// x and y of six points.
  private(set) var keypoints: [[Float]] = []
  /// x, y and z of 468 or 478 points.
  private(set) var landmarks: [[Float]] = []
  /// The scores of `Blendshapes.names`, or none.
  private(set) var blendshapes: [Float] = []

  init(_ face: UnsafePointer<GstStructure>) {
    var id: guint = 0
    gst_structure_get_uint(face, "id", &id)
    self.id = Int(id)
    for name in Self.names {
      var number = 0.0
      if gst_structure_get_double(face, name, &number) != 0 { numbers[name] = number }
    }
    keypoints = Self.readPoints(face, "keypoints", of: 2)
    landmarks = Self.readPoints(face, "landmarks", of: 3)
    blendshapes = Self.readPoints(face, "blendshapes", of: 1).map { $0[0] }
  }

  subscript(name: String) -> Double { numbers[name] ?? 0 }

  /// A field of bytes as groups of `size` 32-bit floats.
  private static func readPoints(
    _ face: UnsafePointer<GstStructure>, _ name: String, of size: Int
  ) -> [[Float]] {
    var length: gsize = 0
    guard let value = gst_structure_get_value(face, name), let bytes = g_value_get_boxed(value),
      let data = g_bytes_get_data(OpaquePointer(bytes), &length)
    else { return [] }
    return (0..<Int(length) / (4 * size)).map { point in
      (0..<size).map {
        data.loadUnaligned(fromByteOffset: 4 * (point * size + $0), as: Float.self)
      }
    }
  }

  /// A line of text.
  var description: String {
    let box = ["x", "y", "width", "height"].map { self[$0].fixed(3) }
    var text =
      "face \(id): confidence \(self["confidence"].fixed(2)), box x \(box[0]) y \(box[1])"
      + " w \(box[2]) h \(box[3])"
    if keypoints.count >= 2 {
      let eyes = keypoints[..<2].map {
        "(\(Double($0[0]).fixed(3)), \(Double($0[1]).fixed(3)))"
      }
      text += ", eyes " + eyes.joined(separator: " ")
    }
    return text
  }
}
