import CGStreamer
import Client

/// The format of the frames behind the chain.
extension Player {
  /// The layout of the full-size frames; nil before the first.
  private var info: GstVideoInfo? { tail.pad("sink")?.videoInfo }

  /// The size of frames in pixels, and as displayed with their pixel aspect ratio; nil before the first.
  var size: (pixels: (width: Int, height: Int), displayed: (width: Double, height: Double))? {
    info.map { info in
      let ratio = Double(info.par_n) / Double(max(1, info.par_d))
      return (
        (Int(info.width), Int(info.height)), (Double(info.width) * ratio, Double(info.height))
      )
    }
  }

  /// The colorimetry of I420 frames of this size, as fields of caps: that of the current frames.
  func colorimetryFields(width: Int, height: Int) -> String {
    var output = GstVideoInfo()
    gst_video_info_set_format(&output, GST_VIDEO_FORMAT_I420, guint(width), guint(height))
    if let info, let format = info.finfo,
      format.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0
    {
      (output.colorimetry, output.chroma_site) = (info.colorimetry, info.chroma_site)
    }
    let colorimetry = gst_video_colorimetry_to_string(&output.colorimetry)
    let site = gst_video_chroma_site_to_string(output.chroma_site)
    defer {
      g_free(colorimetry)
      g_free(site)
    }
    return (colorimetry.map { ",colorimetry=\(String(cString: $0))" } ?? "")
      + (site.map { ",chroma-site=\(String(cString: $0))" } ?? "")
  }

  /// Whether the frames have alpha.
  var hasAlpha: Bool {
    guard let format = info?.finfo else { return false }
    return format.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
  }
}
