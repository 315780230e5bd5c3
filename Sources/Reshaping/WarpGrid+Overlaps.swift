import Pixels

extension WarpGrid {
  /// Number of rings around a grid's centre with a known maximum slope of the displacement.
  static let rings = 16
  /// Maximum change of displacements from pixel to pixel where grids overlap: 1 minus the square
  /// root of the minimum area.
  private static let maximumSteepness: Float = 0.43

  /// Scales down the displacements of nearby faces if their sum could fold.
  ///
  /// The area of a pixel is at least the square of 1 minus the sum of the norms. For each ring of a
  /// face the maximum slopes of the others at that distance are added; all are divided by the
  /// largest such sum. The factor is 1 while only outer rings overlap. It is eased over `easing`
  /// seconds, of which `elapsed` have passed: it follows the one that the faces' motion leads to, and
  /// is only lower where the present needs that.
  static func limitOverlaps(_ grids: [WarpGrid], elapsed: Double = easing) {
    let step = Float(min(max(elapsed / easing, 0), 1))
    guard grids.count > 1 else {
      for grid in grids { grid.ease(toward: 1, by: step) }
      for grid in grids { grid.applyOverlapScale() }
      return
    }
    for grid in grids { grid.isOverlapping = grids.contains { $0 !== grid && $0.isNear(grid) } }
    for grid in grids where grid.isOverlapping { grid.measureSteepness() }
    for grid in grids {
      let now = grid.isOverlapping ? grid.overlapScale(among: grids, isAhead: false) : 1
      let ahead = grid.isOverlapping ? grid.overlapScale(among: grids, isAhead: true) : 1
      grid.ease(toward: min(now, ahead), by: step)
      grid.overlapScale = min(now, grid.overlapScale)
      grid.easedScale = grid.overlapScale
    }
    for grid in grids { grid.applyOverlapScale() }
  }

  /// The seconds over which a factor changes from 1 to 0.
  static let easing = 1.0 / 3

  private func ease(toward target: Float, by step: Float) {
    let last = easedScale ?? target
    overlapScale = min(max(target, last - step), last + step)
    easedScale = overlapScale
  }

  private func applyOverlapScale() { if overlapScale < 1 { scale(by: overlapScale) } }

  private func isNear(_ other: WarpGrid) -> Bool {
    min(distance(to: other), distance(to: other, isAhead: true)) < radius + other.radius
  }

  private func distance(to other: WarpGrid, isAhead: Bool = false) -> Float {
    let offset = middle - other.middle + (isAhead ? motion - other.motion : .zero)
    return (offset * offset).sum().squareRoot()
  }

  /// The largest factor that keeps every ring within `maximumSteepness`, now or where the faces' motion
  /// leads.
  private func overlapScale(among grids: [WarpGrid], isAhead: Bool) -> Float {
    var overlapScale: Float = 1
    for ring in 0..<Self.rings {
      let own = steepness[ring]
      guard own > 0 else { break }
      // The point of this ring nearest to the other face.
      let outer = radius * Float(ring + 1) / Float(Self.rings)
      var others: Float = 0
      for grid in grids where grid !== self && grid.isOverlapping {
        let near =
          max(distance(to: grid, isAhead: isAhead) - outer, 0) / grid.radius * Float(Self.rings)
        if near < Float(Self.rings) { others += grid.steepness[Int(near)] }
      }
      guard others > 0, own + others > Self.maximumSteepness else { continue }
      overlapScale = min(overlapScale, Self.maximumSteepness / (own + others))
    }
    return overlapScale
  }

  /// Sets `steepness` to the maximum slope of the displacement in each ring and beyond it.
  private func measureSteepness() {
    for ring in 0..<Self.rings { steepness[ring] = 0 }
    let s = Float(step)
    for j in 0..<(height - 1) {
      let (a, b, c, d) = (dx.row(j), dx.row(j + 1), dy.row(j), dy.row(j + 1))
      let y = (Float(row + j) + 0.5) * s - middle.y
      for i in 0..<(width - 1) {
        func square(_ u: Float, _ v: Float) -> Float { u * u + v * v }
        let squaredSlopeX = max(
          square(a[i + 1] - a[i], c[i + 1] - c[i]), square(b[i + 1] - b[i], d[i + 1] - d[i]))
        let squaredSlopeY = max(
          square(b[i] - a[i], d[i] - c[i]), square(b[i + 1] - a[i + 1], d[i + 1] - c[i + 1]))
        let squaredNorm = squaredSlopeX + squaredSlopeY
        guard squaredNorm > 0 else { continue }
        let x = (Float(column + i) + 0.5) * s - middle.x
        // The cell's far corner.
        let far = (x * x + y * y).squareRoot() + 0.71 * s
        let ring = min(Int(far / radius * Float(Self.rings)), Self.rings - 1)
        steepness[ring] = max(steepness[ring], squaredNorm)
      }
    }
    var maximum: Float = 0
    for ring in (0..<Self.rings).reversed() {
      maximum = max(maximum, steepness[ring])
      steepness[ring] = maximum.squareRoot() / s
    }
  }
}
