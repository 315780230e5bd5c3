/// Times of films and recordings, as text.
package enum PlayingTime {
  /// "0:07", "12:34", "1:02:03"; times before 0 are 0.
  package static func text(seconds: Double) -> String {
    guard seconds.isFinite else { return "0:00" }
    let whole = Int(min(max(0, seconds), 1e9))
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }
}
