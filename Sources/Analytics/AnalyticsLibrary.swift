package import CGStreamer
package import Frames
import Glibc

/// GstAnalytics, GStreamer's library for analytics metadata, loaded at run time.
///
/// Thread-safe. This file has all unsafe code of the module.
@safe package final class AnalyticsLibrary: @unchecked Sendable {
  /// The library, loaded on first use and never unloaded; nil if it is not installed, or does not
  /// behave as documented.
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
  /// The types of entries.
  package let detectionType, trackType, classesType, segmentationType: UInt
  /// Whether the library has segmentations, from 1.26 on.
  package private(set) var hasSegmentations = false
  /// Whether the library has groups of key points, from 1.30 on.
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

  /// Whether the library's structures and constants match the declarations in this module.
  private var behavesAsDocumented: Bool {
    withRelations { relations in
      // An entry, followed by guard bytes that must stay unchanged.
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

  /// The same for segmentations.
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

/// An entry of analytics metadata: GstAnalyticsMtd.
@safe package struct AnalyticsEntry {
  fileprivate var raw: CgstAnalyticsEntry
  package var id: UInt32 { unsafe raw.id }
}

/// The GstAnalyticsRelationMeta of one buffer; valid until it is removed.
@safe package struct AnalyticsRelations {
  /// GstAnalyticsRelTypes.
  package enum Relation: Int32 {
    case partOf = 2
    case contains = 4
    case relatesTo = 8
    /// Relates each part of one entry to the part of the other with the same index.
    case nToN = 16
  }

  package let library: AnalyticsLibrary
  fileprivate let meta: gpointer
  private var functions: CgstAnalytics { library.functions }

  /// GST_SEGMENTATION_TYPE_SEMANTIC: one region per class.
  fileprivate static let semantic: guint = 0
  private static let apiName: StaticString = "GstAnalyticsRelationMetaAPI"

  /// The metadata of a buffer, by any element; does not load the library if there is none.
  package init?(of metadata: BufferMetadata) {
    let api = unsafe g_type_from_name(Self.apiName.cString)
    guard api != 0, let meta = unsafe gst_buffer_get_meta(metadata.buffer, api),
      let library = AnalyticsLibrary.shared
    else { return nil }
    self.library = library
    unsafe self.meta = gpointer(meta)
  }

  /// The metadata of a buffer, added with a capacity of `entries` if there is none.
  package init?(on metadata: BufferMetadata, entries: Int, _ library: AnalyticsLibrary) {
    // The full capacity at once, to avoid copies on growth. An entry takes less than 128 bytes.
    var capacity = CgstAnalyticsCapacity(
      relation_order: gsize(entries), buffer_size: gsize(entries * 128))
    guard let meta = unsafe library.functions.add(metadata.buffer, &capacity) else { return nil }
    self.library = library
    unsafe self.meta = unsafe meta
  }

  /// Removes the metadata from its buffer; false if that fails.
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

  /// Adds a classification: class names and a confidence level for each.
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
          meta, tag.cString, 2, gsize($0.count), $0.baseAddress, gsize($0.count / 2), nil, nil,
          0, nil, &raw)
      }
    }
  }

  /// Adds a mask of these regions, scaled to a frame of the given size in pixels.
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

  /// The first entry of a type to which `entry` has this relation.
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

  /// The object type of a detection.
  package func label(of detection: AnalyticsEntry) -> GQuark {
    unsafe withUnsafePointer(to: detection.raw) { unsafe functions.label($0) }
  }

  /// The box of a detection in pixels; nil if it cannot be read.
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

  /// The id and the times of a track; nil if they cannot be read.
  package func track(
    _ track: AnalyticsEntry
  ) -> (id: UInt64, first: UInt64, last: UInt64)? {
    var (id, first, last, lost): (guint64, GstClockTime, GstClockTime, gboolean) = (0, 0, 0, 0)
    let isRead = unsafe withUnsafePointer(to: track.raw) {
      unsafe functions.tracking($0, &id, &first, &last, &lost)
    }
    return isRead != 0 ? (UInt64(id), UInt64(first), UInt64(last)) : nil
  }

  /// Whether a classification has `count` classes that begin with these names.
  package func has(_ classes: AnalyticsEntry, count: Int, first names: Span<GQuark>) -> Bool {
    unsafe withUnsafePointer(to: classes.raw) { entry in
      guard unsafe functions.class_count(entry) == gsize(count) else { return false }
      return names.indices.allSatisfy { unsafe functions.class_name(entry, gsize($0)) == names[$0] }
    }
  }
}
