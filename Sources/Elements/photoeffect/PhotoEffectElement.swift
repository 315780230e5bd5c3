import Gst
import Inference
import Looks
import Pixels
import Threads

extension Look: PropertyEnum {
  package static let typeName = "MienPhotoEffectLook"

  package var summary: String {
    switch self {
    case .none: "The picture's own colours"
    case .mono: "Black and white with little contrast"
    case .tonal: "Black and white, contrast as it is"
    case .noir: "Black and white with much contrast"
    case .chrome: "Strong colours and contrast"
    case .fade: "Weak colours, blacks that are grey"
    case .instant: "An instant picture: pale, with yellow lights and blue shadows"
    case .process: "Cross-processed film: cool, with green and blue lights"
    case .transfer: "An old print: warm, with brown shadows"
    case .sepia: "Black and white in browns"
    case .warm: "Warmer light"
    case .cool: "Cooler light"
    case .vivid: "Stronger colours where they are weak"
    case .linear: "The curve of sRGB undone: darker, for what computes with light"
    case .cartoon: "Flat colours and dark lines"
    }
  }
}

struct PhotoEffectSettings: ElementSettings {
  var look = LookSettings()
  var threads = 1
}

/// Gives pictures a look.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! photoeffect look=chrome ! autovideosink
final class PhotoEffectElement: Filter {
  static let description = ElementDescription(
    name: "photoeffect", typeName: "MienPhotoEffect", longName: "Photo effects",
    classification: "Filter/Effect/Video",
    summary: "Gives pictures the look of a film, of a photo filter or of a .cube file",
    formats: PixelFormat.allCases)

  static let properties: [Property<PhotoEffectSettings>] = [
    .choice("look", \.look.look, "What the picture looks like."),
    .double(
      "intensity", \.look.intensity, in: 0...1,
      "How much of the look is seen; at 0 the frame passes untouched."),
    .uint(
      "n-threads", \.threads, in: 0...64, atStart: true,
      "Threads that work on a frame; 0 takes one per core. Results are the same for every number."),
  ]

  private let effect = PhotoEffect()
  private var runner = ThreadPool(threads: 1)

  init(host: ElementHost) {}

  func start(_ settings: PhotoEffectSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
  }

  func stop() { runner = ThreadPool(threads: 1) }

  func configure(_ format: VideoFormat) throws(ElementError) { effect.configure(format) }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: PhotoEffectSettings
  ) throws(ElementError) -> LookSettings? {
    PhotoEffect.changes(settings.look) ? settings.look : nil
  }

  func process(_ frame: borrowing Frame, _ look: LookSettings) throws(ElementError) {
    effect.process(frame.picture, look, runner: runner)
  }
}
