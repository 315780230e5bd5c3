import Pixels

/// Loops that need no more than checked rows.
extension SpriteKernels {
  /// Makes a row of taps more transparent; `centre` is the value that means nothing.
  static func fade(_ taps: Taps, by alpha: UInt16, centre: UInt16) {
    let rest = centre &- high(centre, alpha)
    for i in 0..<taps.count { taps[i] = high(taps[i], alpha) &+ rest }
  }

  /// sum = (a + b) / 2.
  static func halve(_ a: Taps, _ b: Taps, into sum: Taps) {
    let count = sum.count
    let (a, b) = (a[..<count], b[..<count])
    for i in 0..<count { sum[i] = (a[i] &>> 1) &+ (b[i] &>> 1) }
  }

  /// sum = (before + 2 a + b) / 4.
  static func spread(_ before: Taps, _ a: Taps, _ b: Taps, into sum: Taps) {
    let count = sum.count
    let (before, a, b) = (before[..<count], a[..<count], b[..<count])
    for i in 0..<count { sum[i] = (before[i] &>> 2) &+ (a[i] &>> 1) &+ (b[i] &>> 2) }
  }

  /// Whether all bytes are 255.
  static func isOpaque(_ bytes: Bytes) -> Bool {
    var all: UInt8 = 255
    for i in 0..<bytes.count { all &= bytes[i] }
    return all == 255
  }
}
