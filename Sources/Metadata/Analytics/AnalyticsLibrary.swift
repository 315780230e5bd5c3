import CGStreamer
package import Frames
import Glibc

/// GstAnalytics, GStreamer's library of analysis results, as far as faces need it.
///
/// It is found at run time and never linked, so that one plugin file serves GStreamer 1.22, which
/// has none, and the versions after it. What differs between those stands here alone: the library
/// came with 1.24, groups of key points with 1.30. Any thread may use it: what it holds never changes.
final class AnalyticsLibrary: @unchecked Sendable {
  /// The metadata of a buffer, GstAnalyticsRelationMeta, which has one at most.
  typealias Meta = gpointer
  /// An entry of it: GstAnalyticsMtd.
  typealias Entry = CgstAnalyticsEntry
  typealias EntryOut = UnsafeMutablePointer<Entry>
  typealias Number = UnsafeMutablePointer<gint>
  typealias Time = UnsafeMutablePointer<GstClockTime>

  typealias Add = @convention(c) (Buffer, UnsafeMutablePointer<CgstAnalyticsRoom>) -> Meta?
  typealias AddDetection =
    @convention(c) (
      Meta, GQuark, gint, gint, gint, gint, gfloat, EntryOut
    ) -> gboolean
  typealias AddTracking = @convention(c) (Meta, guint64, GstClockTime, EntryOut) -> gboolean
  typealias UpdateLastSeen = @convention(c) (EntryOut, GstClockTime) -> gboolean
  typealias AddClasses =
    @convention(c) (
      Meta, gsize, UnsafeMutablePointer<gfloat>, UnsafeMutablePointer<GQuark>, EntryOut
    ) -> gboolean
  /// A tag, the dimensions, counts and numbers of places, of points' confidences and visibilities, and
  /// of pairs of points that are joined.
  typealias AddKeypoints =
    @convention(c) (
      Meta, UnsafePointer<CChar>, gint, gsize, UnsafePointer<gint>, gsize, UnsafePointer<gfloat>?,
      UnsafePointer<UInt8>?, gsize, UnsafePointer<gint>?, EntryOut
    ) -> gboolean
  typealias SetRelation = @convention(c) (Meta, gint, guint, guint) -> gboolean
  typealias Iterate =
    @convention(c) (
      Meta, UnsafeMutablePointer<gpointer?>, guintptr, EntryOut
    ) -> gboolean
  typealias Related =
    @convention(c) (
      Meta, guint, gint, guintptr, UnsafeMutablePointer<gpointer?>?, EntryOut
    ) -> gboolean
  typealias Label = @convention(c) (UnsafePointer<Entry>) -> GQuark
  typealias Location =
    @convention(c) (
      UnsafePointer<Entry>, Number, Number, Number, Number, UnsafeMutablePointer<gfloat>
    ) -> gboolean
  typealias Tracking =
    @convention(c) (
      UnsafePointer<Entry>, UnsafeMutablePointer<guint64>, Time, Time,
      UnsafeMutablePointer<gboolean>
    ) -> gboolean
  typealias ClassCount = @convention(c) (UnsafePointer<Entry>) -> gsize
  typealias ClassName = @convention(c) (UnsafePointer<Entry>, gsize) -> GQuark
  typealias TypeOf = @convention(c) (UnsafePointer<Entry>) -> guintptr
  typealias Identifier = @convention(c) (UnsafePointer<Entry>) -> guint
  private typealias GetType = @convention(c) () -> guintptr

  /// GstAnalyticsRelTypes.
  enum Relation {
    static let partOf: gint = 1 << 1
    static let contains: gint = 1 << 2
    static let relatesTo: gint = 1 << 3
    /// The parts of one each to that of the other that has its place.
    static let nToN: gint = 1 << 4
  }

  static let fileName: StaticString = "libgstanalytics-1.0.so.0"

  /// The library, opened when first asked for and from then on for as long as the process; nil where
  /// it is not installed, or not what it should be.
  static let shared: AnalyticsLibrary? = {
    // Never closed: GStreamer keeps what the library registers.
    guard let file = dlopen(fileName.characters, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE),
      let library = AnalyticsLibrary(file), library.isAsExpected
    else { return nil }
    return library
  }()

  let add: Add
  let addDetection: AddDetection
  let addTracking: AddTracking
  let updateLastSeen: UpdateLastSeen
  let addClasses: AddClasses
  /// Nil before 1.30, which alone promises what it takes.
  let addKeypoints: AddKeypoints?
  let setRelation: SetRelation
  let iterate: Iterate
  let related: Related
  let label: Label
  let location: Location
  let tracking: Tracking
  let classCount: ClassCount
  let className: ClassName
  let type: TypeOf
  private let identifier: Identifier
  let detectionType, trackingType, classesType: guintptr
  /// Nil before 1.26.
  let segmentation: AnalyticsSegmentation?

  /// What the library has under a name, which must be a T; nil where it has nothing.
  static func symbol<T>(_ name: StaticString, in file: UnsafeMutableRawPointer) -> T? {
    dlsym(file, name.characters).map { unsafeBitCast($0, to: T.self) }
  }

  private init?(_ file: UnsafeMutableRawPointer) {
    func symbol<T>(_ name: StaticString) -> T? { Self.symbol(name, in: file) }
    guard let add: Add = symbol("gst_buffer_add_analytics_relation_meta_full"),
      let addDetection: AddDetection = symbol("gst_analytics_relation_meta_add_od_mtd"),
      let addTracking: AddTracking = symbol("gst_analytics_relation_meta_add_tracking_mtd"),
      let update: UpdateLastSeen = symbol("gst_analytics_tracking_mtd_update_last_seen"),
      let addClasses: AddClasses = symbol("gst_analytics_relation_meta_add_cls_mtd"),
      let setRelation: SetRelation = symbol("gst_analytics_relation_meta_set_relation"),
      let iterate: Iterate = symbol("gst_analytics_relation_meta_iterate"),
      let related: Related = symbol("gst_analytics_relation_meta_get_direct_related"),
      let label: Label = symbol("gst_analytics_od_mtd_get_obj_type"),
      let location: Location = symbol("gst_analytics_od_mtd_get_location"),
      let tracking: Tracking = symbol("gst_analytics_tracking_mtd_get_info"),
      let classCount: ClassCount = symbol("gst_analytics_cls_mtd_get_length"),
      let className: ClassName = symbol("gst_analytics_cls_mtd_get_quark"),
      let type: TypeOf = symbol("gst_analytics_mtd_get_mtd_type"),
      let identifier: Identifier = symbol("gst_analytics_mtd_get_id"),
      let detectionType: GetType = symbol("gst_analytics_od_mtd_get_mtd_type"),
      let trackingType: GetType = symbol("gst_analytics_tracking_mtd_get_mtd_type"),
      let classesType: GetType = symbol("gst_analytics_cls_mtd_get_mtd_type")
    else { return nil }
    (self.add, self.addDetection, self.addTracking) = (add, addDetection, addTracking)
    (updateLastSeen, self.addClasses, self.setRelation) = (update, addClasses, setRelation)
    (self.iterate, self.related, self.label) = (iterate, related, label)
    (self.location, self.tracking, self.type) = (location, tracking, type)
    (self.classCount, self.className, self.identifier) = (classCount, className, identifier)
    (self.detectionType, self.trackingType) = (detectionType(), trackingType())
    self.classesType = classesType()
    segmentation = AnalyticsSegmentation(file, add)
    var version: (guint, guint, guint, guint) = (0, 0, 0, 0)
    gst_version(&version.0, &version.1, &version.2, &version.3)
    addKeypoints =
      (version.0, version.1) >= (1, 30)
      ? symbol("gst_analytics_relation_meta_add_keypoints_group") : nil
  }

  /// Whether the library agrees with what is written here of its structures and numbers.
  private var isAsExpected: Bool {
    guard let buffer = gst_buffer_new() else { return false }
    defer { gst_mini_object_unref(cast(buffer)) }
    var room = CgstAnalyticsRoom(relation_order: 4, buffer_size: 1024)
    guard let meta = add(buffer, &room) else { return false }
    // An entry, and room behind it that must stay as it is.
    let size = MemoryLayout<Entry>.size
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * size, alignment: 16)
    defer { bytes.deallocate() }
    _ = bytes.initializeMemory(as: UInt8.self, repeating: 0xa5)
    let face = bytes.baseAddress!.assumingMemoryBound(to: Entry.self)
    var (track, found, state) = (Entry(), Entry(), gpointer?.none)
    guard addTracking(meta, 7, 11, &track) != 0, updateLastSeen(&track, 13) != 0,
      addDetection(meta, 1, 2, 3, 4, 5, 0.5, face) != 0, face.pointee.meta == meta,
      bytes[size...].allSatisfy({ $0 == 0xa5 }), identifier(face) == face.pointee.id,
      face.pointee.id != track.id, type(face) == detectionType, type(&track) == trackingType,
      setRelation(meta, Relation.relatesTo, face.pointee.id, track.id) != 0,
      related(meta, face.pointee.id, Relation.relatesTo, trackingType, &state, &found) != 0,
      found.id == track.id
    else { return false }
    var (id, first, last, lost): (guint64, GstClockTime, GstClockTime, gboolean) = (0, 0, 0, 0)
    return tracking(&found, &id, &first, &last, &lost) != 0 && (id, first, last) == (7, 11, 13)
  }
}
