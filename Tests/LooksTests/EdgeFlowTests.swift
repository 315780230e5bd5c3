import Glibc
import Pixels
import Support
import Testing

@testable import Looks

/// The averaging of values along the edges of a picture.
@Suite(.timeLimit(.minutes(20))) struct EdgeFlowTests {
  private static let size = 64

  /// Averages noise along stripes at `degrees` from the horizontal.
  ///
  /// Returns the mean square of the noise before and after, and the mean product of neighbours along the
  /// stripes and across them, after, all inside.
  private static func average(
    degrees: Double
  ) -> (before: Double, after: Double, along: Double, across: Double) {
    let (size, angle) = (size, degrees * .pi / 180)
    let flow = EdgeFlow(width: size, height: size)
    let stripes = Grid<Float>(width: size, height: size, of: 0)
    let noise = Grid<Float>(width: size, height: size, of: 0)
    var random = SplitMix(5)
    for y in 0..<size {
      for x in 0..<size {
        let distance = Double(y) * cos(angle) - Double(x) * cos(angle - .pi / 2)
        stripes.row(y)[x] = Float(cos(distance * 0.5))
        noise.row(y)[x] = random.normal()
      }
    }
    for y in 0..<size { flow.measure(stripes, row: y) }
    let rows = Grid<Float>(width: size, height: 4, of: 0)
    let out = Grid<Float>(width: size, height: size, of: 0)
    for y in 0..<size {
      flow.writeDirections(row: y, into: rows.row(2), scratch: (rows, 0..<2))
      // In two parts, as blocks are averaged.
      for columns in [0..<20, 20..<size] {
        flow.average(
          noise, row: y, columns: columns, directions: rows.row(2)[columns],
          into: out.row(y)[columns])
      }
    }
    let step = (x: Int((cos(angle) * 2).rounded()), y: Int((cos(angle - .pi / 2) * 2).rounded()))
    var sums = (0.0, 0.0, 0.0, 0.0)
    for y in 8..<(size - 8) {
      for x in 8..<(size - 8) {
        let value = Double(out.row(y)[x])
        sums.0 += Double(noise.row(y)[x] * noise.row(y)[x])
        sums.1 += value * value
        sums.2 += value * Double(out.row(y + step.y)[x + step.x])
        sums.3 += value * Double(out.row(y - step.x)[x + step.y])
      }
    }
    return sums
  }

  @Test(arguments: [0, 25, 45, 70, 90, 110, 135, 155])
  func noiseIsAveragedAlongEdgesAndNotAcross(degrees: Int) {
    let (before, after, along, across) = Self.average(degrees: Double(degrees))
    #expect(after < 0.35 * before, "\(after / before)")
    #expect(along > 0.35 * after, "\(along / after)")
    #expect(across < 0.25 * after, "\(across / after)")
  }

  @Test(arguments: [1, 2, 5, 7]) func narrowGridsAreAveragedToo(width: Int) {
    let flow = EdgeFlow(width: width, height: 3)
    let cells = Grid<Float>(width: width, height: 3, of: 0.5)
    let rows = Grid<Float>(width: width, height: 5, of: 0)
    for y in 0..<3 { flow.measure(cells, row: y) }
    flow.writeDirections(row: 1, into: rows.row(2), scratch: (rows, 0..<2))
    flow.average(
      cells, row: 1, columns: 0..<width, directions: rows.row(2), into: rows.row(4))
    for x in 0..<width { #expect(abs(rows.row(4)[x] - 0.5) < 0.001) }
  }
}
