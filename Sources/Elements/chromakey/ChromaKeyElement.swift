import Backdrops
import Binding
import Compose
import Files
import Frames
import Inference
import Pixels
import ScreenKey
import Synchronization
import Threads

extension ChromaKeySettings.Method: PropertyEnum {
  static let typeName = "MienChromaKeyMethod"

  var summary: String {
    switch self {
    case .auto: "The green or blue screen that the first frames show; none found: all opaque"
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

/// Takes a green or blue screen out of the picture: alpha out, or a background in its place.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! chromakey background=beach.jpg ! autovideosink
final class ChromaKeyElement: FormatChangingFilter {
  static let description = ElementDescription(
    name: "chromakey", typeName: "MienChromaKey", longName: "Chroma keyer",
    classification: "Filter/Effect/Video",
    summary: "Makes a green, blue or other screen transparent, or puts a picture or a colour in "
      + "its place",
    formats: PixelFormat.allCases.filter { $0 != .gray8 })

  static let properties =
    own
    + MatteSettings.properties(subject: "the subject", rest: "screen").map {
      $0.within(\.key.matte)
    }
    + BackdropSettings.properties.map { $0.within(\.backdrop) }

  private static let own: [Property<ChromaKeyElementSettings>] = [
    .choice("method", \.key.method, "How the colour of the screen is known."),
    .uint(
      "color", \.key.color, in: 0...UInt32.max,
      "Colour of the screen for method=custom, as 0xAARRGGBB. A click on the video sets it, and "
        + "the method, unless pick is off."),
    .bool(
      "pick", \.picks,
      "Take the colour under a click on the video for that of the screen. A grey one is refused "
        + "with a warning: it cannot be told from shadows."),
    .double(
      "angle", \.key.angle, in: 20...85,
      "Half the width of the wedge of hues that count as screen, in degrees. Larger takes more "
        + "for screen."),
    .double(
      "clip-black", \.key.clipBlack, in: 0...0.5,
      "Opacity below which a pixel is all screen. Raise it when the screen leaves noise."),
    .double(
      "clip-white", \.key.clipWhite, in: 0.5...1,
      "Opacity above which a pixel is all subject. Lower it when the subject has holes."),
    .double(
      "screen-adapt", \.key.screenAdapt, in: 0...1,
      "How far the key follows uneven lighting of the screen; 0 takes one colour for all of it."),
    .double(
      "despill", \.key.despill, in: 0...1,
      "How much of the screen's colour is taken off the subject, where it shines on it."),
    .double(
      "spill-luma", \.key.spillLuma, in: 0...1,
      "How much of the lightness that despill takes is given back."),
    .threads(\.threads),
  ]

  private static let log = Log("chromakey", "Takes a screen out of video")

  static func outputFormat(for format: PixelFormat) -> PixelFormat? {
    FrameCompositor.formatWithAlpha(for: format)
  }

  static func changesFormat(_ settings: ChromaKeyElementSettings) -> Bool {
    !settings.backdrop.isSet
  }

  private let host: ElementHost
  private let keyer = ChromaKeyer()
  private var runner = ThreadPool(threads: 1)
  private var format: VideoFormat?
  private var carriesAlpha = false
  private let backdrop = Backdrop()
  private var background: Background?
  private let click = Mutex<Point?>(nil)
  /// A colour for the background that shows nothing, and was told of.
  private var clearColor: UInt32 = 0

  init(host: ElementHost) { self.host = host }

  func start(_ settings: ChromaKeyElementSettings) throws(ElementError) {
    runner = ThreadPool(threads: settings.threads)
    try backdrop.start(settings.backdrop.path)
  }

  func interrupt() { backdrop.interrupt() }

  func stop() {
    if !backdrop.stop() {
      Self.log(.warning, host, "a decoder was left behind: it does not let go")
    }
    background = nil
    format = nil
    runner = ThreadPool(threads: 1)
  }

  func configure(_ format: VideoFormat, output: PixelFormat) throws(ElementError) {
    carriesAlpha = output.hasAlpha
    // A background that comes or goes leaves the screen what it was.
    guard format != self.format else { return }
    self.format = format
    backdrop.configure(format)
    background = nil
    keyer.configure(format)
  }

  func reset() {
    backdrop.resume()
    keyer.reset()
  }

  func clicked(x: Double, y: Double) { click.withLock { $0 = Point(x: x, y: y) } }

  struct Plan {
    let key: ChromaKeySettings
    let picks: Bool
    /// None where the output shows none.
    let background: Background?
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: ChromaKeyElementSettings
  ) throws(ElementError) -> Plan {
    if settings.backdrop.isSet {
      background = try backdrop.follow(settings.backdrop, at: frame.runningTime) { host.warn($0) }
    } else if settings.backdrop.color != clearColor {
      clearColor = settings.backdrop.color
      if clearColor != 0 { warnOfClearColor() }
    }
    if !settings.backdrop.isSet, carriesAlpha {
      backdrop.clear()
      background = nil
    }
    // A frame agreed on before its background was taken away keeps the last one.
    return Plan(key: settings.key, picks: settings.picks, background: background)
  }

  func process(
    _ frame: borrowing Frame, into output: borrowing Picture, _ plan: Plan
  ) throws(ElementError) {
    keyer.settings = plan.key
    pick(from: frame.picture, plan.picks)
    keyer.process(
      source: frame.picture, destination: output, background: plan.background, runner: runner)
  }

  private func warnOfClearColor() {
    let digits = String(clearColor & 0xff_ffff, radix: 16)
    let code = String(repeating: "0", count: 6 - digits.count) + digits
    host.warn(
      ElementError(
        .settings,
        "background-color has an alpha of 0, so nothing is put behind. For this colour set it to "
          + "0xff\(code)."))
  }

  /// Takes the colour under a click, and tells whoever watches the properties.
  private func pick(from picture: borrowing Picture, _ isWanted: Bool) {
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
          "The colour clicked on, \(code), is too grey to be told from shadows and clothes, so "
            + "the key stays as it is. Click on the screen itself."))
    }
    Self.log(.info, host, "picked colour \(color) at \(place.x), \(place.y)")
    host.setProperty("color", String(color))
    host.setProperty("method", ChromaKeySettings.Method.custom.rawValue)
  }
}
