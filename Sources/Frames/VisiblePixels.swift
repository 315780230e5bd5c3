package import CGStreamer
package import Pixels

/// The pixels of a buffer that a sink shows, compared with the picture that elements process.
///
/// The picture has the size of the caps and begins with the buffer's first pixel. Metadata can make
/// a sink show other pixels. The elements do not propose that metadata upstream
/// (`Allocation.swift`), but a buffer may have it nevertheless.
package enum VisiblePixels: Equatable {
  /// Exactly the picture.
  case picture
  /// A part of the picture, or the picture below an overlay.
  case partOfPicture
  /// Pixels that no element processes.
  case others(Cause)

  package enum Cause {
    case crop, size, views
  }

  /// `planes` is the number of planes of the format.
  private init(
    _ buffer: Buffer, width: Int, height: Int, format: GstVideoFormat, planes: Int
  ) {
    var isPart = false
    var view: gint?
    var state: gpointer?
    while let meta = gst_buffer_iterate_meta(buffer, &state) {
      let api = meta.pointee.info.pointee.api
      if api == gst_video_crop_meta_api_get_type() {
        let crop = (cast(meta) as UnsafeMutablePointer<GstVideoCropMeta>).pointee
        let (right, bottom) = (Int(crop.x) + Int(crop.width), Int(crop.y) + Int(crop.height))
        guard crop.width > 0, crop.height > 0, right <= width, bottom <= height else {
          self = .others(.crop)
          return
        }
        if Int(crop.width) < width || Int(crop.height) < height { isPart = true }
      } else if api == gst_video_meta_api_get_type() {
        let described = (cast(meta) as UnsafeMutablePointer<GstVideoMeta>).pointee
        guard described.format == format, Int(described.width) >= width,
          Int(described.height) >= height, Int(described.n_planes) >= planes, described.map != nil
        else {
          self = .others(.size)
          return
        }
        guard view == nil || view == described.id else {
          self = .others(.views)
          return
        }
        view = described.id
      } else if isDrawnBySink(api) {
        isPart = true
      }
    }
    self = isPart ? .partOfPicture : .picture
  }

  package init(_ buffer: Buffer, _ info: borrowing GstVideoInfo) {
    self.init(
      buffer, width: Int(info.width), height: Int(info.height), format: info.finfo.pointee.format,
      planes: Int(info.finfo.pointee.n_planes))
  }

  init(_ buffer: Buffer, _ format: VideoFormat) {
    self.init(
      buffer, width: format.width, height: format.height, format: format.format.gst,
      planes: format.format.layout.planeCount)
  }

  /// Throws if a sink shows pixels that no element processes.
  package static func requireProcessedPixels(
    _ buffer: Buffer, _ info: borrowing GstVideoInfo
  ) throws(ElementError) {
    guard case .others(let cause) = VisiblePixels(buffer, info) else { return }
    let advice = "No element of Mien offers to take such frames: have the element that makes them "
    let message =
      switch cause {
      case .crop:
        "A frame's crop rectangle (GstVideoCropMeta) reaches out of the picture that the caps "
          + "describe. \(advice)crop them itself."
      case .size:
        "A frame's GstVideoMeta contradicts the caps. \(advice)describe them as the caps do."
      case .views:
        "A frame carries several views, each with its GstVideoMeta. \(advice)send one view a frame."
      }
    throw ElementError(
      .wrongFrame, message,
      detail: "caps: \(String(cString: info.finfo.pointee.name)) \(info.width)x\(info.height)")
  }

  /// Sets all bytes of a writable buffer to 128 and removes metadata that a sink would draw.
  ///
  /// False if not all bytes could be written.
  package static func erase(_ buffer: Buffer) -> Bool {
    gst_buffer_foreach_meta(
      buffer,
      { _, slot, _ in
        // A nil slot makes GStreamer remove the meta.
        if let meta = slot?.pointee, isDrawnBySink(meta.pointee.info.pointee.api) {
          slot?.pointee = nil
        }
        return 1
      }, nil)
    let size = gst_buffer_get_size(buffer)
    // A grey in every format.
    return gst_buffer_memset(buffer, 0, 128, size) == size
  }
}

/// Whether a sink draws pixels from metadata of this kind that are not in the buffer's memory.
private func isDrawnBySink(_ api: GType) -> Bool {
  api == gst_video_overlay_composition_meta_api_get_type()
    || api == gst_video_gl_texture_upload_meta_api_get_type()
}

extension FrameHeader {
  /// Whether a sink shows exactly the picture of the given format.
  ///
  /// False if the metadata has a crop rectangle, an overlay or another view: positions of faces may
  /// then refer to another picture.
  package func isShownUnchanged(_ format: VideoFormat) -> Bool {
    VisiblePixels(buffer, format) == .picture
  }
}
