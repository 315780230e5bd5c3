import CGStreamer
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

  init<E: VideoElement>(_: E.Type) {
    let properties = E.properties
    description = E.description
    propertyNames = properties.map(\.name)
    makeSpec = { properties[$0].makeSpec?(E.Settings()) }
    makeInstance = { ElementInstance<E>($0, properties) }
  }
}

/// What the C callbacks know of one element.
///
/// The GObject owns it and frees it in `finalize`.
class AnyElementInstance {
  func set(_ index: Int, _ value: UnsafePointer<GValue>) {}
  func get(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {}
  func start() throws(ElementError) {}
  func stop() {}
  func interrupt() {}
  func reset() {}
  func outputs(for format: PixelFormat) -> [PixelFormat] { [format] }
  func configure(
    _ input: borrowing GstVideoInfo, _ output: borrowing GstVideoInfo
  ) throws(ElementError) {}
  /// Whether frames leave in another format than they come.
  var derives: Bool { false }
  /// Downstream can take frames whose planes lie in several memories.
  var keepsMemories = false
  /// Whether frames with a stride of their own may come in, when they leave in another format.
  var takesStrides: Bool { false }
  func clicked(x: Double, y: Double) {}
  func orientationChanged(_ orientation: Orientation) {}
  func beginFrame() {}
  func access(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ segment: UnsafePointer<GstSegment>
  ) -> FrameAccess { .none }
  func process(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ segment: UnsafePointer<GstSegment>
  ) throws(ElementError) {}
  /// The frame to derive into where the one that came can be used; nil asks for a new one.
  func reuse(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer>? { nil }
  func derive(
    _ output: UnsafeMutablePointer<GstBuffer>, from input: UnsafeMutablePointer<GstBuffer>,
    _ segment: UnsafePointer<GstSegment>
  ) throws(ElementError) {}
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
  private var outputInfo = GstVideoInfo()
  private var outputFormat: VideoFormat?
  /// See `Derivation.planes`.
  private var planeOrder: [Int] = []
  private var access = FrameAccess.none
  /// Whether the frame being derived shares its memory with the one that came.
  private var sharesMemory = false
  private let alphaMemory = AlphaMemory()
  private let host: ElementHost

  init(_ host: ElementHost, _ properties: [Property<E.Settings>]) {
    element = E(host: host)
    self.properties = properties
    self.host = host
  }

  override func set(_ index: Int, _ value: UnsafePointer<GValue>) {
    let (old, new) = settings.withLock { settings in
      let old = settings
      properties[index].write(&settings, value)
      return (old, settings)
    }
    let formats = E.description.formats
    if formats.contains(where: { E.outputs(for: $0, old) != E.outputs(for: $0, new) }) {
      host.renegotiate()
    }
  }

  override func get(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {
    properties[index].read(settings.withLock { $0 }, value)
  }

  override func start() throws(ElementError) { try element.start(settings.withLock { $0 }) }

  override func stop() {
    element.stop()
    format = nil
  }

  override func interrupt() { element.interrupt() }

  override func reset() { element.reset() }

  override func orientationChanged(_ orientation: Orientation) {
    element.orientationChanged(orientation)
  }

  override func outputs(for format: PixelFormat) -> [PixelFormat] {
    E.outputs(for: format, settings.withLock { $0 })
  }

  override var derives: Bool { format?.format != outputFormat?.format }

  override var takesStrides: Bool { keepsMemories || derivation == .newFrame }

  private var derivation: Derivation? {
    guard let format, let outputFormat else { return nil }
    return Derivation(from: format.format, to: outputFormat.format, keepsMemories: keepsMemories)
  }

  override func clicked(x: Double, y: Double) { element.clicked(x: x, y: y) }

  override func configure(
    _ input: borrowing GstVideoInfo, _ output: borrowing GstVideoInfo
  ) throws(ElementError) {
    guard let format = VideoFormat(input), let outputFormat = VideoFormat(output) else {
      throw ElementError(.wrongFrame, "The stream has a format that was not offered.")
    }
    try element.configure(format)
    info = copy input
    outputInfo = copy output
    self.format = format
    self.outputFormat = outputFormat
    planeOrder =
      Derivation.planes(of: format.format, in: outputFormat.format)
      ?? Array(0..<format.format.layout.planeCount)
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

  override func reuse(
    _ buffer: UnsafeMutablePointer<GstBuffer>
  ) -> UnsafeMutablePointer<GstBuffer>? {
    sharesMemory = false
    let result: UnsafeMutablePointer<GstBuffer>?
    switch derivation {
    case .newFrame, nil: return nil
    case .relabel: result = relabel(buffer, as: outputInfo)
    case .appendAlpha:
      result = appendAlpha(
        to: buffer, info, outputInfo, planes: planeOrder, from: alphaMemory)
    }
    sharesMemory = result != nil
    return result
  }

  override func derive(
    _ output: UnsafeMutablePointer<GstBuffer>, from input: UnsafeMutablePointer<GstBuffer>,
    _ segment: UnsafePointer<GstSegment>
  ) throws(ElementError) {
    guard let format, let outputFormat else { return }
    let header = FrameHeader(buffer: output, segment: segment)
    let target = try MappedFrame(output, outputInfo, writable: true)
    let picture = try target.picture(outputFormat)
    if sharesMemory {
      // The frame that came is the derived one without its alpha.
      let source = Frame(header: header, picture: picture.viewed(as: format, planeOrder))
      try element.derive(picture, from: source, current)
    } else {
      let mapped = try MappedFrame(input, info, writable: false)
      let source = Frame(header: header, picture: try mapped.picture(format))
      try element.derive(picture, from: source, current)
      extendLifetime(mapped)
    }
    extendLifetime(target)
  }
}

extension Picture {
  /// The same memory as a picture of a format, whose plane `order[i]` is plane i of this one.
  fileprivate borrowing func viewed(as format: VideoFormat, _ order: [Int]) -> Picture {
    func found(_ wanted: Int) -> Plane? { order.firstIndex(of: wanted).map { plane($0) } }
    return Picture(
      format: format.format, width: width, height: height, colorimetry: format.colorimetry,
      chromaSite: format.chromaSite, pixelAspect: format.pixelAspect,
      planes: (found(0), found(1), found(2), found(3)))
  }
}
