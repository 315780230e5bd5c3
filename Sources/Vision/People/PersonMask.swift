package import Pixels

/// The mask of a frame on a grid of cells.
///
/// Cell (i, j) covers `step` x `step` pixels from (i step, j step) on; the last cells of rows and
/// columns may be smaller.
package final class PersonMask {
  package let step: Int
  /// The probability of a person in each cell, 0...1, filtered in time.
  package let probability: Grid<Float>
  /// The weight of the previous frame in each cell: 1 where nothing moves, 0 where the picture has
  /// changed and in the first frame of a scene.
  package let temporalWeight: Grid<Float>
  /// The means of the three components in each cell, as planes of Y444.
  package internal(set) var colors: OwnedPicture

  /// The probability that counts as 0.
  private static let negligible: Float = 0.02

  package var columns: Int { probability.width }
  package var rows: Int { probability.height }

  /// The empty mask of a format.
  ///
  /// It has about 57 600 cells for every size of picture, enough for the visible detail.
  init(_ video: VideoFormat) {
    step = Self.step(video)
    let columns = (video.width + step - 1) / step
    let rows = (video.height + step - 1) / step
    probability = Grid(width: columns, height: rows, of: 0)
    temporalWeight = Grid(width: columns, height: rows, of: 0)
    colors = Self.makeColors(columns, rows)
  }

  /// The cells whose centres lie in a region, which is in pixels.
  func cells(of region: Rectangle) -> (columns: Range<Int>, rows: Range<Int>) {
    let scale = 1 / Double(step)
    func cells(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
      let first = max(0, min(Int((start * scale - 0.5).rounded(.up)), count))
      return first..<max(first, min(Int((end * scale - 0.5).rounded(.down)) + 1, count))
    }
    return (cells(region.x, region.maxX, columns), cells(region.y, region.maxY, rows))
  }

  /// The sum, over cells of a row whose probability is not 0, of its distance from 0 or 1, whichever is
  /// nearer; and their number.
  @inline(never)
  static func uncertainty(_ probability: Row<Float>) -> (sum: Float, count: Float) {
    let n = probability.count
    var (sums, counts, x) = (SIMD8<Float>.zero, SIMD8<Float>.zero, 0)
    while x &+ 8 <= n {
      let p = probability.lanes(at: x)
      let isNone = p .< negligible
      let distance = p.replacing(with: 1 - p, where: p .> 0.5)
      sums += distance.replacing(with: 0, where: isNone)
      counts += SIMD8(repeating: 1).replacing(with: 0, where: isNone)
      x &+= 8
    }
    var (sum, count) = (sums.sum(), counts.sum())
    while x < n {
      if probability[x] >= negligible {
        sum += min(probability[x], 1 - probability[x])
        count += 1
      }
      x &+= 1
    }
    return (sum, count)
  }

  static func makeColors(_ columns: Int, _ rows: Int) -> OwnedPicture {
    OwnedPicture(format: .y444, width: columns, height: rows, colorimetry: .bt709)
  }

  /// The side of a cell in pixels.
  package static func step(_ video: VideoFormat) -> Int {
    let area = Double(video.width) * Double(video.height)
    return max(1, Int((area / 57_600).squareRoot().rounded()))
  }
}
