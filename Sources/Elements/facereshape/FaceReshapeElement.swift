import Binding
import Frames
import Metadata
import Pixels
import Reshaping
import Threads

extension ReshapeSettings.Effect: PropertyEnum {
  package static let typeName = "MienFaceReshapeEffect"

  package var summary: String {
    switch self {
    case .none: "No fun-house mirror"
    case .stretch: "Longer and narrower; with a negative amount shorter and broader"
    case .bulge: "Blown up in the middle"
    case .pinch: "Drawn together in the middle"
    case .twirl: "Turned, the middle most; clockwise with a positive amount"
    }
  }
}

/// Whose face is reshaped.
enum ReshapedFaces: String, PropertyEnum {
  case all, largest
  static let typeName = "MienFaceReshapeFaces"

  var summary: String {
    switch self {
    case .all: "Every face"
    case .largest: "The largest face alone"
    }
  }
}

struct FaceReshapeSettings: ElementSettings {
  var shape = ReshapeSettings()
  var faces = ReshapedFaces.all
  var threads = 1
}

/// Changes the shape of faces, and moves their metadata along.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! facereshape slim=0.4 eyes=0.3 ! \
///       autovideosink
final class FaceReshapeElement: Filter {
  static let description = ElementDescription(
    name: "facereshape", typeName: "MienFaceReshape", longName: "Face reshaping",
    classification: "Filter/Effect/Video",
    summary: "Changes the shape of the faces that a detector upstream has found, and moves their "
      + "metadata along, so that stickers behind it fit",
    formats: PixelFormat.allCases)

  static let properties: [Property<FaceReshapeSettings>] = [
    .double(
      "slim", \.shape.slim, in: -1...1,
      "How much narrower the face is made from the cheekbones to the chin; less than 0 makes it "
        + "broader."),
    .double(
      "jaw", \.shape.jaw, in: -1...1,
      "How much wider the face is made between the angles of the jaw; less than 0 makes it "
        + "narrower."),
    .double(
      "eyes", \.shape.eyes, in: -1...1,
      "How much larger the eyes are made, each about its own middle; less than 0 makes them smaller."
    ),
    .double(
      "nose", \.shape.nose, in: -1...1,
      "How much broader the nose is made; less than 0 makes it narrower."),
    .double(
      "mouth", \.shape.mouth, in: -1...1,
      "How much larger the mouth is made; less than 0 makes it smaller."),
    .double(
      "chin", \.shape.chin, in: -1...1,
      "How much longer the chin is made; less than 0 makes it shorter."),
    .double(
      "forehead", \.shape.forehead, in: -1...1,
      "How much higher the forehead is made; less than 0 makes it lower."),
    .choice("effect", \.shape.effect, "A fun-house mirror for the whole face."),
    .double(
      "amount", \.shape.amount, in: -1...1,
      "How strong the effect is; less than 0 turns it about."),
    .choice("faces", \.faces, "Whose face is reshaped."),
    .threads(\.threads),
  ]

  private let host: ElementHost
  private let reshaper = FaceReshaper()
  private var input = FaceInput(description.name)
  private var runner = ThreadPool(threads: 1)
  private var format: VideoFormat?
  private var interval = FrameInterval()

  init(host: ElementHost) { self.host = host }

  func start(_ settings: FaceReshapeSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    input = FaceInput(Self.description.name)
  }

  func stop() { runner = ThreadPool(threads: 1) }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    reshaper.configure(format)
    reset()
  }

  func ended() { input.ended(host) }

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
    input.read(frame, format, host)
    let elapsed = interval.advance(to: frame)
    return reshaper.advance(
      input.faces, settings.shape, largestOnly: settings.faces == .largest, elapsed: elapsed)
      ? Plan() : nil
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    reshaper.process(frame.picture, runner: runner)
    frame.moveFaces { reshaper.displaced($0) }
  }
}
