import Binding
import Faces
import Files
import Frames
import Looks
import Metadata
import Pixels
import Threads

extension Look: PropertyEnum {
  package static let typeName = "MienPhotoEffectLook"

  package var summary: String {
    switch self {
    case .none: "No look"
    case .mono: "Black and white with low contrast"
    case .tonal: "Black and white with unchanged contrast"
    case .noir: "Black and white with high contrast"
    case .chrome: "Strong colours and contrast"
    case .fade: "Weak colours, grey blacks"
    case .instant: "An instant picture: pale, with yellow lights and blue shadows"
    case .process: "Cross-processed film: cool, with green and blue lights"
    case .transfer: "An old print: warm, with brown shadows"
    case .sepia: "Black and white, toned brown"
    case .warm: "Warmer light"
    case .cool: "Cooler light"
    case .vivid: "Stronger colours, weak ones most"
    case .linear: "sRGB decoded to linear light: darker"
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
    case .frame: "The whole frame"
    case .faces: "Faces found by a detector upstream"
    case .people: "People, by the MienMask metadata"
    case .background: "Everything except people, by the MienMask metadata"
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
    summary: "Applies a photo look or a .cube colour table, vignette and grain",
    formats: PixelFormat.allCases)

  static let properties: [Property<PhotoEffectSettings>] = [
    .choice("look", \.look.look, "Colour look of the picture."),
    .path(
      "cube", \.cube,
      "A .cube file (1D, 3D or both) that replaces the named look."),
    .double(
      "intensity", \.look.intensity, in: 0...1,
      "Opacity of the look; 0 keeps the colours of the picture, bit for bit."),
    .double(
      "vignette", \.look.vignette, in: 0...1,
      "Amount by which the corners are darkened, with every look; 1 makes them black."),
    .double(
      "vignette-radius", \.look.vignetteRadius, in: 0...1,
      "Distance from the centre at which about half of the vignette is reached, in half diagonals "
        + "of the frame."),
    .double(
      "grain", \.look.grain, in: 0...1,
      "Amount of film grain, with every look; the same running time gives the same grain."),
    .choice("where", \.area, "Part of the picture that is changed."),
    .threads(\.threads),
  ]

  private static let log = Log("photoeffect", "Photo effects")
  /// The number of frames without a mask after which the element posts a warning.
  private static let warningThreshold = 100

  private let host: ElementHost
  private let effect = PhotoEffect()
  private let cube = CubeSource()
  private var runner = ThreadPool(threads: 1)
  private var input = FaceInput(description.name)
  private let coverReader = MeasurementReader(.covers)
  private let maskBytes = Grid<UInt8>(of: 0)
  private let mask = EffectMask()
  private var format: VideoFormat?
  private var framesWithoutMask = 0

  init(host: ElementHost) { self.host = host }

  func start(_ settings: PhotoEffectSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    input = FaceInput(Self.description.name)
    framesWithoutMask = 0
    coverReader.isReading = settings.area == .faces
    effect.setCube(nil)
    try cube.start(settings.cube)
  }

  func interrupt() { cube.interrupt() }

  func stop() {
    if !cube.stop() {
      Self.log(.warning, host, "abandoned the thread that reads the cube: no response")
    }
    runner = ThreadPool(threads: 1)
    coverReader.isReading = false
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
    /// Width of the largest face in pixels, if one is known.
    let faceWidth: Double?
    let time: UInt64
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: PhotoEffectSettings
  ) throws(ElementError) -> Plan? {
    try cube.updateLook(settings.cube, effect) { host.warn($0) }
    coverReader.isReading = settings.area == .faces
    guard let format, effect.hasEffect(settings.look) else { return nil }
    // Cartoons are drawn to fit the faces, where there are any.
    let isCartoon = settings.look.look == .cartoon
    if settings.area == .faces || isCartoon {
      input.read(frame, format, settings.area == .faces ? host : nil)
    }
    guard updateMask(frame, settings.area, format) else { return nil }
    return Plan(
      look: settings.look, isEverywhere: settings.area == .frame,
      faceWidth: isCartoon
        ? input.faces.lazy.map { $0.box.width * Double(format.width) }.max() : nil,
      time: frame.runningTime ?? frame.timestamp ?? 0)
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    effect.process(
      frame.picture, plan.look, mask: plan.isEverywhere ? nil : mask, faceWidth: plan.faceWidth,
      time: plan.time, runner: runner)
  }

  func ended() { input.warnAtEnd(host) }

  /// Updates `mask` for the frame; false if no part of the frame is changed.
  private func updateMask(
    _ frame: borrowing FrameHeader, _ area: EffectArea, _ format: VideoFormat
  ) -> Bool {
    let (width, height, fieldCount) = (format.width, format.height, format.fieldCount)
    switch area {
    case .frame: return true
    case .faces:
      guard !input.faces.isEmpty else { return false }
      mask.setFaces(
        input.faces, width: width, height: height, fieldCount: fieldCount, inverted: false)
      return true
    case .people, .background:
      guard let region = frame.readMask(into: maskBytes) else {
        countFrameWithoutMask()
        return false
      }
      framesWithoutMask = 0
      mask.setMask(
        maskBytes, region: region, width: width, height: height, fieldCount: fieldCount,
        inverted: area == .background)
      return true
    }
  }

  private func countFrameWithoutMask() {
    framesWithoutMask += 1
    guard framesWithoutMask == Self.warningThreshold else { return }
    host.warn(
      ElementError(
        .settings,
        "\(Self.warningThreshold) frames came without MienMask metadata, so photoeffect leaves "
          + "them alone. Put \"personkey mask-meta=true\" before it."))
  }
}
