import CGStreamer
import Glibc

/// A mask of regions in GstAnalytics as a stranger's element reads it, with the system's library alone.
struct SystemSegmentation: Equatable {
  typealias Meta = UnsafeMutableRawPointer
  typealias Entry = CgstAnalyticsEntry
  typealias Out = UnsafeMutablePointer<Entry>

  /// Where the mask is stretched over, in pixels of the frame.
  var x: Int32 = 0
  var y: Int32 = 0
  var width: UInt32 = 0
  var height: UInt32 = 0
  var columns = 0
  var rows = 0
  var cells: [UInt8] = []
  /// What each region is called, by its number.
  var names: [UInt32: String] = [:]
  /// The address of the mask's bytes.
  var address: UInt = 0

  /// The library, where it knows masks.
  nonisolated(unsafe) private static let library: UnsafeMutableRawPointer? = {
    guard let file = dlopen("libgstanalytics-1.0.so.0", RTLD_LAZY),
      dlsym(file, "gst_analytics_relation_meta_add_segmentation_mtd") != nil
    else { return nil }
    return file
  }()
  static let isKnown = library != nil

  private static func call<T>(_ name: String, _: T.Type) -> T {
    unsafeBitCast(dlsym(library, name), to: T.self)
  }

  /// The region at a pixel of the frame, as a reader that takes the nearest cell finds it.
  func region(_ pixelX: Int, _ pixelY: Int) -> UInt8 {
    let column = (pixelX - Int(x)) * columns / Int(width)
    let row = (pixelY - Int(y)) * rows / Int(height)
    return cells[row * columns + column]
  }

  /// All masks on a buffer.
  static func all(on buffer: UnsafeMutablePointer<GstBuffer>) -> [SystemSegmentation] {
    typealias Get = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> Meta?
    typealias Length = @convention(c) (Meta) -> gsize
    typealias GetEntry = @convention(c) (Meta, guint, Out) -> gboolean
    guard let meta = call("gst_buffer_get_analytics_relation_meta", Get.self)(buffer) else {
      return []
    }
    return (0..<guint(call("gst_analytics_relation_get_length", Length.self)(meta))).compactMap {
      var entry = Entry()
      return call("gst_analytics_relation_meta_get_segmentation_mtd", GetEntry.self)(
        meta, $0, &entry) != 0 ? read(entry, in: meta) : nil
    }
  }

  private static func read(_ segmentation: Entry, in meta: Meta) -> SystemSegmentation? {
    typealias Mask =
      @convention(c) (
        Out, UnsafeMutablePointer<gint>, UnsafeMutablePointer<gint>, UnsafeMutablePointer<guint>,
        UnsafeMutablePointer<guint>
      ) -> UnsafeMutablePointer<GstBuffer>?
    typealias Count = @convention(c) (Out) -> gsize
    typealias Region = @convention(c) (Out, gsize) -> guint
    typealias Name = @convention(c) (Out, gsize) -> GQuark
    typealias Related =
      @convention(c) (
        Meta, guint, gint, guintptr, UnsafeMutablePointer<gpointer?>?, Out
      ) -> gboolean
    typealias GetType = @convention(c) () -> guintptr
    var (entry, found) = (segmentation, SystemSegmentation())
    guard
      let mask = call("gst_analytics_segmentation_mtd_get_mask", Mask.self)(
        &entry, &found.x, &found.y, &found.width, &found.height)
    else { return nil }
    defer {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(mask).assumingMemoryBound(to: GstMiniObject.self))
    }
    guard let video = gst_buffer_get_video_meta(mask)?.pointee,
      video.format == GST_VIDEO_FORMAT_GRAY8
    else { return nil }
    (found.columns, found.rows) = (Int(video.width), Int(video.height))
    var map = GstMapInfo()
    gst_buffer_map(mask, &map, GST_MAP_READ)
    for row in 0..<found.rows {
      let start = Int(video.offset.0) + row * Int(video.stride.0)
      found.cells +=
        UnsafeBufferPointer(start: map.data, count: Int(map.size))[
          start..<start + found.columns]
    }
    found.address = UInt(bitPattern: map.data)
    gst_buffer_unmap(mask, &map)
    var (state, kinds) = (gpointer?.none, Entry())
    let classes = call("gst_analytics_cls_mtd_get_mtd_type", GetType.self)()
    // N_TO_N
    guard
      call("gst_analytics_relation_meta_get_direct_related", Related.self)(
        meta, entry.id, 1 << 4, classes, &state, &kinds) != 0
    else { return found }
    for place in 0..<call("gst_analytics_segmentation_mtd_get_region_count", Count.self)(&entry) {
      let region = call("gst_analytics_segmentation_mtd_get_region_id", Region.self)(&entry, place)
      found.names[region] = g_quark_to_string(
        call("gst_analytics_cls_mtd_get_quark", Name.self)(&kinds, place)
      ).map { String(cString: $0) }
    }
    return found
  }
}
