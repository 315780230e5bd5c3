import Binding
import Faces
import Frames
import Hiding
import Metadata
import Pixels

/// Makes faces unrecognisable; where it is not known where they are, all of the frame.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facehide ! autovideosink
final class FaceHideElement: LookaheadFilter {
  static let description = ElementDescription(
    name: "facehide", typeName: "MienFaceHide", longName: "Face hiding",
    classification: "Filter/Effect/Video",
    summary: "Makes the faces that a detector upstream has found unrecognisable, and where nothing "
      + "says whether there are faces, the whole frame",
    formats: PixelFormat.allCases)

  static let properties: [Property<FaceHideSettings>] = [
    .choice("mode", \.hiding.mode, "What is put in the place of a face."),
    .double(
      "strength", \.hiding.strength, in: 0...1,
      "How coarse mosaic and blur are: 0 leaves sixteen blocks across a face, 1 leaves four."),
    .uint(
      "color", \.hiding.color, in: 0...UInt32.max,
      "Colour of mode color, as big-endian ARGB; the alpha is kept where the format has one, and "
        + "is never transparency to what lies behind."),
    .choice("shape", \.hiding.shape, "The shape that is hidden."),
    .double(
      "margin", \.hiding.margin, in: 0...1,
      "How far beyond a face's box, from brows to chin, is hidden too, in widths of the box."),
    .uint(
      "hold", \.hold, in: 0...10000,
      "Milliseconds for which a lost face stays hidden, moving on and growing, and two frames at "
        + "least; 0 lets go at once."),
    .uint(
      "lookahead", \.lookahead, in: 0...120,
      "Frames kept back, so that a face is hidden also in so many frames before it was found. They "
        + "are kept by reference, and leave as much later, which is told as latency."),
    .choice(
      "when-unknown", \.whenUnknown,
      "What happens to frames that carry no word about faces, not even that there are none."),
    .bool(
      "report", \.report,
      "Post a facehide message for every frame in which something is hidden, that says where and "
        + "whether each face was seen in this frame, or is held, seen before and after, or ahead."),
  ]

  static let erasesOtherViews = true

  private let host: ElementHost
  private let hider = FaceHider()
  private let timeline = FaceTimeline()
  private static var input: FaceInput {
    FaceInput(description.name, without: "hides them whole", every: true)
  }

  private var input = FaceHideElement.input
  private var format: VideoFormat?
  /// All of a frame.
  private var everything: [HiddenArea] = []

  init(host: ElementHost) { self.host = host }

  func start(_ settings: FaceHideSettings) throws(ElementError) {
    input = Self.input
    timeline.reset()
  }

  func stop() { timeline.reset() }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    everything = [.wholeFrame(width: format.width, height: format.height)]
    timeline.configure(width: format.width, height: format.height)
  }

  func reset() {
    input.reset()
    timeline.reset()
  }

  func ended() { input.ended(host) }

  static func lookahead(_ settings: FaceHideSettings) -> Int { settings.lookahead }

  func enqueue(
    _ frame: borrowing FrameHeader, _ settings: FaceHideSettings
  ) throws(ElementError) {
    guard let format else {
      // It is counted all the same, so that frames and their faces stay aligned.
      timeline.enqueue(nil, time: nil)
      return
    }
    let isKnown = input.read(frame, format, settings.whenUnknown == .hide ? host : nil)
    let time = frame.runningTime ?? frame.timestamp
    timeline.enqueue(
      isKnown ? input.faces : nil, time: time.map { Double($0) * 1e-9 },
      arePositionsValid: frame.showsPicture(format))
  }

  func release(_ settings: FaceHideSettings) {
    timeline.dequeue(hold: Double(settings.hold) * 1e-3)
  }

  struct Plan {
    let areas: [HiddenArea]
    let hiding: HideSettings
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: FaceHideSettings
  ) throws(ElementError) -> Plan? {
    guard format != nil else { return nil }
    if !timeline.isKnown {
      switch settings.whenUnknown {
      case .pass: break
      case .hide:
        return plan(everything, frame, settings)
      case .error:
        throw ElementError(
          .settings,
          "A frame carries no word about faces, and when-unknown asks for an error. Put facedetect "
            + "before facehide.")
      }
    }
    return timeline.areas.isEmpty ? nil : plan(timeline.areas, frame, settings)
  }

  private func plan(
    _ areas: [HiddenArea], _ frame: borrowing FrameHeader, _ settings: FaceHideSettings
  ) -> Plan {
    if settings.report {
      host.post(
        frame.hiddenMessage(
          areas.map {
            HiddenRegion(
              id: $0.id, cause: $0.cause.rawValue, box: $0.bounds(settings.hiding))
          }))
    }
    return Plan(areas: areas, hiding: settings.hiding)
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    hider.hide(plan.areas, in: frame.picture, plan.hiding)
  }
}
