import CGStreamer
import Pixels
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// The samples of a frame by component, read as any GStreamer program would.
struct VideoSamples {
  /// Luma, Cb, Cr or red, green, blue, row after row; then alpha where the format has one.
  ///
  /// Samples of more than 8 bits are two bytes each.
  let components: [[UInt8]]

  var alpha: [UInt8] { components.count > 3 ? components[3] : [] }
  var color: [[UInt8]] { Array(components.prefix(3)) }
  var isTransparent: Bool { isAll(0) }
  var isOpaque: Bool { isAll(255) }

  /// Whether there is alpha and all of it is `value`.
  private func isAll(_ value: UInt8) -> Bool {
    alpha.first == value && Self.isSame(alpha.dropLast(), alpha.dropFirst())
  }

  /// Compared by C: a test that fails must not print a million samples, nor take a minute.
  static func isSame(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    a.count == b.count
      && a.withUnsafeBytes { a in
        b.withUnsafeBytes { b in a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0 }
      }
  }

  static func isSame(_ a: [[UInt8]], _ b: [[UInt8]]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { isSame($0[...], $1[...]) }
  }

  /// Nil when the buffer cannot be mapped as what the caps say.
  init?(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ format: PixelFormat, _ width: Int, _ height: Int
  ) {
    var info = GstVideoInfo()
    let caps = gst_caps_from_string(
      "video/x-raw,format=\(format.rawValue),width=\(width),height=\(height)")
    gst_video_info_from_caps(&info, caps)
    gst_caps_unref(caps)
    var frame = GstVideoFrame()
    let flags = GST_MAP_READ.rawValue | GST_VIDEO_FRAME_MAP_FLAG_NO_REF.rawValue
    guard gst_video_frame_map(&frame, &info, buffer, GstMapFlags(rawValue: flags)) != 0 else {
      return nil
    }
    defer { gst_video_frame_unmap(&frame) }
    components = format.layout.components.map { place in
      var available: gsize = 0
      guard let plane = cgst_frame_plane(&frame, guint(place.plane), &available) else { return [] }
      let stride = Int(cgst_frame_stride(&frame, guint(place.plane)))
      let columns = PixelLayout.subsampled(width, by: place.hShift)
      var samples: [UInt8] = []
      for y in 0..<PixelLayout.subsampled(height, by: place.vShift) {
        if format == .v210 {
          for x in 0..<columns {
            // The place in twelve samples, three of which are in a word.
            let sample = place.offset + x * place.step
            let word = plane + y * stride + sample / 3 * 4
            let bits = (0..<4).reduce(0) { $0 | UInt32(word[$1]) << (8 * $1) }
            let code = bits >> (10 * (sample % 3)) & 1023
            samples += [UInt8(code & 255), UInt8(code >> 8)]
          }
          continue
        }
        let row = plane + y * stride + place.offset
        if place.step == 1 {
          samples += UnsafeBufferPointer(start: row, count: columns)
        } else {
          for x in 0..<columns {
            samples.append(row[x * place.step])
            if format.bitDepth > 8 { samples.append(row[x * place.step + 1]) }
          }
        }
      }
      return samples
    }
  }

  /// The frames that reach `element`, or leave it by `pad`; it takes them in this format and size.
  static func frames(
    _ description: String, _ format: PixelFormat, _ width: Int, _ height: Int,
    at element: String = "sink", pad: String = "sink"
  ) throws -> [VideoSamples] {
    precondition(Registered.now)
    let pipeline = try Pipeline(description)
    var frames: [VideoSamples] = []
    try pipeline.watch(element, pad: pad) { buffer in
      if let samples = VideoSamples(buffer, format, width, height) { frames.append(samples) }
    }
    try pipeline.run()
    return frames
  }
}
