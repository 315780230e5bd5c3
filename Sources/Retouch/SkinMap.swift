import Filters
import Pixels
import Threads

/// The factors, 0...1, by which the cells of a face's region count as skin, from the face's own
/// skin model and each cell's surroundings.
///
/// Single cells are unreliable: noise, a highlight or a red patch would punch holes into the mask.
/// So similarity is averaged over a twentieth of the face's width, and small areas unlike skin that
/// are surrounded by skin are closed. Rough cells, such as hair and glasses, are excluded one by
/// one (`SkinModel.attenuateRoughCells`).
///
/// The result is smooth, so only cells at even positions in the picture are computed.
final class SkinMap {
  /// The factors of the computed cells, 0...1.
  private let weights = Grid<Float>(of: 0)
  /// The face's region, and the computed one of cells of twice the size.
  private var whole = CellRegion()
  private var region = CellRegion()
  /// The centre of the sampled cell, relative to a cell of `region`.
  static let middle = 0.25
  /// Similarity of each cell to skin, single and averaged, 0...`fullSimilarity`.
  private let similarity = Grid<UInt16>(of: 0)
  private let mean = Grid<UInt16>(of: 0)
  /// The measurements of the sampled cells.
  private let means = CellMeans()
  private let inside = Grid<UInt16>(of: 0)
  private let rough = Grid<Float>(of: 0)
  private let facialHair = FacialHairMap()

  /// The similarity of the skin's own colour.
  static let fullSimilarity: Float = 1024
  /// The window of the mean, in face widths.
  private static let window = 1.0 / 20
  /// The radius of the window for closing holes, in face widths; a hole of a hundredth of the oval
  /// is a quarter of it.
  private static let closing = 0.1

  /// Computes the factors for cells that cover the face with its forehead.
  ///
  /// `strength` is how far to exclude what is not skin, 0...1; `glasses` how certain glasses are.
  func compute(
    _ outline: FaceOutline, _ cells: FaceCells, skin: SkinModel, strength: Float, glasses: Float,
    scratch: RetouchScratch, runner: any SliceRunner
  ) {
    whole = cells.region
    region = whole.withDoubledCells
    let (luma, cb, cr) = (means.luma, means.cb, means.cr)
    resizeAll(weights, similarity, mean, inside, width: region.width, height: region.height)
    resizeAll(luma, cb, cr, width: region.width, height: region.height)
    rough.resize(width: region.width, height: region.height)
    runner.runSlices(region.height) { _, rows in
      for y in rows {
        subsample(cells.means.luma, y, into: luma)
        subsample(cells.coverage, y, into: inside)
        subsample(cells.roughness, y, into: rough)
        if cells.hasChroma {
          subsample(cells.means.cb, y, into: cb)
          subsample(cells.means.cr, y, into: cr)
        }
        skin.computeSimilarity(
          similarity.row(y), luma: luma.row(y),
          chroma: cells.hasChroma ? (cb.row(y), cr.row(y)) : nil,
          strength: strength)
        Self.fillOutside(similarity.row(y), outside: inside.row(y))
      }
    }
    let maximum = min(1, strength * 1.5)
    let wide = Self.cellRadius(cells.faceWidth * Self.closing, region.step)
    let narrow = Self.cellRadius(cells.faceWidth * Self.window / 2, region.step, less: 0.5)
    scratch.boxes.forEachRow(
      SummedPlane(similarity, narrow), SummedPlane(similarity, wide), runner: runner
    ) { y, sums, inverse in
      let row = mean.row(y)
      BoxSum.writeMeans(
        sums(1), radius: wide, rows: BoxSum.windowLength(at: y, of: region.height, radius: wide),
        into: row)
      Self.closeHoles(weights.row(y), row, sums(0), inverse, maximum)
    }
    guard let ovalFrame = outline.ovalFrame else { return }
    if let ring = outline.foreheadRing {
      ForeheadMask(ovalFrame: ovalFrame, region: region).apply(
        to: weights, similarity: mean, ring: outline.points[ring], full: Self.fullSimilarity)
    }
    let sampled = FaceCells(
      region: region, means: means, hasChroma: cells.hasChroma, coverage: inside, roughness: rough,
      faceWidth: cells.faceWidth)
    facialHair.attenuate(
      weights, ovalFrame, sampled, strength: maximum, scratch: scratch, runner: runner)
    if glasses > 0, let eyeFrame = outline.eyeFrame {
      LensMask(frame: eyeFrame).attenuate(weights, region, strength: maximum * glasses)
    }
  }

  /// Multiplies the weights of row `y` of the region by the factors, interpolated between sampled
  /// cells.
  func multiplyWeights(_ target: Row<Float>, row y: Int) {
    let row = whole.y + y
    let upper = weights.row(min(row / 2 - region.y, weights.height - 1))
    let lower = weights.row(min((row + 1) / 2 - region.y, weights.height - 1))
    // Whether the first cell is a sampled one or the one after it.
    let odd = whole.x & 1
    let last = min(upper.count, lower.count) - 1
    for x in 0..<target.count {
      let left = (x &+ odd) &>> 1
      let right = min((x &+ odd &+ 1) &>> 1, last)
      target[x] *= (upper[left] + upper[right] + lower[left] + lower[right]) * 0.25
    }
  }

  /// Copies every other cell of a row of `whole`.
  private func subsample<Element>(_ source: Grid<Element>, _ y: Int, into target: Grid<Element>) {
    let from = source.row(min(max(2 * (region.y + y) - whole.y, 0), source.height - 1))
    let to = target.row(y)
    let (odd, last) = (whole.x & 1, from.count - 1)
    for x in 0..<to.count { to[x] = from[min(max(2 &* x &- odd, 0), last)] }
  }

  /// A radius in pixels as a number of cells, 1...`BoxSums.maximumRadius`; `less` is subtracted before
  /// rounding.
  static func cellRadius(_ pixels: Double, _ step: Int, less: Double = 0) -> Int {
    let cells = (pixels / Double(step) - less).rounded()
    return Int(min(max(cells, 1), Double(BoxSums.maximumRadius)))
  }

  /// Sets cells outside the face to full similarity, so that they make no holes.
  private static func fillOutside(_ row: Row<UInt16>, outside coverage: Row<UInt16>) {
    let n = min(row.count, coverage.count)
    for x in 0..<n { row[x] = coverage[x] == 0 ? UInt16(fullSimilarity) : row[x] }
  }

  /// Computes the factors from means over a narrow window (`sums`) and a wide one (`mean`); leaves
  /// the narrow means in `mean`.
  private static func closeHoles(
    _ weights: Row<Float>, _ mean: Row<UInt16>, _ sums: Row<Int32>, _ inverse: InverseCounts,
    _ maximum: Float
  ) {
    let n = min(weights.count, mean.count, sums.count, inverse.columns.count)
    let scale = 1 / fullSimilarity
    for x in 0..<n {
      let near = Float(sums[x]) * (inverse.columns[x] * inverse.rows)
      let surrounding = Float(Int32(truncatingIfNeeded: mean[x])) * scale
      let skin = min(max(near * scale * 2 - 0.5, 0), 1)
      let closed = min(max((surrounding - 0.55) * 5, 0), 1)
      weights[x] = 1 - maximum * (1 - max(skin, closed))
      mean[x] = UInt16(truncatingIfNeeded: nearest(near))
    }
  }
}
