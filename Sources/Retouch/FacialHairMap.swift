import Filters
import Pixels
import Threads

/// Detects stubble, beards and short hair: areas of the lower face, the temples and above the
/// forehead that are rougher than the cheeks.
///
/// Single cells of stubble are hardly rougher than skin with an edge, and a decision per cell would
/// be patchy. The fraction of rough cells in a window decides, so that an area is spared evenly;
/// folds and outlines have too few rough cells to count.
final class FacialHairMap {
  private let rough = Grid<UInt16>(of: 0)
  private let counted = Grid<UInt16>(of: 0)

  /// The window's radius in face widths.
  private static let radius = 0.1
  /// The heights (`OvalFrame`) at which the weight of the lower face begins and is full.
  private static let lowerFace: (none: Float, all: Float) = (0.05, -0.2)
  /// The area of the cheeks, the reference for roughness.
  private static let cheeks = (low: -0.1 as Float, high: 0.35 as Float, side: 0.75 as Float)
  /// The deviations, relative to the cheeks', at which a cell begins to count as rough and counts
  /// fully.
  private static let roughness: (none: Float, all: Float) = (1.5, 2.5)
  /// The minimum deviation of skin, in units of `SelfGuidedFilter.fullRoughness`.
  private static let minimumDeviation: Float = 0.1
  /// The fractions of rough cells at which a beard, and hair, begins to count and counts fully.
  private static let dense: (none: Float, all: Float) = (0.6, 0.85)
  private static let hairy: (none: Float, all: Float) = (0.3, 0.55)
  /// The squared distances from the oval's centre, in its half axes, at which the weight of the
  /// temples begins and is full.
  private static let hair: (none: Float, all: Float) = (1, 1.12)

  /// Reduces `weights` where there is facial hair, by up to `strength`.
  func attenuate(
    _ weights: Grid<Float>, _ ovalFrame: OvalFrame, _ cells: FaceCells, strength: Float,
    scratch: RetouchScratch, runner: any SliceRunner
  ) {
    let (region, coverage, roughness) = (cells.region, cells.coverage, cells.roughness)
    resizeAll(rough, counted, width: region.width, height: region.height)
    let frame = CellPositions(ovalFrame, region)
    let cheekDeviation = medianCheekDeviation(frame, cells, scratch.histograms.row(0))
    let inverse = 1 / (cheekDeviation * (Self.roughness.all - Self.roughness.none))
    let smooth = Self.roughness.none * cheekDeviation
    runner.runSlices(region.height) { _, rows in
      for y in rows {
        let (target, count) = (rough.row(y), counted.row(y))
        let (source, mask) = (roughness.row(y), coverage.row(y))
        let n = min(target.count, count.count, source.count, mask.count)
        for x in 0..<n {
          let position = frame.position(x, y)
          let zone =
            frame.isNose(position)
            ? 0 : max(Self.lowerFaceWeight(position), Self.templeWeight(position))
          let deviation = (source[x].squareRoot() - smooth) * inverse
          let inside = Float(Int32(truncatingIfNeeded: mask[x])) * zone
          target[x] = UInt16(truncatingIfNeeded: nearest(min(max(deviation, 0), 1) * inside))
          count[x] = UInt16(truncatingIfNeeded: nearest(inside))
        }
      }
    }
    let radius = SkinMap.cellRadius(cells.faceWidth * Self.radius, region.step)
    let scale = 1 / (Self.dense.all - Self.dense.none)
    let hairScale = 1 / (Self.hairy.all - Self.hairy.none)
    // Windows with few cells in the face count less.
    let minimumCount = 256 * 0.15 * Float((2 * radius + 1) * (2 * radius + 1))
    scratch.boxes.forEachRow(
      SummedPlane(rough, radius), SummedPlane(counted, radius), runner: runner
    ) { y, sums, _ in
      let (row, found, all) = (weights.row(y), sums(0), sums(1))
      let n = min(row.count, found.count, all.count)
      for x in 0..<n {
        let dense = Float(found[x]) / max(Float(all[x]), minimumCount)
        let position = frame.position(x, y)
        let lowerFaceHair =
          min(max((dense - Self.dense.none) * scale, 0), 1) * Self.lowerFaceWeight(position)
        let hair =
          min(max((dense - Self.hairy.none) * hairScale, 0), 1) * Self.templeWeight(position)
        row[x] *= 1 - strength * max(lowerFaceHair, hair)
      }
    }
  }

  /// Maps cell centres to the coordinates of a face's oval.
  private struct CellPositions {
    let x, y, columnX, columnY, rowX, rowY: Float
    /// The nose: centre and half width across, and lower end.
    let nose: (x: Float, half: Float, end: Float)

    init(_ ovalFrame: OvalFrame, _ region: CellRegion) {
      let step = Double(region.step)
      func position(_ x: Double, _ y: Double) -> Point {
        ovalFrame.coordinates(
          of:
            Point(
              x: (Double(region.x) + x + SkinMap.middle) * step,
              y: (Double(region.y) + y + SkinMap.middle) * step))
      }
      let (corner, column, row) = (position(0, 0), position(1, 0), position(0, 1))
      (x, y) = (Float(corner.x), Float(corner.y))
      (columnX, columnY) = (Float(column.x - corner.x), Float(column.y - corner.y))
      (rowX, rowY) = (Float(row.x - corner.x), Float(row.y - corner.y))
      let (left, right) = (
        ovalFrame.coordinates(of: ovalFrame.nose.left),
        ovalFrame.coordinates(of: ovalFrame.nose.right)
      )
      nose = (
        Float((left.x + right.x) / 2), Float(abs(right.x - left.x) * 0.65),
        Float(ovalFrame.coordinates(of: ovalFrame.nose.end).y)
      )
    }

    @inline(__always)
    func position(_ column: Int, _ line: Int) -> (across: Float, up: Float) {
      let c = Float(Int32(truncatingIfNeeded: column))
      let l = Float(Int32(truncatingIfNeeded: line))
      return (x + columnX * c + rowX * l, y + columnY * c + rowY * l)
    }

    /// The nose is excluded, because nostrils are as rough as a beard.
    @inline(__always)
    func isNose(_ position: (across: Float, up: Float)) -> Bool {
      abs(position.across - nose.x) < nose.half && position.up > nose.end && position.up < 0.2
    }
  }

  /// 1 in the lower face, 0 above it.
  @inline(__always)
  private static func lowerFaceWeight(_ position: (across: Float, up: Float)) -> Float {
    min(max((lowerFace.none - position.up) * (1 / (lowerFace.none - lowerFace.all)), 0), 1)
  }

  /// 1 at the temples and above the oval, 0 in the face.
  @inline(__always)
  private static func templeWeight(_ position: (across: Float, up: Float)) -> Float {
    let distance = position.across * position.across + position.up * position.up
    let far = min(max((distance - hair.none) * (1 / (hair.all - hair.none)), 0), 1)
    return far * min(max(position.up * 4, 0), 1)
  }

  /// The median deviation of luma on the cheeks.
  private func medianCheekDeviation(
    _ frame: CellPositions, _ cells: FaceCells, _ counts: Row<Int32>
  ) -> Float {
    counts.fill(0)
    var total: Int32 = 0
    for y in 0..<cells.coverage.height {
      let (mask, row) = (cells.coverage.row(y), cells.roughness.row(y))
      for x in 0..<min(mask.count, row.count) where mask[x] == PolygonRasterizer.full {
        let (across, up) = frame.position(x, y)
        guard up > Self.cheeks.low, up < Self.cheeks.high, abs(across) < Self.cheeks.side else {
          continue
        }
        counts[Int(min(row[x].squareRoot() * 256, 255))] &+= 1
        total &+= 1
      }
    }
    var (below, value): (Int32, Int) = (0, 0)
    while value < 255, below + counts[value] < total / 2 {
      below += counts[value]
      value += 1
    }
    return max(Float(value) / 256, Self.minimumDeviation)
  }
}
