import Harness
import Support

/// A fuzz target: a reader of untrusted input.
protocol Target: AnyObject {
  /// Valid inputs to start from, in addition to those of the corpus.
  func seeds() throws -> [[UInt8]]

  /// Tokens of the input format, for the mutator.
  var dictionary: [[UInt8]] { get }

  /// Maximum length of an input in bytes.
  var maximumLength: Int { get }

  /// Whether offsets within an input matter, so that most mutations keep its length.
  var prefersFixedLength: Bool { get }

  /// Seconds that an input, or one call while it runs, may take.
  var timeLimit: Double { get }

  /// Whether an input is a file that is accepted or refused. A refused one may take at most
  /// `Fuzzer.maximumRefusalMemory`.
  var isFile: Bool { get }

  /// Runs one input. Must return within `timeLimit`, whatever the input is.
  func run(_ input: [UInt8]) -> Outcome

  /// Further results of all inputs so far, for the report; may be empty.
  var summary: String { get }
}

extension Target {
  var dictionary: [[UInt8]] { [] }
  var maximumLength: Int { 4096 }
  var prefersFixedLength: Bool { false }
  var timeLimit: Double { 2 }
  var isFile: Bool { true }
  var summary: String { "" }
}

extension Target {
  /// Runs an input, and up to twice more if the element stopped too slowly: only a stop that is slow
  /// every time is the element's fault, not the machine's.
  func retryingSlowStops(_ attempt: () -> (outcome: Outcome, stops: CallDurations)) -> Outcome {
    var (outcome, stops) = attempt()
    for _ in 0..<2 where stops.overLimit > 0 { stops = attempt().stops }
    if stops.overLimit > 0 {
      outcome.failure = "a stop took \(Int(stops.longest)) ms, again and again"
    }
    return outcome
  }
}

/// The result of one input.
struct Outcome {
  /// Whether the input was accepted, not refused.
  var isAccepted = false
  /// The reason for a refusal, if known.
  var reason = ""
  /// Video frames that were pushed.
  var frames = 0
  /// A failure that the process survived.
  var failure: String?
}

/// All targets, in the order in which they run.
enum Targets {
  /// A target: its weight in the division of the time, and its factory, which gets a folder of its own.
  struct Entry: Sendable {
    let name: String
    let weight: Int
    let make: @Sendable (ScratchFolder) throws -> any Target
  }

  static let all: [Entry] =
    [
      Entry(name: "models", weight: 2) { _ in ModelTarget() },
      Entry(name: "onnx", weight: 2) { _ in ONNXTarget() },
      Entry(name: "cubes", weight: 1) { _ in CubeTarget() },
      Entry(name: "packs", weight: 2) { try PackTarget(in: $0) },
      Entry(name: "png", weight: 1) { try PictureTarget(SeedFiles.png, in: $0) },
      Entry(name: "pictures", weight: 1) { try PictureTarget(SeedFiles.pictures, in: $0) },
      Entry(name: "films", weight: 2) { try PictureTarget(SeedFiles.films, in: $0) },
      Entry(name: "sound-films", weight: 2) {
        try MediaFileTarget(SeedFiles.filmsWithSound, in: $0)
      },
      Entry(name: "drawings", weight: 1) { try MediaFileTarget(SeedFiles.drawings, in: $0) },
      Entry(name: "tags", weight: 1) { _ in TagTarget() },
    ]
    + [
      "facedetect", "beautifymask", "sticker", "chromakey", "personkey", "photoeffect", "facehide",
      "facereshape", "mienlook",
    ].map {
      element in
      Entry(name: element, weight: 2) { _ in ElementTarget(element) }
    } + [Entry(name: "chains", weight: 4) { _ in ElementTarget(nil) }]

  static func make(_ name: String, in folder: ScratchFolder) throws -> (any Target)? {
    try all.first { $0.name == name }?.make(folder)
  }
}

/// A missing dependency of a target.
struct Unavailable: Error { let what: String }
