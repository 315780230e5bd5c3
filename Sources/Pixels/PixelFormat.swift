/// A raw 8-bit video layout, named as GStreamer names it.
package enum PixelFormat: String, CaseIterable, Sendable {
  case i420 = "I420"
  case yv12 = "YV12"
  case nv12 = "NV12"
  case nv21 = "NV21"
  case yuy2 = "YUY2"
  case uyvy = "UYVY"
  case y42b = "Y42B"
  case y444 = "Y444"
  case rgb = "RGB"
  case bgr = "BGR"
  case rgbx = "RGBx"
  case xrgb = "xRGB"
  case bgrx = "BGRx"
  case xbgr = "xBGR"
  case rgba = "RGBA"
  case argb = "ARGB"
  case bgra = "BGRA"
  case abgr = "ABGR"
  case gray8 = "GRAY8"
  case a420 = "A420"
  case av12 = "AV12"
  case ayuv = "AYUV"

  /// What the components of a format mean.
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

  /// Where the samples lie.
  package var layout: PixelLayout { PixelLayout(self) }
}
