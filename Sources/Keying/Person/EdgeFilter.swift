import Pixels
import Threads

/// Has the edge of a coarse mask follow the picture's colours: a guided filter of three channels.
///
/// K. He, J. Sun, X. Tang, "Guided Image Filtering" (2010), and "Fast Guided Filter" (2015): in each
/// window the mask is a . I + b of the picture's colours I, with a = (cov(I, I) + eps)^-1 cov(I, p)
/// and b = mean p - a . mean I; both are averaged over the windows. Luma alone would not do: skin,
/// hair and wall often share theirs. Works on cells; where a window holds only what is nobody, or
/// only what is somebody, nothing is to be done.
final class EdgeFilter {
  /// What a cell and its neighbours hold.
  enum Kind {
    static let none: UInt8 = 1
    static let all: UInt8 = 2
    static let mixed: UInt8 = 4
  }

  /// Cells on each side of a window's middle one.
  static let radius = 4
  private static let channels = 13
  /// 1e-5 of the codes' range squared.
  private static let epsilon: Float = 0.65

  private let columns, rows: Int
  /// Slopes for the three components, and offset, of each cell's own window.
  private let fits: [Grid<Float>]
  /// The same averaged, and what the cells are.
  let coefficients: Grid<SIMD4<Float>>
  let kinds: Grid<UInt8>
  /// Of each row the columns in which windows are mixed: first, and behind the last.
  private let mixed: Grid<Int32>
  // Of each thread.
  private let sums = Grid<Int32>(of: 0)
  private let windows = Grid<Int32>(of: 0)
  private let lines = Grid<Float>(of: 0)

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    fits = (0..<4).map { _ in Grid(width: columns, height: rows, of: 0) }
    coefficients = Grid(width: columns, height: rows, of: .zero)
    kinds = Grid(width: columns, height: rows, of: Kind.none)
    mixed = Grid(width: 2, height: rows, of: 0)
  }

  /// Computes `coefficients` for colours about 0 and a mask in 1/4096: what they make of a colour
  /// is `scale` times opacity less `offset`.
  func compute(
    _ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>, offset: Float,
    scale: Float, _ slices: KeySlices
  ) {
    let threads = max(1, slices.runner.threadCount)
    let room = CellWindows.room(columns, radius: Self.radius)
    sums.resize(width: room, height: threads * Self.channels)
    windows.resize(width: columns, height: threads * Self.channels)
    lines.resize(width: columns + 2 * Self.radius, height: threads * 2)
    slices.runner.runPieces(rows, least: 8) { piece, rows in fit(guide, mask, rows, piece) }
    slices.runner.runPieces(rows, least: 8) { piece, rows in
      for y in rows { average(y, offset, scale, piece) }
    }
  }

  // MARK: Fitting windows

  private func fit(
    _ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>, _ range: Range<Int>,
    _ piece: Int
  ) {
    let windows = CellWindows(
      sums.rows, first: piece * Self.channels, width: columns, radius: Self.radius)
    windows.clear(channels: Self.channels)
    for y in range {
      let change = windows.change(to: y, from: range.lowerBound, height: rows)
      for row in change.entering { add(guide, mask, row, windows, 1) }
      if let row = change.leaving { add(guide, mask, row, windows, -1) }
      fit(y, windows, piece)
    }
  }

  private func add(
    _ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>, _ y: Int,
    _ windows: CellWindows, _ sign: Int32
  ) {
    let rows = (guide.0.row(y), guide.1.row(y), guide.2.row(y))
    let p = mask.row(y)
    CellKernels.add(windows.column(0), p, sign)
    for i in 0..<3 {
      let a = pick(i, rows)
      CellKernels.add(windows.column(1 + i), a, sign)
      CellKernels.add(windows.column(4 + i), a, p, sign)
    }
    CellKernels.add(windows.column(7), rows.0, rows.0, sign)
    CellKernels.add(windows.column(8), rows.0, rows.1, sign)
    CellKernels.add(windows.column(9), rows.0, rows.2, sign)
    CellKernels.add(windows.column(10), rows.1, rows.1, sign)
    CellKernels.add(windows.column(11), rows.1, rows.2, sign)
    CellKernels.add(windows.column(12), rows.2, rows.2, sign)
  }

  private func fit(_ y: Int, _ windows: CellWindows, _ piece: Int) {
    func sum(_ channel: Int) -> Row<Int32> { self.windows.row(piece * Self.channels + channel) }
    let high = CellWindows.cells(y, of: rows, radius: Self.radius)
    let masks = sum(0)
    windows.write(0, 0..<columns, into: masks)
    let offsets = fits[3].row(y)
    var (first, end) = (columns, 0)
    for x in 0..<columns {
      let full = 4096 * Int32(high * CellWindows.cells(x, of: columns, radius: Self.radius))
      let sum = masks[x]
      offsets[x] = sum == full ? 1 : 0
      if sum != 0 && sum != full {
        first = min(first, x)
        end = x + 1
      }
    }
    for index in 0..<3 { fits[index].row(y).fill(0) }
    mixed.row(y)[0] = Int32(first)
    mixed.row(y)[1] = Int32(end)
    guard first < end else { return }
    for channel in 1..<Self.channels { windows.write(channel, first..<end, into: sum(channel)) }
    let out = (fits[0].row(y), fits[1].row(y), fits[2].row(y))
    let (s1, s2, s3) = (sum(1), sum(2), sum(3))
    let (q1, q2, q3) = (sum(4), sum(5), sum(6))
    let (v00, v01, v02) = (sum(7), sum(8), sum(9))
    let (v11, v12, v22) = (sum(10), sum(11), sum(12))
    for x in first..<end {
      let cells = high * CellWindows.cells(x, of: columns, radius: Self.radius)
      let total = masks[x]
      guard total != 0, total != 4096 * Int32(cells) else { continue }
      let share = 1 / Float(cells)
      let p = Float(total) * (share / 4096)
      let m = (Float(s1[x]) * share, Float(s2[x]) * share, Float(s3[x]) * share)
      let c0 = Float(q1[x]) * (share / 4096) - m.0 * p
      let c1 = Float(q2[x]) * (share / 4096) - m.1 * p
      let c2 = Float(q3[x]) * (share / 4096) - m.2 * p
      // By elimination, which stays exact enough where all colours lie on a line.
      let eps = Self.epsilon
      let d0 = max(Float(v00[x]) * share - m.0 * m.0, 0) + eps
      let w01 = Float(v01[x]) * share - m.0 * m.1
      let w02 = Float(v02[x]) * share - m.0 * m.2
      let (l1, l2) = (w01 / d0, w02 / d0)
      let d1 = max(Float(v11[x]) * share - m.1 * m.1 + eps - l1 * w01, eps * 0.5)
      let w12 = Float(v12[x]) * share - m.1 * m.2 - l1 * w02
      let l3 = w12 / d1
      let d2 = max(Float(v22[x]) * share - m.2 * m.2 + eps - l2 * w02 - l3 * w12, eps * 0.5)
      let r1 = c1 - l1 * c0
      let a2 = (c2 - l2 * c0 - l3 * r1) / d2
      let a1 = r1 / d1 - l3 * a2
      let a0 = c0 / d0 - l1 * a1 - l2 * a2
      out.0[x] = a0
      out.1[x] = a1
      out.2[x] = a2
      offsets[x] = p - a0 * m.0 - a1 * m.1 - a2 * m.2
    }
  }

  // MARK: Averaging them

  private func average(_ y: Int, _ offset: Float, _ scale: Float, _ piece: Int) {
    let out = coefficients.row(y)
    let kinds = kinds.row(y)
    let own = fits[3].row(y)
    let (nobody, somebody) = (SIMD4<Float>(0, 0, 0, -offset), SIMD4<Float>(0, 0, 0, scale - offset))
    for x in 0..<columns {
      out[x] = own[x] == 0 ? nobody : somebody
      kinds[x] = own[x] == 0 ? Kind.none : Kind.all
    }
    let radius = Self.radius
    let (top, bottom) = (max(y - radius, 0), min(y + radius, rows - 1))
    var (first, end) = (columns, 0)
    for row in top...bottom {
      let range = mixed.row(row)
      guard range[0] < range[1] else { continue }
      first = min(first, Int(range[0]))
      end = max(end, Int(range[1]))
    }
    guard first < end else { return }
    (first, end) = (max(first - radius, 0), min(end + radius, columns))
    let high = bottom - top + 1
    // What lies beyond the grid stays 0.
    let line = lines.row(2 * piece)
    let sums = lines.row(2 * piece + 1)[..<(end - first)]
    let (left, right) = (max(first - radius, 0), min(end + radius, columns))
    for channel in 0..<4 {
      line.fill(0)
      let inner = line[from: left + radius, count: right - left]
      for row in top...bottom {
        CellKernels.add(inner, fits[channel].row(row)[from: left, count: right - left])
      }
      CellKernels.sumNine(sums, line[from: first, count: end - first + 2 * radius])
      for x in first..<end { out[x][channel] = sums[x - first] }
    }
    for x in first..<end {
      let cells = Float(high * CellWindows.cells(x, of: columns, radius: radius))
      let value = out[x]
      let isFlat = value.x == 0 && value.y == 0 && value.z == 0
      if isFlat && value.w == 0 {
        out[x] = nobody
        kinds[x] = Kind.none
      } else if isFlat && value.w == cells {
        out[x] = somebody
        kinds[x] = Kind.all
      } else {
        let mean = value * (scale / cells)
        // For colours as they come, which are not about 0.
        out[x] = SIMD4(
          mean.x, mean.y, mean.z, mean.w - offset - 128 * (mean.x + mean.y + mean.z))
        kinds[x] = Kind.mixed
      }
    }
  }

  /// Takes the mask as it is, without regard to the picture.
  func copy(_ mask: Grid<Int16>, scale: Float) {
    for y in 0..<rows {
      let (out, kinds, line) = (coefficients.row(y), kinds.row(y), mask.row(y))
      for x in 0..<columns {
        let value = line[x]
        out[x] = SIMD4(0, 0, 0, Float(value) * (scale / 4096))
        kinds[x] = value == 0 ? Kind.none : value == 4096 ? Kind.all : Kind.mixed
      }
    }
  }
}
