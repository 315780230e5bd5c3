package import Frames
package import Pixels

/// The common interface of elements: description, properties and life cycle.
///
/// An element conforms to exactly one of `Analyzer`, `Filter`, `LookaheadFilter` and
/// `FormatChangingFilter`. GStreamer creates one object per element. The application's thread calls
/// `init`, `start` and `stop`; the streaming thread makes all calls about frames, one at a time.
/// Settings may change on any thread; a frame is processed with a copy made when it arrives, or
/// when it leaves the lookahead queue.
package protocol VideoElement: AnyObject {
  associatedtype Settings: ElementSettings

  static var description: ElementDescription { get }
  static var properties: [Property<Settings>] { get }

  init(host: ElementHost)

  /// Loads what the stream needs; an error makes the state change fail.
  func start(_ settings: Settings) throws(ElementError)

  /// Called for a click on the video, with its position in pixels of the input frames.
  ///
  /// Called on any thread.
  func clicked(x: Double, y: Double)

  /// Ends waits within `prepare` or `process`, before a flush or a state change.
  ///
  /// Called on any thread, also while a frame is processed; effective until `reset` or `start`.
  func interrupt()

  /// Called at the end of the stream, on the streaming thread.
  func ended()

  /// Resets the state of the stream, after a flush or before a new stream.
  func reset()

  /// Sets the orientation from the image-orientation tag; `.up` when a new stream begins.
  func orientationChanged(_ orientation: Orientation)

  /// Releases everything that `start` loaded.
  func stop()
}

extension VideoElement {
  package func start(_ settings: Settings) throws(ElementError) {}
  package func clicked(x: Double, y: Double) {}
  package func interrupt() {}
  package func ended() {}
  package func reset() {}
  package func orientationChanged(_ orientation: Orientation) {}
  package func stop() {}
}

/// An element that analyzes frames and adds metadata; frames are mapped for reading, not copied.
package protocol Analyzer: VideoElement {
  /// Whether the result is drawn into the picture; only then is it writable, and copied if it has
  /// other references.
  static func draws(_ settings: Settings) -> Bool

  /// Sets the format of the frames that follow; an error refuses it.
  func configure(_ format: VideoFormat) throws(ElementError)

  /// Analyzes one frame; an error ends the stream.
  func analyze(_ frame: borrowing Frame, _ settings: Settings) throws(ElementError)
}

/// An element that changes the picture in place, and decides for each frame whether it does.
package protocol Filter: VideoElement {
  /// The parameters of the processing of one frame.
  associatedtype Plan

  /// Whether all memory of a frame with a plan is erased if a sink would show other pixels than
  /// the picture that its caps describe (`VisiblePixels`).
  ///
  /// Other filters end the stream if a sink would show pixels outside the picture.
  static var erasesOtherViews: Bool { get }

  /// Sets the format of the frames that follow; an error refuses it.
  func configure(_ format: VideoFormat) throws(ElementError)

  /// Plans the processing of a frame; may load files, wait, and advance animations.
  ///
  /// Without a plan the frame passes unchanged: not mapped, not copied. An error ends the stream.
  func prepare(
    _ frame: borrowing FrameHeader, _ settings: Settings
  ) throws(ElementError) -> Plan?

  /// Processes the frame for which the plan was made; an error ends the stream.
  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError)
}

extension Filter {
  package static var erasesOtherViews: Bool { false }
}

/// A filter with lookahead: it delays frames, so that later frames can decide what happens to them.
///
/// Frames are kept by reference, not copied; events between them wait in the same queue. A change
/// of caps, another stream and the end of the stream empty the queue; frames that downstream
/// refuses are dropped.
package protocol LookaheadFilter: Filter {
  /// How many frames, or gaps in their place, arrive before one leaves; reported as latency.
  ///
  /// Called on any thread.
  static func lookahead(_ settings: Settings) -> Int

  /// Called for a frame that enters the lookahead queue; an error ends the stream.
  func enqueue(_ frame: borrowing FrameHeader, _ settings: Settings) throws(ElementError)

  /// Called when the oldest frame leaves the queue: it is prepared next, or dropped if it is late.
  func dequeue(_ settings: Settings)
}

/// An element whose output may have another format than its input.
package protocol FormatChangingFilter: VideoElement {
  /// The parameters of the processing of one frame.
  associatedtype Plan

  /// The output format for an input format; nil for one that is not accepted.
  static func outputFormat(for format: PixelFormat) -> PixelFormat?

  /// Whether frames change format; if not, they are changed in place.
  ///
  /// Called on any thread.
  static func changesFormat(_ settings: Settings) -> Bool

  /// Sets the input and output formats; an error refuses them.
  func configure(_ input: VideoFormat, output: PixelFormat) throws(ElementError)

  /// Plans the processing of a frame, as `Filter.prepare`; every frame is processed.
  func prepare(_ frame: borrowing FrameHeader, _ settings: Settings) throws(ElementError) -> Plan

  /// Fills `output` from `frame`; an error ends the stream.
  ///
  /// The two may be the same picture, or share the memory of common planes, so only `output` may
  /// be written.
  func process(
    _ frame: borrowing Frame, into output: borrowing Picture, _ plan: Plan
  ) throws(ElementError)

  /// Adds metadata to the frame that was just filled.
  func attachMetadata(to output: borrowing FrameHeader)
}

extension FormatChangingFilter {
  package func attachMetadata(to output: borrowing FrameHeader) {}
}
