import Binding
import Frames
import Metadata
import Pixels
import Reshaping
import Threads

extension ReshapeSettings.Distortion: PropertyEnum {
  package static let typeName = "MienFaceReshapeEffect"

  package var summary: String {
    switch self {
    case .none: "No effect"
    case .stretch: "Longer and narrower; shorter and broader if amount is negative"
    case .bulge: "Magnified in the middle"
    case .pinch: "Shrunk in the middle"
    case .twirl: "Rotated most in the middle; clockwise if amount is positive"
    }
  }
}

/// The faces that are reshaped.
enum ReshapedFaces: String, PropertyEnum {
  case all, largest
  static let typeName = "MienFaceReshapeFaces"

  var summary: String {
    switch self {
    case .all: "Every face"
    case .largest: "Only the largest face"
    }
  }
}

struct FaceReshapeSettings: ElementSettings {
  var shape = ReshapeSettings()
  var faces = ReshapedFaces.all
  var threads = 1
}

/// Changes the shape of faces and adjusts their metadata.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facereshape slim=0.4 eyes=0.3 ! \
///       autovideosink
final class FaceReshapeElement: Filter {
  static let description = ElementDescription(
    name: "facereshape", typeName: "MienFaceReshape", longName: "Face reshaping",
    classification: "Filter/Effect/Video",
    summary: "Changes the shape of faces found by a detector upstream, and adjusts their metadata "
      + "so that stickers drawn downstream fit",
    formats: PixelFormat.allCases)

  static let properties: [Property<FaceReshapeSettings>] = [
    .double(
      "slim", \.shape.slim, in: -1...1,
      "Narrows the face from the cheekbones to the chin; negative values broaden it."),
    .double(
      "jaw", \.shape.jaw, in: -1...1,
      "Widens the face between the angles of the jaw; negative values narrow it."),
    .double(
      "eyes", \.shape.eyes, in: -1...1,
      "Enlarges each eye about its centre; negative values shrink it."),
    .double(
      "nose", \.shape.nose, in: -1...1, "Broadens the nose; negative values narrow it."),
    .double(
      "mouth", \.shape.mouth, in: -1...1, "Enlarges the mouth; negative values shrink it."),
    .double(
      "chin", \.shape.chin, in: -1...1, "Lengthens the chin; negative values shorten it."),
    .double(
      "forehead", \.shape.forehead, in: -1...1,
      "Raises the forehead; negative values lower it."),
    .choice(
      "effect", \.shape.distortion, "Distortion of the whole face, as by a fun-house mirror."),
    .double(
      "amount", \.shape.amount, in: -1...1,
      "Strength of the effect; negative values reverse it."),
    .choice("faces", \.faces, "Faces that are reshaped."),
    .threads(\.threads),
  ]

  private let host: ElementHost
  private let reshaper = FaceReshaper()
  private var input = FaceInput(description.name)
  private let coverReader = MeasurementReader(.covers)
  private var runner = ThreadPool(threads: 1)
  private var format: VideoFormat?
  private var interval = FrameInterval()

  init(host: ElementHost) { self.host = host }

  func start(_ settings: FaceReshapeSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    input = FaceInput(Self.description.name)
    coverReader.isReading = !settings.shape.isIdentity
  }

  func stop() {
    runner = ThreadPool(threads: 1)
    coverReader.isReading = false
  }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    reshaper.configure(format)
    reset()
  }

  func ended() { input.warnAtEnd(host) }

  func reset() {
    input.reset()
    reshaper.reset()
    interval = FrameInterval()
  }

  struct Plan {}

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: FaceReshapeSettings
  ) throws(ElementError) -> Plan? {
    guard let format else { return nil }
    coverReader.isReading = !settings.shape.isIdentity
    input.read(frame, format, host)
    if input.isCut { reshaper.reset() }
    let elapsed = interval.secondsSinceLast(frame)
    return reshaper.advance(
      input.faces, settings.shape, largestOnly: settings.faces == .largest, elapsed: elapsed)
      ? Plan() : nil
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    reshaper.process(frame.picture, runner: runner)
    frame.moveFaces { reshaper.displaced($0) }
  }
}
