import CGStreamer
package import Pixels
import Synchronization

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
    package var pixels = 64 << 20
    package var bytes = 512 << 20
    package var seconds = 60

    package init(frames: Int = 1) { self.frames = frames }
  }

  /// Decodes the frames of `path`, at most `ceiling.frames` of them.
  ///
  /// Blocks the calling thread until it is done; errors name the file and the reason.
  package static func decode(
    _ path: String, ceiling: Ceiling = Ceiling()
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
    return try Decoding(path, ceiling).run()
  }
}

/// One pipeline that decodes one file.
private final class Decoding {
  private let path: String
  private let ceiling: PictureFile.Ceiling
  private let collected: Mutex<Collected>

  private struct Collected {
    var frames: [PictureFile.DecodedFrame] = []
    var bytes = 0
    /// Why collecting stopped before the end; empty when there are simply enough frames.
    var refusal: String?
  }

  init(_ path: String, _ ceiling: PictureFile.Ceiling) {
    self.path = path
    self.ceiling = ceiling
    collected = Mutex(Collected())
  }

  func run() throws(ElementError) -> [PictureFile.DecodedFrame] {
    // videoflip follows the orientation tag of photographs; without it they stay as stored.
    let flip = gst_element_factory_find("videoflip")
    if let flip { gst_object_unref(UnsafeMutableRawPointer(flip)) }
    let text =
      "filesrc name=source ! decodebin ! videoconvert"
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
      let pad = gst_element_get_static_pad(sink, "sink")
    else { throw ElementError(.failed, "\(path) cannot be decoded.") }
    defer { for object in [source, sink] { gst_object_unref(object) } }
    gst_util_set_object_arg(
      UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "location", path)
    let probe = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, user in
        Unmanaged<Decoding>.fromOpaque(user!).takeUnretainedValue().collect(pad!, info!)
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    // The size is known before any memory for it is asked for.
    let gate = gst_pad_add_probe(
      pad,
      GstPadProbeType(
        rawValue: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_BLOCK.rawValue),
      { _, info, user in
        Unmanaged<Decoding>.fromOpaque(user!).takeUnretainedValue().judge(info!)
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    defer {
      for id in [probe, gate] { gst_pad_remove_probe(pad, id) }
      gst_object_unref(pad)
    }
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    let reason = waitForEnd(of: pipeline)
    // Stops the streaming threads, so that nothing is collected any more.
    gst_element_set_state(pipeline, GST_STATE_NULL)

    let (frames, refusal) = collected.withLock { ($0.frames, $0.refusal) }
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

  /// Waits until the stream ends or enough is collected; returns what went wrong.
  private func waitForEnd(of pipeline: UnsafeMutablePointer<CGStreamer.GstElement>) -> String? {
    guard let bus = gst_element_get_bus(pipeline) else { return "no bus" }
    defer { gst_object_unref(bus) }
    let wanted = GstMessageType(GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    for _ in 0..<ceiling.seconds * 20 {
      if let message = gst_bus_timed_pop_filtered(bus, 50_000_000, wanted) {
        defer {
          gst_mini_object_unref(
            UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
        }
        guard cgst_message_type(message) == GST_MESSAGE_ERROR else { return nil }
        var error: UnsafeMutablePointer<GError>?
        gst_message_parse_error(message, &error, nil)
        defer { g_error_free(error) }
        return error.map { String(cString: $0.pointee.message) } ?? "unknown error"
      }
      if collected.withLock({ $0.refusal != nil }) { return nil }
    }
    return "it took longer than \(ceiling.seconds) seconds."
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

  /// Whether pictures of this size are too large; then `state` says so.
  private func isRefused(_ video: GstVideoInfo, _ state: inout Collected) -> Bool {
    let (width, height) = (Int(video.width), Int(video.height))
    guard width * height > ceiling.pixels else { return false }
    state.refusal =
      state.refusal ?? "\(width) x \(height) pixels, at most \(ceiling.pixels >> 20) million"
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
      let first = state.frames.first?.time ?? 0
      let none = cgst_clock_time_none
      let time = buffer.pointee.pts == none ? 0 : UInt64(buffer.pointee.pts)
      let duration = buffer.pointee.duration == none ? 0 : UInt64(buffer.pointee.duration)
      state.frames.append(
        .init(picture: picture, time: time >= first ? time - first : 0, duration: duration))
      if state.frames.count >= ceiling.frames { state.refusal = "" }
    }
    return GST_PAD_PROBE_OK
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
