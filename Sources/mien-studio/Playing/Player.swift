import CGStreamer
import CGstApp
import CJSONGLib
import Files
import Programs
import Studio

/// One origin's pictures on their way through the elements to the window.
///
/// For the main thread, but where it says otherwise.
final class Player {
  let origin: Origin
  let pipeline: Element
  private let head: Element
  private let tail: Element
  private let shape: Element
  private let window: Element
  /// Those that were ever wanted; they stay, so that switching one off and on takes no time.
  private var elements: [Effect: Element] = [:]
  /// Those that could not start; they are not tried again until the user asks for it.
  private var refused: Set<Effect> = []
  let lock = Lock()
  /// What is to be linked, in order; and what is.
  private var wanted: [Element] = []
  private var linked: [Element] = []
  private var isSeen = (width: 0, height: 0)
  private let newest = Newest()
  /// Once there is one, and it is heard or goes nowhere.
  var sound: Sound?
  let speaks: Bool
  var mutes: Bool

  /// Something went wrong: in words, and the element it happened in where it is one of ours.
  var onTrouble: (_ text: String, _ effect: Effect?, _ isError: Bool) -> Void = { _, _, _ in }
  /// A frame for the window.
  var onFrame: (Frame) -> Void = { _ in }
  /// An element set a property of its own by itself.
  var onChange: (Effect, _ property: String) -> Void = { _, _ in }
  /// A film's sound is known.
  var onSound: () -> Void = {}
  /// The loudspeaker ended, and the film with it.
  var onSilence: (_ text: String) -> Void = { _ in }
  /// Each whole frame as it leaves the elements, and its time by the system's clock, on a streaming
  /// thread.
  var onBuffer:
    ((UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstCaps>, _ time: Int?) -> Void)?
  /// Each piece of the film's sound, likewise.
  var onPiece: ((UnsafeMutablePointer<GstBuffer>, _ time: Int) -> Void)?

  /// `speaks`: whether a film is to be heard.
  init(_ origin: Origin, speaks: Bool, isMuted: Bool) throws(Problem) {
    self.origin = origin
    (self.speaks, mutes) = (speaks, isMuted)
    pipeline = try Element.pipeline()
    pipeline.useSystemClock()
    let (before, after) = (try Element.bin(Spine.before), try Element.bin(Spine.after))
    (head, tail) = (before, after)
    Spine.dropOldFrames(before["fresh"])
    Spine.dropOldFrames(after["shown"])
    guard let shape = after["shape"], let window = after["window"] else {
      throw .failure("GStreamer's own elements are missing")
    }
    (self.shape, self.window) = (shape, window)
    let source = try Spine.source(
      origin, in: pipeline, sound: { [weak self] in self?.hear($0) },
      end: { [weak self] in self?.know(hasPictures: $0) })
    for element in [before, after] { pipeline.add(element) }
    source.link(before)
    before.link(after)
    listen()
  }

  /// Begins to play, through `chain`.
  func play(_ chain: Chain) {
    // Elements that cannot start must not keep the rest from it.
    let isPlaying = pipeline.setState(GST_STATE_PLAYING)
    if isPlaying { show(chain) }
    MainLoop.after(milliseconds: 50) { [weak self] in
      guard let self, !isOver else { return false }
      poll()
      return true
    }
  }

  private(set) var isOver = false

  func stop() {
    isOver = true
    pipeline.setState(GST_STATE_NULL)
    newest.clear()
  }

  // MARK: What pictures go through

  /// Has pictures go through what `chain` says, from the next one on.
  func show(_ chain: Chain) {
    let list = chain.elements.compactMap { element($0, chain) }
    lock { wanted = list }
    guard let pad = head["fresh"]?.pad("src") else { return }
    // Called at once where no frame is on its way, else by the thread that brings it.
    pad.probe(GST_PAD_PROBE_TYPE_IDLE) { [weak self] _, _ in
      self?.relink()
      return GST_PAD_PROBE_REMOVE
    }
  }

  /// Sets a property on the element, if it is there.
  func set(_ name: String, of effect: Effect, to value: Setting) {
    elements[effect]?.set(name, value)
  }

  /// Has elements that could not start be tried again.
  func retry() { refused = [] }

  /// Whether it is there, and started.
  func has(_ effect: Effect) -> Bool { elements[effect] != nil }

  func text(_ name: String, of effect: Effect) -> String? { elements[effect]?.text(name) }

  private func element(_ effect: Effect, _ chain: Chain) -> Element? {
    if let known = elements[effect] { return known }
    guard !refused.contains(effect) else { return nil }
    refused.insert(effect)
    guard let element = try? Element.make(effect.rawValue) else {
      onTrouble(
        tr("GStreamer has no element %1: install the plugin", effect.rawValue), effect, true)
      return nil
    }
    if element.has("updates") { element.set("updates", "none") }
    for (name, value) in chain[effect] { element.set(name, value) }
    if effect == .screen {
      for name in ["color", "method"] {
        Signal.onOne(element.raw, "notify::" + name) { [weak self] in
          MainLoop.soon { self?.onChange(effect, name) }
        }
      }
    }
    guard pipeline.start(element) else {
      element.setState(GST_STATE_NULL)
      pipeline.remove(element)
      // Its failure was the whole pipeline's.
      pipeline.setState(GST_STATE_PLAYING)
      return nil
    }
    elements[effect] = element
    refused.remove(effect)
    return element
  }

  private func relink() {
    lock {
      guard linked.map(\.raw) != wanted.map(\.raw) else { return }
      let (old, new) = ([head] + linked + [tail], [head] + wanted + [tail])
      for (one, next) in zip(old, old.dropFirst()) { one.unlink(next) }
      for (one, next) in zip(new, new.dropFirst()) { one.link(next) }
      linked = wanted
    }
  }

  // MARK: The window

  /// The window has so many pixels for a picture that is seen this large.
  func fit(_ size: (width: Int, height: Int)) {
    guard size != isSeen else { return }
    isSeen = size
    shape.setCaps(
      "video/x-raw,format=BGRA,width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1")
  }

  /// The picture's sides in pixels of its own, and as they are seen; none before there was one.
  var size: (pixels: (width: Int, height: Int), seen: (width: Double, height: Double))? {
    guard let pad = tail.pad("sink"), let caps = gst_pad_get_current_caps(pad.raw) else {
      return nil
    }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0 else { return nil }
    let shape = Double(info.par_n) / Double(max(1, info.par_d))
    return (
      (Int(info.width), Int(info.height)), (Double(info.width) * shape, Double(info.height))
    )
  }

  /// How I420 of this size is to say its colours, as fields of caps: as the pictures do that are there now.
  func colours(width: Int, height: Int) -> String {
    var info = GstVideoInfo()
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_I420, guint(width), guint(height))
    if let pad = tail.pad("sink"), let caps = gst_pad_get_current_caps(pad.raw) {
      defer { gst_mini_object_unref(cgst_mini_object(caps)) }
      var new = GstVideoInfo()
      if gst_video_info_from_caps(&new, caps) != 0, let format = new.finfo,
        format.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0
      {
        (info.colorimetry, info.chroma_site) = (new.colorimetry, new.chroma_site)
      }
    }
    let colours = gst_video_colorimetry_to_string(&info.colorimetry)
    let site = gst_video_chroma_site_to_string(info.chroma_site)
    defer {
      g_free(colours)
      g_free(site)
    }
    return (colours.map { ",colorimetry=\(String(cString: $0))" } ?? "")
      + (site.map { ",chroma-site=\(String(cString: $0))" } ?? "")
  }

  /// Whether pictures have holes.
  var hasAlpha: Bool {
    guard let pad = tail.pad("sink"), let caps = gst_pad_get_current_caps(pad.raw) else {
      return false
    }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0, let format = info.finfo else { return false }
    return format.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
  }

  /// A click on the picture, in pixels of the frames that the window is given.
  func click(x: Double, y: Double) {
    for event in [
      gst_navigation_event_new_mouse_button_press(1, x, y, GST_NAVIGATION_MODIFIER_NONE),
      gst_navigation_event_new_mouse_button_release(1, x, y, GST_NAVIGATION_MODIFIER_NONE),
    ] { gst_element_send_event(window.raw, event) }
  }

  private func listen() {
    var callbacks = GstAppSinkCallbacks()
    callbacks.new_sample = { sink, user in
      let newest = Unmanaged<Newest>.fromOpaque(user!).takeUnretainedValue()
      if let sample = gst_app_sink_try_pull_sample(sink, 0) { newest.put(sample) }
      return GST_FLOW_OK
    }
    gst_app_sink_set_callbacks(
      UnsafeMutableRawPointer(window.raw).assumingMemoryBound(to: GstAppSink.self), &callbacks,
      Unmanaged.passRetained(newest).toOpaque(),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() })
    newest.onNew = { [weak self] in self?.take() }
    tail["tail"]?.pad("src")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] pad, info in
      guard let body = self?.onBuffer, let buffer = gst_pad_probe_info_get_buffer(info),
        let caps = gst_pad_get_current_caps(pad.raw)
      else { return GST_PAD_PROBE_OK }
      let time = pad.runningTime(of: buffer).flatMap { time in
        self.map { time + $0.pipeline.baseTime }
      }
      body(buffer, caps, time)
      gst_mini_object_unref(cgst_mini_object(caps))
      return GST_PAD_PROBE_OK
    }
  }

  private func take() {
    guard !isOver, let sample = newest.take() else { return }
    if let frame = Frame(sample, hasAlpha: hasAlpha) {
      frame.lateness = frame.time.map { Double(runningTime - Int64($0)) / 1e9 } ?? 0
      frame.skipped = newest.takeSkipped()
      onFrame(frame)
    }
    gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(sample)))
  }

  /// In nanoseconds.
  private var runningTime: Int64 {
    let time = gst_element_get_current_running_time(pipeline.raw)
    return time == cgst_clock_time_none ? 0 : Int64(time)
  }

  // MARK: What the pipeline says

  private func poll() {
    while !isOver, let word = pipeline.listen(milliseconds: 0) {
      let heard = lock { sound }
      switch word {
      case .end: pipeline.restart()
      // That there is no loudspeaker is nothing to be told of.
      case .warning(_, let element) where heard.map { element.isInside($0.bin) } ?? false: break
      case .error(let text, _, let element?)
      where heard.map { element.isInside($0.bin) } ?? false:
        onSilence(text)
      case .warning(let text, let element): onTrouble(text, effect(of: element), false)
      case .error(let text, _, let element):
        let effect = element.flatMap { self.effect(of: $0) }
        onTrouble(text, effect, true)
      }
    }
  }

  private func effect(of element: Element) -> Effect? { Effect(rawValue: element.factory) }
}
