import Faces
import Programs

/// The output format of `mien faces`.
enum FaceFormat {
  case text, csv
  /// `withMesh`: with the landmarks of each face; `withBlendshapes`: with its blendshapes and gaze.
  case json(withMesh: Bool, withBlendshapes: Bool)

  /// Whether the blendshapes are written.
  var hasBlendshapes: Bool {
    if case .json(_, true) = self { true } else { false }
  }

  /// The line before the first frame.
  var heading: String? {
    guard case .csv = self else { return nil }
    return (["time", "faces", "id"] + FaceRecord.names).joined(separator: ",")
  }

  func line(_ frame: FrameRecord) -> String {
    switch self {
    case .text: Self.textLine(frame)
    case .csv: Self.csvLines(frame)
    case .json(let withMesh, let withBlendshapes):
      Self.jsonObject(frame, withMesh: withMesh, withBlendshapes: withBlendshapes)
    }
  }

  private static func textLine(_ frame: FrameRecord) -> String {
    let time = frame.time.map { $0.fixed(3) + " s  " } ?? ""
    let count = frame.faces.count
    guard count > 0 else { return time + "no face" }
    return time + "\(count) face\(count == 1 ? "" : "s")  "
      + frame.faces.map(\.description).joined(separator: "; ")
  }

  /// One line per face, or one for a frame without faces.
  private static func csvLines(_ frame: FrameRecord) -> String {
    let start = (frame.time.map { $0.short(4) } ?? "") + ",\(frame.faces.count),"
    guard !frame.faces.isEmpty else {
      return start + String(repeating: ",", count: FaceRecord.names.count)
    }
    return frame.faces.map { face in
      let numbers = FaceRecord.names.map { face.numbers[$0].map { $0.short(4) } ?? "" }
      return start + (["\(face.id)"] + numbers).joined(separator: ",")
    }.joined(separator: "\n")
  }

  private static func jsonObject(
    _ frame: FrameRecord, withMesh: Bool, withBlendshapes: Bool
  ) -> String {
    let time = frame.time.map { $0.short(4) } ?? "null"
    let faces = frame.faces.map { face in
      var fields = ["\"id\": \(face.id)"]
      for name in FaceRecord.names {
        if let number = face.numbers[name] { fields.append("\"\(name)\": \(number.short(4))") }
      }
      for (name, points) in [
        ("keypoints", face.keypoints), ("landmarks", withMesh ? face.landmarks : []),
      ] where !points.isEmpty {
        fields.append("\"\(name)\": " + json(points))
      }
      if withBlendshapes, face.blendshapes.count == Blendshape.count {
        fields += blendshapeFields(face.blendshapes)
      }
      return "{" + fields.joined(separator: ", ") + "}"
    }
    let hands = frame.hands.map { hands in
      ", \"hands\": [" + hands.map(\.json).joined(separator: ", ") + "]"
    }
    return
      "{\"time\": \(time), \"width\": \(frame.width), \"height\": \(frame.height), \"faces\": ["
      + faces.joined(separator: ", ") + "]\(hands ?? "")}"
  }

  /// Points as a JSON array.
  static func json(_ points: [[Float]]) -> String {
    let texts = points.map { point in
      "[" + point.map { Double($0).short(4) }.joined(separator: ", ") + "]"
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  /// The scores by name, and the gaze in degrees.
  private static func blendshapeFields(_ scores: [Float]) -> [String] {
    let gaze = Gaze { Double(scores[$0.rawValue]) }
    let pairs = zip(Blendshape.names, scores).map { "\"\($0)\": \(Double($1).short(4))" }
    return [
      "\"gaze-yaw\": \(gaze.yaw.short(4))", "\"gaze-pitch\": \(gaze.pitch.short(4))",
      "\"blendshapes\": {" + pairs.joined(separator: ", ") + "}",
    ]
  }
}
