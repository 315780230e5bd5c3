import Filters
import Pixels
import Threads

/// Where the lower face, the temples and what lies over the forehead are rougher than the cheeks all
/// over, as stubble, beards and short hair are.
///
/// A cell of stubble is hardly rougher than one of skin with an edge in it, and cells taken one by
/// one would shave a beard in patches. So the share of rough cells in a window round each decides,
/// and an area is spared evenly; folds and outlines are rough in too few cells to count.
final class BeardMap {
  private let rough = Grid<UInt16>(of: 0)
  private let counted = Grid<UInt16>(of: 0)

  /// Radius of the window in face widths.
  private static let radius = 0.1
  /// Where on the oval's height (`FaceForm`) beards may begin, and are looked for in full.
  private static let begin: (none: Float, all: Float) = (0.05, -0.2)
  /// Where the cheeks lie that it is compared with.
  private static let cheeks = (low: -0.1 as Float, high: 0.35 as Float, side: 0.75 as Float)
  /// Deviations, in those of the cheeks, at which a cell is not rough and is.
  private static let roughness: (none: Float, all: Float) = (1.5, 2.5)
  /// The deviation, in shares of luma's 0.18, that all skin has.
  private static let leastDeviation: Float = 0.1
  /// Shares of rough cells at which there is no beard and is one, and no hair and only hair.
  private static let dense: (none: Float, all: Float) = (0.6, 0.85)
  private static let hairy: (none: Float, all: Float) = (0.3, 0.55)
  /// Squared distance from the oval's middle, in its halves, from which hair is looked for.
  private static let hair: (none: Float, all: Float) = (1, 1.12)

  /// Multiplies `kept` by how little of a beard there is; `share` is how far beards are spared, and
  /// `counts` room for a histogram of 256.
  func spare(
    _ kept: Grid<Float>, _ form: FaceForm, _ region: CellRegion, faceWidth: Double,
    hard: Grid<UInt16>, roughness: Grid<Float>, share: Float, counts: Grid<Int32>,
    scratch: RetouchScratch, runner: any SliceRunner
  ) {
    resizeAll(rough, counted, width: region.width, height: region.height)
    let frame = Frame(form, region)
    let usual = usualDeviation(frame, hard, roughness, counts.row(0))
    let inverse = 1 / (usual * (Self.roughness.all - Self.roughness.none))
    let smooth = Self.roughness.none * usual
    runner.runPieces(region.height) { _, rows in
      for y in rows {
        let (target, count) = (rough.row(y), counted.row(y))
        let (source, mask) = (roughness.row(y), hard.row(y))
        let n = min(target.count, count.count, source.count, mask.count)
        for x in 0..<n {
          let place = frame.place(x, y)
          let zone = frame.isNose(place) ? 0 : max(Self.lower(place), Self.upper(place))
          let deviation = (source[x].squareRoot() - smooth) * inverse
          let inside = Float(Int32(truncatingIfNeeded: mask[x])) * zone
          target[x] = UInt16(truncatingIfNeeded: nearest(min(max(deviation, 0), 1) * inside))
          count[x] = UInt16(truncatingIfNeeded: nearest(inside))
        }
      }
    }
    let radius = SkinMap.cells(faceWidth * Self.radius, region.step)
    let scale = 1 / (Self.dense.all - Self.dense.none)
    let hairScale = 1 / (Self.hairy.all - Self.hairy.none)
    // A few cells of a window say nothing of it.
    let least = 256 * 0.15 * Float((2 * radius + 1) * (2 * radius + 1))
    scratch.boxes.slide(
      SummedPlane(rough, radius), SummedPlane(counted, radius), runner: runner
    ) { y, sums, _ in
      let (row, found, all) = (kept.row(y), sums(0), sums(1))
      let n = min(row.count, found.count, all.count)
      for x in 0..<n {
        let dense = Float(found[x]) / max(Float(all[x]), least)
        let place = frame.place(x, y)
        let beard = min(max((dense - Self.dense.none) * scale, 0), 1) * Self.lower(place)
        let hair = min(max((dense - Self.hairy.none) * hairScale, 0), 1) * Self.upper(place)
        row[x] *= 1 - share * max(beard, hair)
      }
    }
  }

  /// Where the cells' middles lie in the frame of a face's oval.
  private struct Frame {
    let x, y, columnX, columnY, rowX, rowY: Float
    /// The nose: its middle and half width across, and its lower end.
    let nose: (x: Float, half: Float, end: Float)

    init(_ form: FaceForm, _ region: CellRegion) {
      let step = Double(region.step)
      func place(_ x: Double, _ y: Double) -> Point {
        form.place(
          Point(
            x: (Double(region.x) + x + SkinMap.middle) * step,
            y: (Double(region.y) + y + SkinMap.middle) * step))
      }
      let (corner, column, row) = (place(0, 0), place(1, 0), place(0, 1))
      (x, y) = (Float(corner.x), Float(corner.y))
      (columnX, columnY) = (Float(column.x - corner.x), Float(column.y - corner.y))
      (rowX, rowY) = (Float(row.x - corner.x), Float(row.y - corner.y))
      let (left, right) = (form.place(form.nose.left), form.place(form.nose.right))
      nose = (
        Float((left.x + right.x) / 2), Float(abs(right.x - left.x) * 0.65),
        Float(form.place(form.nose.end).y)
      )
    }

    @inline(__always)
    func place(_ column: Int, _ line: Int) -> (across: Float, up: Float) {
      let c = Float(Int32(truncatingIfNeeded: column))
      let l = Float(Int32(truncatingIfNeeded: line))
      return (x + columnX * c + rowX * l, y + columnY * c + rowY * l)
    }

    /// Nostrils are as rough as a beard.
    @inline(__always)
    func isNose(_ place: (across: Float, up: Float)) -> Bool {
      abs(place.across - nose.x) < nose.half && place.up > nose.end && place.up < 0.2
    }
  }

  /// 1 in the lower face, 0 over it.
  @inline(__always)
  private static func lower(_ place: (across: Float, up: Float)) -> Float {
    min(max((begin.none - place.up) * (1 / (begin.none - begin.all)), 0), 1)
  }

  /// 1 at the temples and over the oval, 0 in the face.
  @inline(__always)
  private static func upper(_ place: (across: Float, up: Float)) -> Float {
    let distance = place.across * place.across + place.up * place.up
    let far = min(max((distance - hair.none) * (1 / (hair.all - hair.none)), 0), 1)
    return far * min(max(place.up * 4, 0), 1)
  }

  /// The median deviation of luma on the cheeks.
  private func usualDeviation(
    _ frame: Frame, _ hard: Grid<UInt16>, _ roughness: Grid<Float>, _ counts: Row<Int32>
  ) -> Float {
    counts.fill(0)
    var total: Int32 = 0
    for y in 0..<hard.height {
      let (mask, row) = (hard.row(y), roughness.row(y))
      for x in 0..<min(mask.count, row.count) where mask[x] == PolygonCoverage.full {
        let (across, up) = frame.place(x, y)
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
    return max(Float(value) / 256, Self.leastDeviation)
  }
}
