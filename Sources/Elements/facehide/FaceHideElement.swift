import Binding
import Faces
import Frames
import Hiding
import Metadata
import Pixels

/// Makes faces unrecognisable; hides the whole frame if its faces are unknown.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facehide ! autovideosink
final class FaceHideElement: LookaheadFilter {
  static let description = ElementDescription(
    name: "facehide", typeName: "MienFaceHide", longName: "Face hiding",
    classification: "Filter/Effect/Video",
    summary: "Makes faces found by a detector upstream unrecognisable; hides the whole frame if it "
      + "has no face metadata",
    formats: PixelFormat.eightBit + PixelFormat.deep.filter { !$0.hasAlpha })

  static let properties: [Property<FaceHideSettings>] = [
    .choice("mode", \.hiding.mode, "How a face is hidden."),
    .double(
      "strength", \.hiding.strength, in: 0...1,
      "Coarseness of mosaic and blur: 0 keeps sixteen blocks across a face, 1 keeps four."),
    .uint(
      "color", \.hiding.color, in: 0...UInt32.max,
      "Colour for mode=color, as 0xAARRGGBB. Formats with alpha store its alpha; the colour is "
        + "never blended with the picture below."),
    .choice("shape", \.hiding.shape, "Shape of the hidden area."),
    .double(
      "margin", \.hiding.margin, in: 0...1,
      "Distance beyond the face box (brows to chin) that is hidden too, in box widths."),
    .uint(
      "hold", \.hold, in: 0...10000,
      "Milliseconds for which a lost face stays hidden, in an area that moves on and grows, but at "
        + "least two frames; 0 ends it at once."),
    .uint(
      "lookahead", \.lookahead, in: 0...120,
      "Number of frames held back, so that a face is also hidden in that many frames before its "
        + "detection. Frames are held by reference; the delay is reported as latency."),
    .choice(
      "when-unknown", \.whenUnknown,
      "Treatment of frames without face metadata, which also could say that there are no faces."),
    .bool(
      "report", \.report,
      "Post a facehide message for every frame with hidden areas: the box of each, and whether "
        + "its face was detected in this frame, is held, was interpolated, or appears later."),
  ]

  static let erasesOtherViews = true

  private let host: ElementHost
  private let hider = FaceHider()
  private let timeline = FaceTimeline()
  private static var input: FaceInput {
    FaceInput(description.name, without: "hides whole frames", every: true)
  }

  private var input = FaceHideElement.input
  private var format: VideoFormat?
  /// One area that covers the whole frame.
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

  func ended() { input.warnAtEnd(host) }

  static func lookahead(_ settings: FaceHideSettings) -> Int { settings.lookahead }

  func enqueue(
    _ frame: borrowing FrameHeader, _ settings: FaceHideSettings
  ) throws(ElementError) {
    guard let format else {
      // Frames before the caps count too, so that frames and their faces stay aligned.
      timeline.enqueue(nil, time: nil)
      return
    }
    let isKnown = input.read(frame, format, settings.whenUnknown == .hide ? host : nil)
    let time = frame.runningTime ?? frame.timestamp
    timeline.enqueue(
      isKnown ? input.faces : nil, time: time.map { Double($0) * 1e-9 },
      arePositionsValid: frame.isShownUnchanged(format))
  }

  func dequeue(_ settings: FaceHideSettings) {
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
          "A frame has no face metadata, and when-unknown is error. Put facedetect before facehide."
        )
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
