import Filters
import Pixels
import Threads

/// The measurements of the cells of a face.
struct FaceCells {
  let region: CellRegion
  let means: CellMeans
  /// Whether the means of chroma are measured.
  let hasChroma: Bool
  /// How much of each cell the mask covers, up to `PolygonRasterizer.full`.
  let coverage: Grid<UInt16>
  /// See `SelfGuidedFilter.roughness`.
  let roughness: Grid<Float>
  /// The width of the face in pixels.
  let faceWidth: Double
}

/// The mean luma and chroma of the cells of a region: a downscaled picture.
struct CellMeans {
  /// Mean luma in quarters of a code.
  let luma = Grid<UInt16>(of: 0)
  /// Cb and Cr in quarters of a code.
  let cb = Grid<UInt16>(of: 0)
  let cr = Grid<UInt16>(of: 0)

  /// The maximum number of rows read of a cell.
  private static let maximumRows = 8

  /// Measures `region`; chroma only if `withChroma`.
  func measure(
    _ picture: SkinPicture, _ region: CellRegion, withChroma: Bool, scratch: RetouchScratch,
    runner: any SliceRunner
  ) {
    luma.resize(width: region.width, height: region.height)
    if withChroma { resizeAll(cb, cr, width: region.width, height: region.height) }
    runner.runSlices(region.height) { slice, rows in
      for y in rows {
        measureLuma(picture, region, y, scratch, slice)
        guard withChroma else { continue }
        picture.blockChroma(
          top: (region.y + y) * region.step, from: region.x * region.step, size: region.step,
          cb: cb.row(y), cr: cr.row(y), scratch: scratch.sums(slice)[0..<region.width])
      }
    }
  }

  private func measureLuma(
    _ picture: SkinPicture, _ region: CellRegion, _ y: Int, _ scratch: RetouchScratch,
    _ slice: Int
  ) {
    let step = region.step
    let left = region.x * step
    let columns = region.width * step
    let inside = min(columns, picture.width - left)
    var (sums, other) = (scratch.sums(slice)[0..<columns], scratch.sums(slice, 1))
    sums.fill(0)
    let pixels = scratch.bytes(slice, 0)[0..<inside]
    let used = min(step, Self.maximumRows)
    let stride = step / used
    for index in 0..<used {
      // Cells beyond the picture repeat its last row and column.
      let row = min((region.y + y) * step + index * stride, picture.height - 1)
      picture.luma(row: row, from: left, into: pixels, scratch: scratch.components(slice))
      AreaKernels.add(sums[..<inside], pixels)
    }
    if inside < columns {
      let last = sums[inside - 1]
      for x in inside..<columns { sums[x] = last }
    }
    var size = step
    while size > 1 {
      let out = other[..<(sums.count / 2)]
      // Eight rows of eight samples fit in 16 bits.
      if step / size < 8 {
        AreaKernels.sumPairs(out, sums)
      } else {
        AreaKernels.averagePairs(out, sums)
      }
      (sums, other) = (out, sums)
      size /= 2
    }
    let target = luma.row(y)
    let shift = UInt16(truncatingIfNeeded: step == 2 ? 0 : step == 4 ? 2 : 4)
    let half = step == 2 ? 0 : UInt16(1) &<< (shift &- 1)
    let n = min(target.count, sums.count)
    for x in 0..<n { target[x] = (sums[x] &+ half) &>> shift }
  }
}
