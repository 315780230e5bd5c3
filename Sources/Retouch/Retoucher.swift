import Pixels

/// Applies `RetouchCoefficients` to the pixels of a region, in any format.
struct Retoucher {
  let picture: SkinPicture
  let region: CellRegion
  let coefficients: RetouchCoefficients
  let spans: Grid<Int32>
  let changesChroma, evensSkin: Bool
  /// The code that no RGB component is raised above.
  let ceiling: Int16
  let scratch: RetouchScratch
  /// The halo of interpolation around a weighted cell, in cells.
  private static let halo = 2

  /// Changes the pixels of rows of cells of the region.
  func apply(_ rows: Range<Int>, slice: Int) {
    let step = region.step
    let top = (region.y + rows.lowerBound) * step
    let bottom = min((region.y + rows.upperBound) * step, picture.height)
    let isRGB = picture.family == .rgb
    for y in top..<max(top, bottom) {
      // Twice the row's distance from the first row of cell centres.
      let position = 2 * (y - region.y * step) + 1 - step
      if isRGB {
        retouchRGBRow(y, position: position, slice)
      } else {
        retouchLumaRow(y, position: position, slice)
      }
    }
    guard changesChroma, picture.family == .ycc else { return }
    let v = picture.chromaShifts.v
    let chromaBottom = min((bottom + v) >> v, picture.second.height)
    for y in (top >> v)..<max(top >> v, chromaBottom) {
      retouchChromaRow(y, position: ((2 * y + 1) << v) - 2 * region.y * step - step, slice)
    }
  }

  // MARK: Rows of coefficients

  /// The two rows of cells around a row of samples, the weight of the lower one, the cells to
  /// interpolate, and the samples that they cover.
  typealias Interpolation = (
    upper: Int, lower: Int, weight: Int32, cells: Range<Int>, start: Int, count: Int
  )

  /// The interpolation for a row of `width` samples at `position`, `columns` per cell; nil if all
  /// weights are 0.
  func rowInterpolation(_ position: Int, columns: Int, width: Int) -> Interpolation? {
    let period = 2 * region.step
    let row = position >= 0 ? position / period : -1
    let weight = Int32(position - row * period)
    let upper = max(row, 0)
    let lower = min(row + 1, region.height - 1)
    guard upper < region.height else { return nil }
    let (a, b) = (spans.row(upper), spans.row(lower))
    // An empty span begins after the row's end.
    let first = max(Int(min(a[0], b[0])) - Self.halo, 0)
    let last = min(Int(max(a[1], b[1])) + Self.halo, region.width - 1)
    guard min(a[0], b[0]) <= max(a[1], b[1]), first <= last else { return nil }
    let start = (region.x + first) * columns
    let count = min((last + 1 - first) * columns, width - start)
    return count > 0 ? (upper, lower, weight, first..<(last + 1), start, count) : nil
  }

  /// Interpolates a plane between two rows of cells, then along them to `columns` per cell (a
  /// power of two), into one of the word rows `index` and `index + 1`.
  func interpolateRow(
    _ plane: Grid<Int16>, _ at: Interpolation, columns: Int, _ slice: Int, _ index: Int
  ) -> Row<Int16> {
    var count = at.cells.count
    var now = scratch.words(slice, index)
    var other = scratch.words(slice, index + 1)
    let (a, b) = (plane.row(at.upper)[at.cells], plane.row(at.lower)[at.cells])
    let period = Int32(truncatingIfNeeded: 2 * region.step)
    let shift = Int32(truncatingIfNeeded: period.trailingZeroBitCount)
    let weight = at.weight
    let upperWeight = period &- weight
    let half = period &>> 1
    let n = min(count, a.count, b.count, now.count)
    for x in 0..<n {
      let sum =
        Int32(truncatingIfNeeded: a[x]) &* upperWeight &+ Int32(truncatingIfNeeded: b[x]) &* weight
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

  /// Upsamples by 2: each sample is a quarter of the way from its source to the next one.
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

  private func retouchLumaRow(_ y: Int, position: Int, _ slice: Int) {
    guard let at = rowInterpolation(position, columns: region.step, width: picture.width) else {
      return
    }
    let attenuation = interpolateRow(coefficients.attenuation, at, columns: region.step, slice, 0)
    let offset = interpolateRow(coefficients.offset, at, columns: region.step, slice, 2)
    if let deep = picture.deep {
      return deep.changeLuma(
        row: y, from: at.start, attenuation[..<at.count], offset[..<at.count],
        copy: picture.first, scratch.sums(slice))
    }
    let pixels = scratch.bytes(slice, 0)[0..<at.count]
    let changed = scratch.bytes(slice, 4)[0..<at.count]
    picture.luma(row: y, from: at.start, into: pixels, scratch: scratch.components(slice))
    Self.applyLumaChange(pixels, attenuation, offset, into: changed)
    picture.first.scatter(row: y, from: at.start, changed)
  }

  @inline(never)
  private static func applyLumaChange(
    _ pixels: Row<UInt8>, _ attenuation: Row<Int16>, _ offset: Row<Int16>,
    into changed: Row<UInt8>
  ) {
    let n = min(pixels.count, attenuation.count, offset.count, changed.count)
    for x in 0..<n {
      let value = Int16(truncatingIfNeeded: pixels[x])
      let product = (Int32(attenuation[x]) &* Int32(value &<< 7)) &>> 16
      let removed = Int16(truncatingIfNeeded: product) &- offset[x]
      let result = value &- ((removed &+ 16) &>> 5)
      changed[x] = UInt8(truncatingIfNeeded: max(0, min(255, result)))
    }
  }

  // MARK: Chroma

  private func retouchChromaRow(_ y: Int, position: Int, _ slice: Int) {
    let columns = region.step >> picture.chromaShifts.h
    guard let at = rowInterpolation(position, columns: columns, width: picture.second.width) else {
      return
    }
    let gain = interpolateRow(coefficients.gain, at, columns: columns, slice, 0)
    let samples = scratch.bytes(slice, 0)[0..<at.count]
    for index in 0..<2 {
      let isCr = index == 1
      let component = isCr ? picture.third : picture.second
      let plane = isCr ? coefficients.crShift : coefficients.cbShift
      let shift: Row<Int16>
      if evensSkin {
        shift = interpolateRow(plane, at, columns: columns, slice, 4)
      } else {
        shift = scratch.words(slice, 4)[0..<at.count]
        shift.fill(0)
      }
      if let deep = picture.deep {
        deep.changeChroma(
          index + 1, row: y, from: at.start, gain[..<at.count], shift[..<at.count],
          copy: component, scratch.sums(slice))
        continue
      }
      component.gather(row: y, from: at.start, into: samples)
      Self.applyChromaChange(
        samples, gain, shift, scratch.dither(y, from: at.start, count: at.count))
      component.scatter(row: y, from: at.start, samples)
    }
  }

  @inline(never)
  private static func applyChromaChange(
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
