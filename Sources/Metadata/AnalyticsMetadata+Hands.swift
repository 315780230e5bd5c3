import Analytics
import Faces
import Frames

/// Hands as GstAnalytics: an object detection "hand" that relates to its track, and contains its gesture as
/// a classification and, from GStreamer 1.30 on, its 21 points.
extension AnalyticsMetadata {
  private static let handLabel = quark("hand")
  /// The tag of a group of MediaPipe's 21 points, as of GStreamer's handlandmarktensordec.
  private static let handPointsTag: StaticString = "hand-21-kp"
  private static let gestures: [UInt32] = [
    quark("None"), quark("Closed_Fist"), quark("Open_Palm"), quark("Pointing_Up"),
    quark("Thumb_Down"), quark("Thumb_Up"), quark("Victory"), quark("ILoveYou"),
  ]

  /// The entries of a hand at most.
  static func entriesOfHand(_ library: AnalyticsLibrary) -> Int {
    library.hasKeypoints ? 4 + Hand.pointCount : 3
  }

  /// Adds a hand that was in view from `first` to `last`.
  static func add(
    _ hand: TrackedHand, to relations: AnalyticsRelations, width: Int, height: Int, first: UInt64,
    last: UInt64
  ) {
    let box = PixelBox(normalized: hand.box, width: width, height: height)
    let track =
      hand.id == 0 ? nil : relations.addTrack(UInt64(hand.id), first: first, last: last)
    let detection = relations.addDetection(
      handLabel, x: Int32(box.x), y: Int32(box.y), width: Int32(box.width),
      height: Int32(box.height), confidence: Float(hand.confidence))
    guard let detection else { return }
    if let track { relations.relate(detection, .relatesTo, track) }
    if let gesture = hand.gesture {
      addGesture(gesture, Float(hand.gestureConfidence), to: detection, in: relations)
    }
    if relations.library.hasKeypoints {
      let places = DetectedFace.pixelPoints(of: hand, width: width, height: height)
      addHandPoints(places, to: detection, in: relations)
    }
  }

  private static func addGesture(
    _ gesture: Gesture, _ confidence: Float, to detection: AnalyticsEntry,
    in relations: AnalyticsRelations
  ) {
    let name: InlineArray<1, UInt32> = [gestures[gesture.rawValue]]
    let level: InlineArray<1, Float> = [confidence]
    if let entry = relations.addClasses(name.span, levels: level.span) {
      relatePart(relations, detection, entry)
    }
  }

  private static func addHandPoints(
    _ places: InlineArray<42, Int32>, to detection: AnalyticsEntry,
    in relations: AnalyticsRelations
  ) {
    let group = relations.addKeypoints(handPointsTag, places.span)
    if let group { relatePart(relations, detection, group) }
  }

  /// Whether a detection is one that `add` adds for a hand.
  static func isHand(_ label: UInt32) -> Bool { label == handLabel }

  /// Whether a classification is one that `addGesture` adds.
  static func isGesture(_ entry: AnalyticsEntry, in relations: AnalyticsRelations) -> Bool {
    gestures.contains { gesture in
      let name: InlineArray<1, UInt32> = [gesture]
      return relations.has(entry, count: 1, first: name.span)
    }
  }
}
