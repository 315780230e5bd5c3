import CGStreamer
import Faces
package import Frames

/// GstAnalyticsRelationMeta: faces as GStreamer's own elements for analysis know them, from 1.24 on.
///
/// Of each face an object detection "face", its track, to which it relates, and what it contains:
/// its expression as a classification and, where GStreamer knows them, its six points.
enum AnalyticsMetadata {
  private typealias Library = AnalyticsLibrary

  /// The metadata on a buffer, whoever put it there; known without the library being opened.
  static func meta(on buffer: Buffer) -> AnalyticsLibrary.Meta? {
    let api = g_type_from_name(apiName.characters)
    guard api != 0 else { return nil }
    return gst_buffer_get_meta(buffer, api).map { gpointer($0) }
  }

  private static let apiName: StaticString = "GstAnalyticsRelationMetaAPI"

  // MARK: Writing

  private static let label = g_quark_from_static_string(DetectedFace.label.characters)
  private static let classes: InlineArray<4, GQuark> = {
    var quarks = InlineArray<4, GQuark>(repeating: 0)
    for index in quarks.indices {
      quarks[index] = g_quark_from_static_string(DetectedFace.classes[index].characters)
    }
    return quarks
  }()

  /// The metadata of a buffer with room for so many faces; nil when memory runs out.
  static func make(
    on buffer: Buffer, faces: Int, _ library: AnalyticsLibrary
  ) -> AnalyticsLibrary.Meta? {
    // All at once, or it would be copied as it grows. An entry takes less than 128 bytes.
    let entries = faces * (library.addKeypoints == nil ? 3 : 10)
    var room = CgstAnalyticsRoom(
      relation_order: gsize(entries), buffer_size: gsize(entries * 128))
    return library.add(buffer, &room)
  }

  /// Adds a face that was first seen at `first` and is seen at `now`; the number of its detection, or
  /// nil where it could not be added.
  static func add(
    _ face: Face, to meta: AnalyticsLibrary.Meta, width: Int, height: Int, first: GstClockTime,
    now: GstClockTime, _ library: AnalyticsLibrary
  ) -> guint? {
    let detected = DetectedFace(face, width: width, height: height)
    // The track before the detection, so that no detection has the number 0, which regions of
    // interest take for none.
    var (track, detection) = (AnalyticsLibrary.Entry(), AnalyticsLibrary.Entry())
    let isTracked =
      detected.track.map { library.addTracking(meta, guint64($0), first, &track) != 0 } ?? false
    if isTracked { _ = library.updateLastSeen(&track, now) }
    guard
      library.addDetection(
        meta, label, detected.x, detected.y, detected.width, detected.height, detected.confidence,
        &detection) != 0
    else { return nil }
    if isTracked {
      _ = library.setRelation(meta, AnalyticsLibrary.Relation.relatesTo, detection.id, track.id)
    }
    if let expression = face.expression { add(expression, to: meta, of: detection, library) }
    if let add = library.addKeypoints,
      let points = DetectedFace.points(of: face, width: width, height: height)
    {
      var group = AnalyticsLibrary.Entry()
      let isAdded = points.span.withUnsafeBufferPointer { places in
        add(
          meta, DetectedFace.pointsTag.characters, 2, gsize(places.count), places.baseAddress!,
          gsize(places.count / 2), nil, nil, 0, nil, &group)
      }
      if isAdded != 0 { join(meta, detection, with: group, library) }
    }
    return detection.id
  }

  private static func add(
    _ expression: Expression, to meta: AnalyticsLibrary.Meta, of detection: AnalyticsLibrary.Entry,
    _ library: AnalyticsLibrary
  ) {
    var levels = DetectedFace.levels(of: expression)
    var names = classes
    var entry = AnalyticsLibrary.Entry()
    let count = gsize(levels.count)
    let isAdded = withUnsafeMutablePointer(to: &levels) { levels in
      withUnsafeMutablePointer(to: &names) { names in
        library.addClasses(
          meta, count, UnsafeMutableRawPointer(levels).assumingMemoryBound(to: gfloat.self),
          UnsafeMutableRawPointer(names).assumingMemoryBound(to: GQuark.self), &entry)
      }
    }
    // Not as what it relates to: overlays take such a class for the name of the thing.
    if isAdded != 0 { join(meta, detection, with: entry, library) }
  }

  /// The first contains the second, which is a part of it.
  private static func join(
    _ meta: AnalyticsLibrary.Meta, _ whole: AnalyticsLibrary.Entry,
    with part: AnalyticsLibrary.Entry, _ library: AnalyticsLibrary
  ) {
    _ = library.setRelation(meta, AnalyticsLibrary.Relation.contains, whole.id, part.id)
    _ = library.setRelation(meta, AnalyticsLibrary.Relation.partOf, part.id, whole.id)
  }

  /// Takes off what an earlier `facedetect` put on the buffer, which had found `faces` faces.
  ///
  /// Entries cannot be taken out: where there are others' too all stay, and false says that none
  /// may be added.
  static func removeOwn(from buffer: Buffer, faces: Int) -> Bool {
    guard faces > 0, let meta = meta(on: buffer), let library = AnalyticsLibrary.shared else {
      return true
    }
    var state: gpointer?
    var entry = AnalyticsLibrary.Entry()
    var detections = 0
    while library.iterate(meta, &state, 0, &entry) != 0 {
      let type = library.type(&entry)
      if type == library.detectionType {
        guard library.label(&entry) == label else { return false }
        detections += 1
      } else if type == library.classesType {
        guard library.classCount(&entry) == gsize(classes.count),
          library.className(&entry, 0) == classes[0]
        else { return false }
      } else if type != library.trackingType, library.addKeypoints == nil {
        return false
      }
    }
    guard detections > 0 else { return true }
    guard detections == faces else { return false }
    return gst_buffer_remove_meta(
      buffer, meta.assumingMemoryBound(to: GstMeta.self)) != 0
  }

  // MARK: Reading

  /// Calls `body` with each face that any element has detected, nil for one whose place cannot be read,
  /// until it returns false.
  static func forEachFace(on buffer: Buffer, _ body: (DetectedFace?) -> Bool) {
    guard let meta = meta(on: buffer), let library = AnalyticsLibrary.shared else { return }
    var state: gpointer?
    var entry = AnalyticsLibrary.Entry()
    while library.iterate(meta, &state, library.detectionType, &entry) != 0 {
      guard let label = g_quark_to_string(library.label(&entry)), DetectedFace.isFace(label) else {
        continue
      }
      guard body(face(entry, in: meta, library)) else { return }
    }
  }

  private static func face(
    _ detection: AnalyticsLibrary.Entry, in meta: AnalyticsLibrary.Meta,
    _ library: AnalyticsLibrary
  ) -> DetectedFace? {
    var (detection, track) = (detection, AnalyticsLibrary.Entry())
    var face = DetectedFace(x: 0, y: 0, width: 0, height: 0, confidence: 0)
    guard
      library.location(
        &detection, &face.x, &face.y, &face.width, &face.height, &face.confidence) != 0
    else { return nil }
    var state: gpointer?
    var (id, first, last, lost): (guint64, GstClockTime, GstClockTime, gboolean) = (0, 0, 0, 0)
    if library.related(
      meta, detection.id, AnalyticsLibrary.Relation.relatesTo, library.trackingType, &state, &track)
      != 0, library.tracking(&track, &id, &first, &last, &lost) != 0
    {
      face.track = UInt64(id)
    }
    return face
  }
}
