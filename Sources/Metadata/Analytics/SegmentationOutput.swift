import CGStreamer
package import Frames
package import Pixels

/// The masks of a stream that are written as GstAnalytics too; streaming thread only.
///
/// Readers hold a mask as long as they hold a frame, and longer: masks come from a pool, to which
/// the last of them gives one back, on any thread and maybe after the element is gone. Some never
/// do, as videoflip of GStreamer 1.28: so there is a number that may be held, more than frames wait
/// in a queue or an encoder.
package final class SegmentationOutput {
  /// Masks that may be held at a time; about 60 kB each.
  package static let most = 300

  /// Whether the library is on this system and knows segmentations; opens it.
  package static var isAvailable: Bool { AnalyticsLibrary.shared?.segmentation != nil }

  private var use = AnalyticsUse()
  private var pool: UnsafeMutablePointer<GstBufferPool>?
  private var info = GstVideoInfo()

  package init() {}

  deinit { close() }

  /// Lets go of the masks that nobody holds; the next frame makes new ones.
  package func close() {
    guard let pool else { return }
    gst_buffer_pool_set_active(pool, 0)
    gst_object_unref(pool)
    self.pool = nil
  }

  /// A mask of this size that `draw` fills; nil where too many are held, or memory runs out.
  fileprivate func mask(
    columns: Int, rows: Int, _ draw: (borrowing Picture) -> Void
  ) -> Buffer? {
    if pool == nil || Int(info.width) != columns || Int(info.height) != rows {
      open(columns: columns, rows: rows)
    }
    var mask: Buffer?
    var parameters = GstBufferPoolAcquireParams()
    parameters.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
    guard let pool, gst_buffer_pool_acquire_buffer(pool, &mask, &parameters) == GST_FLOW_OK,
      let mask,
      let format = VideoFormat(info)
    else { return nil }
    do throws(ElementError) {
      let mapped = try MappedFrame(mask, info, writable: true)
      let picture = try mapped.picture(format)
      draw(picture)
      extendLifetime(mapped)
      return mask
    } catch {
      gst_mini_object_unref(cast(mask))
      return nil
    }
  }

  private func open(columns: Int, rows: Int) {
    close()
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_GRAY8, guint(columns), guint(rows))
    guard let caps = gst_video_info_to_caps(&info), let made = gst_video_buffer_pool_new() else {
      return
    }
    defer { gst_mini_object_unref(cast(caps)) }
    let config = gst_buffer_pool_get_config(made)
    gst_buffer_pool_config_set_params(config, caps, guint(info.size), 0, guint(Self.most))
    gst_buffer_pool_config_add_option(config, "GstBufferPoolOptionVideoMeta")
    guard gst_buffer_pool_set_config(made, config) != 0, gst_buffer_pool_set_active(made, 1) != 0
    else {
      gst_object_unref(made)
      return
    }
    pool = made
  }

  fileprivate func library(_ choice: AnalyticsOutput.Choice) -> AnalyticsLibrary? {
    use.library(choice)
  }
}

extension FrameHeader {
  /// Puts a mask of regions on the frame's buffer, 0 for the room and 1 for people, that is stretched
  /// over all of the frame, of `width` x `height` pixels; `draw` fills it, in GRAY8.
  ///
  /// False where there is no mask left: `SegmentationOutput.most` are held.
  package func attachSegmentation(
    _ output: SegmentationOutput, _ choice: AnalyticsOutput.Choice, columns: Int, rows: Int,
    width: Int, height: Int, _ draw: (borrowing Picture) -> Void
  ) -> Bool {
    guard let library = output.library(choice), let segmentation = library.segmentation,
      SegmentationMetadata.removeOwn(from: buffer, library, segmentation)
    else { return true }
    guard let mask = output.mask(columns: columns, rows: rows, draw) else { return false }
    SegmentationMetadata.add(
      mask, to: buffer, width: width, height: height, library, segmentation)
    return true
  }
}
