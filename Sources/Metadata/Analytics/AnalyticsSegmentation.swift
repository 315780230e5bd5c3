import CGStreamer
package import Frames

/// What GstAnalytics knows of segmentations, from 1.26 on: masks of regions.
struct AnalyticsSegmentation {
  typealias Meta = AnalyticsLibrary.Meta
  typealias Entry = AnalyticsLibrary.Entry
  typealias Count = UnsafeMutablePointer<guint>

  /// The mask, which is given away; its type; how many regions, and their numbers; the rectangle of
  /// the frame that the mask is stretched over.
  typealias Add =
    @convention(c) (
      Meta, Buffer, guint, gsize, UnsafeMutablePointer<guint>, gint, gint, guint, guint,
      AnalyticsLibrary.EntryOut
    ) -> gboolean
  /// The caller's own reference to the mask, and that rectangle.
  typealias Mask =
    @convention(c) (
      UnsafePointer<Entry>, AnalyticsLibrary.Number, AnalyticsLibrary.Number, Count, Count
    ) -> Buffer?
  typealias RegionCount = @convention(c) (UnsafePointer<Entry>) -> gsize
  typealias Region = @convention(c) (UnsafePointer<Entry>, gsize) -> guint
  private typealias GetType = @convention(c) () -> guintptr

  /// GST_SEGMENTATION_TYPE_SEMANTIC: all things of a class are one region.
  static let semantic: guint = 0

  let add: Add
  let mask: Mask
  let regionCount: RegionCount
  let region: Region
  let type: guintptr

  /// Nil where the library has none, or not as they are written of here; `make` makes its metadata.
  init?(_ file: UnsafeMutableRawPointer, _ make: AnalyticsLibrary.Add) {
    func symbol<T>(_ name: StaticString) -> T? { AnalyticsLibrary.symbol(name, in: file) }
    guard let add: Add = symbol("gst_analytics_relation_meta_add_segmentation_mtd"),
      let mask: Mask = symbol("gst_analytics_segmentation_mtd_get_mask"),
      let count: RegionCount = symbol("gst_analytics_segmentation_mtd_get_region_count"),
      let region: Region = symbol("gst_analytics_segmentation_mtd_get_region_id"),
      let type: GetType = symbol("gst_analytics_segmentation_mtd_get_mtd_type")
    else { return nil }
    (self.add, self.mask, self.region, regionCount) = (add, mask, region, count)
    self.type = type()
    guard isAsExpected(make) else { return nil }
  }

  private func isAsExpected(_ make: AnalyticsLibrary.Add) -> Bool {
    guard let frame = gst_buffer_new() else { return false }
    defer { gst_mini_object_unref(cast(frame)) }
    var room = CgstAnalyticsRoom(relation_order: 1, buffer_size: 256)
    guard let meta = make(frame, &room), let given = gst_buffer_new_allocate(nil, 8, nil),
      gst_buffer_add_video_meta(given, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 4, 2)
        != nil
    else { return false }
    var entry = Entry()
    var numbers: (guint, guint) = (7, 9)
    let isAdded = withUnsafeMutablePointer(to: &numbers) {
      add(meta, given, Self.semantic, 2, cast($0), -3, 4, 5, 6, &entry)
    }
    guard isAdded != 0 else { return false }
    var place: (x: gint, y: gint, width: guint, height: guint) = (0, 0, 0, 0)
    guard let taken = mask(&entry, &place.x, &place.y, &place.width, &place.height) else {
      return false
    }
    defer { gst_mini_object_unref(cast(taken)) }
    return taken == given && place == (-3, 4, 5, 6) && regionCount(&entry) == 2
      && region(&entry, 0) == 7 && region(&entry, 1) == 9
  }
}
