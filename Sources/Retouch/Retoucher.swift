import Pixels

/// Applies `RetouchCoefficients` to the pixels of a region, in any format.
struct Retoucher {
  let picture: SkinPicture
  let region: CellRegion
  let coefficients: RetouchCoefficients
  let spans: Grid<Int32>
  let changesChroma, evensSkin: Bool
  /// Code that no colour of RGB is raised over.
  let ceiling: Int16
  let scratch: RetouchScratch
  /// Cells that interpolation reaches beyond a cell with a weight.
  private static let reach = 2

  /// Changes the pixels of the region's rows of cells in `rows`.
  func apply(_ rows: Range<Int>, piece: Int) {
    let step = region.step
    let top = (region.y + rows.lowerBound) * step
    let bottom = min((region.y + rows.upperBound) * step, picture.height)
    let isRGB = picture.family == .rgb
    for y in top..<max(top, bottom) {
      // Twice the row's distance from the region's first row of cell centres.
      let place = 2 * (y - region.y * step) + 1 - step
      if isRGB { changeColors(y, place: place, piece) } else { changeLuma(y, place: place, piece) }
    }
    guard changesChroma, picture.family == .ycc else { return }
    let v = picture.chromaShifts.v
    let chromaBottom = min((bottom + v) >> v, picture.second.height)
    for y in (top >> v)..<max(top >> v, chromaBottom) {
      changeChroma(y, place: ((2 * y + 1) << v) - 2 * region.y * step - step, piece)
    }
  }

  // MARK: Rows of coefficients

  /// The two rows of cells about a row of samples, how far it lies between them, and the cells to
  /// be interpolated; and the samples those are for.
  typealias Neighbours = (
    upper: Int, lower: Int, part: Int32, cells: Range<Int>, start: Int, count: Int
  )

  /// What a row of `width` samples at `place` is interpolated from, `columns` of them to a cell; nil
  /// where all weights are 0.
  func neighbours(_ place: Int, columns: Int, width: Int) -> Neighbours? {
    let period = 2 * region.step
    let row = place >= 0 ? place / period : -1
    let part = Int32(place - row * period)
    let upper = max(row, 0)
    let lower = min(row + 1, region.height - 1)
    guard upper < region.height else { return nil }
    let (a, b) = (spans.row(upper), spans.row(lower))
    // An empty span begins after the row's end.
    let first = max(Int(min(a[0], b[0])) - Self.reach, 0)
    let last = min(Int(max(a[1], b[1])) + Self.reach, region.width - 1)
    guard min(a[0], b[0]) <= max(a[1], b[1]), first <= last else { return nil }
    let start = (region.x + first) * columns
    let count = min((last + 1 - first) * columns, width - start)
    return count > 0 ? (upper, lower, part, first..<(last + 1), start, count) : nil
  }

  /// Interpolates a plane between two rows of cells, then along them to `columns` per cell (a
  /// power of two), into one of the word rows `index` and `index + 1`.
  func interpolate(
    _ plane: Grid<Int16>, _ at: Neighbours, columns: Int, _ piece: Int, _ index: Int
  ) -> Row<Int16> {
    var count = at.cells.count
    var now = scratch.words(piece, index)
    var other = scratch.words(piece, index + 1)
    let (a, b) = (plane.row(at.upper)[at.cells], plane.row(at.lower)[at.cells])
    let period = Int32(truncatingIfNeeded: 2 * region.step)
    let shift = Int32(truncatingIfNeeded: period.trailingZeroBitCount)
    let part = at.part
    let rest = period &- part
    let half = period &>> 1
    let n = min(count, a.count, b.count, now.count)
    for x in 0..<n {
      let sum = Int32(truncatingIfNeeded: a[x]) &* rest &+ Int32(truncatingIfNeeded: b[x]) &* part
      now[x] = Int16(truncatingIfNeeded: (sum &+ half) &>> shift)
    }
    var width = 1
    while width < columns {
      Self.upsample2x(now[0..<count], into: other[0..<(2 * count)])
      swap(&now, &other)
      count *= 2
      width *= 2
    }
    return now[0..<count]
  }

  /// Twice as many samples: each lies a quarter of the way from its source to the next one.
  @inline(never)
  private static func upsample2x(_ source: Row<Int16>, into target: Row<Int16>) {
    let count = source.count
    guard count > 0 else { return }
    target[0] = source[0]
    target[2 * count - 1] = source[count - 1]
    let left = source[0..<(count - 1)]
    let right = source[1..<count]
    let between = target[1..<(2 * count - 1)]
    let n = min(left.count, right.count, between.count / 2)
    for x in 0..<n {
      let (a, b) = (left[x], right[x])
      between[2 &* x] = a &+ ((b &- a &+ 2) &>> 2)
      between[2 &* x &+ 1] = b &+ ((a &- b &+ 2) &>> 2)
    }
  }

  // MARK: Luma

  private func changeLuma(_ y: Int, place: Int, _ piece: Int) {
    guard let at = neighbours(place, columns: region.step, width: picture.width) else { return }
    let own = interpolate(coefficients.own, at, columns: region.step, piece, 0)
    let added = interpolate(coefficients.added, at, columns: region.step, piece, 2)
    let pixels = scratch.bytes(piece, 0)[0..<at.count]
    let changed = scratch.bytes(piece, 4)[0..<at.count]
    picture.luma(row: y, from: at.start, into: pixels, scratch: scratch.components(piece))
    Self.change(pixels, own, added, into: changed)
    picture.first.scatter(row: y, from: at.start, changed)
  }

  @inline(never)
  private static func change(
    _ pixels: Row<UInt8>, _ own: Row<Int16>, _ added: Row<Int16>,
    into changed: Row<UInt8>
  ) {
    let n = min(pixels.count, own.count, added.count, changed.count)
    for x in 0..<n {
      let value = Int16(truncatingIfNeeded: pixels[x])
      let product = (Int32(own[x]) &* Int32(value &<< 7)) &>> 16
      let taken = Int16(truncatingIfNeeded: product) &- added[x]
      let result = value &- ((taken &+ 16) &>> 5)
      changed[x] = UInt8(truncatingIfNeeded: max(0, min(255, result)))
    }
  }

  // MARK: Chroma

  private func changeChroma(_ y: Int, place: Int, _ piece: Int) {
    let columns = region.step >> picture.chromaShifts.h
    guard let at = neighbours(place, columns: columns, width: picture.second.width) else { return }
    let gain = interpolate(coefficients.gain, at, columns: columns, piece, 0)
    let samples = scratch.bytes(piece, 0)[0..<at.count]
    for index in 0..<2 {
      let isCr = index == 1
      let component = isCr ? picture.third : picture.second
      let plane = isCr ? coefficients.crShift : coefficients.cbShift
      let shift: Row<Int16>
      if evensSkin {
        shift = interpolate(plane, at, columns: columns, piece, 4)
      } else {
        shift = scratch.words(piece, 4)[0..<at.count]
        shift.fill(0)
      }
      component.gather(row: y, from: at.start, into: samples)
      Self.change(samples, gain, shift, scratch.dither(y, from: at.start, count: at.count))
      component.scatter(row: y, from: at.start, samples)
    }
  }

  @inline(never)
  private static func change(
    _ samples: Row<UInt8>, _ gain: Row<Int16>, _ shift: Row<Int16>,
    _ dither: Row<Int16>
  ) {
    let n = min(samples.count, gain.count, shift.count, dither.count)
    for x in 0..<n {
      let value = Int16(truncatingIfNeeded: samples[x])
      let product = (Int32(gain[x]) &* Int32((value &- 128) &<< 7)) &>> 16
      let growth = (Int16(truncatingIfNeeded: product) &+ shift[x] &+ dither[x]) &>> 6
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, value &+ growth)))
    }
  }
}
