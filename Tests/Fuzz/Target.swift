import Harness
import Support

/// Something that reads inputs nobody trusts.
protocol Target: AnyObject {
  /// Inputs to begin with, beside those of the corpus: right ones, which mutation makes wrong.
  func seeds() throws -> [[UInt8]]

  /// Pieces of bytes that inputs of this kind are made of.
  var words: [[UInt8]] { get }

  /// Most bytes of an input.
  var longest: Int { get }

  /// Whether places in an input count, so that most changes should leave its length alone.
  var isRigid: Bool { get }

  /// Seconds that an input, or one call in it, may take.
  var limit: Double { get }

  /// Whether an input is a file that is taken or refused, for which no more memory may be asked than
  /// `Fuzzer.mostMemory` before it is refused.
  var isFile: Bool { get }

  /// Tries one input; whatever it is, this returns soon.
  func run(_ input: [UInt8]) -> Outcome

  /// What else is to be said of all inputs so far; empty for nothing.
  var remarks: String { get }
}

extension Target {
  var words: [[UInt8]] { [] }
  var longest: Int { 4096 }
  var isRigid: Bool { false }
  var limit: Double { 2 }
  var isFile: Bool { true }
  var remarks: String { "" }
}

extension Target {
  /// Tries an input, and again where the element was late to stop: a busy machine may hold one up,
  /// and what is late each time is late by itself.
  func confirming(_ attempt: () -> (outcome: Outcome, stops: Times)) -> Outcome {
    var (outcome, stops) = attempt()
    for _ in 0..<2 where stops.late > 0 { stops = attempt().stops }
    if stops.late > 0 { outcome.fault = "a stop took \(Int(stops.longest)) ms, again and again" }
    return outcome
  }
}

/// What came of one input.
struct Outcome {
  /// Whether it was taken, and not refused.
  var isTaken = false
  /// Why it was refused, where that is known.
  var reason = ""
  /// Video frames that were pushed.
  var frames = 0
  /// What was wrong with it, though the process lives.
  var fault: String?
}

/// All targets by name, in the order in which they run.
enum Targets {
  /// One target: its share of the time, and how it is made with a folder of its own.
  struct Entry: Sendable {
    let name: String
    let share: Int
    let make: @Sendable (ScratchFolder) throws -> any Target
  }

  static let all: [Entry] =
    [
      Entry(name: "models", share: 2) { _ in ModelTarget() },
      Entry(name: "cubes", share: 1) { _ in CubeTarget() },
      Entry(name: "packs", share: 2) { try PackTarget(in: $0) },
      Entry(name: "png", share: 1) { try PictureTarget(SmallFiles.png, in: $0) },
      Entry(name: "pictures", share: 1) { try PictureTarget(SmallFiles.pictures, in: $0) },
      Entry(name: "films", share: 2) { try PictureTarget(SmallFiles.films, in: $0) },
      Entry(name: "sound-films", share: 2) { try RoleTarget(SmallFiles.filmsWithSound, in: $0) },
      Entry(name: "drawings", share: 1) { try RoleTarget(SmallFiles.drawings, in: $0) },
      Entry(name: "tags", share: 1) { _ in TagTarget() },
    ]
    + [
      "facedetect", "beautifymask", "sticker", "chromakey", "personkey", "photoeffect", "facehide",
      "facereshape",
    ].map {
      element in
      Entry(name: element, share: 2) { _ in ElementTarget(element) }
    } + [Entry(name: "chains", share: 4) { _ in ElementTarget(nil) }]

  static func make(_ name: String, in folder: ScratchFolder) throws -> (any Target)? {
    try all.first { $0.name == name }?.make(folder)
  }
}

/// What a target needs and does not find.
struct Unavailable: Error { let what: String }
