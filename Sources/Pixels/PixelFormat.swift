/// A raw video layout, named as GStreamer names it.
package enum PixelFormat: String, CaseIterable, Sendable {
  case i420 = "I420", yv12 = "YV12", nv12 = "NV12", nv21 = "NV21"
  case yuy2 = "YUY2", uyvy = "UYVY", y42b = "Y42B", y444 = "Y444"
  case yvyu = "YVYU", vyuy = "VYUY", nv16 = "NV16", nv61 = "NV61", nv24 = "NV24"
  case rgb = "RGB", bgr = "BGR", rgbx = "RGBx", xrgb = "xRGB", bgrx = "BGRx", xbgr = "xBGR"
  case rgba = "RGBA", argb = "ARGB", bgra = "BGRA", abgr = "ABGR"
  case gbr = "GBR", gbra = "GBRA"
  case gray8 = "GRAY8", a420 = "A420", av12 = "AV12", ayuv = "AYUV"
  // Ten and twelve bits in 16-bit little-endian words: of P010, P012 and Y210 in the high bits, of
  // planes in the low ones.
  case p010 = "P010_10LE", p012 = "P012_LE", y210 = "Y210"
  case i420Ten = "I420_10LE", y42bTen = "I422_10LE", y444Ten = "Y444_10LE"
  case a420Ten = "A420_10LE", a422Ten = "A422_10LE", a444Ten = "A444_10LE"
  case i420Twelve = "I420_12LE", y42bTwelve = "I422_12LE", y444Twelve = "Y444_12LE"
  // Three samples of ten bits in each 32-bit word.
  case v210

  /// The formats with a byte for each sample.
  package static let eightBit = allCases.filter { $0.bitDepth == 8 }

  /// The formats with more than 8 bits a sample.
  package static let deep = allCases.filter { $0.bitDepth > 8 }

  /// The colour model of a format.
  package enum Family: Sendable {
    /// Components are luma, Cb, Cr.
    case ycc
    /// Components are red, green, blue.
    case rgb
    /// The only component is luma.
    case gray
  }

  package var family: Family { layout.family }

  /// Bits of a sample.
  package var bitDepth: Int { layout.bitDepth }

  /// The 8-bit format with the same subsampling; the format itself if it has 8 bits.
  ///
  /// Algorithms see pictures of more bits in it. Without alpha, which none of them looks at.
  package var eightBitCounterpart: PixelFormat {
    switch self {
    case .p010, .i420Ten, .a420Ten, .p012, .i420Twelve: .i420
    case .y42bTen, .a422Ten, .y42bTwelve, .y210, .v210: .y42b
    case .y444Ten, .a444Ten, .y444Twelve: .y444
    default: self
    }
  }

  /// Whether the last component is a straight (not premultiplied) alpha.
  package var hasAlpha: Bool { layout.hasAlpha }

  /// The memory layout of the samples.
  package var layout: PixelLayout { PixelLayout(self) }
}
