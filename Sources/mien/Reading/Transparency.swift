import CGStreamer
import Programs

/// Whether any pixel of the frames that pass a pad lets something behind it be seen.
///
/// For any thread.
final class Transparency {
  private let lock = Lock()
  private var isSeen = false

  var wasSeen: Bool { lock { isSeen } }

  /// Looks at the frames of a pad until one is found that is not opaque; at none where its caps have
  /// no alpha.
  func watch(_ pad: Pad) {
    var info = GstVideoInfo()
    guard let caps = gst_pad_get_current_caps(pad.raw) else { return }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    guard gst_video_info_from_caps(&info, caps) != 0, let format = info.finfo?.pointee,
      format.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
    else { return }
    pad.buffers { [weak self] buffer in
      guard let self, !wasSeen, !Self.isOpaque(buffer, &info, format) else { return }
      lock { isSeen = true }
    }
  }

  private static func isOpaque(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: inout GstVideoInfo,
    _ format: GstVideoFormatInfo
  ) -> Bool {
    // Bits that are not in bytes of their own are not looked into.
    let isPacked = format.flags.rawValue & GST_VIDEO_FORMAT_FLAG_COMPLEX.rawValue != 0
    guard !isPacked, (8...16).contains(format.depth.3), format.shift.3 == 0 else { return false }
    var frame = GstVideoFrame()
    guard gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0 else { return true }
    defer { gst_video_frame_unmap(&frame) }
    let plane = Int(format.plane.3)
    let planes = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
    let strides = [
      frame.info.stride.0, frame.info.stride.1, frame.info.stride.2, frame.info.stride.3,
    ]
    guard let data = planes[plane] else { return true }
    let start = data.assumingMemoryBound(to: UInt8.self) + Int(format.poffset.3)
    let step = Int(format.pixel_stride.3)
    let isLittle = format.flags.rawValue & GST_VIDEO_FORMAT_FLAG_LE.rawValue != 0
    // The byte that counts; of more than eight bits the others tell nothing that can be seen.
    let bits = format.depth.3 == 8 ? 8 : Int(format.depth.3) - 8
    let opaque = UInt8(truncatingIfNeeded: (Int(1) << bits) - 1)
    let place = isLittle && format.depth.3 > 8 ? 1 : 0
    for y in 0..<Int(frame.info.height) {
      var sample = start + y * Int(strides[plane]) + place
      for _ in 0..<Int(frame.info.width) {
        if sample.pointee < opaque { return false }
        sample += step
      }
    }
    return true
  }
}
