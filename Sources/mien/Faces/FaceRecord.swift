import CGStreamer
import Programs

/// The `MienFaces` and `MienHands` metadata of a frame.
struct FrameRecord {
  /// Pixels.
  var width = 0
  var height = 0
  /// Stream time in seconds; nil for a picture without a time.
  var time: Double?
  var faces: [FaceRecord] = []
  /// Nil if hands were not searched for.
  var hands: [HandRecord]?

  /// Nil without metadata of faces.
  init?(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let frame = DetectionStructures(.faces, of: buffer) else { return nil }
    (width, height) = (frame.width, frame.height)
    let position = buffer.pointee.pts
    time = position == cgst_clock_time_none ? nil : Double(position) / 1e9
    faces = frame.entries.map { FaceRecord($0) }
    hands = DetectionStructures(.hands, of: buffer)?.entries.map { HandRecord($0) }
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
  /// x, y and z of the points of the mesh.
  private(set) var landmarks: [[Float]] = []
  /// The scores in the order of `Blendshape`.
  private(set) var blendshapes: [Float] = []

  init(_ face: UnsafePointer<GstStructure>) {
    var id: guint = 0
    gst_structure_get_uint(face, "id", &id)
    self.id = Int(id)
    for name in Self.names {
      var number = 0.0
      if gst_structure_get_double(face, name, &number) != 0 { numbers[name] = number }
    }
    keypoints = DetectionStructures.points(face, "keypoints", of: 2) { [$0[0], $0[1]] }
    landmarks = DetectionStructures.points(face, "landmarks", of: 3) { [$0[0], $0[1], $0[2]] }
    blendshapes = DetectionStructures.points(face, "blendshapes", of: 1) { $0[0] }
  }

  subscript(name: String) -> Double { numbers[name] ?? 0 }

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
