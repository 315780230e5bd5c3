/// The seconds before a recording or a still.
package struct Countdown: Equatable, Sendable {
  /// The choices in seconds; 0 is none.
  package static let choices = [0, 3, 10]

  private let end: Double

  /// `start`: a time in seconds.
  package init(seconds: Int, from start: Double) { end = start + Double(seconds) }

  /// The whole seconds left at a time, rounded up; 0 at the end and after it.
  package func remaining(at time: Double) -> Int { max(0, Int((end - time).rounded(.up))) }
}
