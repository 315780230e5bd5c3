import CGStreamer
import Faces
import Programs

/// One hand of a frame; coordinates are normalized by the frame's size.
struct HandRecord {
  let id: Int
  /// Fields of numbers and of text, in output order, as JSON.
  private let values: [(name: String, text: String)]
  /// x, y and z of the 21 points.
  private let landmarks: [[Float]]

  init(_ hand: UnsafePointer<GstStructure>) {
    var id: guint = 0
    gst_structure_get_uint(hand, "id", &id)
    self.id = Int(id)
    var values: [(String, String)] = []
    for name in ["x", "y", "width", "height", "confidence"] {
      values += Self.number(name, of: hand)
    }
    func text(_ name: String) -> String {
      gst_structure_get_string(hand, name).map { String(cString: $0) } ?? ""
    }
    for (name, word) in [
      ("side", TrackedHand.Side(rawValue: text("side"))?.rawValue),
      ("gesture", Gesture(name: text("gesture"))?.name),
    ] {
      guard let word else { continue }
      values.append((name, "\"\(word)\""))
      values += Self.number("\(name)-confidence", of: hand)
    }
    self.values = values
    landmarks = DetectionStructures.points(hand, "landmarks", of: 3) { [$0[0], $0[1], $0[2]] }
  }

  /// A JSON object.
  var json: String {
    var fields = ["\"id\": \(id)"] + values.map { "\"\($0.name)\": \($0.text)" }
    fields.append("\"landmarks\": \(FaceFormat.json(landmarks))")
    return "{" + fields.joined(separator: ", ") + "}"
  }

  /// A field as JSON, if it is there.
  private static func number(
    _ name: String, of hand: UnsafePointer<GstStructure>
  ) -> [(String, String)] {
    var number = 0.0
    return gst_structure_get_double(hand, name, &number) != 0 ? [(name, number.short(4))] : []
  }
}
