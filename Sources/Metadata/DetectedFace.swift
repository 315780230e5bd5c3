package import Faces
import Frames
import Pixels

/// A face as a GstAnalytics detection: in whole pixels of the frame.
package struct DetectedFace: Equatable {
  package var x, y, width, height: Int32
  package var confidence: Float
  /// The id of its track; nil without one.
  package var track: UInt64?

  package init(
    x: Int32, y: Int32, width: Int32, height: Int32, confidence: Float, track: UInt64? = nil
  ) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    (self.confidence, self.track) = (confidence, track)
  }

  /// The face in a frame of this size, clipped to it as its region of interest is.
  package init(_ face: Face, width: Int, height: Int) {
    let box = PixelBox(normalized: face.box, width: width, height: height)
    self.init(
      x: Int32(box.x), y: Int32(box.y), width: Int32(box.width), height: Int32(box.height),
      confidence: Float(face.confidence), track: face.id == 0 ? nil : UInt64(face.id))
  }

  /// Whether the box has an area.
  package var hasArea: Bool { width > 0 && height > 0 }

  /// Sets `face` to these values; all others become unknown.
  package func copyValues(to face: inout Face, width: Int, height: Int) {
    face.box = Rectangle(
      x: Double(x) / Double(width), y: Double(y) / Double(height),
      width: Double(self.width) / Double(width), height: Double(self.height) / Double(height))
    face.confidence = confidence.isFinite ? Double(confidence) : 0
    // Trackers may count from 0, which means no id here.
    face.id = track.map { $0 == 0 ? .max : UInt32(truncatingIfNeeded: $0) } ?? 0
    face.pose = nil
    face.expression = nil
    face.transform.removeAll(keepingCapacity: true)
    face.cover.clear()
    face.landmarks.removeAll(keepingCapacity: true)
    face.blendshapes.removeAll(keepingCapacity: true)
    face.keypoints.removeAll(keepingCapacity: true)
  }

  // MARK: Names

  /// The object type of faces.
  static let label: StaticString = "face"
  /// The tag of a group of six points, in the order of `Face.Keypoint`.
  static let pointsTag: StaticString = "face-6-kp"
  /// The tags of the points of a mesh.
  static let meshTag: StaticString = "face-468-kp"
  static let meshWithIrisesTag: StaticString = "face-478-kp"
  /// The class names of expressions, in the order of `confidenceLevels`.
  static let classes: InlineArray<4, StaticString> = [
    "smile", "mouth-open", "left-eye-open", "right-eye-open",
  ]

  /// The level of each of `classes`, 0...1.
  package static func confidenceLevels(of expression: Expression) -> InlineArray<4, Float> {
    [
      Float(expression.smile), Float(expression.mouthOpen), Float(expression.leftEyeOpen),
      Float(expression.rightEyeOpen),
    ]
  }

  /// The six points of a face, x and y of each in pixels; nil if they are unknown.
  package static func pixelKeypoints(
    of face: Face, width: Int, height: Int
  ) -> InlineArray<12, Int32>? {
    guard face.keypoints.count == 6 else { return nil }
    var places = InlineArray<12, Int32>(repeating: 0)
    for (index, point) in face.keypoints.enumerated() {
      places[2 * index] = roundedCoordinate(point.x * Double(width))
      places[2 * index + 1] = roundedCoordinate(point.y * Double(height))
    }
    return places
  }

  /// The 21 points of a hand, x and y of each in pixels.
  static func pixelPoints(of hand: TrackedHand, width: Int, height: Int) -> InlineArray<42, Int32> {
    var places = InlineArray<42, Int32>(repeating: 0)
    for index in hand.landmarks.indices {
      let point = hand.landmarks[index].inPixels(Double(width), Double(height))
      places[2 * index] = roundedCoordinate(point.x)
      places[2 * index + 1] = roundedCoordinate(point.y)
    }
    return places
  }

  /// Sets `places` to x and y of each point of the mesh in pixels, reusing its storage.
  package static func readMesh(
    of face: Face, width: Int, height: Int, into places: inout [Int32]
  ) {
    places.removeAll(keepingCapacity: true)
    for point in face.landmarks {
      places.append(roundedCoordinate(Double(point.x) * Double(width)))
      places.append(roundedCoordinate(Double(point.y) * Double(height)))
    }
  }

  private static func roundedCoordinate(_ number: Double) -> Int32 {
    number.isNaN ? 0 : Int32(max(-32768, min(number, 32767)).rounded())
  }
}
