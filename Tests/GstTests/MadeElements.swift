import Binding
import CGStreamer
import Files
import Frames
import Glibc
import Metadata
import Pixels
import Support
import Synchronization

/// Elements made for tests: they tell of every call by an element message `made` and fail where
/// they are told to.
enum Made {
  static let isRegistered: Bool = {
    gst_init(nil, nil)
    return gst_plugin_register_static(
      gint(GST_VERSION_MAJOR), gint(GST_VERSION_MINOR), "made", "elements made for tests",
      {
        FaceMetadata.register()
        HandMetadata.register()
        return register(MadeAnalyzer.self, in: $0) && register(MadeFilter.self, in: $0)
          && register(MadeFormatChanger.self, in: $0) ? 1 : 0
      }, "0", "MIT/X11", "made", "made", "local") != 0
  }()

  /// A pipeline of these elements.
  static func pipeline(_ description: String) throws -> Pipeline {
    precondition(isRegistered)
    return try Pipeline(description)
  }

  static func description(
    _ name: String, _ typeName: String, formats: [PixelFormat] = PixelFormat.eightBit
  ) -> ElementDescription {
    ElementDescription(
      name: name, typeName: typeName, longName: name, classification: "Filter/Video",
      summary: "Made for tests", formats: formats)
  }
}

/// Where a made element fails.
enum Failing: String, PropertyEnum {
  case nowhere, start, configure, prepare, process
  static let typeName = "MienMadeFailing"
  var summary: String { "Fails in \(rawValue)" }
}

struct MadeSettings: ElementSettings {
  var failing = Failing.nowhere
  /// Whether the frame is left alone, not drawn into, or not derived.
  var passes = false
  var amount: UInt32 = 7
  var level = 0.5
  var label: FilePath?
  var threads: UInt32 = 1

  static let properties: [Property<MadeSettings>] = [
    .choice("failing", \.failing, "Where it fails."),
    .bool("passes", \.passes, "Leave the frame alone."),
    .uint("amount", \.amount, in: 0...200, "What the first byte becomes."),
    .double("level", \.level, in: -1...1, "Of no effect."),
    .path("label", \.label, "Of no effect."),
    .uint("n-threads", \.threads, in: 1...8, atStart: true, "Read at start alone."),
  ]

  func check(_ place: Failing) throws(ElementError) {
    guard failing == place else { return }
    throw ElementError(.wrongContent, "Failed in \(place.rawValue).", detail: "as it was told to")
  }
}

extension ElementHost {
  /// Posts the message `made` with the call's name.
  func tell(_ call: String) {
    let message = Structure("made")
    // A space would be written with a backslash before it.
    message.set("call", String(call.map { $0 == " " ? "_" : $0 }))
    post(message)
  }
}

/// What the made elements have in common.
class MadeElement {
  let host: ElementHost
  required init(host: ElementHost) { self.host = host }

  func start(_ settings: MadeSettings) throws(ElementError) {
    host.tell("start \(settings.threads)")
    if settings.label == "slow" {
      usleep(200_000)
      host.tell("started")
    }
    try settings.check(.start)
    failing = settings.failing
  }

  private var failing = Failing.nowhere

  func configure(_ format: VideoFormat) throws(ElementError) {
    host.tell("configure \(format.format.rawValue) \(format.width)x\(format.height)")
    if failing == .configure {
      throw ElementError(.settings, "Failed in configure.")
    }
  }

  func clicked(x: Double, y: Double) { host.tell("clicked \(Int(x)) \(Int(y))") }
  func interrupt() { host.tell("interrupt") }
  func reset() { host.tell("reset") }
  func orientationChanged(_ orientation: Orientation) { host.tell("orientation \(orientation)") }
  func stop() { host.tell("stop") }

  /// Writes the first byte of the picture.
  func mark(_ picture: borrowing Picture, _ amount: UInt32) {
    picture.component(0)[0, 0] = UInt8(amount)
  }
}

final class MadeAnalyzer: MadeElement, Analyzer {
  static let description = Made.description("madeanalyzer", "MienMadeAnalyzer")
  static let properties = MadeSettings.properties
  static func draws(_ settings: MadeSettings) -> Bool { !settings.passes }

  func analyze(_ frame: borrowing Frame, _ settings: MadeSettings) throws(ElementError) {
    try settings.check(.process)
    if !settings.passes { mark(frame.picture, settings.amount) }
    var output = AnalyticsOutput()
    frame.attachFaces([], &output, .never)
  }
}

final class MadeFilter: MadeElement, Filter {
  static let description = Made.description("madefilter", "MienMadeFilter")
  static let properties = MadeSettings.properties

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: MadeSettings
  ) throws(ElementError) -> MadeSettings? {
    try settings.check(.prepare)
    return settings.passes ? nil : settings
  }

  func process(_ frame: borrowing Frame, _ plan: MadeSettings) throws(ElementError) {
    try plan.check(.process)
    mark(frame.picture, plan.amount)
  }
}

final class MadeFormatChanger: MadeElement, FormatChangingFilter {
  static let description = Made.description(
    "madederiver", "MienMadeDeriver", formats: [.i420, .a420, .rgbx, .rgba, .yuy2, .ayuv])
  static let properties = MadeSettings.properties

  static func outputFormat(for format: PixelFormat) -> PixelFormat? {
    switch format {
    case .i420, .a420: .a420
    case .rgbx, .rgba: .rgba
    case .yuy2, .ayuv: .ayuv
    default: nil
    }
  }

  static func changesFormat(_ settings: MadeSettings) -> Bool {
    onLook.withLock { $0 }?(settings)
    return !settings.passes
  }

  /// Called with the settings that are asked for the format, on the thread that asks.
  static let onLook = Mutex<(@Sendable (MadeSettings) -> Void)?>(nil)

  func configure(_ input: VideoFormat, output: PixelFormat) throws(ElementError) {
    host.tell("to \(output.rawValue)")
    try configure(input)
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: MadeSettings
  ) throws(ElementError) -> MadeSettings {
    try settings.check(.prepare)
    return settings
  }

  func process(
    _ frame: borrowing Frame, into output: borrowing Picture, _ plan: MadeSettings
  ) throws(ElementError) {
    try plan.check(.process)
    mark(output, plan.amount)
  }
}
