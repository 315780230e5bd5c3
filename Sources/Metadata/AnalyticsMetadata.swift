import Analytics
import Faces
import Frames

/// Faces as GstAnalyticsRelationMeta, GStreamer's own analytics metadata, from 1.24 on.
///
/// Each face is an object detection "face" that relates to its track, and contains its expression
/// as a classification and, from 1.30 on, its six points; one of them its mesh too. Hands are
/// detections "hand".
enum AnalyticsMetadata {
  private static let label = quark(DetectedFace.label)
  private static let classes: InlineArray<4, UInt32> = [
    quark(DetectedFace.classes[0]), quark(DetectedFace.classes[1]),
    quark(DetectedFace.classes[2]), quark(DetectedFace.classes[3]),
  ]

  /// The metadata of a buffer with a capacity of `faces`, a mesh of `points`, and `hands`; nil if memory
  /// runs out.
  static func makeRelations(
    on metadata: BufferMetadata, faces: Int, points: Int, hands: Int, _ library: AnalyticsLibrary
  ) -> AnalyticsRelations? {
    let mesh = points > 0 ? points + 1 : 0
    return AnalyticsRelations(
      on: metadata,
      entries: faces * (library.hasKeypoints ? 10 : 3) + mesh + hands * entriesOfHand(library),
      library)
  }

  /// Adds a face that was in view from `first` to `last`; returns its detection, or nil if it could
  /// not be added.
  static func add(
    _ face: Face, to relations: AnalyticsRelations, width: Int, height: Int, first: UInt64,
    last: UInt64
  ) -> AnalyticsEntry? {
    let detected = DetectedFace(face, width: width, height: height)
    // The track first, so that no detection has the id 0, which means none for regions of interest.
    let track = detected.track.flatMap { relations.addTrack($0, first: first, last: last) }
    let detection = relations.addDetection(
      label, x: detected.x, y: detected.y, width: detected.width, height: detected.height,
      confidence: detected.confidence)
    guard let detection else { return nil }
    if let track { relations.relate(detection, .relatesTo, track) }
    if let expression = face.expression {
      addExpression(expression, to: detection, in: relations)
    }
    if let points = DetectedFace.pixelKeypoints(of: face, width: width, height: height) {
      addPoints(points, to: detection, in: relations)
    }
    return detection
  }

  /// Adds the mesh of a detected face: x and y of each point, in pixels.
  static func addMesh(
    _ places: Span<Int32>, to detection: AnalyticsEntry, in relations: AnalyticsRelations
  ) {
    let hasIrises = places.count / 2 > Face.landmarkCount
    let tag = hasIrises ? DetectedFace.meshWithIrisesTag : DetectedFace.meshTag
    let group = relations.addKeypoints(tag, places)
    if let group { relatePart(relations, detection, group) }
  }

  /// Adds the expression as a part: overlays show a class to which a detection relates as the
  /// object's name.
  private static func addExpression(
    _ expression: Expression, to detection: AnalyticsEntry, in relations: AnalyticsRelations
  ) {
    let (levels, classes) = (DetectedFace.confidenceLevels(of: expression), classes)
    let entry = relations.addClasses(classes.span, levels: levels.span)
    if let entry { relatePart(relations, detection, entry) }
  }

  // A function of its own, like the one above: Swift 6.2 crashes on the span of an InlineArray that
  // an `if` unwraps.
  private static func addPoints(
    _ points: InlineArray<12, Int32>, to detection: AnalyticsEntry, in relations: AnalyticsRelations
  ) {
    let group = relations.addKeypoints(DetectedFace.pointsTag, points.span)
    if let group { relatePart(relations, detection, group) }
  }

  static func relatePart(
    _ relations: AnalyticsRelations, _ whole: AnalyticsEntry, _ part: AnalyticsEntry
  ) {
    relations.relate(whole, .contains, part)
    relations.relate(part, .partOf, whole)
  }

  /// Removes the entries of an earlier `facedetect` that had found so many faces and hands.
  ///
  /// Single entries cannot be removed. If other elements have added entries, all stay, and the
  /// result is false: none may be added.
  static func removeOwn(from metadata: BufferMetadata, objects: Int) -> Bool {
    guard objects > 0, let relations = AnalyticsRelations(of: metadata) else { return true }
    let library = relations.library
    var (detections, isOwn) = (0, true)
    relations.forEach { entry in
      switch relations.type(of: entry) {
      case library.detectionType:
        let name = relations.label(of: entry)
        isOwn = name == label || isHand(name)
        detections += 1
      case library.classesType:
        isOwn = isExpression(entry, in: relations) || isGesture(entry, in: relations)
      case library.trackType: break
      default: isOwn = library.hasKeypoints
      }
      return isOwn
    }
    guard isOwn else { return false }
    guard detections > 0 else { return true }
    return detections == objects && relations.remove(from: metadata)
  }

  /// Whether a classification is one that `addExpression` adds.
  private static func isExpression(
    _ entry: AnalyticsEntry, in relations: AnalyticsRelations
  ) -> Bool {
    let names: InlineArray<1, UInt32> = [classes[0]]
    return relations.has(entry, count: classes.count, first: names.span)
  }

  /// Calls `body` with each face that any element has detected, nil for one whose position cannot
  /// be read, until it returns false.
  static func forEachFace(on metadata: BufferMetadata, _ body: (DetectedFace?) -> Bool) {
    guard let relations = AnalyticsRelations(of: metadata) else { return }
    relations.forEach(relations.library.detectionType) { detection in
      guard isFaceLabel(relations.label(of: detection)) else { return true }
      return body(readFace(detection, in: relations))
    }
  }

  private static func readFace(
    _ detection: AnalyticsEntry, in relations: AnalyticsRelations
  ) -> DetectedFace? {
    guard let place = relations.location(of: detection) else { return nil }
    let track = relations.first(of: relations.library.trackType, detection, .relatesTo)
    return DetectedFace(
      x: place.x, y: place.y, width: place.width, height: place.height,
      confidence: place.confidence, track: track.flatMap { relations.track($0)?.id })
  }
}
