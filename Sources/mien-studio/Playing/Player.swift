import CGStreamer
import CJSONGLib
import Client
import Programs
import Studio

/// Plays a source through the chain of elements to the window.
///
/// For the main thread, except where noted.
final class Player {
  let source: VideoSource
  let pipeline: Element
  /// Where a film stands, in nanoseconds; nil while it plays.
  var pausedTime: Int?
  /// Whether the clock of a film has started.
  var isClockStarted = false
  /// Whether a seek is due, and where to.
  var isSeeking = false
  var wantedTime: Int?
  /// The number of changes while it was paused.
  var refreshes = 0
  let head: Element
  let tail: Element
  /// The capsfilter and the appsink before the window.
  private let filter: Element
  let window: Element
  /// All elements that were ever in the chain.
  ///
  /// They are kept, so that switching one is fast.
  private var elements: [ElementKind: Element] = [:]
  /// Elements that failed to start; they are tried again only when the user asks.
  private var failed: Set<ElementKind> = []
  let lock = RecursiveLock()
  /// The elements to link, in order, and the linked ones.
  private var requested: [Element] = []
  private var linked: [Element] = []
  /// Whether a flushing seek is on its way through the chain, which must stay linked until it ends.
  private var isFlushing = false
  private var displaySize = (width: 0, height: 0)
  let mailbox = FrameMailbox()
  /// The audio branch; nil before there is audio.
  var sound: Sound?
  let isAudible: Bool
  var isMuted: Bool

  /// Called with an error or warning, and the element of the chain that posted it.
  var onProblem: (_ text: String, _ kind: ElementKind?, _ isError: Bool) -> Void = { _, _, _ in }
  /// Called with each frame for the window.
  var onFrame: (Frame) -> Void = { _ in }
  /// Called where an element changed its own property.
  var onChange: (ElementKind, _ property: String) -> Void = { _, _ in }
  /// Called where the audio's state changed.
  var onSound: () -> Void = {}
  /// Called with the error of a loudspeaker, which ended the film.
  var onSoundError: (_ text: String) -> Void = { _ in }
  /// Called on a streaming thread with each full-size frame behind the chain, and its time by the system's
  /// clock.
  var onBuffer:
    ((UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstCaps>, _ time: Int?) -> Void)?
  /// The same for audio buffers.
  var onSoundBuffer: ((UnsafeMutablePointer<GstBuffer>, _ time: Int) -> Void)?

  /// `isAudible`: whether to open a loudspeaker for a film.
  init(_ source: VideoSource, isAudible: Bool, isMuted: Bool) throws(ProgramError) {
    self.source = source
    (self.isAudible, self.isMuted) = (isAudible, isMuted)
    pipeline = try Element.pipeline()
    pipeline.useSystemClock()
    let (before, after) = (
      try Element.bin(SourcePipeline.before), try Element.bin(SourcePipeline.after)
    )
    (head, tail) = (before, after)
    SourcePipeline.dropOldFrames(before["input"])
    SourcePipeline.dropOldFrames(after["shown"])
    guard let filter = after["filter"], let window = after["window"] else {
      throw .failure("GStreamer's own elements are missing")
    }
    (self.filter, self.window) = (filter, window)
    let decoder = try SourcePipeline.addSource(
      source, in: pipeline, sound: { [weak self] in self?.playSound($0) },
      end: { [weak self] in self?.report(hasPictures: $0) })
    for element in [before, after] { pipeline.add(element) }
    decoder.link(before)
    before.link(after)
    connectOutputs()
  }

  /// Starts to play through `chain`.
  func play(_ chain: ElementChain) {
    // An element that fails to start must not stop the pipeline.
    let isPlaying = isFilm ? startFilm() : pipeline.setState(GST_STATE_PLAYING)
    if isPlaying { rebuildChain(chain) }
    MainLoop.schedule(milliseconds: 50) { [weak self] in
      guard let self, !isOver else { return false }
      poll()
      return true
    }
  }

  private(set) var isOver = false
  private(set) var hasShownFrames = false

  func stop() {
    isOver = true
    pipeline.setState(GST_STATE_NULL)
    mailbox.close()
  }

  // MARK: The chain

  /// Relinks the elements before the next frame.
  func rebuildChain(_ chain: ElementChain) {
    let list = chain.elements.compactMap { makeElement($0, chain) }
    lock { requested = list }
    defer { refreshPausedFrame() }
    head["input"]?.pad("src")?.beforeNextBuffer { [weak self] in self?.relink() ?? true }
  }

  /// Seeks while the chain stays linked.
  ///
  /// The start of a flush would end at elements that are not linked, and its end, which comes when they
  /// are, would wait for the frame behind them for ever.
  func flush(_ seek: (Element) -> Void) {
    lock { isFlushing = true }
    seek(pipeline)
    lock { isFlushing = false }
  }

  /// Sets a property of an element that exists.
  func set(_ name: String, of kind: ElementKind, to value: PropertyValue) {
    elements[kind]?.set(name, value)
    refreshPausedFrame()
  }

  /// Allows failed elements to be tried again.
  func allowRetry() { failed = [] }

  /// Whether an element exists and is started.
  func has(_ kind: ElementKind) -> Bool { elements[kind] != nil }

  func text(_ name: String, of kind: ElementKind) -> String? { elements[kind]?.text(name) }

  private func makeElement(_ kind: ElementKind, _ chain: ElementChain) -> Element? {
    if let known = elements[kind] { return known }
    guard !failed.contains(kind) else { return nil }
    failed.insert(kind)
    guard let element = try? Element.make(kind.rawValue) else {
      onProblem(
        tr("GStreamer has no element %1: install the plugin", kind.rawValue), kind, true)
      return nil
    }
    if element.has("updates") { element.set("updates", "none") }
    element.set(chain[kind])
    if kind == .screen {
      for name in ["color", "method"] {
        Signal.connectIgnoringArgument(element.raw, "notify::" + name) { [weak self] in
          MainLoop.dispatch { self?.onChange(kind, name) }
        }
      }
    }
    guard pipeline.add(element) else {
      element.setState(GST_STATE_NULL)
      pipeline.remove(element)
      // Its error stopped the whole pipeline.
      pipeline.setState(GST_STATE_PLAYING)
      return nil
    }
    elements[kind] = element
    failed.remove(kind)
    return element
  }

  /// Links the requested elements; false during a flush.
  private func relink() -> Bool {
    lock {
      guard !isFlushing else { return false }
      guard linked.map(\.raw) != requested.map(\.raw) else { return true }
      let (old, new) = ([head] + linked + [tail], [head] + requested + [tail])
      for (one, next) in zip(old, old.dropFirst()) { one.unlink(next) }
      for (one, next) in zip(new, new.dropFirst()) { one.link(next) }
      linked = requested
      return true
    }
  }

  // MARK: The window

  /// Scales the frames for the window to this size.
  func setDisplaySize(_ size: (width: Int, height: Int)) {
    guard size != displaySize else { return }
    displaySize = size
    filter.setCaps(
      "video/x-raw,format=BGRA,width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1")
  }

  /// Mirrors the frames for the window alone.
  ///
  /// Positions of clicks pass the same element, and are those of the frames behind it.
  func setMirrored(_ isMirrored: Bool) {
    tail["mirror"]?.set("video-direction", isMirrored ? "horiz" : "identity")
    refreshPausedFrame()
  }

  /// Sends a click, in pixels of the frames for the window.
  func sendClick(x: Double, y: Double) {
    for event in [
      gst_navigation_event_new_mouse_button_press(1, x, y, GST_NAVIGATION_MODIFIER_NONE),
      gst_navigation_event_new_mouse_button_release(1, x, y, GST_NAVIGATION_MODIFIER_NONE),
    ] { gst_element_send_event(window.raw, event) }
  }

  private func connectOutputs() {
    window.onSample { [mailbox] in mailbox.store($0, isPreroll: $1) }
    mailbox.onSample = { [weak self] in self?.showFrame() }
    tail["tail"]?.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] pad, info in
      guard let self, let body = onBuffer, let buffer = info.buffer else { return GST_PAD_PROBE_OK }
      let time = pad.runningTime(of: buffer).map { $0 + self.pipeline.baseTime }
      _ = pad.withCaps { body(buffer, $0, time) }
      return GST_PAD_PROBE_OK
    }
  }

  private func showFrame() {
    guard !isOver, let (sample, dropped) = mailbox.take(),
      let frame = Frame(sample, hasAlpha: hasAlpha)
    else { return }
    // Frames of a paused film are due whenever they come.
    frame.lateness = pausedTime == nil ? frame.time.map { Double(runningTime - $0) / 1e9 } ?? 0 : 0
    frame.dropped = dropped
    hasShownFrames = true
    onFrame(frame)
  }

  /// In nanoseconds.
  private var runningTime: Int {
    let time = gst_element_get_current_running_time(pipeline.raw)
    return time == cgst_clock_time_none ? 0 : Int(time)
  }

  // MARK: Messages

  private func poll() {
    while !isOver, let message = pipeline.nextMessage(milliseconds: 0) {
      switch message {
      case .endOfStream: flush { $0.restart() }
      case .error(let report) where isFromSound(report): onSoundError(report.text)
      case .error(let report):
        onProblem(report.text, report.source.flatMap { kind(of: $0) }, true)
      // A missing loudspeaker, and decoders of streams that are not used, are not reported.
      case .warning(let report) where !isFromSound(report) && !report.isMissingPlugin:
        if let source = report.source { onProblem(report.text, kind(of: source), false) }
      default: break
      }
    }
  }

  private func isFromSound(_ report: BusReport) -> Bool {
    guard let sound = lock({ sound }) else { return false }
    return report.source?.isInside(sound.bin) ?? false
  }

  private func kind(of element: Element) -> ElementKind? {
    ElementKind(rawValue: element.factoryName)
  }
}
