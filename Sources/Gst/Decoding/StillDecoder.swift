import CGStreamer
package import Pixels
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

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

  /// The first picture of `path`: RGBA, straight alpha, upright; errors as `PictureFile.decode`.
  package func decode(
    _ path: String, order: LoadOrder
  ) throws(ElementError) -> OwnedPicture {
    try order.check(path)
    if !isBroken, let png = PNGFile(path, limit: Self.maximumFile),
      png.pixels <= PictureFile.Ceiling().pixels
    {
      chain = chain ?? DecoderChain("pngdec", caps: "image/png")
      if let picture = chain?.decode(png) { return picture }
      isBroken = chain == nil
      chain = nil
    }
    return try PictureFile.decode(path, order: order)[0].picture
  }
}

/// A PNG file's bytes, read whole.
private struct PNGFile: ~Copyable {
  let data: UnsafeMutablePointer<gchar>
  let size: Int
  let pixels: Int

  /// Nil for a file that cannot be read, is longer than `limit`, or is no PNG file by its header.
  init?(_ path: String, limit: Int) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return nil }
    var bytes: UnsafeMutablePointer<gchar>?
    var count: gsize = 0
    guard g_file_get_contents(path, &bytes, &count, nil) != 0, let bytes else { return nil }
    let header = UnsafeRawBufferPointer(start: bytes, count: min(Int(count), PNGHeader.length))
    guard let header = PNGHeader(header) else {
      g_free(bytes)
      return nil
    }
    data = bytes
    size = Int(count)
    pixels = header.width * header.height
  }

  deinit { g_free(data) }

  /// The bytes as a buffer that frees them.
  consuming func takeBuffer() -> UnsafeMutablePointer<GstBuffer>? {
    let buffer = gst_buffer_new_wrapped(data, gsize(size))
    discard self
    return buffer
  }
}

/// A decoder that is fed and emptied by the calling thread, with no source and no thread.
private final class DecoderChain {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let pad: UnsafeMutablePointer<GstPad>
  private var probed: (pad: UnsafeMutablePointer<GstPad>, id: gulong)?
  private var count: guint64 = 0
  /// What came out since the last file went in; it is here when `gst_pad_push` returns.
  private var pictures: [OwnedPicture] = []

  /// Nil where GStreamer has no such decoder.
  init?(_ decoder: String, caps: String) {
    guard let factory = gst_element_factory_find(decoder) else { return nil }
    gst_object_unref(UnsafeMutableRawPointer(factory))
    let text =
      "\(decoder) name=decoder ! videoconvert ! video/x-raw,format=RGBA"
      + " ! fakesink name=sink sync=false async=false"
    var error: UnsafeMutablePointer<GError>?
    let parsed = gst_parse_launch(text, &error)
    if error != nil { g_error_free(error) }
    guard let parsed, error == nil else {
      if let parsed { gst_object_unref(parsed) }
      return nil
    }
    pipeline = parsed
    pad = gst_object_ref_sink(gst_pad_new("src", GST_PAD_SRC))
      .assumingMemoryBound(to: GstPad.self)
    guard link(caps) else { return nil }
  }

  deinit {
    if let probed {
      gst_pad_remove_probe(probed.pad, probed.id)
      gst_object_unref(probed.pad)
    }
    gst_pad_set_active(pad, 0)
    gst_element_set_state(pipeline, GST_STATE_NULL)
    gst_object_unref(pad)
    gst_object_unref(pipeline)
  }

  private func link(_ caps: String) -> Bool {
    let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    guard let decoder = gst_bin_get_by_name(bin, "decoder"),
      let sink = gst_bin_get_by_name(bin, "sink")
    else { return false }
    defer { for element in [decoder, sink] { gst_object_unref(element) } }
    guard let input = gst_element_get_static_pad(decoder, "sink"),
      let output = gst_element_get_static_pad(sink, "sink")
    else { return false }
    defer { gst_object_unref(input) }
    let id = gst_pad_add_probe(
      output, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, user in
        let chain = Unmanaged<DecoderChain>.fromOpaque(user!).takeUnretainedValue()
        if let buffer = gst_pad_probe_info_get_buffer(info),
          let picture = OwnedPicture(rgba: buffer, from: pad!)
        {
          chain.pictures.append(picture)
        }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    probed = (output, id)
    guard gst_pad_set_active(pad, 1) != 0,
      gst_pad_link(pad, input) == GST_PAD_LINK_OK,
      gst_element_set_state(pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE
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

  /// The picture in `file`; nil when not exactly one came out, after which this is of no use.
  func decode(_ file: consuming PNGFile) -> OwnedPicture? {
    pictures.removeAll(keepingCapacity: true)
    guard let buffer = file.takeBuffer() else { return nil }
    buffer.pointee.pts = count * 1_000_000_000
    count += 1
    guard gst_pad_push(pad, buffer) == GST_FLOW_OK, pictures.count == 1 else { return nil }
    return pictures.removeLast()
  }
}
