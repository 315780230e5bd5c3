import Files
import Programs

/// What a batch prints while its jobs work: a line for each film that ends, and how far the others are.
///
/// On a terminal the films in work are one line that changes; elsewhere each is told of once a minute.
struct BatchProgress {
  /// Seconds between two messages of a job.
  static var interval: Double { Terminal.isInteractive ? 0.5 : 60 }

  private var started = 0.0
  private var count = 0
  private var ended = 0
  /// Percentages by film, in the order in which the films began.
  private var working: [(film: FilePath, percent: String)] = []

  /// Begins anew, with this number of films.
  mutating func begin(count: Int) {
    self.count = count
    started = MonotonicClock.seconds
    (ended, working) = (0, [])
  }

  mutating func show(_ film: FilePath, percent: String) {
    guard Terminal.isInteractive else {
      return Terminal.printLine("mien: \(Terminal.printable(film)): \(percent) %")
    }
    if let index = working.firstIndex(where: { $0.film == film }) {
      working[index].percent = percent
    } else {
      working.append((film, percent))
    }
    let films = working.prefix(3).map { "\(Terminal.printable($0.film)) \($0.percent) %" }
    let more = working.count > 3 ? ", and \(working.count - 3) more" : ""
    Terminal.showProgress("[\(ended)/\(count)] \(films.joined(separator: ", "))\(more)")
  }

  mutating func end(_ film: FilePath, _ text: String) {
    working.removeAll { $0.film == film }
    ended += 1
    let spent = MonotonicClock.seconds - started
    let left = Terminal.formattedDuration(spent * Double(count - ended) / Double(ended))
    Terminal.printLine(
      "mien: [\(ended)/\(count), \(left) left] \(Terminal.printable(film)): \(text)")
  }
}
