import Pixels

/// Extends values over cells where they are unknown, by means of ever larger blocks of known ones.
///
/// Pull and push (S. Gortler et al., "The Lumigraph", 1996). Keeps its memory.
final class UnknownFill {
  /// For each level the sums of weighted values and of weights; level 0 has blocks of 2 x 2 cells.
  private var levels: [(value: Grid<Float>, weight: Grid<Float>)] = []
  private let width, height: Int
  /// The certainty of a value that comes from a block of each level.
  private static let certainty: [Float] = [1, 0.8, 0.45, 0.15]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    for level in 1...Self.certainty.count {
      let (columns, rows) = ((width >> level) + 1, (height >> level) + 1)
      levels.append(
        (Grid(width: columns, height: rows, of: 0), Grid(width: columns, height: rows, of: 0)))
    }
  }

  /// Sets `values` where `weights` is below 1, and there `weights` to the certainty, 0...1.
  ///
  /// The first columns of both are at `offset`.
  func fill(_ values: Grid<Float>, _ weights: Grid<Float>, offset: Int) {
    for level in levels {
      for y in 0..<level.value.height {
        level.value.row(y).fill(0)
        level.weight.row(y).fill(0)
      }
    }
    for y in 0..<height {
      let (value, weight) = (values.row(y), weights.row(y))
      let (sum, count) = (levels[0].value.row(y >> 1), levels[0].weight.row(y >> 1))
      for x in 0..<width {
        let own = weight[x &+ offset]
        sum[x >> 1] += value[x &+ offset] * own
        count[x >> 1] += own
      }
    }
    for level in 1..<levels.count {
      let (fine, coarse) = (levels[level - 1], levels[level])
      for y in 0..<fine.value.height {
        for x in 0..<fine.value.width {
          coarse.value.row(y >> 1)[x >> 1] += fine.value.row(y)[x]
          coarse.weight.row(y >> 1)[x >> 1] += fine.weight.row(y)[x]
        }
      }
    }
    for y in 0..<height {
      let (value, weight) = (values.row(y), weights.row(y))
      for x in 0..<width where weight[x &+ offset] < 1 {
        weight[x &+ offset] = 0
        for (index, level) in levels.enumerated() {
          let count = level.weight.row(y >> (index + 1))[x >> (index + 1)]
          guard count > 0.5 else { continue }
          value[x &+ offset] = level.value.row(y >> (index + 1))[x >> (index + 1)] / count
          weight[x &+ offset] = Self.certainty[index]
          break
        }
      }
    }
  }
}
