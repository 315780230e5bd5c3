import Pixels
import Threads

/// Averages a mask over time where the picture does not move.
///
/// A fixed weight leaves ghosts behind moving people, and so does MediaPipe's weight, which depends
/// on the mask's certainty: here the weight of the previous mask falls to 0 where luma changed.
struct TemporalMaskFilter {
  /// The mean change of luma in a window, in codes, up to which its weight is 1, and the range over
  /// which the weight falls to 0.
  private static let threshold: Float = 2
  private static let transition: Float = 6
  /// The rise of a weight in a frame.
  ///
  /// At the end of a motion the network is often unsure yet: a weight that rose at once would keep
  /// that mask as a trail.
  private static let recovery: Float = 0.5
  /// The mean change of the whole picture, in codes, that is a cut.
  static let sceneCut: Float = 20
  /// The radius of a window, in cells.
  private static let radius = 2

  /// The change of luma in each cell, and its sums along rows, with empty rows above and below.
  private let change: Grid<UInt16>
  private let sums: Grid<UInt16>
  /// The sum of each row.
  private let totals: Grid<Int32>

  init(columns: Int, rows: Int) {
    change = Grid(width: columns + 2 * Self.radius, height: rows, of: 0)
    sums = Grid(width: columns, height: rows + 2 * Self.radius, of: 0)
    totals = Grid(width: rows, height: 1, of: 0)
  }

  /// Updates the temporal weights by a frame's changes; returns the mean change of the whole
  /// picture, in codes.
  func measure(
    _ now: borrowing Picture, _ before: borrowing Picture, into temporalWeight: Grid<Float>,
    _ runner: any SliceRunner
  ) -> Float {
    let (new, old) = (now.plane(0), before.plane(0))
    let (columns, rows) = (temporalWeight.width, temporalWeight.height)
    let radius = Self.radius
    runner.runSlices(rows, minimumRows: 16) { _, rows in
      for y in rows {
        let line = change.row(y)
        totals.row(0)[y] = Self.difference(
          line[from: radius, count: columns], new.row(y)[..<columns], old.row(y)[..<columns])
        Self.sum(line, into: sums.row(y + radius))
      }
    }
    runner.runSlices(rows, minimumRows: 16) { _, range in
      for y in range {
        let (top, bottom) = (max(y - radius, 0), min(y + radius, rows - 1))
        // Windows are clipped to the picture; cells outside it count as unchanged.
        let scale = 1 / Float((bottom - top + 1) * min(2 * radius + 1, columns))
        Self.setWeights(temporalWeight.row(y), InlineArray { sums.row(y + $0) }, scale)
      }
    }
    var total = 0
    for y in 0..<rows { total += Int(totals.row(0)[y]) }
    return Float(total) / Float(columns * rows)
  }

  /// The sum of the motion in cells whose probability is not near 1.
  @inline(never)
  static func motion(_ temporalWeight: Row<Float>, _ probability: Row<Float>) -> Float {
    let n = temporalWeight.count
    let probability = probability[..<n]
    var (sums, x) = (SIMD8<Float>.zero, 0)
    while x &+ 8 <= n {
      let motion = 1 - temporalWeight.lanes(at: x)
      sums += motion.replacing(with: 0, where: probability.lanes(at: x) .> 0.9)
      x &+= 8
    }
    var sum = sums.sum()
    while x < n {
      if probability[x] <= 0.9 { sum += 1 - temporalWeight[x] }
      x &+= 1
    }
    return sum
  }

  /// Whether all weights are 1.
  static func isStill(_ temporalWeight: Row<Float>) -> Bool {
    var moved: Int32 = 0
    for x in 0..<temporalWeight.count { moved |= temporalWeight[x] < 1 ? 1 : 0 }
    return moved == 0
  }

  /// Writes absolute differences; returns their sum.
  @inline(never)
  private static func difference(_ out: Row<UInt16>, _ a: Row<UInt8>, _ b: Row<UInt8>) -> Int32 {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    var total: Int32 = 0
    for x in 0..<n {
      let change = max(a[x], b[x]) &- min(a[x], b[x])
      out[x] = UInt16(change)
      total &+= Int32(change)
    }
    return total
  }

  @inline(never)
  private static func sum(_ line: Row<UInt16>, into out: Row<UInt16>) {
    let n = out.count
    let (a, b, c) = (line[..<n], line[from: 1, count: n], line[from: 2, count: n])
    let (d, e) = (line[from: 3, count: n], line[from: 4, count: n])
    for x in 0..<n { out[x] = a[x] &+ b[x] &+ c[x] &+ d[x] &+ e[x] }
  }

  /// Updates the temporal weights of a row of cells by the sums of the five rows of their windows.
  @inline(never)
  private static func setWeights(
    _ out: Row<Float>, _ rows: InlineArray<5, Row<UInt16>>, _ scale: Float
  ) {
    let n = out.count
    let (a, b, c) = (rows[0][..<n], rows[1][..<n], rows[2][..<n])
    let (d, e) = (rows[3][..<n], rows[4][..<n])
    for x in 0..<n {
      let sum = a[x] &+ b[x] &+ c[x] &+ d[x] &+ e[x]
      let weight = 1 - min(max((Float(sum) * scale - threshold) * (1 / transition), 0), 1)
      out[x] = min(weight, out[x] + recovery)
    }
  }

  /// Blends `new` into `mask`: the previous mask has the weight `weight` times `temporalWeight`.
  static func blend(
    _ new: Grid<Float>, into mask: Grid<Float>, _ temporalWeight: Grid<Float>, weight: Float
  ) {
    for y in 0..<mask.height {
      let (m, p, k) = (mask.row(y), new.row(y)[..<mask.width], temporalWeight.row(y)[..<mask.width])
      for x in 0..<m.count { m[x] = p[x] + (m[x] - p[x]) * (weight * k[x]) }
    }
  }
}
