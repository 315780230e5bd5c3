import CGStreamer
import CGstApp
import Client
import Files
import Programs
import Studio

/// A second pipeline that gets the full-size frames: a recorder, or a virtual camera.
///
/// Its errors and its speed do not affect the window.
final class OutputBranch {
  private let pipeline: Element
  private let source: Element
  private let file: File?
  private var isOver = false
  private var isEnding = false
  /// Whether it has ended with a complete output.
  private(set) var isComplete = false
  private let lock = RecursiveLock()
  private var caps: UnsafeMutablePointer<GstCaps>?
  /// The appsrc for audio, nil without audio; and the state of the track.
  private let soundSource: Element?
  private var track = SoundTrack()
  /// The time of the first frame by the system's clock, and of the last one relative to it, in
  /// nanoseconds.
  private var start: Int?
  private var last = -1
  /// The number of encoded frames.
  private var encoded = 0
  /// Called at the end.
  var onEnd: (Outcome) -> Void = { _ in }

  /// The file of a recording.
  struct File {
    let part: AtomicFile
    /// Returns an unused path for a complete or an incomplete recording.
    let name: (_ isComplete: Bool) -> FilePath
  }

  /// The result.
  enum Outcome {
    /// Complete; with the path of a recording.
    case complete(FilePath?)
    /// An error; the file has the playable part.
    case partial(FilePath, reason: String)
    case failed(reason: String)
  }

  /// Starts a bin in gst-launch syntax, which gets raw frames.
  ///
  /// With `file` the bin has an fdsink "file" behind an identity "encoded", and frames keep their
  /// times; an appsrc "sound" in it gets the audio.
  init(_ description: String, file: File?) throws(ProgramError) {
    self.file = file
    pipeline = try Element.pipeline()
    source = try Element.make("appsrc")
    // A slow encoder drops frames instead of filling the memory.
    let isLive = "\(file == nil)"
    for (name, value) in [
      ("is-live", isLive), ("format", "time"), ("do-timestamp", isLive), ("max-buffers", "30"),
      ("leaky-type", "downstream"),
    ] { source.set(name, value) }
    let rest = try Element.bin(description)
    soundSource = rest["sound"]
    soundSource?.set("format", "time")
    soundSource?.setCaps(Sound.caps)
    if let file { rest["file"]?.set("fd", "\(file.part.descriptor)") }
    rest["encoded"]?.pad("src")?.onBuffer { [weak self] _ in
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

  /// The seconds and the bytes of a recording up to now.
  var progress: (seconds: Double, bytes: Int) {
    (Double(lock { max(0, last) }) / 1e9, file?.part.size ?? 0)
  }

  /// Handles the messages of the bus on the main thread until the branch is over.
  func startPolling() {
    MainLoop.schedule(milliseconds: 40) { [self] in
      poll(milliseconds: 0)
      return !isOver
    }
  }

  /// Pushes a reference to a frame, with its time by the system's clock; on a streaming thread.
  func push(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ new: UnsafeMutablePointer<GstCaps>, at time: Int?
  ) {
    lock {
      guard !isEnding, let timestamp = timestamp(time) else { return }
      if caps == nil || gst_caps_is_equal(caps, new) == 0 {
        if let caps { gst_mini_object_unref(cgst_mini_object(caps)) }
        caps = new
        gst_mini_object_ref(cgst_mini_object(new))
        setCaps(new)
      }
      guard let copy = gst_buffer_copy(buffer) else { return }
      copy.pointee.pts = timestamp
      copy.pointee.dts = cgst_clock_time_none
      copy.pointee.duration = cgst_clock_time_none
      gst_app_src_push_buffer(source.appSource, copy)
      pushSilence(before: track.end, track.fillSilence(upTo: last))
    }
  }

  /// Sets the caps of frames.
  ///
  /// For a file they are made constant, because encoders restart when they change and a file
  /// cannot.
  private func setCaps(_ new: UnsafeMutablePointer<GstCaps>) {
    guard file != nil, let constant = Self.withConstantRate(new) else {
      return gst_app_src_set_caps(source.appSource, new)
    }
    gst_app_src_set_caps(source.appSource, constant)
    gst_mini_object_unref(cgst_mini_object(constant))
  }

  /// The caps with 30 frames per second, and without fields on interlacing and views.
  private static func withConstantRate(
    _ caps: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    guard let copy = gst_caps_copy(caps) else { return nil }
    var rate = GValue()
    g_value_init(&rate, gst_fraction_get_type())
    gst_value_set_fraction(&rate, 30, 1)
    gst_caps_set_value(copy, "framerate", &rate)
    g_value_unset(&rate)
    if let structure = gst_caps_get_structure(copy, 0) {
      for name in ["interlace-mode", "field-order", "multiview-mode", "multiview-flags", "views"] {
        gst_structure_remove_field(structure, name)
      }
    }
    return copy
  }

  /// The time of a frame in the output; nil for frames to drop.
  ///
  /// The times of a film that restarts go on, as those of the system's clock.
  private func timestamp(_ time: Int?) -> GstClockTime? {
    // A virtual camera timestamps frames itself.
    guard file != nil else { return cgst_clock_time_none }
    guard let time else { return nil }
    let first = start ?? time
    start = first
    guard time - first > last else { return nil }
    last = time - first
    return GstClockTime(last)
  }

  // MARK: Sound

  /// Pushes an audio buffer with its time, likewise.
  func push(sound buffer: UnsafeMutablePointer<GstBuffer>, at time: Int) {
    lock {
      guard !isEnding, let soundSource, let start else { return }
      let count = Int(gst_buffer_get_size(buffer)) / Sound.bytesPerSample
      let before = track.end
      let added = track.add(count, at: time - start)
      pushSilence(before: before, added.silence)
      guard added.skipped < count,
        let copy = gst_buffer_copy_region(
          buffer, GST_BUFFER_COPY_MEMORY, gsize(added.skipped * Sound.bytesPerSample),
          gsize((count - added.skipped) * Sound.bytesPerSample))
      else { return }
      copy.pointee.pts = GstClockTime(SoundTrack.time(ofSample: before + added.silence))
      gst_app_src_push_buffer(soundSource.appSource, copy)
    }
  }

  /// Pushes `count` samples of silence at a position of the track.
  private func pushSilence(before position: Int, _ count: Int) {
    guard let soundSource else { return }
    var (position, left) = (position, count)
    while left > 0 {
      let some = min(left, SoundTrack.rate)
      let size = gsize(some * Sound.bytesPerSample)
      guard let buffer = gst_buffer_new_allocate(nil, size, nil) else { return }
      gst_buffer_memset(buffer, 0, 0, size)
      buffer.pointee.pts = GstClockTime(SoundTrack.time(ofSample: position))
      gst_app_src_push_buffer(soundSource.appSource, buffer)
      (position, left) = (position + some, left - some)
    }
  }

  /// Ends the stream; `onEnd` is called when the output is complete.
  func end() {
    lock {
      guard !isEnding else { return }
      isEnding = true
      pushSilence(before: track.end, track.fillSilence(upTo: last, patience: 0))
      gst_app_src_end_of_stream(source.appSource)
      if let soundSource { gst_app_src_end_of_stream(soundSource.appSource) }
    }
  }

  /// Ends the stream and waits for at most `milliseconds`.
  func end(within milliseconds: Int) {
    end()
    for _ in 0..<(milliseconds / 50) where !isOver { poll(milliseconds: 50) }
    if !isOver { finish(tr("it does not end")) }
  }

  /// Ends a virtual camera at once: without a consumer its sink may not take the end of the stream.
  func stop() {
    if !isOver { finish(nil) }
  }

  private func poll(milliseconds: Int) {
    guard !isOver, let message = pipeline.nextMessage(milliseconds: milliseconds) else { return }
    switch message {
    case .endOfStream: finish(nil)
    case .error(let report): finish(VirtualCamera.isEndOfConsumer(report) ? nil : report.text)
    case .warning, .posted: break
    }
  }

  private func finish(_ problem: String?) {
    isOver = true
    lock { isEnding = true }
    pipeline.setState(GST_STATE_NULL)
    let outcome = commitFile(problem)
    if case .complete = outcome { isComplete = true }
    onEnd(outcome)
  }

  /// Renames the file, to a name that tells whether it is complete.
  private func commitFile(_ problem: String?) -> Outcome {
    guard let file else { return problem.map { .failed(reason: $0) } ?? .complete(nil) }
    let part = file.part
    defer { part.discard() }
    guard lock({ start != nil }) else { return .failed(reason: tr("there is no picture yet")) }
    // A file without frames is an error, whatever the muxer wrote.
    var failure = lock { encoded > 0 } ? problem : problem ?? tr("there is no picture yet")
    if failure == nil {
      do throws(ProgramError) { return .complete(try part.commit { file.name(true) }) } catch {
        failure = error.text
      }
    }
    let reason = failure ?? ""
    guard let length = PlayablePrefix.length(size: part.size, read: { part.bytes(at: $0, $1) }),
      part.truncate(to: length), let path = try? part.commit(as: { file.name(false) })
    else { return .failed(reason: reason) }
    return .partial(path, reason: reason)
  }
}
