import Binding
import Files
import Frames
import Inference
import Looks
import Metadata
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

/// The area of the picture that is changed.
enum EffectArea: String, PropertyEnum {
  case frame, faces, people, background
  static let typeName = "MienPhotoEffectWhere"

  var summary: String {
    switch self {
    case .frame: "All over the frame"
    case .faces: "On the faces that a detector upstream has found"
    case .people: "On people, where MienMask metadata says they are"
    case .background: "Behind people, where MienMask metadata says they are not"
    }
  }
}

struct PhotoEffectSettings: ElementSettings {
  var look = LookSettings()
  var cube: FilePath?
  var area = EffectArea.frame
  var threads = 1
}

/// Applies a look, vignette and grain to pictures.
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
    .path(
      "cube", \.cube,
      "A .cube file, 1D, 3D or both, whose look is taken in place of a named one."),
    .double(
      "intensity", \.look.intensity, in: 0...1,
      "How much of the look is seen; at 0 the picture keeps its own colours, bit for bit."),
    .double(
      "vignette", \.look.vignette, in: 0...1,
      "How much the corners are darkened, whatever the look; 1 makes them black."),
    .double(
      "vignette-radius", \.look.vignetteRadius, in: 0...1,
      "Distance from the centre at which about half of that is reached, in half diagonals of the "
        + "frame."),
    .double(
      "grain", \.look.grain, in: 0...1,
      "Grain as of film, whatever the look; the same for the same running time."),
    .choice("where", \.area, "Where in the picture all of this is seen."),
    .threads(\.threads),
  ]

  private static let log = Log("photoeffect", "Gives pictures a look")
  /// The number of frames without a mask after which the element posts a warning.
  private static let warningThreshold = 100

  private let host: ElementHost
  private let effect = PhotoEffect()
  private let cube = CubeSource()
  private var runner = ThreadPool(threads: 1)
  private var input = FaceInput(description.name)
  private let maskBytes = Grid<UInt8>(of: 0)
  private let mask = EffectMask()
  private var format: VideoFormat?
  private var framesWithoutMask = 0

  init(host: ElementHost) { self.host = host }

  func start(_ settings: PhotoEffectSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    input = FaceInput(Self.description.name)
    framesWithoutMask = 0
    effect.setCube(nil)
    try cube.start(settings.cube)
  }

  func interrupt() { cube.interrupt() }

  func stop() {
    if !cube.stop() {
      Self.log(.warning, host, "abandoned the thread that reads the cube: it does not respond")
    }
    runner = ThreadPool(threads: 1)
  }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    effect.configure(format)
  }

  func reset() {
    cube.resume()
    input.reset()
    effect.reset()
  }

  struct Plan {
    let look: LookSettings
    let isEverywhere: Bool
    let time: UInt64
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: PhotoEffectSettings
  ) throws(ElementError) -> Plan? {
    try cube.update(settings.cube, effect) { host.warn($0) }
    guard let format, effect.hasEffect(settings.look) else { return nil }
    guard updateMask(frame, settings.area, format) else { return nil }
    return Plan(
      look: settings.look, isEverywhere: settings.area == .frame,
      time: frame.runningTime ?? frame.timestamp ?? 0)
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    effect.process(
      frame.picture, plan.look, mask: plan.isEverywhere ? nil : mask, time: plan.time,
      runner: runner)
  }

  func ended() { input.ended(host) }

  /// Updates `mask` for the frame; false if no part of the frame is changed.
  private func updateMask(
    _ frame: borrowing FrameHeader, _ area: EffectArea, _ format: VideoFormat
  ) -> Bool {
    let (width, height) = (format.width, format.height)
    switch area {
    case .frame: return true
    case .faces:
      input.read(frame, format, host)
      guard !input.faces.isEmpty else { return false }
      mask.setFaces(input.faces, width: width, height: height, inverted: false)
      return true
    case .people, .background:
      guard let region = frame.readMask(into: maskBytes) else {
        countMissingMask()
        return false
      }
      framesWithoutMask = 0
      mask.setMask(
        maskBytes, region: region, width: width, height: height, inverted: area == .background)
      return true
    }
  }

  private func countMissingMask() {
    framesWithoutMask += 1
    guard framesWithoutMask == Self.warningThreshold else { return }
    host.warn(
      ElementError(
        .settings,
        "\(Self.warningThreshold) frames came without MienMask metadata, so photoeffect leaves them alone. "
          + "Put \"personkey mask-meta=true\" before it."))
  }
}
