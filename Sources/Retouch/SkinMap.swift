import Filters
import Pixels
import Threads

/// How far each cell of a face's region is to be treated as skin, as the face's own skin model says
/// of the cell and of what lies round it.
///
/// One cell tells little: noise, a highlight or a red patch would punch dots into the mask. So
/// likeness is averaged over a twentieth of the face's width, and what is no skin counts as skin
/// where it is small and skin lies all round it. What is rough, as hair and glasses are, is spared
/// cell by cell elsewhere (`SkinModel.weighRoughness`).
///
/// As all of that is smooth, every other cell of every other row is looked at, those of even places
/// in the picture.
final class SkinMap {
  /// What the weights of these cells are multiplied by, 0...1.
  private let kept = Grid<Float>(of: 0)
  /// The region whose cells are looked at, and the same in cells of twice the size.
  private var whole = CellRegion()
  private var region = CellRegion()
  /// How far in a cell of `region` the middle of the one lies that is looked at.
  static let middle = 0.25
  /// Likeness of each cell by itself, and averaged, 0...`full`.
  private let likeness = Grid<UInt16>(of: 0)
  private let mean = Grid<UInt16>(of: 0)
  /// What is judged of the cells that are looked at.
  private let luma = Grid<UInt16>(of: 0)
  private let cb = Grid<UInt16>(of: 0)
  private let cr = Grid<UInt16>(of: 0)
  private let inside = Grid<UInt16>(of: 0)
  private let rough = Grid<Float>(of: 0)
  private let beard = BeardMap()

  /// Likeness of the skin's own colour.
  static let full: Float = 1024
  /// The window of the mean, in face widths.
  private static let window = 1.0 / 20
  /// Radius of the window that holes are closed in, in face widths.
  ///
  /// Holes of a hundredth of the oval are a quarter of it.
  private static let closing = 0.1

  /// Judges the cells of `whole` by likeness and roughness.
  ///
  /// `hard` is the coverage of the face, with the forehead above where it has a form; `share` is how
  /// far to spare what is not skin, 0...1; `counts` room for a histogram of 256.
  func compute(
    _ outline: FaceOutline, _ whole: CellRegion, faceWidth: Double, hard: Grid<UInt16>,
    skin: SkinModel, means: CellMeans, roughness: Grid<Float>, hasChroma: Bool, share: Float,
    counts: Grid<Int32>, scratch: RetouchScratch, runner: any SliceRunner
  ) {
    self.whole = whole
    region = whole.halved
    resizeAll(kept, likeness, mean, inside, width: region.width, height: region.height)
    resizeAll(luma, cb, cr, width: region.width, height: region.height)
    rough.resize(width: region.width, height: region.height)
    runner.runPieces(region.height) { _, rows in
      for y in rows {
        pick(means.luma, y, into: luma)
        pick(hard, y, into: inside)
        pick(roughness, y, into: rough)
        if hasChroma {
          pick(means.cb, y, into: cb)
          pick(means.cr, y, into: cr)
        }
        skin.judge(
          likeness.row(y), luma: luma.row(y), chroma: hasChroma ? (cb.row(y), cr.row(y)) : nil,
          share: share)
        Self.forget(likeness.row(y), outside: inside.row(y))
      }
    }
    let most = min(1, share * 1.5)
    let wide = Self.cells(faceWidth * Self.closing, region.step)
    let narrow = Self.cells(faceWidth * Self.window / 2, region.step, less: 0.5)
    scratch.boxes.slide(
      SummedPlane(likeness, narrow), SummedPlane(likeness, wide), runner: runner
    ) { y, sums, inverse in
      let row = mean.row(y)
      BoxSum.divide(
        sums(1), radius: wide, rows: BoxSum.count(y, of: region.height, radius: wide), into: row)
      Self.close(kept.row(y), row, sums(0), inverse, most)
    }
    guard let form = outline.form else { return }
    if let ring = outline.raised {
      ForeheadCap(form: form, region: region).apply(
        to: kept, mean: mean, ring: outline.points[ring], full: Self.full)
    }
    beard.spare(
      kept, form, region, faceWidth: faceWidth, hard: inside, roughness: rough, share: most,
      counts: counts, scratch: scratch, runner: runner)
  }

  /// Multiplies the weights of row `y` of the region by what was found of its cells, and of those
  /// between them by the mean of their neighbours.
  func weigh(_ weights: Row<Float>, _ y: Int) {
    let place = whole.y + y
    let upper = kept.row(min(place / 2 - region.y, kept.height - 1))
    let lower = kept.row(min((place + 1) / 2 - region.y, kept.height - 1))
    // The first cell lies on one that was looked at, or one after it.
    let odd = whole.x & 1
    let last = min(upper.count, lower.count) - 1
    for x in 0..<weights.count {
      let left = (x &+ odd) &>> 1
      let right = min((x &+ odd &+ 1) &>> 1, last)
      weights[x] *= (upper[left] + upper[right] + lower[left] + lower[right]) * 0.25
    }
  }

  /// Every other cell of a row of `whole`.
  private func pick<Element>(_ source: Grid<Element>, _ y: Int, into target: Grid<Element>) {
    let from = source.row(min(max(2 * (region.y + y) - whole.y, 0), source.height - 1))
    let to = target.row(y)
    let (odd, last) = (whole.x & 1, from.count - 1)
    for x in 0..<to.count { to[x] = from[min(max(2 &* x &- odd, 0), last)] }
  }

  static func cells(_ pixels: Double, _ step: Int, less: Double = 0) -> Int {
    let cells = (pixels / Double(step) - less).rounded()
    return Int(min(max(cells, 1), Double(BoxSums.maximumRadius)))
  }

  /// Cells outside the face make no holes in it.
  private static func forget(_ row: Row<UInt16>, outside hard: Row<UInt16>) {
    let n = min(row.count, hard.count)
    for x in 0..<n { row[x] = hard[x] == 0 ? UInt16(full) : row[x] }
  }

  /// Turns means, narrow in `sums` and wide in `mean`, into what is kept; leaves the narrow ones in
  /// `mean`.
  private static func close(
    _ kept: Row<Float>, _ mean: Row<UInt16>, _ sums: Row<Int32>, _ inverse: InverseCounts,
    _ most: Float
  ) {
    let n = min(kept.count, mean.count, sums.count, inverse.columns.count)
    let scale = 1 / full
    for x in 0..<n {
      let near = Float(sums[x]) * (inverse.columns[x] * inverse.rows)
      let round = Float(Int32(truncatingIfNeeded: mean[x])) * scale
      let skin = min(max(near * scale * 2 - 0.5, 0), 1)
      let closed = min(max((round - 0.55) * 5, 0), 1)
      kept[x] = 1 - most * (1 - max(skin, closed))
      mean[x] = UInt16(truncatingIfNeeded: nearest(near))
    }
  }
}
