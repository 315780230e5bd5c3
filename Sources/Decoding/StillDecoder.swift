import CGStreamer
import Client
package import Files
package import Frames
import Pixels
package import Threads

/// Decodes many still pictures in turn, for example the frames of an animation.
///
/// PNG files share one decoder, which runs on the calling thread and costs a fraction of one
/// pipeline per file. Other files, and PNG files that do not yield exactly one picture, go through
/// `PictureFile`. For one thread at a time.
package final class StillDecoder {
  /// The size in bytes of the largest file that is read as a whole.
  private static let maximumFile = 64 << 20

  private var chain: DecoderChain?
  /// Whether the decoder is missing, or has failed and may be unusable.
  private var isBroken = false

  package init() {}

  /// The first picture of a file: RGBA, straight alpha, upright; errors as `PictureFile.decode`.
  package func decode(
    _ file: UntrustedFile, limits: PictureFile.Limits, order: CancellationToken
  ) throws(ElementError) -> PictureFile.DecodedFrame {
    try order.checkCancellation(file.path)
    if !isBroken, let png = Self.readPNG(file, limits) {
      chain = chain ?? DecoderChain("pngdec", caps: "image/png")
      if let picture = chain?.decode(png) {
        return .init(picture: picture, time: 0, duration: 0)
      }
      isBroken = chain == nil
      chain = nil
    }
    return try PictureFile.decode(file, limits: limits, order: order)[0]
  }

  /// The bytes of a PNG file; nil if it cannot be read, is too large, or has another header.
  private static func readPNG(_ file: UntrustedFile, _ limits: PictureFile.Limits) -> [UInt8]? {
    guard file.size <= maximumFile, let start = try? file.prefix(PNGHeader.length),
      let header = PNGHeader(start), (1...limits.pixels).contains(header.pixels)
    else { return nil }
    return try? file.bytes()
  }
}

/// A decoder that runs on the calling thread, without a source element.
private final class DecoderChain {
  private let pipeline: OwnedPipeline
  private let pad: UnsafeMutablePointer<GstPad>
  private var count: guint64 = 0
  /// The decoded pictures of the last file, complete when `gst_pad_push` returns.
  private var pictures: [OwnedPicture] = []

  /// Nil if the decoder is not installed.
  init?(_ decoder: String, caps: String) {
    let pipeline = OwnedPipeline(
      "\(decoder) name=decoder ! videoconvert ! video/x-raw,format=RGBA"
        + " ! fakesink name=sink sync=false async=false")
    guard let pipeline else { return nil }
    self.pipeline = pipeline
    pad = gst_object_ref_sink(gst_pad_new("src", GST_PAD_SRC))
      .assumingMemoryBound(to: GstPad.self)
    guard linkAndStart(caps) else { return nil }
  }

  deinit {
    gst_pad_set_active(pad, 0)
    pipeline.stop()
    gst_object_unref(pad)
  }

  private func linkAndStart(_ caps: String) -> Bool {
    guard let input = pipeline.pad("decoder", "sink"), let output = pipeline.pad("sink", "sink")
    else { return false }
    output.addRawProbe(GST_PAD_PROBE_TYPE_BUFFER) { [unowned self] pad, info in
      if let buffer = info.buffer, let video = GstVideoInfo(at: pad),
        let picture = OwnedPicture(rgba: buffer, video)
      {
        pictures.append(picture)
      }
      return GST_PAD_PROBE_OK
    }
    guard gst_pad_set_active(pad, 1) != 0, gst_pad_link(pad, input.raw) == GST_PAD_LINK_OK,
      pipeline.play()
    else { return false }
    let format = gst_caps_from_string(caps)
    defer { gst_caps_unref(format) }
    // In a time segment the decoder treats each buffer as one complete picture.
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    return gst_pad_push_event(pad, gst_event_new_stream_start("mien")) != 0
      && gst_pad_push_event(pad, gst_event_new_caps(format)) != 0
      && gst_pad_push_event(pad, gst_event_new_segment(&segment)) != 0
  }

  /// Decodes a file's bytes; nil if they do not yield exactly one picture, after which this decoder
  /// must not be used again.
  func decode(_ file: [UInt8]) -> OwnedPicture? {
    pictures.removeAll(keepingCapacity: true)
    guard let buffer = gst_buffer_new_memdup(file, gsize(file.count)) else { return nil }
    buffer.pointee.pts = count * 1_000_000_000
    count += 1
    guard gst_pad_push(pad, buffer) == GST_FLOW_OK, pictures.count == 1 else { return nil }
    return pictures.removeLast()
  }
}
