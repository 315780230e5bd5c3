/// What one block of the screen measured: means over its screen samples.
struct ScreenMeasure: Sendable, Equatable, BitwiseCopyable {
  /// Share of the samples that were screen; 0 where nothing is known.
  var weight: Float = 0
  /// The three components, and q, all in codes.
  var means = SIMD4<Float>.zero

  var components: (Float, Float, Float) { (means.x, means.y, means.z) }
  var q: Float { means.w }

  func mixed(_ other: ScreenMeasure, share: Float) -> ScreenMeasure {
    ScreenMeasure(
      weight: weight + (other.weight - weight) * share,
      means: means + (other.means - means) * share)
  }

  /// Adds a measure by its weight; `mean` ends the sum.
  mutating func add(_ other: ScreenMeasure) {
    weight += other.weight
    means += other.means * other.weight
  }

  func mean(outOf count: Float) -> ScreenMeasure {
    guard weight > 0 else { return ScreenMeasure() }
    return ScreenMeasure(weight: weight / count, means: means / weight)
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
