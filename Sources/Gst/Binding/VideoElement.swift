package import Pixels

/// What gst-inspect shows of an element, and the formats it takes.
package struct ElementDescription: Sendable {
  package let name: String
  /// The GType's name, with the prefix `Mien`.
  package let typeName: String
  package let longName: String
  package let classification: String
  package let summary: String
  package let formats: [PixelFormat]
  /// The formats frames leave in; those they come in, unless the element derives others.
  package let outputFormats: [PixelFormat]
  /// A second factory name, for when another plugin has taken the first.
  package let alias: String?
  /// Whether late frames may be dropped before the element sees them.
  package let dropsLateFrames: Bool

  package init(
    name: String, typeName: String, longName: String, classification: String, summary: String,
    formats: [PixelFormat], outputFormats: [PixelFormat]? = nil, alias: String? = nil,
    dropsLateFrames: Bool = true
  ) {
    self.name = name
    self.typeName = typeName
    self.longName = longName
    self.classification = classification
    self.summary = summary
    self.formats = formats
    self.outputFormats = outputFormats ?? formats
    self.alias = alias
    self.dropsLateFrames = dropsLateFrames
  }
}

/// What an element needs of one frame.
package enum FrameAccess: Sendable {
  /// Nothing: the buffer goes on as it came, not mapped and not made writable.
  case none
  /// To read the picture and to add metadata: the picture is never copied.
  case observe
  /// To change the picture: it is copied first where somebody else holds it too.
  case change
}

/// A video filter: it observes frames, changes them in place, or derives frames of another format.
///
/// GStreamer makes one object per element. `init`, `start`, `stop` come from whoever changes the
/// element's state; `configure`, `access`, `process` and `reset` from the streaming thread, never
/// two at once. Settings may change on any thread; a frame sees the copy taken when it arrived.
package protocol VideoElement: AnyObject {
  associatedtype Settings: ElementSettings

  static var description: ElementDescription { get }
  static var properties: [Property<Settings>] { get }

  init(host: ElementHost)

  /// Loads what the stream needs; an error makes the state change fail.
  func start(_ settings: Settings) throws(ElementError)

  /// The formats that frames of `format` may leave in, best first.
  ///
  /// The frame's own format stands for working in place. Called on any thread.
  static func outputs(for format: PixelFormat, _ settings: Settings) -> [PixelFormat]

  /// Learns the format of the frames that follow; an error refuses it.
  func configure(_ format: VideoFormat) throws(ElementError)

  /// Says what is needed of the frame about to be processed.
  func access(to frame: borrowing FrameHeader, _ settings: Settings) -> FrameAccess

  /// Handles one frame; an error ends the stream.
  func process(_ frame: borrowing Frame, _ settings: Settings) throws(ElementError)

  /// Makes a frame of another format of `frame`, which is not to be changed but through
  /// `output`: components the two have in common may be the same memory.
  func derive(
    _ output: borrowing Picture, from frame: borrowing Frame, _ settings: Settings
  ) throws(ElementError)

  /// Learns that somebody clicked on the video, at a place in pixels of the frames that come in.
  func clicked(x: Double, y: Double)

  /// Gives up waiting, if a frame waits for something: a flush or the end of the stream is near.
  ///
  /// Called on any thread, also while a frame is processed; holds until `reset` or `start`.
  func interrupt()

  /// Forgets what belongs to the frames so far: a flush or a new stream follows.
  func reset()

  /// Learns how the stream's image-orientation tag says it must be turned: not at all when a new
  /// stream begins.
  func orientationChanged(_ orientation: Orientation)

  /// Drops everything `start` loaded.
  func stop()
}

extension VideoElement {
  package static func outputs(for format: PixelFormat, _ settings: Settings) -> [PixelFormat] {
    [format]
  }
  package func derive(
    _ output: borrowing Picture, from frame: borrowing Frame, _ settings: Settings
  ) throws(ElementError) {}
  package func clicked(x: Double, y: Double) {}
  package func start(_ settings: Settings) throws(ElementError) {}
  package func configure(_ format: VideoFormat) throws(ElementError) {}
  package func interrupt() {}
  package func reset() {}
  package func orientationChanged(_ orientation: Orientation) {}
  package func stop() {}
}
