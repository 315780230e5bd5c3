import CGStreamer
import Client
package import Files
package import Frames
import Pixels
package import Threads

/// Decodes many still pictures one after the other, as the frames of an animation are.
///
/// PNG files go through one decoder, which is set up once and driven on the calling thread; that
/// takes a fraction of a pipeline for each. Whatever is no PNG file, or does not come out of it
/// as one picture, goes through `PictureFile`, which decodes it or says what is wrong with it.
/// For one thread at a time.
package final class StillDecoder {
  /// Largest file that is read as a whole.
  private static let maximumFile = 64 << 20

  private var chain: DecoderChain?
  /// There is no such decoder here, or it failed in a way that may have left it unusable.
  private var isBroken = false

  package init() {}

  /// The first picture of a file: RGBA, straight alpha, upright; errors as `PictureFile.decode`.
  package func decode(
    _ file: UntrustedFile, limits: PictureFile.Limits, order: CancellationToken
  ) throws(ElementError) -> PictureFile.DecodedFrame {
    try order.check(file.path)
    if !isBroken, let png = Self.png(file, limits) {
      chain = chain ?? DecoderChain("pngdec", caps: "image/png")
      if let picture = chain?.decode(png) {
        return .init(picture: picture, time: 0, duration: 0)
      }
      isBroken = chain == nil
      chain = nil
    }
    return try PictureFile.decode(file, limits: limits, order: order)[0]
  }

  /// A PNG file's bytes; nil for one that cannot be read, is too large, or is none by its header.
  private static func png(_ file: UntrustedFile, _ limits: PictureFile.Limits) -> [UInt8]? {
    guard file.size <= maximumFile, let start = try? file.prefix(PNGHeader.length),
      let header = PNGHeader(start), (1...limits.pixels).contains(header.pixels)
    else { return nil }
    return try? file.bytes()
  }
}

/// A decoder that is fed and emptied by the calling thread, with no source and no thread.
private final class DecoderChain {
  private let pipeline: OwnedPipeline
  private let pad: UnsafeMutablePointer<GstPad>
  private var count: guint64 = 0
  /// What came out since the last file went in; it is here when `gst_pad_push` returns.
  private var pictures: [OwnedPicture] = []

  /// Nil where GStreamer has no such decoder.
  init?(_ decoder: String, caps: String) {
    let pipeline = OwnedPipeline(
      "\(decoder) name=decoder ! videoconvert ! video/x-raw,format=RGBA"
        + " ! fakesink name=sink sync=false async=false")
    guard let pipeline else { return nil }
    self.pipeline = pipeline
    pad = gst_object_ref_sink(gst_pad_new("src", GST_PAD_SRC))
      .assumingMemoryBound(to: GstPad.self)
    guard link(caps) else { return nil }
  }

  deinit {
    gst_pad_set_active(pad, 0)
    pipeline.stop()
    gst_object_unref(pad)
  }

  private func link(_ caps: String) -> Bool {
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
    // In a segment of time a decoder takes each buffer for one whole picture.
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    return gst_pad_push_event(pad, gst_event_new_stream_start("mien")) != 0
      && gst_pad_push_event(pad, gst_event_new_caps(format)) != 0
      && gst_pad_push_event(pad, gst_event_new_segment(&segment)) != 0
  }

  /// The picture in a file's bytes; nil when not exactly one came out, after which this is of no
  /// use.
  func decode(_ file: [UInt8]) -> OwnedPicture? {
    pictures.removeAll(keepingCapacity: true)
    guard let buffer = gst_buffer_new_memdup(file, gsize(file.count)) else { return nil }
    buffer.pointee.pts = count * 1_000_000_000
    count += 1
    guard gst_pad_push(pad, buffer) == GST_FLOW_OK, pictures.count == 1 else { return nil }
    return pictures.removeLast()
  }
}
