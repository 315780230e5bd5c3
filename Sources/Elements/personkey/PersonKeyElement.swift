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

/// Takes people out of their room without a screen: alpha out, or something else behind them.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! personkey blur=3 ! autovideosink
final class PersonKeyElement: FormatChangingFilter {
  static let description = ElementDescription(
    name: "personkey", typeName: "MienPersonKey", longName: "Person keyer",
    classification: "Filter/Effect/Video",
    summary: "Cuts people out of the room they are in, without a screen, blurs the room or puts "
      + "a picture or a colour in its place",
    formats: PixelFormat.allCases.filter { $0 != .gray8 })

  static let properties =
    BackdropSettings.properties.map { $0.within(\.backdrop) } + own
    + MatteSettings.properties(subject: "people", rest: "room").map { $0.within(\.key.matte) }

  private static let own: [Property<PersonKeyElementSettings>] = [
    .double(
      "blur", \.key.blur, in: 0...20,
      "Blur of the room, as a share of the frame's height in percent. It stands behind where no "
        + "background is set, and takes nothing from the people before it."),
    .choice("model", \.model, "Which model looks for people."),
    .path(
      "model-dir", \.modelDirectory, atStart: true,
      "Folder of the model files. Unset, they are looked for in $MIEN_MODEL_PATH, beside the "
        + "plugin and in the data folders."),
    .choice("people", \.people, "Who stays in the picture."),
    .double(
      "min-face", \.minFace, in: 0...1,
      "Smallest face that counts for people=faces, as a share of the largest one's width: who "
        + "walks by behind has a smaller one."),
    .bool(
      "follow", \.follows,
      "Look at a region that follows people instead of the whole frame: much better for people "
        + "who do not fill it."),
    .uint(
      "every", \.every, in: 1...10,
      "Frames from one look at people to the next. Between them the edge goes on following the "
        + "picture's colours; 2 and more are for slow machines."),
    .double(
      "smoothing", \.key.smoothing, in: 0...1,
      "How much the edge is held where nothing moves; 0 looks at every frame for itself."),
    .double(
      "clip-black", \.key.clipBlack, in: 0...1,
      "Probability below which a place shows nobody. Lower it when hands or hair go missing."),
    .double(
      "clip-white", \.key.clipWhite, in: 0...1,
      "Probability above which a place surely shows somebody. Lower it when people have holes."),
    .bool(
      "refine", \.key.refine,
      "Have the edge follow the picture's colours; off, it is as coarse as the model's."),
    .double(
      "despill", \.key.despill, in: 0...1,
      "How much of the room's colour is taken off the edge of people."),
    .double(
      "light-wrap", \.key.lightWrap, in: 0...1,
      "How much of the background's light falls on the edge of people."),
    .bool(
      "mask-meta", \.attachesMask,
      "Attach where people are to each frame, as MienMask metadata, for other elements and "
        + "applications."),
    .choice(
      "analytics", \.analytics,
      "When mask-meta writes the mask as one of GStreamer's own analysis results (GstAnalytics) too, "
        + "which other elements for analysis read: as a segmentation into \"background\" and "
        + "\"person\". GStreamer 1.26 and newer have it."),
    .threads(\.threads),
  ]

  private static var faceInput: FaceInput { FaceInput(description.name, without: "keeps nobody") }

  private static let log = Log("personkey", "Takes people out of their room")

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
  private var carriesAlpha = false
  private let backdrop = Backdrop()
  private var background: Background?
  private var input = PersonKeyElement.faceInput
  private var boxes: [Rectangle] = []
  /// The networks that could not be had while playing, which nobody needs to hear of again.
  private var refused: Set<PersonSegmenter.Network> = []
  private var hasFailed = false
  private let segmentation = SegmentationOutput()
  /// When the frame being worked on gets its mask as GstAnalytics too; nil where it gets none.
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
      Self.log(.warning, host, "a decoder was left behind: it does not let go")
    }
    background = nil
    format = nil
    segmenter = PersonSegmenter()
    runner = ThreadPool(threads: 1)
    segmentation.close()
  }

  func configure(_ format: VideoFormat, output: PixelFormat) throws(ElementError) {
    carriesAlpha = output.hasAlpha
    // A background that comes or goes leaves people where they were.
    guard format != self.format else { return }
    self.format = format
    backdrop.configure(format)
    background = nil
    keyer.configure(format)
    segmenter.configure(format)
  }

  func ended() { input.ended(host) }

  func reset() {
    backdrop.resume()
    segmenter.reset()
    input.reset()
  }

  struct Plan {
    let key: PersonKeySettings
    let segmenter: PersonSegmenter.Settings
    /// None where the output shows none.
    let background: Background?
    /// When its mask is GstAnalytics too; nil where the frame is to carry no mask.
    let analytics: AnalyticsOutput.Choice?
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: PersonKeyElementSettings
  ) throws(ElementError) -> Plan {
    readFaces(frame, areNeeded: settings.people == .faces)
    if settings.backdrop.isSet {
      background = try backdrop.follow(settings.backdrop, at: frame.runningTime) { host.warn($0) }
    } else if carriesAlpha || settings.key.blur > 0 {
      backdrop.clear()
      background = nil
    }
    // A frame agreed on before its background was taken away keeps the last one.
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
      missAnalytics(
        "GstAnalytics has no masks on this system, so personkey writes MienMask alone. They come "
          + "with GStreamer 1.26 and newer, in gst-plugins-bad.")
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
    var mask: PersonKeyer.Mask?
    do {
      let found = try segmenter.process(frame.picture, faces: boxes, plan.segmenter, runner)
      mask = found.map {
        PersonKeyer.Mask(
          step: $0.step, probability: $0.probability, temporalWeight: $0.temporalWeight,
          colors: $0.colors)
      }
    } catch {
      // The stream goes on without anybody in it: what is not known to be somebody is not shown.
      if !hasFailed {
        hasFailed = true
        host.warn(
          ElementError(.failed, "Looking for people failed.", detail: error.description))
      }
    }
    keyer.process(
      source: frame.picture, destination: output, mask: mask, background: plan.background,
      runner: runner)
  }

  func describe(_ output: borrowing FrameHeader) {
    guard let analytics, let format, let opacity = keyer.opacity else { return }
    let step = PersonMask.step(format)
    let (width, height) = (format.width, format.height)
    output.attachMask(
      opacity,
      cover: Rectangle(
        x: 0, y: 0, width: Double(opacity.width * step) / Double(width),
        height: Double(opacity.height * step) / Double(height)))
    let isMade = output.attachSegmentation(
      segmentation, analytics, columns: opacity.width, rows: opacity.height, width: width,
      height: height
    ) { PersonRegions.draw(opacity, step: step, width: width, height: height, on: $0) }
    if !isMade {
      missAnalytics(
        "\(SegmentationOutput.maximumMasks) masks are held downstream, so frames carry MienMask alone until "
          + "some come back. videoflip of GStreamer 1.28 never lets go of them: put it before "
          + "personkey, or set analytics=never.")
    }
  }

  /// Says once why a mask that was asked for is not written as GstAnalytics.
  private func missAnalytics(_ reason: String) {
    guard !hasMissedAnalytics else { return }
    hasMissedAnalytics = true
    host.warn(ElementError(.settings, reason))
  }

  /// Faces help to find people; where they are needed, somebody hears that there are none.
  private func readFaces(_ frame: borrowing FrameHeader, areNeeded: Bool) {
    boxes.removeAll(keepingCapacity: true)
    guard let format else { return }
    input.read(frame, format, areNeeded ? host : nil)
    for face in input.faces { boxes.append(face.box) }
  }

  private func load(_ network: PersonSegmenter.Network) throws(ElementError) {
    let loaded = try ModelFiles.load(
      network.fileName, "person", in: modelDirectory, threads: runner
    ) { (graph) throws(ModelError) in try segmenter.install(graph, as: network) }
    Self.log(.info, host, loaded)
  }
}
