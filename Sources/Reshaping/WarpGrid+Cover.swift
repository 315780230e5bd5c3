import Faces
import Pixels

extension WarpGrid {
  /// The nodes over which displacements rise from 0 beside a cover.
  ///
  /// Displacements are shorter, so no pixel beside the cover takes its colour from there.
  private static let coverRamp: Float = 6

  /// Fades the displacements to 0 where something is in front of the face.
  func holdCovered(_ cover: CoverSampler) {
    weights.resize(width: width, height: height)
    let size = Double(step)
    for j in 0..<height {
      let row = weights.row(j)
      let y = Double(self.row + j) * size + 0.5
      for i in 0..<width {
        row[i] = cover.visibility(at: Point(x: Double(column + i) * size + 0.5, y: y))
      }
    }
    // The distance from the cover, node by node there and back (G. Borgefors, "Distance
    // transformations in digital images", 1986).
    let (straight, diagonal) = (1 / Self.coverRamp, 1.4 / Self.coverRamp)
    for j in 0..<height {
      let row = weights.row(j)
      for i in 0..<width {
        var own = row[i]
        if i > 0 { own = min(own, row[i - 1] + straight) }
        if j > 0 {
          let above = weights.row(j - 1)
          own = min(own, above[i] + straight)
          if i > 0 { own = min(own, above[i - 1] + diagonal) }
          if i + 1 < width { own = min(own, above[i + 1] + diagonal) }
        }
        row[i] = own
      }
    }
    for j in (0..<height).reversed() {
      let (row, a, b) = (weights.row(j), dx.row(j), dy.row(j))
      for i in (0..<width).reversed() {
        var own = row[i]
        if i + 1 < width { own = min(own, row[i + 1] + straight) }
        if j + 1 < height {
          let below = weights.row(j + 1)
          own = min(own, below[i] + straight)
          if i > 0 { own = min(own, below[i - 1] + diagonal) }
          if i + 1 < width { own = min(own, below[i + 1] + diagonal) }
        }
        row[i] = own
        let weight = own * own * (3 - 2 * own)
        a[i] *= weight
        b[i] *= weight
      }
    }
  }
}
