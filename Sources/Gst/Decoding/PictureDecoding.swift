import CGStreamer
import Pixels
import Synchronization

/// One pipeline that decodes one file.
final class PictureDecoding {
  private let path: String
  private let ceiling: PictureFile.Ceiling
  private let fileSize: UInt64
  private let order: LoadOrder
  private let collected: Mutex<Collected>

  private struct Collected {
    var frames: [PictureFile.DecodedFrame] = []
    var bytes = 0
    /// Time of the first frame.
    var start: UInt64?
    /// Reads from where the file has ended already.
    var readsPastEnd = 0
    /// Why collecting stopped before the end; empty when there are simply enough frames.
    var refusal: String?
    /// What it holds that is neither picture nor film; nil while nothing of that kind was seen.
    var foreign: String?
  }

  init(
    _ path: String, fileSize: UInt64, _ ceiling: PictureFile.Ceiling, _ order: LoadOrder
  ) {
    self.order = order
    self.path = path
    self.fileSize = fileSize
    self.ceiling = ceiling
    collected = Mutex(Collected())
  }

  func run() throws(ElementError) -> [PictureFile.DecodedFrame] {
    // videoflip follows the orientation tag of photographs; without it they stay as stored.
    let flip = gst_element_factory_find("videoflip")
    if let flip { gst_object_unref(UnsafeMutableRawPointer(flip)) }
    let text =
      "filesrc name=source ! decodebin name=decoder ! videoconvert name=converter"
      + (flip == nil ? "" : " ! videoflip video-direction=auto ! videoconvert")
      + " ! video/x-raw,format=RGBA ! fakesink name=sink sync=false"
    var error: UnsafeMutablePointer<GError>?
    let pipeline = gst_parse_launch(text, &error)
    if error != nil { g_error_free(error) }
    guard let pipeline, error == nil else {
      if let pipeline { gst_object_unref(pipeline) }
      throw ElementError(
        .failed, "\(path) cannot be decoded: GStreamer's base plugins are missing.")
    }
    defer {
      gst_element_set_state(pipeline, GST_STATE_NULL)
      gst_object_unref(pipeline)
    }
    let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    guard let source = gst_bin_get_by_name(bin, "source"),
      let sink = gst_bin_get_by_name(bin, "sink"),
      let pad = gst_element_get_static_pad(sink, "sink"),
      let converter = gst_bin_get_by_name(bin, "converter"),
      let decoder = gst_bin_get_by_name(bin, "decoder"),
      let input = gst_element_get_static_pad(converter, "sink")
    else { throw ElementError(.failed, "\(path) cannot be decoded.") }
    defer { for object in [source, sink, converter, decoder] { gst_object_unref(object) } }
    guard let output = gst_element_get_static_pad(source, "src") else {
      throw ElementError(.failed, "\(path) cannot be decoded.")
    }
    gst_util_set_object_arg(
      UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "location", path)
    refuseForeign(decoder)
    let probe = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, user in
        Unmanaged<PictureDecoding>.fromOpaque(user!).takeUnretainedValue().collect(pad!, info!)
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    // The size is known before any memory for it is asked for.
    let gate = gst_pad_add_probe(
      pad,
      GstPadProbeType(
        rawValue: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_BLOCK.rawValue),
      { _, info, user in
        Unmanaged<PictureDecoding>.fromOpaque(user!).takeUnretainedValue().judge(info!)
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    // What the converter does not take never gets as far as that.
    let question = gst_pad_add_probe(
      input, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      { _, info, user in
        Unmanaged<PictureDecoding>.fromOpaque(user!).takeUnretainedValue().judgeQuestion(info!)
        return GST_PAD_PROBE_OK
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    let read = gst_pad_add_probe(
      output,
      GstPadProbeType(
        rawValue: GST_PAD_PROBE_TYPE_PULL.rawValue | GST_PAD_PROBE_TYPE_BLOCK.rawValue),
      { _, info, user in
        Unmanaged<PictureDecoding>.fromOpaque(user!).takeUnretainedValue().noteRead(info!)
        return GST_PAD_PROBE_PASS
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    defer {
      gst_pad_remove_probe(output, read)
      for id in [probe, gate] { gst_pad_remove_probe(pad, id) }
      gst_pad_remove_probe(input, question)
      for pad in [pad, input, output] { gst_object_unref(pad) }
    }
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    let reason = try waitForEnd(of: pipeline)
    // Stops the streaming threads, so that nothing is collected any more.
    gst_element_set_state(pipeline, GST_STATE_NULL)

    let (frames, refusal, foreign) = collected.withLock { ($0.frames, $0.refusal, $0.foreign) }
    if let foreign {
      throw ElementError(
        .wrongContent,
        "\(path) is neither picture nor film, but \(foreign), and what it names is "
          + "not followed.")
    }
    if let refusal, !refusal.isEmpty {
      throw ElementError(.wrongContent, "\(path) is too large: \(refusal).")
    }
    if let reason, refusal == nil {
      throw ElementError(.wrongContent, "\(path) cannot be decoded: \(reason)")
    }
    guard !frames.isEmpty else {
      throw ElementError(.wrongContent, "\(path) has no picture in it.")
    }
    return frames
  }

  /// Waits until the stream ends or enough is collected; returns what went wrong, as a sentence.
  private func waitForEnd(
    of pipeline: UnsafeMutablePointer<GstElement>
  ) throws(ElementError) -> String? {
    guard let bus = gst_element_get_bus(pipeline) else { return "no bus" }
    defer { gst_object_unref(bus) }
    let wanted = GstMessageType(
      GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ELEMENT.rawValue)
    var missing: String?
    var (frames, idle) = (0, 0)
    while true {
      try order.check(path)
      if let message = gst_bus_timed_pop_filtered(bus, 50_000_000, wanted) {
        defer {
          gst_mini_object_unref(
            UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
        }
        switch cgst_message_type(message) {
        case GST_MESSAGE_EOS: return nil
        case GST_MESSAGE_ERROR: break
        default:
          missing = missing ?? missingDecoder(message)
          continue
        }
        if let missing {
          return "GStreamer has no \(missing) here. Most decoders are in Debian's packages "
            + "gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav."
        }
        var error: UnsafeMutablePointer<GError>?
        gst_message_parse_error(message, &error, nil)
        defer { g_error_free(error) }
        return error.map { String(cString: $0.pointee.message) } ?? "unknown error"
      }
      let state = collected.withLock {
        ($0.refusal != nil || $0.foreign != nil, $0.frames.count, $0.readsPastEnd)
      }
      if state.0 { return nil }
      // gst-libav's reader of GIF does not notice the end, and asks on for ever. What it has read
      // may still be on its way.
      idle = state.1 == frames && state.2 > 1000 ? idle + 1 : 0
      frames = state.1
      if idle > 4 { return frames > 0 ? nil : "it ends in the middle." }
    }
  }

  /// Lets the decoder go on with pictures, films and their containers only.
  ///
  /// A playlist would have it read other files, and the network, in the name of whoever made it.
  private func refuseForeign(_ decoder: UnsafeMutablePointer<GstElement>) {
    let judge:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<GstPad>?, UnsafeMutablePointer<GstCaps>?,
        UnsafeMutableRawPointer?
      ) -> gboolean = { _, _, caps, user in
        let decoding = Unmanaged<PictureDecoding>.fromOpaque(user!).takeUnretainedValue()
        return decoding.isForeign(caps!) ? 0 : 1
      }
    // Disconnected with the decoder, before this object goes.
    g_signal_connect_data(
      decoder, "autoplug-continue", unsafeBitCast(judge, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  private func isForeign(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    guard gst_caps_get_size(caps) > 0,
      let name = gst_structure_get_name(gst_caps_get_structure(caps, 0)).map(String.init(cString:))
    else { return false }
    let kinds = ["image/", "video/", "audio/", "text/", "subpicture/", "closedcaption/"]
    let containers = [
      "application/ogg", "application/mxf", "application/x-3gp", "application/x-id3",
      "application/x-apetag",
    ]
    if containers.contains(name) || kinds.contains(where: name.hasPrefix) { return false }
    collected.withLock { $0.foreign = $0.foreign ?? name }
    return true
  }

  /// What an element message says is missing, as "GIF decoder"; nil when it says something else.
  private func missingDecoder(_ message: UnsafeMutablePointer<GstMessage>) -> String? {
    let structure = gst_message_get_structure(message)
    guard gst_structure_has_name(structure, "missing-plugin") != 0 else { return nil }
    return gst_structure_get_string(structure, "name").map { String(cString: $0) }
  }

  private func noteRead(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard info.pointee.offset >= fileSize else { return }
    collected.withLock { $0.readsPastEnd += 1 }
  }

  /// Lets events pass, but the caps of pictures that are too large: those stay, and all that
  /// would follow them, until the pipeline is stopped.
  private func judge(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
    guard let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS
    else { return GST_PAD_PROBE_PASS }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    var video = GstVideoInfo()
    guard gst_video_info_from_caps(&video, caps) != 0 else { return GST_PAD_PROBE_PASS }
    return collected.withLock { isRefused(video, &$0) } ? GST_PAD_PROBE_OK : GST_PAD_PROBE_PASS
  }

  /// Notes why caps that are asked about will be refused: GStreamer converts no longer rows.
  private func judgeQuestion(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let query = gst_pad_probe_info_get_query(info),
      query.pointee.type == GST_QUERY_ACCEPT_CAPS
    else { return }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_query_parse_accept_caps(query, &caps)
    var video = GstVideoInfo()
    guard gst_video_info_from_caps(&video, caps) != 0 else { return }
    let limit = 32767
    guard video.width > limit || video.height > limit else { return }
    collected.withLock { state in
      state.refusal =
        state.refusal ?? "\(video.width) x \(video.height) pixels, at most \(limit) each way"
    }
  }

  /// Whether pictures of this size are too large; then `state` says so.
  private func isRefused(_ video: GstVideoInfo, _ state: inout Collected) -> Bool {
    let (width, height) = (Int(video.width), Int(video.height))
    guard width * height > ceiling.pixels else { return false }
    state.refusal =
      state.refusal ?? "\(width) x \(height) pixels, at most \(ceiling.pixels / 1_000_000) million"
    return true
  }

  private func collect(
    _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
  ) -> GstPadProbeReturn {
    guard let buffer = gst_pad_probe_info_get_buffer(info),
      let caps = gst_pad_get_current_caps(pad)
    else { return GST_PAD_PROBE_OK }
    defer { gst_caps_unref(caps) }
    var video = GstVideoInfo()
    guard gst_video_info_from_caps(&video, caps) != 0 else { return GST_PAD_PROBE_OK }
    let (width, height) = (Int(video.width), Int(video.height))
    collected.withLock { state in
      guard state.refusal == nil, !isRefused(video, &state) else { return }
      guard state.bytes + width * height * 4 <= ceiling.bytes else {
        state.refusal = "more than \(ceiling.bytes >> 20) MB of frames"
        return
      }
      guard let picture = OwnedPicture(rgba: buffer, from: pad) else { return }
      state.bytes += width * height * 4
      let none = cgst_clock_time_none
      let duration = buffer.pointee.duration == none ? 0 : UInt64(buffer.pointee.duration)
      let pts = buffer.pointee.pts == none ? 0 : UInt64(buffer.pointee.pts)
      let start = state.start ?? pts
      state.start = start
      var time = pts > start ? pts - start : 0
      // gst-libav calls all times of a GIF 0, and knows how long each frame is shown.
      if let last = state.frames.last, time <= last.time { time = last.time + last.duration }
      state.frames.append(.init(picture: picture, time: time, duration: duration))
      if state.frames.count >= ceiling.frames { state.refusal = "" }
    }
    return GST_PAD_PROBE_OK
  }
}
