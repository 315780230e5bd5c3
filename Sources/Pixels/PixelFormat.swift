/// A raw 8-bit video layout, named as GStreamer names it.
package enum PixelFormat: String, CaseIterable, Sendable {
  case i420 = "I420", yv12 = "YV12", nv12 = "NV12", nv21 = "NV21"
  case yuy2 = "YUY2", uyvy = "UYVY", y42b = "Y42B", y444 = "Y444"
  case rgb = "RGB", bgr = "BGR", rgbx = "RGBx", xrgb = "xRGB", bgrx = "BGRx", xbgr = "xBGR"
  case rgba = "RGBA", argb = "ARGB", bgra = "BGRA", abgr = "ABGR"
  case gray8 = "GRAY8", a420 = "A420", av12 = "AV12", ayuv = "AYUV"

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

  /// Whether the last component is a straight (not premultiplied) alpha.
  package var hasAlpha: Bool { layout.hasAlpha }

  /// The memory layout of the samples.
  package var layout: PixelLayout { PixelLayout(self) }
}
