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

  /// Cells on either side of the middle.
  private static let reach = 3
  /// A Gaussian of a deviation of two cells.
  private static let weights: InlineArray<7, Float> = [
    0.0702, 0.1311, 0.1907, 0.2160, 0.1907, 0.1311, 0.0702,
  ]
  /// The cells of the eight directions, 22.5 degrees apart, at one to three cells from the middle; y points
  /// down.
  private static let steps: [[(x: Int, y: Int)]] = (0..<8).map { direction in
    switch direction {
    case 0: [(1, 0), (2, 0), (3, 0)]
    case 1: [(1, 0), (2, 1), (3, 1)]
    case 2: [(1, 1), (2, 2), (3, 3)]
    case 3: [(0, 1), (1, 2), (1, 3)]
    case 4: [(0, 1), (0, 2), (0, 3)]
    case 5: [(0, 1), (-1, 2), (-1, 3)]
    case 6: [(-1, 1), (-2, 2), (-3, 3)]
    default: [(-1, 0), (-2, 1), (-3, 1)]
    }
  }

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

  /// Writes a row of `cells`, averaged along the edges; all rows are measured.
  ///
  /// `scratch`: four rows.
  func average(
    _ cells: Grid<Float>, row: Int, into out: Row<Float>, scratch: InlineArray<4, Row<Float>>
  ) {
    let (cosine, sine, sum, blur) = (scratch[0], scratch[1], scratch[2], scratch[3])
    TriangleBlur.apply(cosine, cosines, row, radius: 2, scratch: blur)
    TriangleBlur.apply(sine, sines, row, radius: 2, scratch: blur)
    Self.replaceByDirection(cosine, sine)
    for direction in 0..<8 {
      Self.sum(cells, row, Self.steps[direction], into: sum)
      Self.choose(out, sum, cosine, Float(direction))
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

  @inline(never)
  private static func choose(
    _ out: Row<Float>, _ values: Row<Float>, _ directions: Row<Float>, _ direction: Float
  ) {
    let n = out.count
    let (values, directions) = (values[..<n], directions[..<n])
    for x in 0..<n { out[x] = directions[x] == direction ? values[x] : out[x] }
  }

  /// Writes weighted sums of the seven cells in a direction.
  private static func sum(
    _ cells: Grid<Float>, _ y: Int, _ steps: [(x: Int, y: Int)], into out: Row<Float>
  ) {
    let (n, reach) = (out.count, Self.reach)
    func row(_ index: Int, _ sign: Int) -> Row<Float> {
      cells.row(min(max(y + sign * steps[index].y, 0), cells.height - 1))
    }
    func edge(_ x: Int) {
      var sum = cells.row(y)[x] * weights[3]
      for index in 0..<3 {
        let (before, after) = (x - steps[index].x, x + steps[index].x)
        sum += row(index, -1)[min(max(before, 0), n - 1)] * weights[2 - index]
        sum += row(index, 1)[min(max(after, 0), n - 1)] * weights[4 + index]
      }
      out[x] = sum
    }
    guard n > 2 * reach else {
      for x in 0..<n { edge(x) }
      return
    }
    for x in 0..<reach { edge(x) }
    for x in (n - reach)..<n { edge(x) }
    func part(_ index: Int, _ sign: Int) -> Row<Float> {
      row(index, sign)[from: reach + sign * steps[index].x, count: n - 2 * reach]
    }
    sum(
      out[from: reach, count: n - 2 * reach], cells.row(y)[from: reach, count: n - 2 * reach],
      part(0, -1), part(0, 1), part(1, -1), part(1, 1), part(2, -1), part(2, 1))
  }

  @inline(never)
  private static func sum(
    _ out: Row<Float>, _ middle: Row<Float>, _ a: Row<Float>, _ b: Row<Float>, _ c: Row<Float>,
    _ d: Row<Float>, _ e: Row<Float>, _ f: Row<Float>
  ) {
    let n = out.count
    let (middle, a, b, c) = (middle[..<n], a[..<n], b[..<n], c[..<n])
    let (d, e, f) = (d[..<n], e[..<n], f[..<n])
    let (w0, w1, w2, w3) = (weights[3], weights[4], weights[5], weights[6])
    for x in 0..<n {
      out[x] = middle[x] * w0 + (a[x] + b[x]) * w1 + (c[x] + d[x]) * w2 + (e[x] + f[x]) * w3
    }
  }
}
