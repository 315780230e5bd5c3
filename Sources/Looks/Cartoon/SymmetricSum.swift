import Pixels

/// The weights of a cell and of the pairs at one to three cells from it.
typealias SymmetricWeights = SIMD4<Float>

/// Weighted sums of seven rows, or of a row and six that are shifted against it.
enum SymmetricSum {
  /// Triangular weights of a radius of 1...3 cells, of which the sum is 1.
  static func triangle(radius: Int) -> SymmetricWeights {
    let full = Float(radius + 1)
    let distances = SymmetricWeights(0, 1, 2, 3)
    return (full - distances).clamped(lowerBound: .zero, upperBound: .init(repeating: full))
      / (full * full)
  }

  /// Writes the sums of `middle` and of the three pairs of rows.
  @inline(never)
  static func apply(
    _ out: Row<Float>, _ middle: Row<Float>, _ pairs: InlineArray<3, (Row<Float>, Row<Float>)>,
    _ weights: SymmetricWeights
  ) {
    let n = out.count
    let middle = middle[..<n]
    let (a, b) = (pairs[0].0[..<n], pairs[0].1[..<n])
    let (c, d) = (pairs[1].0[..<n], pairs[1].1[..<n])
    let (e, f) = (pairs[2].0[..<n], pairs[2].1[..<n])
    let (w0, w1, w2, w3) = (weights[0], weights[1], weights[2], weights[3])
    for x in 0..<n {
      out[x] = middle[x] * w0 + (a[x] + b[x]) * w1 + (c[x] + d[x]) * w2 + (e[x] + f[x]) * w3
    }
  }

  /// As `apply`, where `numbers` are `number`; the rest stays.
  @inline(never)
  static func apply(
    _ out: Row<Float>, _ middle: Row<Float>, _ pairs: InlineArray<3, (Row<Float>, Row<Float>)>,
    _ weights: SymmetricWeights, where numbers: Row<Float>, are number: Float
  ) {
    let n = out.count
    let (middle, numbers) = (middle[..<n], numbers[..<n])
    let (a, b) = (pairs[0].0[..<n], pairs[0].1[..<n])
    let (c, d) = (pairs[1].0[..<n], pairs[1].1[..<n])
    let (e, f) = (pairs[2].0[..<n], pairs[2].1[..<n])
    let (w0, w1, w2, w3) = (weights[0], weights[1], weights[2], weights[3])
    for x in 0..<n {
      let sum = middle[x] * w0 + (a[x] + b[x]) * w1 + (c[x] + d[x]) * w2 + (e[x] + f[x]) * w3
      out[x] = numbers[x] == number ? sum : out[x]
    }
  }

  /// Writes the sums of the cells of `columns` of row `y` of a grid.
  ///
  /// Those at `steps` from them in either direction are added; cells outside are those of the border. With
  /// `selection` only where a row has a number.
  static func apply(
    _ out: Row<Float>, _ cells: Grid<Float>, _ y: Int, _ columns: Range<Int>,
    steps: InlineArray<3, (x: Int, y: Int)>, _ weights: SymmetricWeights,
    where selection: (numbers: Row<Float>, number: Float)? = nil
  ) {
    let width = cells.width
    func row(_ index: Int, _ sign: Int) -> Row<Float> {
      cells.row(min(max(y + sign * steps[index].y, 0), cells.height - 1))
    }
    let reach = max(abs(steps[0].x), abs(steps[1].x), abs(steps[2].x))
    let inside =
      max(
        columns.lowerBound, reach)..<max(
        max(columns.lowerBound, reach), min(columns.upperBound, width - reach))
    func edge(_ x: Int) {
      if let selection, selection.numbers[x - columns.lowerBound] != selection.number { return }
      var sum = cells.row(y)[x] * weights[0]
      for index in 0..<3 {
        let (before, after) = (x - steps[index].x, x + steps[index].x)
        sum +=
          (row(index, -1)[min(max(before, 0), width - 1)]
            + row(index, 1)[min(max(after, 0), width - 1)]) * weights[index + 1]
      }
      out[x - columns.lowerBound] = sum
    }
    for x in columns.lowerBound..<min(inside.lowerBound, columns.upperBound) { edge(x) }
    for x in min(inside.upperBound, columns.upperBound)..<columns.upperBound { edge(x) }
    guard !inside.isEmpty else { return }
    func part(_ index: Int) -> (Row<Float>, Row<Float>) {
      (
        row(index, -1)[from: inside.lowerBound - steps[index].x, count: inside.count],
        row(index, 1)[from: inside.lowerBound + steps[index].x, count: inside.count]
      )
    }
    let start = inside.lowerBound - columns.lowerBound
    let sums = out[from: start, count: inside.count]
    let middle = cells.row(y)[from: inside.lowerBound, count: inside.count]
    if let selection {
      let numbers = selection.numbers[from: start, count: inside.count]
      apply(
        sums, middle, [part(0), part(1), part(2)], weights, where: numbers, are: selection.number)
    } else {
      apply(sums, middle, [part(0), part(1), part(2)], weights)
    }
  }
}
