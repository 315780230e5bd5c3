package import CGStreamer
package import Frames
import Glibc

/// GstAnalytics, GStreamer's library of analysis results, found at run time.
///
/// For any thread. This file holds all of the module's unsafe code.
@safe package final class AnalyticsLibrary: @unchecked Sendable {
  /// The library, opened when first asked for and never closed; nil if it is not installed, or does
  /// not behave as documented.
  package static let shared: AnalyticsLibrary? = {
    var functions = CgstAnalytics()
    guard unsafe cgst_analytics_load(&functions) != 0 else { return nil }
    let library = AnalyticsLibrary(functions)
    guard library.behavesAsDocumented else { return nil }
    library.hasSegmentations =
      unsafe functions.add_segmentation != nil && library.segmentsAsDocumented
    return library
  }()

  fileprivate let functions: CgstAnalytics
  /// Types of entries.
  package let detectionType, trackType, classesType, segmentationType: UInt
  /// Whether there are segmentations: from 1.26 on.
  package private(set) var hasSegmentations = false
  /// Whether there are groups of key points: from 1.30 on.
  package var hasKeypoints: Bool { unsafe functions.add_keypoints != nil }

  private init(_ functions: CgstAnalytics) {
    self.functions = functions
    detectionType = UInt(functions.detection_type())
    trackType = UInt(functions.tracking_type())
    classesType = UInt(functions.classes_type())
    segmentationType = functions.segmentation_type.map { UInt($0()) } ?? 0
  }

  // MARK: Tests of the library

  private func withRelations(_ body: (AnalyticsRelations) -> Bool) -> Bool {
    guard let buffer = unsafe gst_buffer_new() else { return false }
    defer { unsafe gst_mini_object_unref(cast(buffer)) }
    return unsafe AnalyticsRelations(on: BufferMetadata(buffer), entries: 8, self).map(body)
      ?? false
  }

  /// Whether the library agrees with what is written here of its structures and numbers.
  private var behavesAsDocumented: Bool {
    withRelations { relations in
      // An entry, and memory behind it that must stay as it is.
      let size = unsafe MemoryLayout<CgstAnalyticsEntry>.size
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * size, alignment: 16)
      defer { unsafe bytes.deallocate() }
      _ = unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0xa5)
      let face = unsafe bytes.baseAddress!.assumingMemoryBound(to: CgstAnalyticsEntry.self)
      guard let track = relations.addTrack(7, first: 11, last: 13),
        unsafe functions.add_detection(relations.meta, 1, 2, 3, 4, 5, 0.5, face) != 0,
        unsafe face.pointee.meta == relations.meta,
        unsafe bytes[size...].allSatisfy({ $0 == 0xa5 }),
        unsafe functions.identifier(face) == face.pointee.id
      else { return false }
      let detection = unsafe AnalyticsEntry(raw: face.pointee)
      guard detection.id != track.id, relations.type(of: detection) == detectionType,
        relations.type(of: track) == trackType,
        relations.relate(detection, .relatesTo, track),
        let found = relations.first(of: trackType, detection, .relatesTo), found.id == track.id
      else { return false }
      return relations.track(found).map { $0 == (7, 11, 13) } ?? false
    }
  }

  /// The same of segmentations.
  private var segmentsAsDocumented: Bool {
    withRelations { relations in
      guard let mask = unsafe gst_buffer_new_allocate(nil, 8, nil),
        unsafe gst_buffer_add_video_meta(
          mask, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 4, 2) != nil
      else { return false }
      var entry = unsafe CgstAnalyticsEntry()
      var place: (x: gint, y: gint, width: guint, height: guint) = (0, 0, 0, 0)
      let regions: InlineArray<2, guint> = [7, 9]
      let isAdded = unsafe regions.span.withUnsafeBufferPointer {
        unsafe functions.add_segmentation(
          relations.meta, mask, AnalyticsRelations.semantic, 2, $0.baseAddress, -3, 4, 5, 6, &entry)
      }
      guard isAdded != 0,
        let taken = unsafe functions.mask(
          &entry, &place.x, &place.y, &place.width, &place.height)
      else { return false }
      defer { unsafe gst_mini_object_unref(cast(taken)) }
      return unsafe taken == mask && place == (-3, 4, 5, 6) && functions.region_count(&entry) == 2
        && functions.region(&entry, 0) == 7 && functions.region(&entry, 1) == 9
    }
  }
}

/// An entry of the results: GstAnalyticsMtd.
@safe package struct AnalyticsEntry {
  fileprivate var raw: CgstAnalyticsEntry
  package var id: UInt32 { unsafe raw.id }
}

/// The analysis results of one buffer, GstAnalyticsRelationMeta; valid until they are removed.
@safe package struct AnalyticsRelations {
  /// GstAnalyticsRelTypes.
  package enum Relation: Int32 {
    case partOf = 2
    case contains = 4
    case relatesTo = 8
    /// Each part of one to the part of the other with the same index.
    case nToN = 16
  }

  package let library: AnalyticsLibrary
  fileprivate let meta: gpointer
  private var functions: CgstAnalytics { library.functions }

  /// GST_SEGMENTATION_TYPE_SEMANTIC: all things of a class are one region.
  fileprivate static let semantic: guint = 0
  private static let apiName: StaticString = "GstAnalyticsRelationMetaAPI"

  /// The results on a buffer, of whichever element; does not open the library if there are none.
  package init?(of metadata: BufferMetadata) {
    let api = unsafe g_type_from_name(Self.apiName.characters)
    guard api != 0, let meta = unsafe gst_buffer_get_meta(metadata.buffer, api),
      let library = AnalyticsLibrary.shared
    else { return nil }
    self.library = library
    unsafe self.meta = gpointer(meta)
  }

  /// The results on a buffer, added with room for so many entries if there are none.
  package init?(on metadata: BufferMetadata, entries: Int, _ library: AnalyticsLibrary) {
    // All at once, or it would be copied as it grows. An entry takes less than 128 bytes.
    var capacity = CgstAnalyticsCapacity(
      relation_order: gsize(entries), buffer_size: gsize(entries * 128))
    guard let meta = unsafe library.functions.add(metadata.buffer, &capacity) else { return nil }
    self.library = library
    unsafe self.meta = unsafe meta
  }

  /// Removes the results from their buffer; false if they cannot be removed.
  package func remove(from metadata: BufferMetadata) -> Bool {
    unsafe gst_buffer_remove_meta(
      metadata.buffer, meta.assumingMemoryBound(to: GstMeta.self)) != 0
  }

  private func entry(_ add: (inout CgstAnalyticsEntry) -> gboolean) -> AnalyticsEntry? {
    var raw = unsafe CgstAnalyticsEntry()
    return unsafe add(&raw) != 0 ? AnalyticsEntry(raw: raw) : nil
  }

  // MARK: Writing

  /// Adds a track that was seen from `first` to `last`.
  package func addTrack(_ id: UInt64, first: UInt64, last: UInt64) -> AnalyticsEntry? {
    var track = unsafe entry {
      unsafe functions.add_tracking(meta, guint64(id), GstClockTime(first), &$0)
    }
    if track != nil { _ = unsafe functions.update_last_seen(&track!.raw, GstClockTime(last)) }
    return track
  }

  /// Adds a detection; the box is in pixels.
  package func addDetection(
    _ label: GQuark, x: Int32, y: Int32, width: Int32, height: Int32, confidence: Float
  ) -> AnalyticsEntry? {
    unsafe entry {
      unsafe functions.add_detection(meta, label, x, y, width, height, confidence, &$0)
    }
  }

  /// Adds a classification: names, and a level for each.
  package func addClasses(_ names: Span<GQuark>, levels: Span<Float>) -> AnalyticsEntry? {
    precondition(names.count == levels.count)
    return unsafe entry { raw in
      unsafe names.withUnsafeBufferPointer { names in
        unsafe levels.withUnsafeBufferPointer {
          unsafe functions.add_classes(
            meta, gsize(names.count), $0.baseAddress, names.baseAddress, &raw)
        }
      }
    }
  }

  /// Adds a group of key points: x and y of each, in pixels; nil before 1.30.
  package func addKeypoints(_ tag: StaticString, _ places: Span<Int32>) -> AnalyticsEntry? {
    guard library.hasKeypoints else { return nil }
    return unsafe entry { raw in
      unsafe places.withUnsafeBufferPointer {
        unsafe functions.add_keypoints(
          meta, tag.characters, 2, gsize($0.count), $0.baseAddress, gsize($0.count / 2), nil, nil,
          0, nil, &raw)
      }
    }
  }

  /// Adds a mask of these regions that is stretched over a frame of the given size in pixels.
  package func addSegmentation(
    _ mask: consuming OwnedBuffer, regions: Span<UInt32>, width: Int, height: Int
  ) -> AnalyticsEntry? {
    let buffer = unsafe mask.take()
    let added = unsafe entry { raw in
      unsafe regions.withUnsafeBufferPointer {
        unsafe functions.add_segmentation(
          meta, buffer, Self.semantic, gsize($0.count), $0.baseAddress, 0, 0, guint(width),
          guint(height), &raw)
      }
    }
    if added == nil { unsafe gst_mini_object_unref(cast(buffer)) }
    return added
  }

  @discardableResult
  package func relate(_ a: AnalyticsEntry, _ relation: Relation, _ b: AnalyticsEntry) -> Bool {
    unsafe functions.set_relation(meta, relation.rawValue, a.id, b.id) != 0
  }

  // MARK: Reading

  /// Calls `body` with each entry of a type, 0 for any, until it returns false.
  package func forEach(_ type: UInt = 0, _ body: (AnalyticsEntry) -> Bool) {
    var (state, raw) = unsafe (gpointer?.none, CgstAnalyticsEntry())
    while unsafe functions.iterate(meta, &state, guintptr(type), &raw) != 0 {
      guard unsafe body(AnalyticsEntry(raw: raw)) else { return }
    }
  }

  /// The first entry of a type that `entry` has this relation to.
  package func first(
    of type: UInt, _ entry: AnalyticsEntry, _ relation: Relation
  ) -> AnalyticsEntry? {
    var state: gpointer?
    return unsafe self.entry {
      unsafe functions.related(meta, entry.id, relation.rawValue, guintptr(type), &state, &$0)
    }
  }

  package func type(of entry: AnalyticsEntry) -> UInt {
    unsafe withUnsafePointer(to: entry.raw) { unsafe UInt(functions.type($0)) }
  }

  /// What a detection is called.
  package func label(of detection: AnalyticsEntry) -> GQuark {
    unsafe withUnsafePointer(to: detection.raw) { unsafe functions.label($0) }
  }

  /// Where a detection is, in pixels; nil if that cannot be read.
  package func location(
    of detection: AnalyticsEntry
  ) -> (x: Int32, y: Int32, width: Int32, height: Int32, confidence: Float)? {
    var place: (x: Int32, y: Int32, width: Int32, height: Int32, confidence: Float) = (
      0, 0, 0, 0, 0
    )
    let isRead = unsafe withUnsafePointer(to: detection.raw) {
      unsafe functions.location(
        $0, &place.x, &place.y, &place.width, &place.height, &place.confidence)
    }
    return isRead != 0 ? place : nil
  }

  /// The number of a track and when it was seen; nil if that cannot be read.
  package func track(
    _ track: AnalyticsEntry
  ) -> (id: UInt64, first: UInt64, last: UInt64)? {
    var (id, first, last, lost): (guint64, GstClockTime, GstClockTime, gboolean) = (0, 0, 0, 0)
    let isRead = unsafe withUnsafePointer(to: track.raw) {
      unsafe functions.tracking($0, &id, &first, &last, &lost)
    }
    return isRead != 0 ? (UInt64(id), UInt64(first), UInt64(last)) : nil
  }

  /// Whether a classification has so many classes, of which the first are called so.
  package func has(_ classes: AnalyticsEntry, count: Int, first names: Span<GQuark>) -> Bool {
    unsafe withUnsafePointer(to: classes.raw) { entry in
      guard unsafe functions.class_count(entry) == gsize(count) else { return false }
      return names.indices.allSatisfy { unsafe functions.class_name(entry, gsize($0)) == names[$0] }
    }
  }
}
