import Pixels
import Testing

@testable import PersonKey

/// Masks of regions, which readers stretch over the frame.
@Suite(.timeLimit(.minutes(20))) struct PersonRegionsTests {
  /// A grid whose cells say how much of them lies behind an edge at `edge` pixels, from the left or
  /// from the top.
  private func opacity(
    _ width: Int, _ height: Int, step: Int, edge: Double, isAcross: Bool
  ) -> Grid<Int16> {
    let cells = Grid<Int16>(
      width: (width + step - 1) / step, height: (height + step - 1) / step, of: 0)
    for y in 0..<cells.height {
      for x in 0..<cells.width {
        let end = Double(((isAcross ? x : y) + 1) * step)
        cells.row(y)[x] = Int16((255 * max(0, min((end - edge) / Double(step), 1))).rounded())
      }
    }
    return cells
  }

  private func drawn(_ cells: Grid<Int16>, step: Int, width: Int, height: Int) -> [[UInt8]] {
    let mask = OwnedPicture(
      format: .gray8, width: cells.width, height: cells.height, colorimetry: .bt601)
    return mask.withPicture { picture in
      PersonRegions.draw(cells, step: step, width: width, height: height, on: picture)
      let samples = picture.component(0)
      return (0..<mask.height).map { y in (0..<mask.width).map { samples[$0, y] } }
    }
  }

  /// Sizes whose last cells reach beyond by much, by little, and not at all.
  @Test(arguments: [(12, 121, 61), (12, 131, 71), (4, 1366, 33), (3, 10, 10), (6, 120, 60)])
  func edgesOfTheMaskMatchThoseOfTheFrame(step: Int, width: Int, height: Int) {
    for isAcross in [true, false] {
      let size = isAcross ? width : height
      for edge in stride(from: Double(step), to: Double(size - step), by: 1.25) {
        let cells = opacity(width, height, step: step, edge: edge, isAcross: isAcross)
        let mask = drawn(cells, step: step, width: width, height: height)
        // The first pixel that a reader who takes the nearest cell sees somebody at.
        let seen = (0..<size).first {
          isAcross
            ? mask[0][$0 * cells.width / width] == 1 : mask[$0 * cells.height / height][0] == 1
        }
        // Half a cell, what is lost by measuring in cells, and the pixel's own width.
        #expect(
          abs(Double(seen ?? -size) - edge) <= 0.6 * Double(step) + 1,
          "\(isAcross ? "across" : "down") \(edge): \(String(describing: seen))")
      }
    }
  }

  @Test func alignedCellsHaveTheirMajorityValue() {
    let cells = Grid<Int16>(width: 5, height: 4, of: 0)
    let values: [Int16] = [0, 127, 128, 255, 300, -9, 64, 200]
    for y in 0..<4 { for x in 0..<5 { cells.row(y)[x] = values[(3 * x + 5 * y) % 8] } }
    let mask = drawn(cells, step: 7, width: 35, height: 28)
    for y in 0..<4 {
      #expect(mask[y] == Array(cells.row(y)).map { $0 > 127 ? 1 : 0 })
    }
  }

  @Test(arguments: [(1, 1, 5), (1, 9, 4), (2, 1, 3)])
  func theSmallestFramesHaveMasks(width: Int, height: Int, step: Int) {
    for value: Int16 in [0, 255] {
      let cells = Grid<Int16>(
        width: (width + step - 1) / step, height: (height + step - 1) / step, of: value)
      let mask = drawn(cells, step: step, width: width, height: height)
      #expect(mask.joined().allSatisfy { $0 == (value == 255 ? 1 : 0) })
    }
  }
}
