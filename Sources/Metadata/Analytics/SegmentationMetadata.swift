import CGStreamer
package import Frames

/// Where people are as a GstAnalytics segmentation, from 1.26 on: a mask of two regions, and a
/// classification that names them, to which it is related region by region.
enum SegmentationMetadata {
  /// What the regions are called, in the order of their numbers.
  static let classes: InlineArray<2, StaticString> = ["background", "person"]

  private static let names: InlineArray<2, GQuark> = [
    g_quark_from_static_string(classes[0].characters),
    g_quark_from_static_string(classes[1].characters),
  ]

  /// Adds a mask, which is given away, that is stretched over all of a frame of this size.
  static func add(
    _ mask: Buffer, to frame: Buffer, width: Int, height: Int, _ library: AnalyticsLibrary,
    _ segmentation: AnalyticsSegmentation
  ) {
    // Where others have put results on the frame this is what they made, and grows.
    var room = CgstAnalyticsRoom(relation_order: 2, buffer_size: 256)
    guard let meta = library.add(frame, &room) else {
      gst_mini_object_unref(cast(mask))
      return
    }
    var (entry, kinds) = (AnalyticsLibrary.Entry(), AnalyticsLibrary.Entry())
    var regions: InlineArray<2, guint> = [0, 1]
    let isAdded = withUnsafeMutablePointer(to: &regions) {
      segmentation.add(
        meta, mask, AnalyticsSegmentation.semantic, 2, cast($0), 0, 0, guint(width), guint(height),
        &entry)
    }
    guard isAdded != 0 else {
      gst_mini_object_unref(cast(mask))
      return
    }
    var names = names
    // No level is known of a class as a whole, and GStreamer writes that so.
    var levels: InlineArray<2, gfloat> = [-1, -1]
    let isNamed = withUnsafeMutablePointer(to: &levels) { levels in
      withUnsafeMutablePointer(to: &names) { names in
        library.addClasses(meta, 2, cast(levels), cast(names), &kinds)
      }
    }
    guard isNamed != 0 else { return }
    _ = library.setRelation(meta, AnalyticsLibrary.Relation.nToN, entry.id, kinds.id)
  }

  /// Takes off the mask that an earlier `personkey` put on the buffer.
  ///
  /// Entries cannot be taken out: where there are others' too all stay, and false says that none
  /// may be added.
  static func removeOwn(
    from buffer: Buffer, _ library: AnalyticsLibrary, _ segmentation: AnalyticsSegmentation
  ) -> Bool {
    guard let meta = AnalyticsMetadata.meta(on: buffer) else { return true }
    var state: gpointer?
    var entry = AnalyticsLibrary.Entry()
    var (own, others) = (0, 0)
    while library.iterate(meta, &state, 0, &entry) != 0 {
      let type = library.type(&entry)
      if type == segmentation.type, kinds(of: entry, in: meta, library).map(isOwn) == true {
        own += 1
      } else if type != library.classesType || !isOwn(entry) {
        others += 1
      }
    }
    guard own > 0 else { return true }
    guard others == 0 else { return false }
    return gst_buffer_remove_meta(buffer, meta.assumingMemoryBound(to: GstMeta.self)) != 0

    func isOwn(_ kinds: AnalyticsLibrary.Entry) -> Bool {
      var kinds = kinds
      return library.classCount(&kinds) == 2 && library.className(&kinds, 0) == names[0]
        && library.className(&kinds, 1) == names[1]
    }
  }

  /// The classification that names the regions of a segmentation.
  private static func kinds(
    of segmentation: AnalyticsLibrary.Entry, in meta: AnalyticsLibrary.Meta,
    _ library: AnalyticsLibrary
  ) -> AnalyticsLibrary.Entry? {
    var (state, kinds) = (gpointer?.none, AnalyticsLibrary.Entry())
    return library.related(
      meta, segmentation.id, AnalyticsLibrary.Relation.nToN, library.classesType, &state, &kinds)
      != 0 ? kinds : nil
  }
}
