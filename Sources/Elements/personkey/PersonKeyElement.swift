import Backdrops
import Binding
import Compose
import Faces
import Files
import Frames
import Inference
import Metadata
import PersonKey
import Pixels
import Threads
import Vision

/// Keys people without a screen: outputs alpha, or blurs or replaces the background.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! personkey blur=3 ! autovideosink
final class PersonKeyElement: FormatChangingFilter {
  static let description = ElementDescription(
    name: "personkey", typeName: "MienPersonKey", longName: "Person keyer",
    classification: "Filter/Effect/Video",
    summary: "Separates people from the background without a screen: makes it transparent, blurs "
      + "it, or replaces it by a picture, a film or a colour",
    formats: PixelFormat.allCases.filter { $0 != .gray8 })

  static let properties =
    BackdropSettings.properties.map { $0.nested(\.backdrop) } + own
    + MatteSettings.properties(subject: "people", rest: "background").map {
      $0.nested(\.key.matte)
    }

  private static let own: [Property<PersonKeyElementSettings>] = [
    .double(
      "blur", \.key.blur, in: 0...20,
      "Blur of the picture's own background, in percent of the frame's height; 0 disables it. Used "
        + "if no other background is set. Colours of people do not bleed into it."),
    .choice("model", \.model, "Segmentation model."),
    .path(
      "model-dir", \.modelDirectory, atStart: true,
      "Folder of the model files. If unset, $MIEN_MODEL_PATH, the plugin's folder and the data "
        + "folders are searched."),
    .choice("people", \.people, "People who are kept."),
    .double(
      "min-face", \.minFace, in: 0...1,
      "Smallest face that is kept with people=faces, as a fraction of the width of the largest "
        + "one. People passing behind have smaller faces."),
    .bool(
      "follow", \.follows,
      "Segment a region that follows people instead of the whole frame: much better for people "
        + "who do not fill the frame."),
    .uint(
      "every", \.every, in: 1...10,
      "Frames from one run of the model to the next. In between, the edge follows the colours of "
        + "the picture. Use 2 or more on slow machines."),
    .double(
      "smoothing", \.key.smoothing, in: 0...1,
      "Strength of the temporal filter where nothing moves; 0 segments each frame on its own."),
    .double(
      "clip-black", \.key.clipBlack, in: 0...1,
      "Probability below which a pixel is background. Lower it if hands or hair are missing."),
    .double(
      "clip-white", \.key.clipWhite, in: 0...1,
      "Probability above which a pixel is fully opaque. Lower it if people have holes."),
    .bool(
      "refine", \.key.refine,
      "Refine the edge by the colours of the picture; if off, it has the model's low resolution."),
    .double(
      "despill", \.key.despill, in: 0...1,
      "Amount of the original background's colour removed from the edge of people."),
    .double(
      "light-wrap", \.key.lightWrap, in: 0...1,
      "Amount of light from the new background added to the edge of people."),
    .bool(
      "mask-meta", \.attachesMask,
      "Attach the mask of people to each frame as MienMask metadata, for other elements and "
        + "applications."),
    .choice(
      "analytics", \.analytics,
      "When mask-meta also writes the mask as GstAnalytics metadata, which other analytics "
        + "elements read: a segmentation into \"background\" and \"person\". Needs GStreamer 1.26 "
        + "or newer."),
    .threads(\.threads),
  ]

  private static var faceInput: FaceInput {
    FaceInput(description.name, without: "removes all people")
  }

  private static let log = Log("personkey", "Person keyer")

  static func outputFormat(for format: PixelFormat) -> PixelFormat? {
    FrameCompositor.formatWithAlpha(for: format)
  }

  static func changesFormat(_ settings: PersonKeyElementSettings) -> Bool {
    !settings.hasBackground
  }

  private let host: ElementHost
  private let keyer = PersonKeyer()
  private var segmenter = PersonSegmenter()
  private var runner = ThreadPool(threads: 1)
  private var modelDirectory: FilePath?
  private var format: VideoFormat?
  private let backdrop = Backdrop()
  private var input = PersonKeyElement.faceInput
  /// The faces of a frame, and whether it has metadata of faces.
  private var boxes: [Rectangle] = []
  private var isBehindDetector = false
  /// The networks that failed to load while playing; the warning is not repeated.
  private var refused: Set<PersonSegmenter.Network> = []
  private var hasFailed = false
  private let segmentation = SegmentationOutput()
  /// When the current frame gets its mask as GstAnalytics too; nil if it gets no mask.
  private var analytics: AnalyticsOutput.Choice?
  private var hasMissedAnalytics = false

  init(host: ElementHost) { self.host = host }

  func start(_ settings: PersonKeyElementSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    modelDirectory = settings.modelDirectory
    segmenter = PersonSegmenter()
    input = Self.faceInput
    (refused, hasFailed, hasMissedAnalytics) = ([], false, false)
    for network in PersonSegmenter.networks(for: settings.segmenter) { try load(network) }
    try backdrop.start(settings.backdrop.path)
  }

  func interrupt() { backdrop.interrupt() }

  func stop() {
    if !backdrop.stop() {
      Self.log(.warning, host, "abandoned the thread that decodes the background: no response")
    }
    format = nil
    segmenter = PersonSegmenter()
    runner = ThreadPool(threads: 1)
    segmentation.close()
  }

  func configure(_ format: VideoFormat, output: PixelFormat) throws(ElementError) {
    // A change of the background alone keeps the segmentation's state.
    guard backdrop.configure(format, output: output) else { return }
    self.format = format
    keyer.configure(format.field)
    segmenter.configure(format.field.eightBit)
  }

  func ended() { input.warnAtEnd(host) }

  func reset() {
    backdrop.resume()
    segmenter.reset()
    input.reset()
  }

  struct Plan {
    let key: PersonKeySettings
    let segmenter: PersonSegmenter.Settings
    /// Nil if the output has no background.
    let background: Background?
    /// When the mask is also written as GstAnalytics; nil if the frame gets no mask.
    let analytics: AnalyticsOutput.Choice?
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: PersonKeyElementSettings
  ) throws(ElementError) -> Plan {
    readFaces(frame, areNeeded: settings.people == .faces)
    let background = try backdrop.update(
      settings.backdrop, at: frame.runningTime, isReplaced: settings.key.blur > 0
    ) { host.warn($0) }
    let wanted = settings.segmenter
    for network in PersonSegmenter.networks(for: wanted)
    where !segmenter.has(network) && !refused.contains(network) {
      do throws(ElementError) {
        try load(network)
      } catch {
        refused.insert(network)
        host.warn(error)
      }
    }
    if settings.attachesMask, settings.analytics == .always, !SegmentationOutput.isAvailable {
      warnOnceOfMissingAnalytics(
        "GstAnalytics with masks is not installed, so personkey writes only MienMask. Install "
          + "gst-plugins-bad of GStreamer 1.26 or newer, or set analytics=auto.")
    }
    return Plan(
      key: settings.key, segmenter: wanted, background: background,
      analytics: settings.attachesMask ? settings.analytics.choice : nil)
  }

  func process(
    _ frame: borrowing Frame, into output: borrowing Picture, _ plan: Plan
  ) throws(ElementError) {
    keyer.settings = plan.key
    analytics = plan.analytics
    keyer.measuresOpacity = analytics != nil
    for index in 0..<frame.picture.video.fieldCount {
      keyer.process(
        source: frame.picture.field(index), destination: output.field(index),
        mask: findMask(in: frame.picture.field(index), plan), background: plan.background,
        field: index, runner: runner)
    }
  }

  /// The people of a frame or field; nil if the segmentation failed.
  private func findMask(in picture: borrowing Picture, _ plan: Plan) -> PersonKeyer.Mask? {
    let faces = isBehindDetector ? boxes : nil
    do {
      let found: PersonMask?
      if let copy = keyer.eightBitCopy(of: picture, runner: runner) {
        found = try copy.withPicture { (picture) throws(ModelError) in
          try segmenter.process(picture, faces: faces, plan.segmenter, runner)
        }
      } else {
        found = try segmenter.process(picture, faces: faces, plan.segmenter, runner)
      }
      return found.map {
        PersonKeyer.Mask(
          step: $0.step, probability: $0.probability, temporalWeight: $0.temporalWeight,
          colors: $0.colors)
      }
    } catch {
      // The stream continues with background only: pixels without a segmentation are not shown.
      if !hasFailed {
        hasFailed = true
        host.warn(
          ElementError(.failed, "Person segmentation failed.", detail: error.description))
      }
      return nil
    }
  }

  func attachMetadata(to output: borrowing FrameHeader) {
    guard let analytics, let format, let opacity = keyer.opacity else { return }
    let field = format.field
    let step = PersonMask.step(field)
    output.attachMask(
      opacity,
      cover: Rectangle(
        x: 0, y: 0, width: Double(opacity.width * step) / Double(field.width),
        height: Double(opacity.height * step) / Double(field.height)))
    let isMade = output.attachSegmentation(
      segmentation, analytics, columns: opacity.width, rows: opacity.height,
      width: format.width, height: format.height
    ) {
      PersonRegions.draw(opacity, step: step, width: field.width, height: field.height, on: $0)
    }
    if !isMade {
      warnOnceOfMissingAnalytics(
        "Downstream holds \(SegmentationOutput.maximumMasks) masks, so frames get only MienMask "
          + "until it releases some. videoflip of GStreamer 1.28 never releases them: put it "
          + "before personkey, or set analytics=never.")
    }
  }

  /// Posts one warning why a requested mask is not written as GstAnalytics.
  private func warnOnceOfMissingAnalytics(_ reason: String) {
    guard !hasMissedAnalytics else { return }
    hasMissedAnalytics = true
    host.warn(ElementError(.settings, reason))
  }

  /// Reads the face boxes, which guide the segmentation; warns about their absence if `areNeeded`.
  private func readFaces(_ frame: borrowing FrameHeader, areNeeded: Bool) {
    boxes.removeAll(keepingCapacity: true)
    guard let format else { return }
    isBehindDetector = input.read(frame, format, areNeeded ? host : nil)
    for face in input.faces { boxes.append(face.box) }
  }

  private func load(_ network: PersonSegmenter.Network) throws(ElementError) {
    let loaded = try ModelFiles.load(
      network.fileName, "person", in: modelDirectory
    ) { (path) throws(ModelError) in
      try segmenter.install(Graph(path: path, threads: runner), as: network)
    }
    Self.log(.info, host, loaded)
  }
}
