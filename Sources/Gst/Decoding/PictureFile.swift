import CGStreamer
package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Reads pictures, animations and films with whatever decoders GStreamer has.
package enum PictureFile {
  /// One decoded picture: RGBA, straight alpha, turned upright.
  package struct DecodedFrame: @unchecked Sendable {
    // Written by the decoder alone, before anybody else sees it.
    package let picture: OwnedPicture
    /// Nanoseconds from the first frame.
    package let time: UInt64
    /// Nanoseconds it is shown; 0 for a still.
    package let duration: UInt64
  }

  /// What a file may ask for at most.
  package struct Ceiling: Sendable {
    package var frames = 1
    package var pixels = 64_000_000
    package var bytes = 512 << 20
    /// Bytes of the file itself.
    package var file = 256 << 20

    package init(frames: Int = 1) { self.frames = frames }
  }

  /// Decodes the frames of `path`, at most `ceiling.frames` of them.
  ///
  /// Blocks the calling thread until it is done or not wanted any more; errors name the file and
  /// the reason.
  package static func decode(
    _ path: String, ceiling: Ceiling = Ceiling(), order: LoadOrder = LoadOrder()
  ) throws(ElementError) -> [DecodedFrame] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ElementError(
        .notFound, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw ElementError(.openRead, "\(path) is a folder, not a picture.")
    }
    // Opening a pipe waits for somebody to write into it, maybe for ever.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ElementError(.openRead, "\(path) is not a file that holds a picture.")
    }
    guard access(path, R_OK) == 0 else {
      throw ElementError(.openRead, "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    guard status.st_size <= ceiling.file else {
      throw ElementError(
        .wrongContent,
        "\(path) is too large: \(status.st_size >> 20) MB, at most "
          + "\(ceiling.file >> 20).")
    }
    return try PictureDecoding(path, fileSize: UInt64(max(status.st_size, 0)), ceiling, order)
      .run()
  }
}

extension OwnedPicture {
  /// A copy of a frame of RGBA that arrives at `pad`; nil when it is none.
  convenience init?(
    rgba buffer: UnsafeMutablePointer<GstBuffer>, from pad: UnsafeMutablePointer<GstPad>
  ) {
    var info = GstVideoInfo()
    guard let caps = gst_pad_get_current_caps(pad) else { return nil }
    defer { gst_caps_unref(caps) }
    guard gst_video_info_from_caps(&info, caps) != 0, let format = VideoFormat(info),
      format.format == .rgba,
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
