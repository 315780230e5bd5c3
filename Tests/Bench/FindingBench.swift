import Glibc
import Pixels
import Support
import Vision

/// How well faces are found in made scenes whose faces are known.
///
/// FINDING in the environment selects parts, such as "street,portraits"; SEED another street.
/// STREET_PICTURES, GROUP_PICTURES and PORTRAIT_PICTURES name folders for pictures with boxes: due
/// and found green, due and missed red, not due grey, reported blue, false yellow. The part "hiding"
/// needs the built plugin (`make plugin`), and HIDING_PICTURES is a folder for its frames.
enum FindingBench {
  private static let parts: [(name: String, run: @Sendable (Report) throws -> Void)] = [
    ("street", StreetFinding.run), ("everyone", StreetFinding.runEveryone),
    ("groups", GroupFinding.run), ("portraits", PortraitFinding.run),
    ("empty", EmptyFinding.run), ("hiding", StreetHiding.run),
  ]

  static func run(_ report: Report) {
    let wanted = setting("FINDING")?.split(separator: ",").map(String.init)
    for part in parts where wanted?.contains(part.name) ?? true {
      do { try part.run(report) } catch { report.line("\(part.name) failed: \(error)") }
    }
  }

  /// A variable of the environment.
  static func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
