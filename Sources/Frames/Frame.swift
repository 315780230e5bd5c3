package import CGStreamer
package import Pixels

/// The times and the metadata of a frame that is not mapped.
///
/// Valid only during the call that receives it.
package struct FrameHeader: ~Copyable {
  package let buffer: Buffer

  /// The buffer's presentation timestamp in nanoseconds; nil without one.
  package let timestamp: UInt64?
  package let duration: UInt64?
  /// The stream time in nanoseconds: the position in the media.
  package let streamTime: UInt64?
  /// The running time in nanoseconds: the time played since the pipeline started.
  package let runningTime: UInt64?

  package init(buffer: Buffer, segment: Segment) {
    self.buffer = buffer
    func validTime(_ value: guint64) -> UInt64? {
      value == cgst_clock_time_none ? nil : UInt64(value)
    }
    let pts = buffer.pointee.pts
    timestamp = validTime(pts)
    duration = validTime(buffer.pointee.duration)
    let isTime = segment.pointee.format == GST_FORMAT_TIME && pts != cgst_clock_time_none
    streamTime = isTime ? validTime(gst_segment_to_stream_time(segment, GST_FORMAT_TIME, pts)) : nil
    runningTime =
      isTime ? validTime(gst_segment_to_running_time(segment, GST_FORMAT_TIME, pts)) : nil
  }
}

/// A mapped frame: its picture, times and metadata; valid only during the call that receives it.
///
/// An `Analyzer` that does not draw must not write the picture, nor a `FormatChangingFilter` its
/// source.
package struct Frame: ~Copyable {
  package let header: FrameHeader
  package let picture: Picture

  package init(header: consuming FrameHeader, picture: consuming Picture) {
    self.header = header
    self.picture = picture
  }
}

/// A buffer's memory, mapped for the lifetime of this value.
package struct MappedFrame: ~Copyable {
  private var raw = GstVideoFrame()
  private var isMapped = false

  package init(_ buffer: Buffer, _ info: borrowing GstVideoInfo, writable: Bool)
    throws(ElementError)
  {
    try VisiblePixels.requireProcessedPixels(buffer, info)
    var info = copy info
    // Without NO_REF the mapping adds a reference, and no metadata could be added to the buffer.
    let flags =
      GST_MAP_READ.rawValue | (writable ? GST_MAP_WRITE.rawValue : 0)
      | GST_VIDEO_FRAME_MAP_FLAG_NO_REF.rawValue
    guard gst_video_frame_map(&raw, &info, buffer, GstMapFlags(rawValue: flags)) != 0 else {
      throw ElementError(
        .wrongFrame, "A frame's memory could not be mapped.",
        detail: "buffer of \(gst_buffer_get_size(buffer)) bytes, caps need \(info.size)")
    }
    isMapped = true
  }

  deinit {
    guard isMapped else { return }
    var raw = raw
    gst_video_frame_unmap(&raw)
  }

  /// The planes as a picture of `format`, checked against the size of the mapped memory.
  package borrowing func picture(_ format: VideoFormat) throws(ElementError) -> Picture {
    let layout = format.format.layout
    var planes = InlineArray<4, Plane?>(repeating: nil)
    for index in 0..<layout.planeCount { planes[index] = try plane(index, layout, format) }
    return Picture(format, planes: planes)
  }

  private borrowing func plane(
    _ index: Int, _ layout: PixelLayout, _ format: VideoFormat
  ) throws(ElementError) -> Plane {
    var available: gsize = 0
    let (data, stride) = withUnsafePointer(to: raw) {
      (cgst_frame_plane($0, guint(index), &available), Int(cgst_frame_stride($0, guint(index))))
    }
    let rows = layout.rowCount(plane: index, height: format.height)
    let bytes = layout.rowBytes(plane: index, width: format.width)
    guard let data, stride >= bytes, rows > 0, (rows - 1) * stride + bytes <= Int(available) else {
      throw ElementError(
        .wrongFrame, "A frame's memory is not laid out as its caps say.",
        detail: "plane \(index) of \(format.format.rawValue) \(format.width)x\(format.height): "
          + "\(available) bytes with stride \(stride), \(rows) rows of \(bytes) bytes needed")
    }
    return Plane(base: data, rowBytes: bytes, height: rows, stride: stride)
  }
}
