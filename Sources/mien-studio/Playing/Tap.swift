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
  private let file: File?
  private var isOver = false
  private var isEnding = false
  /// Whether it has ended, and nothing is missing.
  private(set) var isWhole = false
  private let lock = Lock()
  private var caps: UnsafeMutablePointer<GstCaps>?
  /// Where sound goes in, where it has some; and what of it was laid.
  private let voice: Element?
  private var track = SoundTrack()
  /// The time of the first picture by the system's clock, and of the last one from then on; in
  /// nanoseconds.
  private var start: Int?
  private var last = -1
  /// Pictures that were encoded.
  private var encoded = 0
  /// It has ended.
  var onEnd: (Outcome) -> Void = { _ in }

  /// A file that is written.
  struct File {
    let part: PartFile
    /// A name that is free, for all of it, or for what could be kept.
    let name: (_ isWhole: Bool) -> FilePath
  }

  /// What became of it.
  enum Outcome {
    /// All is well; with the file, where one was written.
    case whole(FilePath?)
    /// It broke off; the file holds what can be played of it.
    case part(FilePath, why: String)
    case nothing(why: String)
  }

  /// A bin of `words`, as gst-launch takes them, gets raw frames.
  ///
  /// With `file` they hold an "fdsink" of the name "file", behind an "identity" of the name "encoded", and
  /// frames have the times at which they are for; where they also hold an "appsrc" of the name "sound", that
  /// gets the sound.
  init(_ words: String, file: File?) throws(Problem) {
    self.file = file
    pipeline = try Element.pipeline()
    source = try Element.make("appsrc")
    // A slow encoder loses frames; it does not fill the memory.
    let isLive = "\(file == nil)"
    for (name, value) in [
      ("is-live", isLive), ("format", "time"), ("do-timestamp", isLive), ("max-buffers", "30"),
      ("leaky-type", "downstream"),
    ] { source.set(name, value) }
    let rest = try Element.bin(words)
    voice = rest["sound"]
    voice?.set("format", "time")
    voice?.setCaps(Sound.shape)
    if let file { rest["file"]?.set("fd", "\(file.part.descriptor)") }
    rest["encoded"]?.pad("src")?.buffers { [weak self] _ in
      if let self { lock { encoded += 1 } }
    }
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
        setCaps(new)
      }
      guard let copy = gst_buffer_copy(buffer) else { return }
      copy.pointee.pts = place
      copy.pointee.dts = cgst_clock_time_none
      copy.pointee.duration = cgst_clock_time_none
      gst_app_src_push_buffer(app, copy)
      pushSilence(before: track.end, track.wait(pictures: last))
    }
  }

  /// Says what frames are; for a file without their rate, which their times say, their fields and their views:
  /// encoders begin anew when these change, and a file does not.
  private func setCaps(_ new: UnsafeMutablePointer<GstCaps>) {
    guard file != nil, let steady = MediaType.steady(new) else {
      return gst_app_src_set_caps(app, new)
    }
    gst_app_src_set_caps(app, steady)
    gst_mini_object_unref(cgst_mini_object(steady))
  }

  /// When a frame is for in what is written; nil where none is to be there.
  ///
  /// A film that begins again does not go back, for the system's clock does not.
  private func place(_ time: Int?) -> GstClockTime? {
    // Other programs see it when it comes.
    guard file != nil else { return cgst_clock_time_none }
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
    let outcome = outcome(problem)
    if case .whole = outcome { isWhole = true }
    onEnd(outcome)
  }

  /// Gives the file its name: one for the whole, or one that says that it is not.
  private func outcome(_ problem: String?) -> Outcome {
    guard let file else { return problem.map { .nothing(why: $0) } ?? .whole(nil) }
    let part = file.part
    defer { part.discard() }
    guard lock({ start != nil }) else { return .nothing(why: tr("there is no picture yet")) }
    // A film without pictures is none, whatever the muxer made of it.
    var why = lock { encoded > 0 } ? problem : problem ?? tr("there is no picture yet")
    if why == nil {
      do throws(Problem) { return .whole(try part.keep { file.name(true) }) } catch {
        why = error.text
      }
    }
    let reason = why ?? ""
    guard let length = WholePart.length(size: part.size, read: { part.bytes(at: $0, $1) }),
      part.cut(to: length), let path = try? part.keep(as: { file.name(false) })
    else { return .nothing(why: reason) }
    return .part(path, why: reason)
  }
}
