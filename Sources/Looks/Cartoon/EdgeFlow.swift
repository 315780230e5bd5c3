import Pixels

/// Smooths values along the edges of a picture.
///
/// The direction of edges is that of the smoothed structure tensor (Kyprianidis and Doellner, Image
/// Abstraction by Structure Adaptive Filtering, 2008), as a vector of twice the angle, which is averaged
/// without a sign. Values are averaged over seven cells in the nearest of eight directions, so that lines
/// are continuous and noise is not (after Kang, Lee and Chui, Coherent Line Drawing, 2007).
struct EdgeFlow {
  /// The cosine and sine of twice the angle of gradients, times their squared length.
  private let cosines, sines: Grid<Float>

  /// A Gaussian of a deviation of two cells.
  private static let weights = SymmetricWeights(0.2160, 0.1907, 0.1311, 0.0702)
  private static let triangle = SymmetricSum.triangle(radius: 2)
  /// The cells of the eight directions, 22.5 degrees apart, at one to three cells from the middle; y points
  /// down.
  private static let steps: InlineArray<8, InlineArray<3, (x: Int, y: Int)>> = [
    [(1, 0), (2, 0), (3, 0)], [(1, 0), (2, 1), (3, 1)], [(1, 1), (2, 2), (3, 3)],
    [(0, 1), (1, 2), (1, 3)], [(0, 1), (0, 2), (0, 3)], [(0, 1), (-1, 2), (-1, 3)],
    [(-1, 1), (-2, 2), (-3, 3)], [(-1, 0), (-2, 1), (-3, 1)],
  ]

  init(width: Int, height: Int) {
    (cosines, sines) = (
      Grid(width: width, height: height, of: 0), Grid(width: width, height: height, of: 0)
    )
  }

  /// Measures the gradients of a row of cells.
  func measure(_ cells: Grid<Float>, row: Int) {
    let above = cells.row(max(row - 1, 0))
    let below = cells.row(min(row + 1, cells.height - 1))
    Self.measure(cosines.row(row), sines.row(row), above, cells.row(row), below)
  }

  @inline(never)
  private static func measure(
    _ cosines: Row<Float>, _ sines: Row<Float>, _ above: Row<Float>, _ cells: Row<Float>,
    _ below: Row<Float>
  ) {
    let n = cosines.count
    let (sines, above, cells, below) = (sines[..<n], above[..<n], cells[..<n], below[..<n])
    func put(_ x: Int, _ across: Float) {
      let down = below[x] - above[x]
      cosines[x] = across * across - down * down
      sines[x] = 2 * across * down
    }
    guard n > 1 else { return }
    put(0, cells[1] - cells[0])
    for x in 1..<(n - 1) {
      let across = cells[x + 1] - cells[x - 1]
      let down = below[x] - above[x]
      cosines[x] = across * across - down * down
      sines[x] = 2 * across * down
    }
    put(n - 1, cells[n - 1] - cells[n - 2])
  }

  /// Measures the directions of edges in a row of cells whose neighbours are measured, 0...7.
  ///
  /// `scratch`: two rows.
  func writeDirections(row: Int, into out: Row<Float>, scratch: (Grid<Float>, rows: Range<Int>)) {
    let (grid, first) = (scratch.0, scratch.rows.lowerBound)
    let all = 0..<cosines.width
    let down: InlineArray<3, (x: Int, y: Int)> = [(0, 1), (0, 2), (0, 3)]
    let across: InlineArray<3, (x: Int, y: Int)> = [(1, 0), (2, 0), (3, 0)]
    let sine = grid.row(first + 1)
    SymmetricSum.apply(grid.row(first), sines, row, all, steps: down, Self.triangle)
    SymmetricSum.apply(sine, grid, first, all, steps: across, Self.triangle)
    SymmetricSum.apply(grid.row(first), cosines, row, all, steps: down, Self.triangle)
    SymmetricSum.apply(out, grid, first, all, steps: across, Self.triangle)
    Self.replaceByDirection(out, sine)
  }

  /// Writes columns of a row of `cells`, averaged in the directions of edges there.
  func average(
    _ cells: Grid<Float>, row: Int, columns: Range<Int>, directions: Row<Float>,
    into out: Row<Float>
  ) {
    for direction in 0..<8 {
      SymmetricSum.apply(
        out, cells, row, columns, steps: Self.steps[direction], Self.weights,
        where: (directions, Float(direction)))
    }
  }

  /// Replaces vectors of gradients by the number of the direction that is nearest to the edge, a quarter turn
  /// away.
  @inline(never)
  private static func replaceByDirection(_ cosines: Row<Float>, _ sines: Row<Float>) {
    let n = cosines.count
    let sines = sines[..<n]
    for x in 0..<n {
      let (across, down) = (-cosines[x], -sines[x])
      // Tangent of 22.5 degrees.
      let isAcross = abs(down) < 0.41421356 * abs(across)
      let isDown = abs(across) < 0.41421356 * abs(down)
      let axis: Float = isAcross ? (across > 0 ? 0 : 4) : (down > 0 ? 2 : 6)
      let diagonal: Float = down > 0 ? (across > 0 ? 1 : 3) : (across > 0 ? 7 : 5)
      cosines[x] = isAcross || isDown ? axis : diagonal
    }
  }
}
