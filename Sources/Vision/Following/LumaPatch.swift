import Pixels

/// Samples of luma on a square grid in the upright picture.
struct LumaPatch {
  /// The largest number of taps of a sample along one axis.
  private static let maximumDensity = 4

  let side: Int
  /// Rows of `side` samples, each followed by `padding` zeros.
  let samples: Grid<Float>
  /// Of each tap the column left of it and the weight of the next one.
  private let columns: Grid<Int32>
  private let weights: Grid<Float>
  /// The sums of the rows of a line's taps.
  private let sums = Grid<Float>(of: 0)
  private let bytes = Grid<UInt8>(of: 0)

  init(side: Int, padding: Int = 0) {
    self.side = side
    samples = Grid(width: side + padding, height: side, of: 0)
    columns = Grid(width: side * Self.maximumDensity, height: 1, of: 0)
    weights = Grid(width: side * Self.maximumDensity, height: 1, of: 0)
  }

  /// Samples the picture at points `step` pixels apart around `center`, interpolated bilinearly and
  /// averaged over cells of that size; beyond the edge the nearest pixels are repeated.
  func sample(
    _ picture: borrowing Picture, _ view: UprightView, around center: Point, step: Double
  ) {
    // Green has the largest weight in luma.
    let luma = picture.component(picture.format.family == .rgb ? 1 : 0)
    // A cell that is larger than two pixels would be aliased by one sample.
    let density = step > 0 ? max(1, Int(min(step * 0.6, Double(Self.maximumDensity)))) : 1
    let spacing = step / Double(density)
    let half = step * Double(side - 1) / 2 + spacing * Double(density - 1) / 2
    let first = Point(x: center.x - half, y: center.y - half)
    let toStored = view.toStoredPixels
    let origin = toStored(first)
    let right = toStored(Point(x: first.x + spacing, y: first.y)) - origin
    let down = toStored(Point(x: first.x, y: first.y + spacing)) - origin
    // The upright picture's axes are the stored one's, perhaps exchanged.
    let isTransposed = abs(right.x) < abs(down.x)
    let used = setColumns(
      from: origin.x, by: isTransposed ? down.x : right.x, count: side * density, luma.width)
    bytes.resize(width: used.count, height: 2)
    sums.resize(width: used.count, height: 1)
    let (scale, tall) = (1 / Float(density * density), isTransposed ? right.y : down.y)
    let sums = sums.row(0)
    for line in 0..<side {
      sums.fill(0)
      for tap in line * density..<(line + 1) * density {
        let y = Self.clamp(origin.y + tall * Double(tap), luma.height)
        let top = min(Int(y), max(luma.height - 2, 0))
        Self.addRows(
          luma.samples(row: top, from: used.lowerBound, scratch: bytes.row(0)),
          luma.samples(
            row: min(top + 1, luma.height - 1), from: used.lowerBound, scratch: bytes.row(1)),
          Float(y - Double(top)), to: sums)
      }
      sumTaps(sums, density) { index, sum in
        samples.row(isTransposed ? index : line)[isTransposed ? line : index] = sum * scale
      }
    }
  }

  /// A position inside a line of `count` samples; 0 for NaN.
  private static func clamp(_ position: Double, _ count: Int) -> Double {
    position > 0 ? min(position, Double(count - 1)) : 0
  }

  /// Sets the columns and weights of `count` taps in a row of `width` samples; returns the range of
  /// the samples that they need, whose first is column 0.
  private func setColumns(
    from start: Double, by step: Double, count: Int, _ width: Int
  ) -> Range<Int> {
    let (columns, weights) = (columns.row(0), weights.row(0))
    let last = max(width - 2, 0)
    func left(_ position: Double) -> Int { min(Int(Self.clamp(position, width)), last) }
    let ends = (left(start), left(start + step * Double(count - 1)))
    let low = min(ends.0, ends.1)
    for tap in 0..<count {
      let x = Self.clamp(start + step * Double(tap), width)
      let left = min(Int(x), last)
      columns[tap] = Int32(left - low)
      weights[tap] = Float(x - Double(left))
    }
    return low..<min(max(ends.0, ends.1) + 2, width)
  }

  /// Adds the row between two rows, the lower of which has the weight `lower`, to the sums.
  private static func addRows(
    _ top: Row<UInt8>, _ bottom: Row<UInt8>, _ lower: Float, to sums: Row<Float>
  ) {
    let n = sums.count
    let (top, bottom) = (top[..<n], bottom[..<n])
    for x in 0..<n {
      let (above, below) = (Float(top[x]), Float(bottom[x]))
      sums[x] += above + (below - above) * lower
    }
  }

  /// Passes the sum of each sample's taps along a row to `body`.
  private func sumTaps(_ row: Row<Float>, _ density: Int, _ body: (Int, Float) -> Void) {
    let next = min(1, row.count - 1)
    let (columns, weights) = (columns.row(0), weights.row(0))
    var tap = 0
    for index in 0..<side {
      var sum: Float = 0
      for _ in 0..<density {
        let (left, weight) = (Int(columns[tap]), weights[tap])
        let value = row[left]
        sum += value + (row[left &+ next] - value) * weight
        tap &+= 1
      }
      body(index, sum)
    }
  }
}
