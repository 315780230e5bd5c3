/// The measure of one block of the screen: means over its screen samples.
struct ScreenMeasure: Sendable, Equatable, BitwiseCopyable {
  /// Fraction of the samples that were screen; 0 for an unknown block.
  var weight: Float = 0
  /// The three components, and q, all in codes.
  var means = SIMD4<Float>.zero

  var components: (Float, Float, Float) { (means.x, means.y, means.z) }
  var q: Float { means.w }

  func lerp(to other: ScreenMeasure, weight t: Float) -> ScreenMeasure {
    ScreenMeasure(
      weight: weight + (other.weight - weight) * t,
      means: means + (other.means - means) * t)
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

  /// Mixes in a coarser estimate by how little is known; a little of it always, against the noise
  /// of single blocks.
  mutating func blendCoarseEstimate(_ coarse: ScreenMeasure) {
    guard coarse.weight > 0 else { return }
    let doubt: Float = 0.02
    self = lerp(to: coarse, weight: doubt / (weight + doubt))
    weight = max(weight, coarse.weight)
  }
}
