import CGStreamer
import Frames
import Pixels
import Synchronization

/// The Swift side of an element's GType; never freed.
final class ElementClass {
  let description: ElementDescription
  let propertyNames: [String]
  /// Creates the GParamSpec of a property by index; nil for one that an interface declares.
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

/// The Swift side of one GObject, as the C callbacks use it.
///
/// The GObject owns it and releases it in `finalize`.
class AnyElementInstance {
  /// The element, for calls that are the same in every mode.
  let anyElement: any VideoElement

  /// Whether the element is started, and the orientation of the stream.
  ///
  /// GStreamer activates the pads before it starts the element. The lock keeps events of other
  /// threads, such as a flush, from reaching the element during `start` and `stop`.
  private let life = Mutex((isStarted: false, orientation: Orientation.up))
  private let hasRefusedCaps = Atomic(false)

  init(_ element: any VideoElement) { anyElement = element }

  final func start() throws(ElementError) {
    try life.withLock { (life) throws(ElementError) in
      try startElement()
      life.isStarted = true
      hasRefusedCaps.store(false, ordering: .relaxed)
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

  /// Whether caps are refused for the first time since the start; true once.
  final func isFirstRefusal() -> Bool {
    !hasRefusedCaps.exchange(true, ordering: .relaxed)
  }

  /// Delivers a stream event to the element, if it is started.
  ///
  /// `orientation` is the new orientation, if that changes. `body` must not post messages, as a
  /// synchronous handler might change the state and deadlock.
  final func notifyElement(
    orientation: Orientation? = nil, _ body: (any VideoElement) -> Void = { _ in }
  ) {
    life.withLock { life in
      life.orientation = orientation ?? life.orientation
      guard life.isStarted else { return }
      if let orientation { anyElement.orientationChanged(orientation) }
      body(anyElement)
    }
  }

  func setProperty(_ index: Int, _ value: UnsafePointer<GValue>) {}
  func getProperty(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {}
  func startElement() throws(ElementError) {}
  func stopElement() {}
  func snapshotSettings() {}

  /// Sets the negotiated formats.
  func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {}

  /// The formats on the other side of the element for one on this side; nil if they are the same.
  func formatsAcross(from side: GstPadDirection) -> ((PixelFormat) -> [PixelFormat])? { nil }

  /// How output frames of another format are made; nil if the format stays the same.
  var outputStrategy: OutputStrategy?
  /// Whether downstream accepts frames whose planes are in several memories.
  var keepsMemories = false

  /// The buffer to process: the input, one that shares its memory, or a copy, whichever is the
  /// cheapest that suffices; nil requests a new one.
  func prepare(_ buffer: Buffer, _ segment: Segment) throws(ElementError) -> Buffer? { buffer }

  /// Processes a frame in place.
  func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {}

  /// The delayed frames; nil for an element without lookahead.
  var queue: LookaheadQueue? { nil }

  /// Notifies the element of a frame that enters the queue.
  func enqueue(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {}

  /// Notifies the element that the oldest frame leaves the queue.
  func dequeue() {}

  /// The current number of delayed frames; any thread.
  var lookahead: Int { 0 }

  /// Fills an output frame of another format.
  func fill(_ output: Buffer, from input: Buffer, _ segment: Segment) throws(ElementError) {}
}

/// The common part of all modes: settings and life cycle.
class ElementInstance<E: VideoElement>: AnyElementInstance {
  let element: E
  let host: ElementHost
  let properties: [Property<E.Settings>]
  /// The current values of the properties; any thread.
  let settings = Mutex(E.Settings())
  /// A copy made at the begin of the current frame; streaming thread.
  private(set) var current = E.Settings()
  /// The input format; nil before the negotiation.
  private(set) var input: (info: GstVideoInfo, format: VideoFormat)?

  init(_ host: ElementHost, _ properties: [Property<E.Settings>]) {
    element = E(host: host)
    self.properties = properties
    self.host = host
    super.init(element)
  }

  override func setProperty(_ index: Int, _ value: UnsafePointer<GValue>) {
    settings.withLock { properties[index].write(&$0, value) }
  }

  override func getProperty(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {
    properties[index].read(settings.withLock { $0 }, value)
  }

  override func startElement() throws(ElementError) {
    try element.start(settings.withLock { $0 })
  }

  override func stopElement() {
    element.stop()
    input = nil
  }

  override func snapshotSettings() { current = settings.withLock { $0 } }

  override func configure(_ input: GstVideoInfo, _ output: GstVideoInfo) throws(ElementError) {
    guard let format = VideoFormat(input), let outputFormat = VideoFormat(output) else {
      throw ElementError(
        .wrongFrame, "The stream's format is not supported. Put videoconvert before the element.")
    }
    try configure(format, output: outputFormat)
    self.input = (input, format)
  }

  /// Passes the formats to the element.
  func configure(_ format: VideoFormat, output: VideoFormat) throws(ElementError) {}

  /// Maps a frame for the duration of `body`.
  func withMappedFrame(
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
    // Only the metadata must be writable: a copy of the buffer shares its memory.
    E.draws(current) ? try makeWritable(buffer) : try makeMetadataWritable(buffer)
  }

  override func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    try withMappedFrame(buffer, segment, writable: E.draws(current)) {
      (frame) throws(ElementError) in
      try element.analyze(frame, current)
    }
  }
}

class FilterInstance<E: Filter>: ElementInstance<E> {
  /// The plan of the current frame.
  private var plan: E.Plan?

  /// Releases the last plan, which may share storage with the element.
  final func dropPlan() { plan = nil }

  override func configure(_ format: VideoFormat, output: VideoFormat) throws(ElementError) {
    try element.configure(format)
  }

  override func stopElement() {
    plan = nil
    super.stopElement()
  }

  override func prepare(_ buffer: Buffer, _ segment: Segment) throws(ElementError) -> Buffer? {
    // Released first: storage that it shares with the element would be copied on write.
    plan = nil
    plan = try element.prepare(FrameHeader(buffer: buffer, segment: segment), current)
    guard plan != nil else { return buffer }
    let target = try makeWritable(buffer)
    if E.erasesOtherViews, let input, VisiblePixels(target, input.info) != .picture {
      plan = nil
      guard VisiblePixels.erase(target) else {
        if target != buffer { gst_mini_object_unref(cast(target)) }
        throw ElementError(
          .wrongFrame, "A frame's memory cannot be written, so it could not be hidden.")
      }
    }
    return target
  }

  override func process(_ buffer: Buffer, _ segment: Segment) throws(ElementError) {
    guard let plan else { return }
    try withMappedFrame(buffer, segment, writable: true) { (frame) throws(ElementError) in
      try element.process(frame, plan)
    }
  }
}
