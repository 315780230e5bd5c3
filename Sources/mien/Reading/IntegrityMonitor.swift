import CGStreamer
import Client
import Glibc
import Programs

/// Collects evidence of damage while a film is decoded.
///
/// Decoders skip what they cannot decode, conceal gaps, and mostly report nothing. Therefore the
/// buffers from the demuxer, into each decoder and out of it are counted and timed. For any thread.
final class IntegrityMonitor {
  /// A gap in the video, in nanoseconds.
  ///
  /// Captures drop single frames, and are not damaged.
  static let pictureGap = 250_000_000
  /// A gap in the audio: shorter than any codec's frame, longer than rounding errors of times.
  static let soundGap = 20_000_000

  /// Called with damage that is certain at once, on any thread and perhaps often.
  ///
  /// Set it first.
  var onDamage: (String) -> Void = { _ in }
  private let lock = RecursiveLock()
  private var streams: [String: StreamStatistics] = [:]
  private var bufferCount = 0
  /// Decoders that may produce pixel formats that GStreamer does not know.
  private var decoders: [Element] = []
  private var demuxedPads: [Pad] = []

  /// Watches the elements in `decoder`, a uridecodebin.
  init(_ decoder: Element) {
    decoder.onDeepElementAdded { [unowned self] in elementAdded($0) }
    listenToLibav()
  }

  /// The chapters that the demuxer has sent; nil without any.
  ///
  /// Decoders keep them back until their first frame.
  var sentChapters: ChapterList? {
    lock { demuxedPads }.lazy.compactMap { ChapterList(sentOn: $0) }.first
  }

  /// Whether the container turns a stream.
  var isTurned: Bool { lock { demuxedPads }.contains(where: \.isTurned) }

  /// The number of buffers that passed anywhere.
  var passedBufferCount: Int { lock { bufferCount } }

  /// The error of a decoder whose output caps were not negotiated; nil where all were.
  var unknownFormatError: String? {
    let decoder = lock { decoders }.first { decoder in
      guard let sink = decoder.pad("sink"), decoder.pad("src")?.mediaType == nil else {
        return false
      }
      let stream = sink.streamID
      return lock { (streams[stream]?.inputCount ?? 0) > 0 }
    }
    return decoder.map {
      "\($0.factoryName) decodes it to pixels that GStreamer has no format for; write it anew first, as by"
        + " ffmpeg -i FILE -pix_fmt yuv420p NEW"
    }
  }

  /// Calls `body` with all streams, while nothing is added.
  func withStreams<R>(_ body: ([StreamStatistics]) -> R) -> R {
    lock { body(Array(streams.values)) }
  }

  /// libav conceals damaged parts of a picture, and reports them in its log alone.
  private func listenToLibav() {
    if getenv("GST_DEBUG") == nil {
      // Otherwise the messages would be printed too.
      gst_debug_remove_log_function(gst_debug_log_default)
    }
    gst_debug_set_active(1)
    gst_debug_set_threshold_for_name("libav", GST_LEVEL_INFO)
    gst_debug_add_log_function(
      { category, _, _, _, _, _, message, user in
        guard let name = gst_debug_category_get_name(category), strcmp(name, "libav") == 0,
          let text = gst_debug_message_get(message)
        else { return }
        Box<(String) -> Void>.content(user)(String(cString: text))
      },
      Box<(String) -> Void>.retained { [weak self] text in
        guard text.hasPrefix("concealing ") || text.hasPrefix("error while decoding MB") else {
          return
        }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self?.onDamage("parts of its picture cannot be decoded (\(words))")
      }, releaseBox)
  }

  private func elementAdded(_ element: Element) {
    AlphaCombine.keepLastFrame(element)
    let classification = element.classification
    let isDecoder = Self.isDecoder(classification)
    // A bin that decodes video with alpha counts as one decoder, its two decoders do not count.
    if element.isBin ? !isDecoder : element.parentClassification.map(Self.isDecoder) == true {
      return
    }
    if classification.contains("Demux") {
      element.onPad("pad-added") { [unowned self] pad in
        guard gst_pad_get_direction(pad.raw) == GST_PAD_SRC else { return }
        lock { demuxedPads.append(pad) }
        BufferObserver.observe(pad) { [unowned self] in addDemuxed($0) }
      }
    }
    guard isDecoder else { return }
    if DirectRendering.configure(element) { lock { decoders.append(element) } }
    if element.has("max-errors") {
      // The first error ends the stream; without this none does. (For jpegdec 0 is the default.)
      element.set("max-errors", element.text("max-errors") == "0" ? "1" : "0")
    }
    if let pad = element.pad("sink") {
      FrameSizeLimit.dropOversized(beforeSink: pad) { [unowned self] in onDamage($0) }
      BufferObserver.observe(pad) { [unowned self] in addInput($0) }
    }
    if let pad = element.pad("src") {
      FrameSizeLimit.reportOversized(atSource: pad) { [unowned self] in onDamage($0) }
      BufferObserver.observe(pad) { [unowned self] in addDecoded($0) }
    }
  }

  private static func isDecoder(_ kind: String) -> Bool {
    kind.contains("Decoder") && ["Video", "Audio", "Image"].contains(where: kind.contains)
  }

  private func updateStatistics(_ stream: String, _ body: (StreamStatistics) -> Void) {
    lock {
      bufferCount += 1
      body(statistics(stream))
    }
  }

  private func statistics(_ stream: String) -> StreamStatistics {
    lock {
      let found = streams[stream] ?? StreamStatistics(stream)
      streams[stream] = found
      return found
    }
  }

  private func addDemuxed(_ buffer: ObservedBuffer) {
    updateStatistics(buffer.streamID) { track in
      if track.first == nil { (track.first, track.firstEnd) = (buffer.time, buffer.end) }
    }
  }

  private func addInput(_ buffer: ObservedBuffer) {
    if buffer.isCorrupted { onDamage("parts of it are marked as broken") }
    // matroskamux, since 1.24, stores a gap as an empty block, of which no decoder makes a frame.
    guard !buffer.isEmpty else { return updateStatistics(buffer.streamID) { _ in } }
    updateStatistics(buffer.streamID) { track in
      // Headers come first and have no time.
      if buffer.time != nil || track.inputCount > 0 { track.inputCount += 1 }
      guard let time = buffer.time, let end = buffer.end else { return }
      track.inputTimes.append(time)
      if end - time > Self.pictureGap { track.longFrames[time] = end }
    }
  }

  private func addDecoded(_ buffer: ObservedBuffer) {
    updateStatistics(buffer.streamID) { $0.decodedCount += 1 }
    if buffer.isCorrupted { onDamage("parts of it cannot be decoded") }
  }

  /// Records the frames that leave `pad`, decoded or stored raw.
  func watchPicture(_ pad: Pad) -> StreamStatistics {
    let track = statistics(pad.streamID)
    lock { track.rate = pad.frameRate }
    BufferObserver.observe(pad) { [unowned self] buffer in
      updateStatistics(buffer.streamID) { track in
        track.outputCount += 1
        guard let time = buffer.time, var end = buffer.end else { return }
        track.outputTimes.append(time)
        if let rate = track.rate { end = max(end, time + Int(1e9 / rate)) }
        extendEnd(track, buffer, time, end)
      }
    }
    return track
  }

  func watchSound(_ pad: Pad) -> StreamStatistics {
    let track = statistics(pad.streamID)
    BufferObserver.observe(pad) { [unowned self] buffer in
      updateStatistics(buffer.streamID) { track in
        track.bufferCount += 1
        guard let time = buffer.time, let end = buffer.end else { return }
        // A muxer that moves the beginning makes the first sample last until the second.
        let isFirst = track.bufferCount == 2 && time - (track.firstEnd ?? 0) < Self.soundGap
        if track.bufferCount > 1, !isFirst, time - track.end > Self.soundGap {
          track.gaps.append((track.end, time))
        }
        extendEnd(track, buffer, time, end)
      }
    }
    return track
  }

  private func extendEnd(
    _ track: StreamStatistics, _ buffer: ObservedBuffer, _ time: Int, _ end: Int
  ) {
    track.end = max(track.end, end)
    track.position = max(track.position, (buffer.position ?? 0) + end - time)
  }

  /// The latest end of a stream, in nanoseconds.
  func latestEnd(of track: StreamStatistics) -> Int { lock { track.end } }
}
