/// What snapshots and recordings are called: by the time at which they were made.
package enum FileName {
  /// "Mien 2026-11-22 14-03-09.png", or with a number where that `isTaken`.
  package static func dated(
    _ date: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int),
    ending: String, isTaken: (String) -> Bool
  ) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let day = "\(date.year)-\(two(date.month))-\(two(date.day))"
    let time = "\(two(date.hour))-\(two(date.minute))-\(two(date.second))"
    let stem = "Mien \(day) \(time)"
    var (name, number) = (stem + ending, 1)
    while isTaken(name) {
      number += 1
      name = "\(stem) (\(number))" + ending
    }
    return name
  }
}
