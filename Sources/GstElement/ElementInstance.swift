import CGStreamer
import Pixels
import Synchronization

/// What the C callbacks know of an element's type.
///
/// One per GType, as long as the process.
class AnyElementClass {
  var description: ElementDescription { fatalError("abstract") }
  var propertyNames: [String] { fatalError("abstract") }
  func makeInstance(_ host: ElementHost) -> AnyElementInstance { fatalError("abstract") }
  /// A new spec of property `index`; nil for one that an interface declares.
  func makeSpec(_ index: Int) -> UnsafeMutablePointer<GParamSpec>? { fatalError("abstract") }
}

/// What the C callbacks know of one element.
///
/// The GObject owns it and frees it in `finalize`.
class AnyElementInstance {
  func set(_ index: Int, _ value: UnsafePointer<GValue>) {}
  func get(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {}
  func start() throws(ElementError) {}
  func stop() {}
  func reset() {}
  func configure(_ info: borrowing GstVideoInfo) throws(ElementError) {}
  func orientationChanged(_ orientation: Orientation) {}
  func beginFrame() {}
  func access(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ segment: UnsafePointer<GstSegment>
  ) -> FrameAccess { .none }
  func process(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ segment: UnsafePointer<GstSegment>
  ) throws(ElementError) {}
}

final class ElementClass<E: VideoElement>: AnyElementClass {
  let properties = E.properties
  override var description: ElementDescription { E.description }
  override var propertyNames: [String] { properties.map(\.name) }
  override func makeInstance(_ host: ElementHost) -> AnyElementInstance {
    ElementInstance<E>(host, properties)
  }
  override func makeSpec(_ index: Int) -> UnsafeMutablePointer<GParamSpec>? {
    properties[index].makeSpec?(E.Settings())
  }
}

final class ElementInstance<E: VideoElement>: AnyElementInstance {
  private let element: E
  private let properties: [Property<E.Settings>]
  /// What the properties say now; any thread.
  private let settings = Mutex(E.Settings())
  /// What they said when the current frame arrived; streaming thread.
  private var current = E.Settings()
  private var info = GstVideoInfo()
  private var format: VideoFormat?
  private var access = FrameAccess.none

  init(_ host: ElementHost, _ properties: [Property<E.Settings>]) {
    element = E(host: host)
    self.properties = properties
  }

  override func set(_ index: Int, _ value: UnsafePointer<GValue>) {
    settings.withLock { properties[index].write(&$0, value) }
  }

  override func get(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {
    properties[index].read(settings.withLock { $0 }, value)
  }

  override func start() throws(ElementError) { try element.start(settings.withLock { $0 }) }

  override func stop() {
    element.stop()
    format = nil
  }

  override func reset() { element.reset() }

  override func orientationChanged(_ orientation: Orientation) {
    element.orientationChanged(orientation)
  }

  override func configure(_ info: borrowing GstVideoInfo) throws(ElementError) {
    guard let format = VideoFormat(info) else {
      throw ElementError(.wrongFrame, "The stream has a format that was not offered.")
    }
    try element.configure(format)
    self.info = copy info
    self.format = format
  }

  override func beginFrame() { current = settings.withLock { $0 } }

  override func access(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ segment: UnsafePointer<GstSegment>
  ) -> FrameAccess {
    access = element.access(to: FrameHeader(buffer: buffer, segment: segment), current)
    return access
  }

  override func process(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ segment: UnsafePointer<GstSegment>
  ) throws(ElementError) {
    guard access != .none, let format else { return }
    let mapped = try MappedFrame(buffer, info, writable: access == .change)
    let frame = Frame(
      header: FrameHeader(buffer: buffer, segment: segment), picture: try mapped.picture(format))
    try element.process(frame, current)
    extendLifetime(mapped)
  }
}
