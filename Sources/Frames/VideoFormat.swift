package import CGStreamer
package import Pixels

extension VideoFormat {
  /// The negotiated format; nil for one that no element supports.
  package init?(_ info: borrowing GstVideoInfo) {
    guard let finfo = info.finfo, let format = PixelFormat(gst: finfo.pointee.format) else {
      return nil
    }
    let (site, wide, high) = (info.chroma_site.rawValue, info.par_n, info.par_d)
    self.init(
      format: format, width: Int(info.width), height: Int(info.height),
      colorimetry: Colorimetry(info.colorimetry, format: format),
      chromaSite: ChromaSite(
        isCositedHorizontally: site & GST_VIDEO_CHROMA_SITE_H_COSITED.rawValue != 0,
        isCositedVertically: site & GST_VIDEO_CHROMA_SITE_V_COSITED.rawValue != 0),
      pixelAspect: wide > 0 && high > 0 ? min(max(Double(wide) / Double(high), 1.0 / 16), 16) : 1,
      transfer: Transfer(info.colorimetry.transfer),
      isInterlaced: info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
  }
}

extension Colorimetry {
  fileprivate init(_ raw: GstVideoColorimetry, format: PixelFormat) {
    let matrix: Matrix =
      switch raw.matrix {
      case GST_VIDEO_COLOR_MATRIX_BT709: .bt709
      case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
      case GST_VIDEO_COLOR_MATRIX_FCC: .fcc
      case GST_VIDEO_COLOR_MATRIX_SMPTE240M: .smpte240m
      case GST_VIDEO_COLOR_MATRIX_RGB where format.family != .ycc: .rgb
      default: format.family == .rgb ? .rgb : .bt601
      }
    self.init(
      matrix: matrix,
      isFullRange: format.family == .rgb || raw.range == GST_VIDEO_COLOR_RANGE_0_255)
  }
}

extension Transfer {
  fileprivate init(_ raw: GstVideoTransferFunction) {
    switch raw {
    case GST_VIDEO_TRANSFER_SMPTE2084: self = .pq
    case GST_VIDEO_TRANSFER_ARIB_STD_B67: self = .hlg
    default: self = .standard
    }
  }
}

extension PixelFormat {
  // Not gst_video_format_from_string: it is declared G_GNUC_CONST, so the optimiser may free the
  // text before the call.
  package var gst: GstVideoFormat {
    switch self {
    case .i420: GST_VIDEO_FORMAT_I420
    case .yv12: GST_VIDEO_FORMAT_YV12
    case .nv12: GST_VIDEO_FORMAT_NV12
    case .nv21: GST_VIDEO_FORMAT_NV21
    case .yuy2: GST_VIDEO_FORMAT_YUY2
    case .uyvy: GST_VIDEO_FORMAT_UYVY
    case .yvyu: GST_VIDEO_FORMAT_YVYU
    case .vyuy: GST_VIDEO_FORMAT_VYUY
    case .nv16: GST_VIDEO_FORMAT_NV16
    case .nv61: GST_VIDEO_FORMAT_NV61
    case .nv24: GST_VIDEO_FORMAT_NV24
    case .y42b: GST_VIDEO_FORMAT_Y42B
    case .y444: GST_VIDEO_FORMAT_Y444
    case .rgb: GST_VIDEO_FORMAT_RGB
    case .bgr: GST_VIDEO_FORMAT_BGR
    case .rgbx: GST_VIDEO_FORMAT_RGBx
    case .xrgb: GST_VIDEO_FORMAT_xRGB
    case .bgrx: GST_VIDEO_FORMAT_BGRx
    case .xbgr: GST_VIDEO_FORMAT_xBGR
    case .rgba: GST_VIDEO_FORMAT_RGBA
    case .argb: GST_VIDEO_FORMAT_ARGB
    case .bgra: GST_VIDEO_FORMAT_BGRA
    case .abgr: GST_VIDEO_FORMAT_ABGR
    case .gbr: GST_VIDEO_FORMAT_GBR
    case .gbra: GST_VIDEO_FORMAT_GBRA
    case .gray8: GST_VIDEO_FORMAT_GRAY8
    case .a420: GST_VIDEO_FORMAT_A420
    case .av12: GST_VIDEO_FORMAT_AV12
    case .ayuv: GST_VIDEO_FORMAT_AYUV
    case .p010: GST_VIDEO_FORMAT_P010_10LE
    case .i420Ten: GST_VIDEO_FORMAT_I420_10LE
    case .y42bTen: GST_VIDEO_FORMAT_I422_10LE
    case .y444Ten: GST_VIDEO_FORMAT_Y444_10LE
    case .p012: GST_VIDEO_FORMAT_P012_LE
    case .y210: GST_VIDEO_FORMAT_Y210
    case .v210: GST_VIDEO_FORMAT_v210
    case .i420Twelve: GST_VIDEO_FORMAT_I420_12LE
    case .y42bTwelve: GST_VIDEO_FORMAT_I422_12LE
    case .y444Twelve: GST_VIDEO_FORMAT_Y444_12LE
    case .a420Ten: GST_VIDEO_FORMAT_A420_10LE
    case .a422Ten: GST_VIDEO_FORMAT_A422_10LE
    case .a444Ten: GST_VIDEO_FORMAT_A444_10LE
    }
  }

  package init?(gst format: GstVideoFormat) {
    guard let match = PixelFormat.allCases.first(where: { $0.gst == format }) else { return nil }
    self = match
  }
}
