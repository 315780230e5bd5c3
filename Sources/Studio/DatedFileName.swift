/// The names of snapshots and recordings, which are dates.
package enum DatedFileName {
  /// "Mien 2026-11-22 14-03-09.png"; with a number appended where that `isTaken`.
  package static func unusedName(
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
