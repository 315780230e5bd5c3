import CGStreamer
import Glibc
import Programs

/// What speaks against a film's being whole, gathered while it is decoded.
///
/// Decoders go on past what they cannot decode, fill holes with what they have, and mostly say
/// nothing. So everything that passes is counted and timed: what comes out of the demuxer, what
/// goes into each decoder, what comes out. For any thread.
final class Evidence {
  /// A hole in the picture, nanoseconds: captures drop a frame now and then, and are no less whole.
  static let pictureHole = 250_000_000
  /// In the sound: shorter than any codec's frame, longer than times are out by rounding.
  static let soundHole = 20_000_000

  /// Called, on any thread and perhaps often, with what is certain at once; to be set first.
  var report: (String) -> Void = { _ in }
  private let lock = Lock()
  private var tracks: [String: Track] = [:]
  private var moved = 0
  /// Decoders that may meet formats of pixels that GStreamer does not know.
  private var decoders: [Element] = []

  /// Watches what `decoder`, a uridecodebin, takes in.
  init(_ decoder: Element) {
    decoder.onElementInside { [unowned self] in elementAdded($0) }
    listenToLibav()
  }

  /// Whatever passed, which says that something goes on.
  var passed: Int { lock { moved } }

  /// That a decoder did not agree with what follows it, before it said what it makes; nil where it did.
  var unknownFormat: String? {
    let decoder = lock { decoders }.first { decoder in
      guard let sink = decoder.pad("sink"), decoder.pad("src")?.mediaType == nil else {
        return false
      }
      let stream = sink.stream
      return read { _ in (tracks[stream]?.takenCount ?? 0) > 0 }
    }
    return decoder.map {
      "\($0.factory) decodes it to pixels that GStreamer has no format for; write it anew first, as by"
        + " ffmpeg -i FILE -pix_fmt yuv420p NEW"
    }
  }

  /// Calls `body` with all that is known, while nothing is added.
  func read<R>(_ body: ([Track]) -> R) -> R { lock { body(Array(tracks.values)) } }

  /// libav conceals broken parts of a picture, and says so in its log alone.
  private func listenToLibav() {
    if getenv("GST_DEBUG") == nil {
      // Or what we listen to would be printed too.
      gst_debug_remove_log_function(gst_debug_log_default)
    }
    gst_debug_set_active(1)
    gst_debug_set_threshold_for_name("libav", GST_LEVEL_INFO)
    gst_debug_add_log_function(
      { category, _, _, _, _, _, message, user in
        guard let name = gst_debug_category_get_name(category), strcmp(name, "libav") == 0,
          let text = gst_debug_message_get(message)
        else { return }
        Unmanaged<Box<(String) -> Void>>.fromOpaque(user!).takeUnretainedValue()
          .content(String(cString: text))
      },
      Unmanaged.passRetained(
        Box { [weak self] (text: String) in
          guard text.hasPrefix("concealing ") || text.hasPrefix("error while decoding MB") else {
            return
          }
          let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          self?.report("parts of its picture cannot be decoded (\(words))")
        }
      ).toOpaque(), { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }

  private func elementAdded(_ element: Element) {
    let kind = element.kind
    let isDecoder = Self.isDecoder(kind)
    // The bin that decodes a picture with its alpha has two decoders in it, and is one to us.
    if element.isBin ? !isDecoder : element.parentKind.map(Self.isDecoder) == true { return }
    if kind.contains("Demux") {
      element.onPad("pad-added") { [unowned self] pad in
        guard gst_pad_get_direction(pad.raw) == GST_PAD_SRC else { return }
        Passage.watch(pad) { [unowned self] in seeDemuxed($0) }
      }
    }
    guard isDecoder else { return }
    if DecoderSettings.apply(element) { lock { decoders.append(element) } }
    if element.has("max-errors") {
      // The first error ends it, where none would. (To jpegdec 0 means "as you like".)
      element.set("max-errors", Self.least(element) == 0 ? "1" : "0")
    }
    if let pad = element.pad("sink") {
      FrameSizes.watch(sink: pad) { [unowned self] in report($0) }
      Passage.watch(pad) { [unowned self] in seeTaken($0) }
    }
    if let pad = element.pad("src") {
      FrameSizes.watch(source: pad) { [unowned self] in report($0) }
      Passage.watch(pad) { [unowned self] in seeGiven($0) }
    }
  }

  private static func isDecoder(_ kind: String) -> Bool {
    kind.contains("Decoder") && ["Video", "Audio", "Image"].contains(where: kind.contains)
  }

  private static func least(_ element: Element) -> Int { Int(element.text("max-errors")) ?? -1 }

  private func with(_ stream: String, _ body: (Track) -> Void) {
    lock {
      moved += 1
      body(track(stream))
    }
  }

  /// With the lock held.
  private func track(_ stream: String) -> Track {
    let track = tracks[stream] ?? Track(stream)
    tracks[stream] = track
    return track
  }

  private func seeDemuxed(_ passed: Passed) {
    with(passed.stream) { track in
      if track.first == nil { (track.first, track.firstEnd) = (passed.time, passed.end) }
    }
  }

  private func seeTaken(_ passed: Passed) {
    if passed.isCorrupted { report("parts of it are marked as broken") }
    // matroskamux, since 1.24, stores a gap as a block of no bytes; no decoder makes a frame of it.
    guard !passed.isEmpty else { return with(passed.stream) { _ in } }
    with(passed.stream) { track in
      // Headers come first, and have no time.
      if passed.time != nil || track.takenCount > 0 { track.takenCount += 1 }
      guard let time = passed.time, let end = passed.end else { return }
      track.taken.append(time)
      if end - time > Self.pictureHole { track.long[time] = end }
    }
  }

  private func seeGiven(_ passed: Passed) {
    with(passed.stream) { $0.decoded += 1 }
    if passed.isCorrupted { report("parts of it cannot be decoded") }
  }

  /// Has the frames that leave `pad`, whether decoded or stored so, looked at.
  func watchPicture(_ pad: Pad) -> Track {
    let track = lock { self.track(pad.stream) }
    lock { track.rate = pad.frameRate }
    Passage.watch(pad) { [unowned self] passed in
      with(passed.stream) { track in
        track.givenCount += 1
        guard let time = passed.time, var end = passed.end else { return }
        track.given.append(time)
        if let rate = track.rate { end = max(end, time + Int(1e9 / rate)) }
        reach(track, passed, time, end)
      }
    }
    return track
  }

  func watchSound(_ pad: Pad) -> Track {
    let track = lock { self.track(pad.stream) }
    Passage.watch(pad) { [unowned self] passed in
      with(passed.stream) { track in
        track.buffers += 1
        guard let time = passed.time, let end = passed.end else { return }
        // A muxer that moves the beginning has the first sample last until the second.
        let isFirst = track.buffers == 2 && time - (track.firstEnd ?? 0) < Self.soundHole
        if track.buffers > 1, !isFirst, time - track.end > Self.soundHole {
          track.holes.append((track.end, time))
        }
        reach(track, passed, time, end)
      }
    }
    return track
  }

  private func reach(_ track: Track, _ passed: Passed, _ time: Int, _ end: Int) {
    track.end = max(track.end, end)
    track.position = max(track.position, (passed.position ?? 0) + end - time)
  }

  /// How far a track is, nanoseconds.
  func end(_ track: Track) -> Int { lock { track.end } }
}
