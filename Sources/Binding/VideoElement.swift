package import Frames
package import Pixels

/// What every element has: how gst-inspect shows it, its properties, and the turns of its life.
///
/// An element conforms to exactly one of `Analyzer`, `Filter` and `Deriver`, which say what it does
/// to frames. GStreamer makes one object per element. `init`, `start` and `stop` come from whoever
/// changes the element's state; everything about frames from the streaming thread, never two at
/// once. Settings may change on any thread; a frame sees the copy taken when work on it begins: when it
/// comes, or leaves the frames that are kept back.
package protocol VideoElement: AnyObject {
  associatedtype Settings: ElementSettings

  static var description: ElementDescription { get }
  static var properties: [Property<Settings>] { get }

  init(host: ElementHost)

  /// Loads what the stream needs; an error makes the state change fail.
  func start(_ settings: Settings) throws(ElementError)

  /// Learns that somebody clicked on the video, at a place in pixels of the frames that come in.
  ///
  /// Called on any thread.
  func clicked(x: Double, y: Double)

  /// Gives up waiting, if a frame waits for something: a flush or the end of the stream is near.
  ///
  /// Called on any thread, also while a frame is processed; holds until `reset` or `start`.
  func interrupt()

  /// Learns that the stream is over, on the streaming thread.
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

/// A filter that keeps frames back, so that what comes later can tell what becomes of them.
///
/// Frames are kept by reference, not copied. In one order with them wait the events between them;
/// a change of caps, another stream and the end let all of them go, and drop those that nobody takes.
package protocol ForesightFilter: Filter {
  /// How many frames, or gaps in their place, come before one leaves; told as latency.
  ///
  /// Called on any thread.
  static func lookahead(_ settings: Settings) -> Int

  /// Learns of a frame that has come and will be kept back; an error ends the stream.
  func foresee(_ frame: borrowing FrameHeader, _ settings: Settings) throws(ElementError)

  /// The frame that came first of those kept leaves: it is prepared next, or dropped for being late.
  func release(_ settings: Settings)
}

/// An element whose frames may leave in another format than they come.
package protocol Deriver: VideoElement {
  /// What is to be done to one frame.
  associatedtype Plan

  /// The format that frames of `format` are derived into; nil for one that cannot be taken.
  static func derived(from format: PixelFormat) -> PixelFormat?

  /// Whether frames leave in the derived format; else they keep their own and are changed in place.
  ///
  /// Called on any thread.
  static func derives(_ settings: Settings) -> Bool

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

extension Deriver {
  package func describe(_ output: borrowing FrameHeader) {}
}
