import CGStreamer
import Frames
import Pixels
import Synchronization

/// What the C callbacks know of an element's type.
///
/// One per GType, as long as the process.
final class ElementClass {
  let description: ElementDescription
  let propertyNames: [String]
  /// A new spec of a property, by its position; nil for one that an interface declares.
  let makeSpec: (Int) -> UnsafeMutablePointer<GParamSpec>?
  let makeInstance: (ElementHost) -> AnyElementInstance
  let keepsFramesBack: Bool

  init<E: VideoElement>(
    _: E.Type, keepsFramesBack: Bool = false,
    _ make: @escaping (ElementHost, [Property<E.Settings>]) -> AnyElementInstance
  ) {
    let properties = E.properties
    description = E.description
    propertyNames = properties.map(\.name)
    makeSpec = { properties[$0].makeSpec?(E.Settings()) }
    makeInstance = { make($0, properties) }
    self.keepsFramesBack = keepsFramesBack
  }
}

/// What the C callbacks know of one element.
///
/// The GObject owns it and frees it in `finalize`. Methods without a body here are no mode's to
/// leave out.
class AnyElementInstance {
  /// For calls that are the same in every mode.
  let anyElement: any VideoElement

  /// Whether the element is started, and how the stream must be turned.
  ///
  /// GStreamer opens the pads before it starts the element: what comes in there meanwhile, as a
  /// flush from another thread may, must not reach it in the middle of its start, or of its stop.
  private let life = Mutex((isStarted: false, orientation: Orientation.up))

  init(_ element: any VideoElement) { anyElement = element }

  final func start() throws(ElementError) {
    try life.withLock { (life) throws(ElementError) in
      try startElement()
      life.isStarted = true
      anyElement.orientationChanged(life.orientation)
    }
  }

  final func stop() {
    life.withLock { life in
      life = (false, .up)
      stopElement()
    }
  }

  final var isStarted: Bool { life.withLock { $0.isStarted } }

  /// Tells the element of something in the stream, if it is started.
  ///
  /// `orientation` is given where that is what is new. Nothing may be posted meanwhile: whoever
  /// listens might change the state.
  final func notify(
    orientation: Orientation? = nil, _ body: (any VideoElement) -> Void = { _ in }
  ) {
    life.withLock { life in
      life.orientation = orientation ?? life.orientation
      guard life.isStarted else { return }
      if let orientation { anyElement.orientationChanged(orientation) }
      body(anyElement)
    }
  }

  func set(_ index: Int, _ value: UnsafePointer<GValue>) {}
  func get(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {}
  func startElement() throws(ElementError) {}
  func stopElement() {}
  func beginFrame() {}

  /// Takes the formats agreed on.
  func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {}

  /// The formats on the other side of the element for one on this side; nil where they are the
  /// same.
  func formats(from side: GstPadDirection) -> ((PixelFormat) -> [PixelFormat])? { nil }

  /// How frames are made that leave in another format than they come; nil where they do not.
  var outputStrategy: OutputStrategy?
  /// Downstream can take frames whose planes lie in several memories.
  var keepsMemories = false

  /// The buffer to work on: the one that came, one that shares its memory, or a copy, whichever
  /// is the least that gives the element what it needs; nil asks for a new one.
  func prepare(_ buffer: Buffer, _ segment: Segment) throws(ElementError) -> Buffer? { buffer }

  /// Works on a frame in place.
  func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {}

  /// The frames that an element keeps back; nil for one that keeps none.
  var queue: LookaheadQueue? { nil }

  /// Tells the element of a frame that is kept back from now on.
  func enqueue(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {}

  /// Tells the element that the first of the frames kept leaves.
  func release() {}

  /// How many frames are kept back now; any thread.
  var lookahead: Int { 0 }

  /// Fills a frame of another format.
  func fill(_ output: Buffer, from input: Buffer, _ segment: Segment) throws(ElementError) {}
}

/// What the three modes have in common: settings, and the turns of an element's life.
class ElementInstance<E: VideoElement>: AnyElementInstance {
  let element: E
  let host: ElementHost
  let properties: [Property<E.Settings>]
  /// What the properties say now; any thread.
  let settings = Mutex(E.Settings())
  /// What they said when work on the current frame began; streaming thread.
  private(set) var current = E.Settings()
  /// What was agreed on for frames that come in; nil before that.
  private(set) var input: (info: GstVideoInfo, format: VideoFormat)?

  init(_ host: ElementHost, _ properties: [Property<E.Settings>]) {
    element = E(host: host)
    self.properties = properties
    self.host = host
    super.init(element)
  }

  override func set(_ index: Int, _ value: UnsafePointer<GValue>) {
    settings.withLock { properties[index].write(&$0, value) }
  }

  override func get(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {
    properties[index].read(settings.withLock { $0 }, value)
  }

  override func startElement() throws(ElementError) {
    try element.start(settings.withLock { $0 })
  }

  override func stopElement() {
    element.stop()
    input = nil
  }

  override func beginFrame() { current = settings.withLock { $0 } }

  override func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {
    guard let format = VideoFormat(input), let outputFormat = VideoFormat(output) else {
      throw ElementError(.wrongFrame, "The stream has a format that was not offered.")
    }
    try configure(format, output: outputFormat)
    self.input = (input, format)
  }

  /// Hands the formats to the element, in its mode's way.
  func configure(_ format: VideoFormat, output: VideoFormat) throws(ElementError) {}

  /// Maps a frame and lends it to `body`.
  func withFrame(
    _ buffer: Buffer, _ segment: Segment, writable: Bool,
    _ body: (borrowing Frame) throws(ElementError) -> Void
  ) throws(ElementError) {
    guard let input else { return }
    let mapped = try MappedFrame(buffer, input.info, writable: writable)
    try body(
      Frame(
        header: FrameHeader(buffer: buffer, segment: segment),
        picture: try mapped.picture(input.format)))
    extendLifetime(mapped)
  }
}

final class AnalyzerInstance<E: Analyzer>: ElementInstance<E> {
  override func configure(_ format: VideoFormat, output: VideoFormat) throws(ElementError) {
    try element.configure(format)
  }

  override func prepare(_ buffer: Buffer, _ segment: Segment) throws(ElementError) -> Buffer? {
    // Only the metadata must be ours: a plain copy of a buffer shares its memory.
    E.draws(current) ? try writable(buffer) : try withOwnMetadata(buffer)
  }

  override func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    try withFrame(buffer, segment, writable: E.draws(current)) { (frame) throws(ElementError) in
      try element.analyze(frame, current)
    }
  }
}

class FilterInstance<E: Filter>: ElementInstance<E> {
  /// For the frame that is being worked on.
  private var plan: E.Plan?

  /// Lets go of what the last plan holds of the element's.
  final func dropPlan() { plan = nil }

  override func configure(_ format: VideoFormat, output: VideoFormat) throws(ElementError) {
    try element.configure(format)
  }

  override func stopElement() {
    plan = nil
    super.stopElement()
  }

  override func prepare(_ buffer: Buffer, _ segment: Segment) throws(ElementError) -> Buffer? {
    // The last one first: what it holds of the element's would have to be copied to be changed.
    plan = nil
    plan = try element.prepare(FrameHeader(buffer: buffer, segment: segment), current)
    guard plan != nil else { return buffer }
    let target = try writable(buffer)
    if E.erasesOtherViews, let input, VisiblePixels(target, input.info) != .picture {
      plan = nil
      guard VisiblePixels.erase(target) else {
        if target != buffer { gst_mini_object_unref(cast(target)) }
        throw ElementError(.wrongFrame, "A frame's memory could not be written to.")
      }
    }
    return target
  }

  override func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    guard let plan else { return }
    try withFrame(buffer, segment, writable: true) { (frame) throws(ElementError) in
      try element.process(frame, plan)
    }
  }
}
