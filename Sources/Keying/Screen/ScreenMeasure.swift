/// What one block of the screen measured: means over its screen samples.
struct ScreenMeasure: Sendable, Equatable, BitwiseCopyable {
  /// Share of the samples that were screen; 0 where nothing is known.
  var weight: Float = 0
  var q: Float = 0
  var c0: Float = 0
  var c1: Float = 0
  var c2: Float = 0

  func mixed(_ other: ScreenMeasure, share: Float) -> ScreenMeasure {
    ScreenMeasure(
      weight: weight + (other.weight - weight) * share, q: q + (other.q - q) * share,
      c0: c0 + (other.c0 - c0) * share, c1: c1 + (other.c1 - c1) * share,
      c2: c2 + (other.c2 - c2) * share)
  }

  /// Adds a measure by its weight; `mean` ends the sum.
  mutating func add(_ other: ScreenMeasure) {
    weight += other.weight
    q += other.q * other.weight
    c0 += other.c0 * other.weight
    c1 += other.c1 * other.weight
    c2 += other.c2 * other.weight
  }

  func mean(outOf count: Float) -> ScreenMeasure {
    guard weight > 0 else { return ScreenMeasure() }
    return ScreenMeasure(
      weight: weight / count, q: q / weight, c0: c0 / weight, c1: c1 / weight, c2: c2 / weight)
  }

  /// Fills up with a coarser estimate what this one does not know, and a little beyond, which
  /// takes the noise of single blocks out.
  mutating func complete(_ coarse: ScreenMeasure) {
    guard coarse.weight > 0 else { return }
    let doubt: Float = 0.02
    self = mixed(coarse, share: doubt / (weight + doubt))
    weight = max(weight, coarse.weight)
  }
}
