package import Frames
package import Pixels

/// What every element has: its description for gst-inspect, its properties, and its life cycle.
///
/// An element conforms to exactly one of `Analyzer`, `Filter` and `FormatChangingFilter`, which say what it does
/// to frames. GStreamer makes one object per element. The thread that changes the element's state calls
/// `init`, `start` and `stop`; the streaming thread makes all calls about frames, one at a time.
/// Settings may change on any thread; a frame is processed with a copy made when it arrives, or when
/// it leaves the lookahead queue.
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

  /// Ends any wait within `prepare` or `process`: a flush or a state change follows.
  ///
  /// Called on any thread, also while a frame is processed; holds until `reset` or `start`.
  func interrupt()

  /// Called at the end of the stream, on the streaming thread.
  func ended()

  /// Forgets what belongs to the frames so far: a flush or a new stream follows.
  func reset()

  /// Learns how the stream's image-orientation tag says it must be turned: not at all when a new
  /// stream begins.
  func orientationChanged(_ orientation: Orientation)

  /// Drops everything `start` loaded.
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

/// An element that looks at frames and adds metadata; frames are mapped for reading, never copied.
package protocol Analyzer: VideoElement {
  /// Whether what was found is drawn into the picture, which alone makes it writable and has it
  /// copied where somebody else holds it too.
  static func draws(_ settings: Settings) -> Bool

  /// Learns the format of the frames that follow; an error refuses it.
  func configure(_ format: VideoFormat) throws(ElementError)

  /// Looks at one frame; an error ends the stream.
  func analyze(_ frame: borrowing Frame, _ settings: Settings) throws(ElementError)
}

/// An element that changes the picture in place, and says of every frame whether it will.
package protocol Filter: VideoElement {
  /// What is to be done to one frame.
  associatedtype Plan

  /// Whether a frame with a plan is erased, all of its memory, where a sink shows anything but the
  /// picture that its caps describe (`VisiblePixels`).
  ///
  /// Other filters work on the picture, and end the stream where what is shown reaches out of it.
  static var erasesOtherViews: Bool { get }

  /// Learns the format of the frames that follow; an error refuses it.
  func configure(_ format: VideoFormat) throws(ElementError)

  /// Decides what becomes of the frame; may load, wait, and advance what moves with the stream.
  ///
  /// Without a plan the frame goes on as it came: not mapped, not copied. An error ends the stream.
  func prepare(
    _ frame: borrowing FrameHeader, _ settings: Settings
  ) throws(ElementError) -> Plan?

  /// Carries the plan out on the frame it was made for; an error ends the stream.
  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError)
}

extension Filter {
  package static var erasesOtherViews: Bool { false }
}

/// A filter with lookahead: it delays frames, so that later frames can decide what happens to them.
///
/// Frames are kept by reference, not copied; events between them wait in the same queue. A change of
/// caps, another stream and the end of the stream empty the queue; frames that downstream refuses are
/// dropped.
package protocol LookaheadFilter: Filter {
  /// How many frames, or gaps in their place, arrive before one leaves; reported as latency.
  ///
  /// Called on any thread.
  static func lookahead(_ settings: Settings) -> Int

  /// Called for a frame that enters the lookahead queue; an error ends the stream.
  func enqueue(_ frame: borrowing FrameHeader, _ settings: Settings) throws(ElementError)

  /// Called when the oldest frame leaves the queue: it is prepared next, or dropped if it is late.
  func release(_ settings: Settings)
}

/// An element whose output may have another format than its input.
package protocol FormatChangingFilter: VideoElement {
  /// What is to be done to one frame.
  associatedtype Plan

  /// The output format for an input format; nil for one that is not accepted.
  static func outputFormat(for format: PixelFormat) -> PixelFormat?

  /// Whether frames change format; if not, they are changed in place.
  ///
  /// Called on any thread.
  static func changesFormat(_ settings: Settings) -> Bool

  /// Learns the formats that frames come and leave in; an error refuses them.
  func configure(_ input: VideoFormat, output: PixelFormat) throws(ElementError)

  /// Decides what becomes of the frame, as `Filter.prepare`; every frame is processed.
  func prepare(_ frame: borrowing FrameHeader, _ settings: Settings) throws(ElementError) -> Plan

  /// Fills `output` from `frame`; an error ends the stream.
  ///
  /// The frame is changed through `output` alone: the two may be the same picture, and components
  /// that they have in common the same memory.
  func process(
    _ frame: borrowing Frame, into output: borrowing Picture, _ plan: Plan
  ) throws(ElementError)

  /// Adds metadata to the frame that was just filled.
  func describe(_ output: borrowing FrameHeader)
}

extension FormatChangingFilter {
  package func describe(_ output: borrowing FrameHeader) {}
}
