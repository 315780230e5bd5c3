import CGStreamer
import Frames
import Pixels

extension GstVideoInfo {
  /// What `caps` say; nil for caps of anything but video.
  init?(of caps: UnsafePointer<GstCaps>?) {
    self.init()
    guard gst_video_info_from_caps(&self, caps) != 0 else { return nil }
  }

  /// What comes to `pad`.
  init?(at pad: UnsafeMutablePointer<GstPad>) {
    guard let caps = gst_pad_get_current_caps(pad) else { return nil }
    defer { gst_caps_unref(caps) }
    self.init(of: caps)
  }
}

extension OwnedPicture {
  /// A copy of a frame of RGBA; nil when it is none.
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
