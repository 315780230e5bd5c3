import Backdrops
import Binding
import Compose
import Frames
import Pixels
import ScreenKey
import Synchronization
import Threads

extension ChromaKeySettings.Method: PropertyEnum {
  static let typeName = "MienChromaKeyMethod"

  var summary: String {
    switch self {
    case .auto: "The green or blue screen detected in the first frames; opaque if none is found"
    case .green: "A green screen"
    case .blue: "A blue screen"
    case .magenta: "A magenta screen"
    case .custom: "The colour of the color property"
    }
  }
}

struct ChromaKeyElementSettings: ElementSettings {
  var key = ChromaKeySettings()
  var backdrop = BackdropSettings()
  var picks = true
  var threads = 1
}

/// Keys out a green, blue or other screen: outputs alpha, or composites over a background.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! chromakey background=beach.jpg ! autovideosink
final class ChromaKeyElement: FormatChangingFilter {
  static let description = ElementDescription(
    name: "chromakey", typeName: "MienChromaKey", longName: "Chroma keyer",
    classification: "Filter/Effect/Video",
    summary: "Makes a green, blue or other screen transparent, or replaces it by a picture, a film "
      + "or a colour",
    formats: PixelFormat.allCases.filter { $0 != .gray8 })

  static let properties =
    own
    + MatteSettings.properties(subject: "the subject", rest: "screen").map {
      $0.nested(\.key.matte)
    }
    + BackdropSettings.properties.map { $0.nested(\.backdrop) }

  private static let own: [Property<ChromaKeyElementSettings>] = [
    .choice("method", \.key.method, "Source of the screen colour."),
    .uint(
      "color", \.key.color, in: 0...UInt32.max,
      "Screen colour for method=custom, as 0xAARRGGBB. A click on the video sets it, and the "
        + "method, unless pick is off."),
    .bool(
      "pick", \.picks,
      "Use the colour under a click on the video as screen colour. Grey colours are rejected with "
        + "a warning, because they cannot be distinguished from shadows."),
    .double(
      "angle", \.key.angle, in: 20...85,
      "Half width of the range of hues treated as screen, in degrees. Larger values remove more "
        + "colours."),
    .double(
      "clip-black", \.key.clipBlack, in: 0...0.5,
      "Opacity below which a pixel is fully transparent. Raise it if noise of the screen remains."),
    .double(
      "clip-white", \.key.clipWhite, in: 0.5...1,
      "Opacity above which a pixel is fully opaque. Lower it if the subject has holes."),
    .double(
      "screen-adapt", \.key.screenAdapt, in: 0...1,
      "Amount by which the key adapts to uneven lighting of the screen; 0 uses one colour for the "
        + "whole screen."),
    .double(
      "despill", \.key.despill, in: 0...1,
      "Amount of screen colour removed from the subject where the screen reflects on it."),
    .double(
      "spill-luma", \.key.spillLuma, in: 0...1,
      "Fraction of the brightness lost by despill that is restored."),
    .threads(\.threads),
  ]

  private static let log = Log("chromakey", "Chroma keyer")

  static func outputFormat(for format: PixelFormat) -> PixelFormat? {
    FrameCompositor.formatWithAlpha(for: format)
  }

  static func changesFormat(_ settings: ChromaKeyElementSettings) -> Bool {
    !settings.backdrop.isSet
  }

  private let host: ElementHost
  private let keyer = ChromaKeyer()
  private var runner = ThreadPool(threads: 1)
  private let backdrop = Backdrop()
  private let click = Mutex<Point?>(nil)
  /// The transparent background colour the element last warned about.
  private var clearColor: UInt32 = 0

  init(host: ElementHost) { self.host = host }

  func start(_ settings: ChromaKeyElementSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    try backdrop.start(settings.backdrop.path)
  }

  func interrupt() { backdrop.interrupt() }

  func stop() {
    if !backdrop.stop() {
      Self.log(.warning, host, "abandoned the thread that decodes the background: no response")
    }
    runner = ThreadPool(threads: 1)
  }

  func configure(_ format: VideoFormat, output: PixelFormat) throws(ElementError) {
    // A change of the background alone keeps the screen model.
    if backdrop.configure(format, output: output) { keyer.configure(format) }
  }

  func reset() {
    backdrop.resume()
    keyer.reset()
  }

  func clicked(x: Double, y: Double) { click.withLock { $0 = Point(x: x, y: y) } }

  struct Plan {
    let key: ChromaKeySettings
    let picks: Bool
    /// Nil if the output has no background.
    let background: Background?
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: ChromaKeyElementSettings
  ) throws(ElementError) -> Plan {
    if !settings.backdrop.isSet, settings.backdrop.color != clearColor {
      clearColor = settings.backdrop.color
      if clearColor != 0 { warnOfTransparentColor() }
    }
    let background = try backdrop.update(settings.backdrop, at: frame.runningTime) { host.warn($0) }
    return Plan(key: settings.key, picks: settings.picks, background: background)
  }

  func process(
    _ frame: borrowing Frame, into output: borrowing Picture, _ plan: Plan
  ) throws(ElementError) {
    keyer.settings = plan.key
    pickScreenColor(from: frame.picture, plan.picks)
    keyer.process(
      source: frame.picture, destination: output, background: plan.background, runner: runner)
  }

  private func warnOfTransparentColor() {
    let digits = String(clearColor & 0xff_ffff, radix: 16)
    let code = String(repeating: "0", count: 6 - digits.count) + digits
    host.warn(
      ElementError(
        .settings,
        "background-color has an alpha of 0, so there is no background. Set it to 0xff\(code) for "
          + "this colour."))
  }

  /// Sets `color` and `method` to the colour under a click, with property notifications.
  private func pickScreenColor(from picture: borrowing Picture, _ isWanted: Bool) {
    let place = click.withLock { point in
      defer { point = nil }
      return point
    }
    guard let place, isWanted else { return }
    let color = ChromaKeyer.pickColor(picture, x: place.x, y: place.y)
    guard keyer.canKey(color) else {
      let code = "0x" + String(color, radix: 16)
      return host.warn(
        ElementError(
          .settings,
          "The clicked colour \(code) is too grey to be distinguished from shadows and clothes, so "
            + "the key stays unchanged. Click on the screen itself."))
    }
    Self.log(.info, host, "picked colour \(color) at \(place.x), \(place.y)")
    host.setProperty("color", String(color))
    host.setProperty("method", ChromaKeySettings.Method.custom.rawValue)
  }
}
