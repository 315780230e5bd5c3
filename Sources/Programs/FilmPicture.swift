package import CGStreamer
import Client

/// What a film's decoded pictures hold that an encoder has to keep.
package struct FilmPicture {
  /// Bits of a sample.
  package let depth: Int
  /// Chroma subsampling as shifts; 0, 0 also for red, green and blue.
  package let chroma: (h: Int, v: Int)
  /// Whether samples are luma and chroma.
  package let isYCC: Bool
  package let isInterlaced: Bool
  package let hasAlpha: Bool
  /// For luma and chroma of full range their colorimetry in limited range; else nil.
  let limitedColorimetry: String?

  package init(_ info: GstVideoInfo) {
    let format = info.finfo.pointee
    depth = Int(format.depth.0)
    chroma = (Int(format.w_sub.1), Int(format.h_sub.1))
    isYCC = format.flags.rawValue & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0
    hasAlpha = format.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
    isInterlaced = info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
    var colorimetry = info.colorimetry
    guard isYCC, colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255 else {
      limitedColorimetry = nil
      return
    }
    colorimetry.range = GST_VIDEO_COLOR_RANGE_16_235
    let text = gst_video_colorimetry_to_string(&colorimetry)
    limitedColorimetry = text.map { String(cString: $0) }
    g_free(text)
  }

  /// The format of 10 bits with the same chroma.
  var tenBitFormat: String {
    guard isYCC else { return "Y444_10LE" }
    return chroma.v > 0 ? "I420_10LE" : chroma.h > 0 ? "I422_10LE" : "Y444_10LE"
  }

  /// The format with alpha that FFV1 stores and that lacks least of the pictures.
  var alphaFormat: String {
    guard isYCC else { return depth > 8 ? "A444_10LE" : "BGRA" }
    // There is none of 8 bits with more chroma than 4:2:0.
    if chroma.v > 0 { return depth > 8 ? "A420_10LE" : "A420" }
    return chroma.h > 0 ? "A422_10LE" : "A444_10LE"
  }

  /// How chroma subsampling is called.
  private static func name(_ chroma: (h: Int, v: Int)) -> String {
    chroma.v > 0 ? "4:2:0" : chroma.h > 0 ? "4:2:2" : "4:4:4"
  }

  /// What frames of `kept` bits and chroma lack, for the user, with the package that has an encoder
  /// for more; nil where they lack nothing.
  ///
  /// `fields`: whether interlaced frames are kept as such; `mayKeepFields`: whether another encoder
  /// would. `range`: whether full range is.
  func loss(
    keeping kept: (depth: Int, chroma: (h: Int, v: Int)), fields: Bool = false,
    mayKeepFields: Bool = false, range: Bool = true
  ) -> String? {
    var parts: [String] = []
    if depth > kept.depth { parts.append("its \(depth) bits a sample became \(kept.depth)") }
    let isFiner = chroma.h < kept.chroma.h || chroma.v < kept.chroma.v
    // Red, green and blue become luma and chroma in every film.
    if isYCC, isFiner {
      parts.append("its \(Self.name(chroma)) colour became \(Self.name(kept.chroma))")
    }
    if isInterlaced, !fields { parts.append("its interlaced frames are marked as whole ones") }
    if limitedColorimetry != nil, !range { parts.append("its full range became limited") }
    guard !parts.isEmpty else { return nil }
    var advice = ""
    if depth > 8, kept.depth == 8 {
      advice = "; x265enc of gstreamer1.0-plugins-bad keeps 10 bits in MP4, MOV and Matroska"
    }
    if isInterlaced, !fields, mayKeepFields {
      advice += "; x264enc of gstreamer1.0-plugins-ugly keeps interlaced frames"
    }
    return parts.joined(separator: ", and ") + advice
  }
}
