import CGStreamer
import Glibc

/// GstAnalytics as a stranger's element uses it, with the system's library alone.
struct SystemAnalytics: @unchecked Sendable {
  typealias Meta = UnsafeMutableRawPointer
  typealias Entry = CgstAnalyticsEntry

  /// What a face's entries say.
  struct Found: Equatable {
    var number: UInt32 = 0
    var label = ""
    var x: Int32 = 0
    var y: Int32 = 0
    var width: Int32 = 0
    var height: Int32 = 0
    var confidence: Float = 0
    /// Number, first and last time of the track; nil without one.
    var track: [UInt64]?
    /// Names and levels of what it contains.
    var classes: [String: Float] = [:]
  }

  static let shared = SystemAnalytics()
  static let isInstalled = shared != nil
  /// GStreamer moves metadata with crops and flips.
  static let movesMetadata = version >= (1, 28)
  private static let version: (guint, guint) = {
    var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
    gst_version(&major, &minor, &micro, &nano)
    return (major, minor)
  }()

  private let file: UnsafeMutableRawPointer

  private init?() {
    guard let file = dlopen("libgstanalytics-1.0.so.0", RTLD_LAZY) else { return nil }
    self.file = file
  }

  private func call<T>(_ name: String, _: T.Type) -> T {
    unsafeBitCast(dlsym(file, name), to: T.self)
  }

  private typealias Out = UnsafeMutablePointer<Entry>

  /// Puts a detection on a writable buffer, with a track.
  func attach(
    _ label: String, x: Int32, y: Int32, width: Int32, height: Int32, track: UInt64? = nil,
    to buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    typealias Add = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> Meta?
    typealias AddDetection =
      @convention(c) (
        Meta, GQuark, gint, gint, gint, gint, gfloat, Out
      ) -> gboolean
    typealias AddTracking = @convention(c) (Meta, guint64, GstClockTime, Out) -> gboolean
    typealias Relate = @convention(c) (Meta, gint, guint, guint) -> gboolean
    guard let meta = call("gst_buffer_add_analytics_relation_meta", Add.self)(buffer) else {
      return
    }
    var (detection, tracking) = (Entry(), Entry())
    _ = call("gst_analytics_relation_meta_add_od_mtd", AddDetection.self)(
      meta, g_quark_from_string(label), x, y, width, height, 0.75, &detection)
    guard let track else { return }
    _ = call("gst_analytics_relation_meta_add_tracking_mtd", AddTracking.self)(
      meta, guint64(track), 0, &tracking)
    _ = call("gst_analytics_relation_meta_set_relation", Relate.self)(
      meta, 8, detection.id, tracking.id)
  }

  /// The detections on a buffer; nil without the metadata.
  func detections(_ buffer: UnsafeMutablePointer<GstBuffer>) -> [Found]? {
    typealias Get = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> Meta?
    typealias Length = @convention(c) (Meta) -> gsize
    typealias GetEntry = @convention(c) (Meta, guint, Out) -> gboolean
    typealias Location =
      @convention(c) (
        Out, UnsafeMutablePointer<gint>, UnsafeMutablePointer<gint>, UnsafeMutablePointer<gint>,
        UnsafeMutablePointer<gint>, UnsafeMutablePointer<gfloat>
      ) -> gboolean
    typealias Label = @convention(c) (Out) -> GQuark
    guard let meta = call("gst_buffer_get_analytics_relation_meta", Get.self)(buffer) else {
      return nil
    }
    var all: [Found] = []
    for index in 0..<guint(call("gst_analytics_relation_get_length", Length.self)(meta)) {
      var entry = Entry()
      guard
        call("gst_analytics_relation_meta_get_od_mtd", GetEntry.self)(meta, index, &entry) != 0
      else { continue }
      var found = Found(number: entry.id)
      _ = call("gst_analytics_od_mtd_get_location", Location.self)(
        &entry, &found.x, &found.y, &found.width, &found.height, &found.confidence)
      found.label = text(call("gst_analytics_od_mtd_get_obj_type", Label.self)(&entry))
      readRelated(to: entry, in: meta, &found)
      all.append(found)
    }
    return all
  }

  private func readRelated(to detection: Entry, in meta: Meta, _ found: inout Found) {
    typealias Length = @convention(c) (Meta) -> gsize
    typealias Relation = @convention(c) (Meta, guint, guint) -> gint
    typealias GetEntry = @convention(c) (Meta, guint, Out) -> gboolean
    typealias Tracking =
      @convention(c) (
        Out, UnsafeMutablePointer<guint64>, UnsafeMutablePointer<GstClockTime>,
        UnsafeMutablePointer<GstClockTime>, UnsafeMutablePointer<gboolean>
      ) -> gboolean
    typealias Count = @convention(c) (Out) -> gsize
    typealias Name = @convention(c) (Out, gsize) -> GQuark
    typealias Level = @convention(c) (Out, gsize) -> gfloat
    for index in 0..<guint(call("gst_analytics_relation_get_length", Length.self)(meta)) {
      var entry = Entry()
      switch call("gst_analytics_relation_meta_get_relation", Relation.self)(
        meta, detection.id, index)
      {
      case 8
      where call("gst_analytics_relation_meta_get_tracking_mtd", GetEntry.self)(
        meta, index, &entry) != 0:
        var (id, first, last, lost): (guint64, GstClockTime, GstClockTime, gboolean) = (0, 0, 0, 0)
        _ = call("gst_analytics_tracking_mtd_get_info", Tracking.self)(
          &entry, &id, &first, &last, &lost)
        found.track = [UInt64(id), UInt64(first), UInt64(last)]
      case 4
      where call("gst_analytics_relation_meta_get_cls_mtd", GetEntry.self)(
        meta, index, &entry) != 0:
        for place in 0..<call("gst_analytics_cls_mtd_get_length", Count.self)(&entry) {
          let name = text(call("gst_analytics_cls_mtd_get_quark", Name.self)(&entry, place))
          found.classes[name] = call("gst_analytics_cls_mtd_get_level", Level.self)(&entry, place)
        }
      default: break
      }
    }
  }

  private func text(_ quark: GQuark) -> String {
    g_quark_to_string(quark).map { String(cString: $0) } ?? ""
  }
}
