import CGStreamer
package import Pixels

/// What two pads agreed on: the format, size, colour and rate of the frames.
package struct VideoFormat: Sendable, Equatable {
  package let format: PixelFormat
  package let width: Int
  package let height: Int
  package let colorimetry: Colorimetry
  package let chromaSite: ChromaSite

  /// Nil for a format that no element takes.
  init?(_ info: borrowing GstVideoInfo) {
    guard let finfo = info.finfo, let format = PixelFormat(gst: finfo.pointee.format) else {
      return nil
    }
    self.format = format
    width = Int(info.width)
    height = Int(info.height)
    colorimetry = Colorimetry(info.colorimetry, format: format)
    chromaSite = ChromaSite(
      isCositedHorizontally: info.chroma_site.rawValue
        & GST_VIDEO_CHROMA_SITE_H_COSITED.rawValue != 0,
      isCositedVertically: info.chroma_site.rawValue
        & GST_VIDEO_CHROMA_SITE_V_COSITED.rawValue != 0)
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

extension PixelFormat {
  var gst: GstVideoFormat { gst_video_format_from_string(rawValue) }

  init?(gst format: GstVideoFormat) {
    guard let match = Self.byGst[format.rawValue] else { return nil }
    self = match
  }

  private static let byGst = Dictionary(
    uniqueKeysWithValues: PixelFormat.allCases.map { ($0.gst.rawValue, $0) })
}
