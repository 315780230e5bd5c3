import CGStreamer
import Client
import Programs

/// Detects frames with a pixel that is not opaque.
///
/// For any thread.
final class AlphaDetector {
  private let lock = RecursiveLock()
  private var isFound = false

  var hasTransparency: Bool { lock { isFound } }

  /// Checks the frames that pass a pad until one is not opaque; none where its caps have no alpha.
  func watch(_ pad: Pad) {
    guard var info = pad.videoInfo, let format = info.finfo?.pointee,
      format.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
    else { return }
    pad.onBuffer { [weak self] buffer in
      guard let self, !hasTransparency, !Self.isOpaque(buffer, &info, format) else { return }
      lock { isFound = true }
    }
  }

  private static func isOpaque(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: inout GstVideoInfo,
    _ format: GstVideoFormatInfo
  ) -> Bool {
    // Packed formats are taken for transparent.
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
    // Of more than eight bits the most significant byte is compared.
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
