import CGStreamer
import CGstApp
import Files
import Glibc
import Programs
import Studio

/// A second pipeline that gets every whole frame too: a file that is recorded, or a camera that
/// other programs see.
///
/// What goes wrong in it, or how slow it is, the window does not notice.
final class Tap {
  private let pipeline: Element
  private let source: Element
  private let part: PartFile?
  private var isOver = false
  private var isEnding = false
  private let lock = Lock()
  private var caps: UnsafeMutablePointer<GstCaps>?
  /// Where sound goes in, where it has some; and what of it was laid.
  private let voice: Element?
  private var track = SoundTrack()
  /// The time of the first picture by the system's clock, and of the last one from then on; in
  /// nanoseconds.
  private var start: Int?
  private var last = -1
  /// It has ended: nil when all is well, else why; with the file that was written.
  var onEnd: (_ problem: String?, _ path: FilePath?) -> Void = { _, _ in }

  /// A bin of `words`, as gst-launch takes them, gets raw frames.
  ///
  /// With `part` they hold an "fdsink" of the name "file", and frames have the times at which they
  /// are for; where they also hold an "appsrc" of the name "sound", that gets the sound.
  init(_ words: String, part: PartFile?) throws(Problem) {
    self.part = part
    pipeline = try Element.pipeline()
    source = try Element.make("appsrc")
    // A slow encoder loses frames; it does not fill the memory.
    let isLive = "\(part == nil)"
    for (name, value) in [
      ("is-live", isLive), ("format", "time"), ("do-timestamp", isLive), ("max-buffers", "30"),
      ("leaky-type", "downstream"),
    ] { source.set(name, value) }
    let rest = try Element.bin(words)
    voice = rest["sound"]
    voice?.set("format", "time")
    voice?.setCaps(Sound.shape)
    if let part { rest["file"]?.set("fd", "\(part.descriptor)") }
    pipeline.add(source)
    pipeline.add(rest)
    source.link(rest)
    guard pipeline.setState(GST_STATE_PLAYING) else {
      pipeline.setState(GST_STATE_NULL)
      throw .failure(tr("it cannot be started"))
    }
  }

  deinit {
    pipeline.setState(GST_STATE_NULL)
    if let caps { gst_mini_object_unref(cgst_mini_object(caps)) }
  }

  /// Listens to what the pipeline says, on the main thread.
  func watch() {
    MainLoop.after(milliseconds: 40) { [self] in
      poll(milliseconds: 0)
      return !isOver
    }
  }

  private var app: UnsafeMutablePointer<GstAppSrc> { Self.app(source) }

  private static func app(_ source: Element) -> UnsafeMutablePointer<GstAppSrc> {
    UnsafeMutableRawPointer(source.raw).assumingMemoryBound(to: GstAppSrc.self)
  }

  /// Takes a frame, by reference, and when it is for by the system's clock; on a streaming thread.
  func push(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ new: UnsafeMutablePointer<GstCaps>, at time: Int?
  ) {
    lock {
      guard !isEnding, let place = place(time) else { return }
      if caps == nil || gst_caps_is_equal(caps, new) == 0 {
        if let caps { gst_mini_object_unref(cgst_mini_object(caps)) }
        caps = new
        gst_mini_object_ref(cgst_mini_object(new))
        gst_app_src_set_caps(app, new)
      }
      guard let copy = gst_buffer_copy(buffer) else { return }
      copy.pointee.pts = place
      copy.pointee.dts = cgst_clock_time_none
      copy.pointee.duration = cgst_clock_time_none
      gst_app_src_push_buffer(app, copy)
      pushSilence(before: track.end, track.wait(pictures: last))
    }
  }

  /// When a frame is for in what is written; nil where none is to be there.
  ///
  /// A film that begins again does not go back, for the system's clock does not.
  private func place(_ time: Int?) -> GstClockTime? {
    // Other programs see it when it comes.
    guard part != nil else { return cgst_clock_time_none }
    guard let time else { return nil }
    let first = start ?? time
    start = first
    guard time - first > last else { return nil }
    last = time - first
    return GstClockTime(last)
  }

  // MARK: Sound

  /// Takes a piece of sound and its time, likewise.
  func push(sound piece: UnsafeMutablePointer<GstBuffer>, at time: Int) {
    lock {
      guard !isEnding, let voice, let start else { return }
      let count = Int(gst_buffer_get_size(piece)) / Sound.bytesPerSample
      let before = track.end
      let laid = track.lay(count, at: time - start)
      pushSilence(before: before, laid.silence)
      guard laid.skipped < count,
        let copy = gst_buffer_copy_region(
          piece, GST_BUFFER_COPY_MEMORY, gsize(laid.skipped * Sound.bytesPerSample),
          gsize((count - laid.skipped) * Sound.bytesPerSample))
      else { return }
      copy.pointee.pts = GstClockTime(SoundTrack.time(before + laid.silence))
      gst_app_src_push_buffer(Self.app(voice), copy)
    }
  }

  /// So many samples of silence, from a place of the track on.
  private func pushSilence(before place: Int, _ count: Int) {
    guard let voice else { return }
    var (place, left) = (place, count)
    while left > 0 {
      let some = min(left, SoundTrack.rate)
      let size = gsize(some * Sound.bytesPerSample)
      guard let buffer = gst_buffer_new_allocate(nil, size, nil) else { return }
      gst_buffer_memset(buffer, 0, 0, size)
      buffer.pointee.pts = GstClockTime(SoundTrack.time(place))
      gst_app_src_push_buffer(Self.app(voice), buffer)
      (place, left) = (place + some, left - some)
    }
  }

  /// Ends what is written; `onEnd` is called when it is whole.
  func end() {
    lock {
      guard !isEnding else { return }
      isEnding = true
      pushSilence(before: track.end, track.wait(pictures: last, patience: 0))
      gst_app_src_end_of_stream(app)
      if let voice { gst_app_src_end_of_stream(Self.app(voice)) }
    }
  }

  /// The same, and waits for it, at most so long.
  func end(within milliseconds: Int) {
    end()
    for _ in 0..<(milliseconds / 50) where !isOver { poll(milliseconds: 50) }
    if !isOver { finish(tr("it does not end")) }
  }

  private func poll(milliseconds: Int) {
    guard !isOver, let word = pipeline.listen(milliseconds: milliseconds) else { return }
    switch word {
    case .end: finish(nil)
    case .error(let text, _, _): finish(text)
    case .warning: break
    }
  }

  private func finish(_ problem: String?) {
    isOver = true
    lock { isEnding = true }
    pipeline.setState(GST_STATE_NULL)
    var problem = problem
    if problem == nil, let part {
      do throws(Problem) { try part.keep() } catch { problem = error.text }
    }
    part?.discard()
    onEnd(problem, part?.path)
  }
}
