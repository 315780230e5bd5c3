import Filters
import Pixels
import Threads

/// The weights of one face's cells: 0 outside the mask, up to 1 inside.
///
/// Small movements of the outline are smoothed over time, large ones are not; in eyes, brows, lips
/// and outside the face the weight is always 0.
final class FaceMask {
  private(set) var region = CellRegion()
  /// Weights of the region's cells.
  let weights = Grid<Float>(of: 0)
  /// The first and last weighted cell of each row; first > last for empty rows.
  let spans = Grid<Int32>(of: 0)
  /// The weights before the holes and the outside are cut, of this frame and the previous one.
  private var smooth = Grid<Float>(of: 0)
  private var previous = Grid<Float>(of: 0)
  private var previousRegion = CellRegion()
  private var previousOuter: [Point] = []

  /// The temporal weight of a still face's new mask.
  private static let stillWeight = 0.2

  /// Resets the temporal state.
  func reset() {
    previousRegion = CellRegion()
    previousOuter.removeAll(keepingCapacity: true)
    region = CellRegion()
  }

  /// Sets the region of the next weights.
  func setRegion(_ region: CellRegion) {
    self.region = region
    resizeAll(weights, smooth, width: region.width, height: region.height)
    spans.resize(width: 2, height: region.height)
  }

  /// Computes the weights from the outline's coverage.
  ///
  /// `soften` is the feather's sigma in cells; `skin` reduces the weights of cells unlike skin.
  func update(
    _ outline: FaceOutline, _ cells: FaceCells, soften: Double,
    skin: (map: SkinMap, strength: Float)?, scratch: RetouchScratch, runner: any SliceRunner
  ) {
    let (coverage, soft) = (cells.coverage, scratch.soft)
    // Two boxes of n cells have the variance (n^2 - 1) / 6.
    let side = (6 * soften * soften + 1).squareRoot()
    let radius = min(max(Int(((side - 1) / 2).rounded()), 0), BoxSums.maximumRadius)
    soft.resize(width: region.width, height: region.height)
    scratch.boxes.forEachRow(SummedPlane(coverage, radius), runner: runner) { y, sums, inverse in
      let (target, sums) = (soft.row(y), sums(0))
      let n = min(target.count, sums.count, inverse.columns.count)
      let scale = 64 * inverse.rows
      for x in 0..<n {
        target[x] = UInt16(
          truncatingIfNeeded: nearest(Float(sums[x]) * (inverse.columns[x] * scale)))
      }
    }
    let weight = Float(temporalWeight(outline))
    let isContinued = !previousRegion.isEmpty && previousRegion.step == region.step && weight < 1
    scratch.boxes.forEachRow(SummedPlane(soft, radius), runner: runner) { y, sums, inverse in
      let (row, sums) = (smooth.row(y), sums(0))
      let n = min(row.count, sums.count, inverse.columns.count)
      let scale = inverse.rows * (1 / 16384)
      for x in 0..<n { row[x] = Float(sums[x]) * (inverse.columns[x] * scale) }
      if let skin {
        skin.map.multiplyWeights(row, row: y)
        SkinModel.attenuateRoughCells(row, cells.roughness.row(y), strength: skin.strength)
      }
      if isContinued { blendPrevious(y, row, weight) }
      applyCoverage(y, row, coverage.row(y))
    }
    swap(&smooth, &previous)
    previousRegion = region
    previousOuter.removeAll(keepingCapacity: true)
    if let outer = outline.rings.first { previousOuter.append(contentsOf: outline.points[outer]) }
  }

  /// The temporal weight of the new mask: 1 once the outline has moved by a cell.
  private func temporalWeight(_ outline: FaceOutline) -> Double {
    guard let outer = outline.rings.first, outer.count == previousOuter.count else { return 1 }
    var moved = 0.0
    for (index, old) in zip(outer, previousOuter) {
      moved += (outline.points[index] - old).length
    }
    let cells = moved / Double(max(outer.count, 1)) / Double(region.step)
    return min(1, Self.stillWeight + (1 - Self.stillWeight) * max(cells - 0.25, 0) / 0.75)
  }

  /// Blends a row with the weights of the previous frame by the temporal weight.
  private func blendPrevious(_ y: Int, _ row: Row<Float>, _ weight: Float) {
    let old = region.y + y - previousRegion.y
    guard old >= 0, old < previousRegion.height else { return }
    let left = max(region.x, previousRegion.x)
    let right = min(region.maxX, previousRegion.maxX)
    guard left < right else { return }
    let now = row[(left - region.x)..<(right - region.x)]
    let before = previous.row(old)[(left - previousRegion.x)..<(right - previousRegion.x)]
    let n = min(now.count, before.count)
    for x in 0..<n { now[x] = before[x] + (now[x] - before[x]) * weight }
  }

  /// Sets the weights of a row, cut by its coverage, and its span.
  private func applyCoverage(_ y: Int, _ row: Row<Float>, _ coverage: Row<UInt16>) {
    let target = weights.row(y)
    let n = min(target.count, row.count, coverage.count)
    for x in 0..<n {
      target[x] = row[x] * (Float(Int32(truncatingIfNeeded: coverage[x])) * (1 / 256))
    }
    var first = 0
    while first < n, target[first] == 0 { first += 1 }
    var last = n - 1
    while last >= first, target[last] == 0 { last -= 1 }
    spans.row(y)[0] = Int32(first)
    spans.row(y)[1] = Int32(last)
  }
}
