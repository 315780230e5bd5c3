import Binding
import Faces
import Frames
import Pixels
import Retouch
import Threads

extension RetouchSettings.Mask: PropertyEnum {
  static let typeName = "MienBeautifyMaskShape"

  var summary: String {
    switch self {
    case .face: "The outline of the face without eyes, brows and lips"
    case .ellipse: "An ellipse in the face box"
    case .rectangle: "The face box"
    case .full: "The whole frame, with or without faces"
    }
  }
}

struct BeautifyMaskSettings: ElementSettings {
  var retouch = RetouchSettings()
  var threads = 1
}

/// Smooths and brightens the skin of faces; all other pixels stay unchanged, bit for bit.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! beautifymask ! autovideosink
final class BeautifyMaskElement: Filter {
  static let description = ElementDescription(
    name: "beautifymask", typeName: "MienBeautifyMask", longName: "Skin retouching",
    classification: "Filter/Effect/Video",
    summary: "Smooths and brightens the skin of faces found by a detector upstream; eyes, lips, "
      + "hair and background stay unchanged",
    formats: PixelFormat.allCases)

  static let properties: [Property<BeautifyMaskSettings>] = [
    .double(
      "intensity", \.retouch.intensity, in: 0...1,
      "Strength of the skin smoothing; 0 disables it."),
    .double(
      "detail", \.retouch.detail, in: 0...1,
      "Fraction of the fine skin texture, such as pores, that is kept."),
    .double(
      "brightness", \.retouch.brightness, in: 0...1,
      "Amount by which skin is brightened, along a logarithmic curve that preserves highlights."),
    .double(
      "even-skin", \.retouch.evenSkin, in: 0...1,
      "Amount by which redness and blotches are reduced."),
    .double(
      "radius", \.retouch.radius, in: 0...32,
      "Radius of the smoothing in pixels; 0 derives it from the size of each face."),
    .choice(
      "mask", \.retouch.mask,
      "Part of the face that is retouched. If the metadata of a face lacks what a shape needs, the "
        + "next simpler shape is used."),
    .double(
      "skin-adapt", \.retouch.skinAdapt, in: 0...1,
      "Amount by which pixels that differ from the face's measured skin colour are left unchanged. "
        + "No skin tone is preset."),
    .double(
      "feather", \.retouch.feather, in: 0...0.1, "Softness of the mask's edge, in face widths."),
    .bool(
      "show-mask", \.retouch.showsMask, "Output the mask, white on black, instead of the picture."),
    .threads(\.threads),
  ]

  private let host: ElementHost
  /// One for each field of interlaced frames.
  private var fields = [SkinRetouch()]
  private var input = FaceInput(description.name)
  private let coverReader = MeasurementReader(.covers)
  private var runner = ThreadPool(threads: 1)
  private var format: VideoFormat?
  private var interval = FrameInterval()

  init(host: ElementHost) { self.host = host }

  func start(_ settings: BeautifyMaskSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    input = FaceInput(Self.description.name)
    coverReader.isReading = !settings.retouch.changesNothing && settings.retouch.mask != .full
  }

  func stop() {
    runner = ThreadPool(threads: 1)
    coverReader.isReading = false
  }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    fields = (0..<format.fieldCount).map { _ in
      SkinRetouch(fieldCount: format.fieldCount)
    }
    reset()
  }

  func ended() { input.warnAtEnd(host) }

  func reset() {
    input.reset()
    interval = FrameInterval()
    resetFields()
  }

  private func resetFields() {
    guard let field = format?.field else { return }
    for retouch in fields {
      retouch.configure(format: field.format, width: field.width, height: field.height)
    }
  }

  struct Plan {
    let faces: [Face]
    let retouch: RetouchSettings
    /// Seconds since the last changed frame.
    let elapsed: Double
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: BeautifyMaskSettings
  ) throws(ElementError) -> Plan? {
    guard let format else { return nil }
    coverReader.isReading = !settings.retouch.changesNothing && settings.retouch.mask != .full
    // The whole frame needs no faces, and no warning that there are none.
    if settings.retouch.mask != .full {
      input.read(frame, format, host)
    }
    if input.isCut { resetFields() }
    // The fields have the same faces.
    guard fields[0].needsWork(on: input.faces, settings.retouch) else {
      for retouch in fields { retouch.skip(settings.retouch) }
      return nil
    }
    return Plan(
      faces: input.faces, retouch: settings.retouch, elapsed: interval.secondsSinceLast(frame))
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    for (index, retouch) in fields.enumerated() {
      retouch.process(
        frame.picture.field(index), faces: plan.faces, settings: plan.retouch,
        elapsed: plan.elapsed, runner: runner)
    }
  }
}
