import CGStreamer
import Frames
import Pixels

extension GstVideoInfo {
  /// The video format of `caps`; nil for other caps.
  init?(of caps: UnsafePointer<GstCaps>?) {
    self.init()
    guard gst_video_info_from_caps(&self, caps) != 0 else { return nil }
  }

  /// The video format of `pad`; nil before it has caps of video.
  init?(at pad: UnsafeMutablePointer<GstPad>) {
    guard let caps = gst_pad_get_current_caps(pad) else { return nil }
    defer { gst_caps_unref(caps) }
    self.init(of: caps)
  }
}

extension OwnedPicture {
  /// Copies an RGBA frame; nil for other formats.
  convenience init?(rgba buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo) {
    guard let format = VideoFormat(info), format.format == .rgba,
      let mapped = try? MappedFrame(buffer, info, writable: false),
      let picture = try? mapped.picture(format)
    else { return nil }
    self.init(format: .rgba, width: format.width, height: format.height, colorimetry: .rgb)
    withPicture { target in
      for y in 0..<format.height { target.plane(0).row(y).copy(picture.plane(0).row(y)) }
    }
    extendLifetime(mapped)
  }
}
