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

  /// Tries one input; whatever it is, this returns soon.
  func run(_ input: [UInt8]) -> Outcome

  /// What else is to be said of all inputs so far; empty for nothing.
  var remarks: String { get }
}

extension Target {
  var words: [[UInt8]] { [] }
  var longest: Int { 4096 }
  var isRigid: Bool { false }
  var remarks: String { "" }
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
  /// The share of the time that each gets.
  static let all:
    [(name: String, share: Int, make: @Sendable (ScratchFolder) throws -> any Target)] = [
      ("models", 2, { _ in ModelTarget() })
    ]

  static func make(_ name: String, in folder: ScratchFolder) throws -> (any Target)? {
    try all.first { $0.name == name }?.make(folder)
  }
}
