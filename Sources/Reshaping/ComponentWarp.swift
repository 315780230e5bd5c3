import Pixels
import Threads

/// The components of a format with samples at the same sites, which are warped together.
struct ComponentWarp {
  /// Their indices; only the first `count` are used.
  private let numbers: InlineArray<4, Int>
  private let count: Int
  private let hShift, vShift: Int
  /// Offset of the first sample from the first pixel, in pixels.
  private let offset: SIMD2<Float>

  private init(
    _ numbers: InlineArray<4, Int>, _ count: Int, hShift: Int = 0, vShift: Int = 0,
    offset: SIMD2<Float> = SIMD2()
  ) {
    (self.numbers, self.count) = (numbers, count)
    (self.hShift, self.vShift) = (hShift, vShift)
    self.offset = offset
  }

  /// The groups of a format's components, in the order in which they are warped.
  static func groups(_ video: VideoFormat) -> [ComponentWarp] {
    let layout = video.format.layout
    let (h, v) = layout.chromaShifts
    guard layout.componentCount > 1, h > 0 || v > 0 else {
      return [ComponentWarp([0, 1, 2, 3], layout.componentCount)]
    }
    let site = video.chromaSite
    return [
      ComponentWarp([0, 3, 0, 0], layout.hasAlpha ? 2 : 1),
      ComponentWarp(
        [1, 2, 0, 0], 2, hShift: h, vShift: v,
        offset: SIMD2(
          h > 0 && !site.isCositedHorizontally ? 0.5 : 0,
          v > 0 && !site.isCositedVertically ? 0.5 : 0)),
    ]
  }

  /// The inputs of a region's rows.
  private struct Work {
    let part: PixelBox
    let grids: [WarpGrid]
    /// Alignment in pixels of rows of displacements: the largest node distance.
    let alignment: Int
    let samples: InlineArray<4, Row<Float>>
    /// Stride in samples, and number of rows, of all sources.
    let stride, rowCount: Int
    let planes: InlineArray<4, ReshapePlane>
  }

  /// Warps the samples of the pixels in `box` by `grids`, which must be all that overlap it.
  func warp(
    _ picture: borrowing Picture, _ box: PixelBox, _ grids: [WarpGrid],
    _ sources: [ReshapeSource], _ scratch: [ReshapeScratch], _ runner: any SliceRunner
  ) {
    let first = ReshapePlane(picture, numbers[0])
    let part = PixelBox(
      left: box.left >> hShift, top: box.top >> vShift,
      right: min(PixelLayout.subsampled(box.right, by: hShift), first.width),
      bottom: min(PixelLayout.subsampled(box.bottom, by: vShift), first.height))
    guard !part.isEmpty else { return }
    var planes = InlineArray<4, ReshapePlane>(repeating: first)
    var alignment = 1
    for place in 0..<count {
      planes[place] = ReshapePlane(picture, numbers[place])
      sources[place].resize(part)
    }
    for grid in grids { alignment = max(alignment, grid.step) }
    let work = Work(
      part: part, grids: grids, alignment: alignment,
      samples: InlineArray { sources[$0 < count ? $0 : 0].samples }, stride: sources[0].stride,
      rowCount: sources[0].rowCount, planes: planes)
    let width = part.right - part.left + 2 * alignment
    runner.runSlices(sources[0].rowCount, minimumRows: 16) { piece, rows in
      let codes = scratch[piece].rows(width + 2 * ReshapeSource.halo).codes
      for place in 0..<count {
        for row in rows { sources[place].copyRow(work.planes[place], row, codes) }
      }
    }
    runner.runSlices(part.bottom - part.top, minimumRows: 16) { piece, rows in
      let bytes = scratch[piece].rows(width)
      for row in rows { warpRow(part.top + row, work, bytes) }
    }
  }

  /// Warps the samples of row `y`.
  private func warpRow(_ y: Int, _ work: Work, _ scratch: ReshapeScratch.Rows) {
    let part = work.part
    // In the picture's rows.
    let height = Float(y << vShift) + offset.y
    var (left, right, met) = (Int.max, Int.min, 0)
    var isFine = false
    for grid in work.grids {
      let span = grid.movedColumns(y: height)
      guard !span.isEmpty else { continue }
      met += 1
      isFine = isFine || grid.step >> hShift < 8
      left = min(left, span.lowerBound >> hShift)
      right = max(right, span.upperBound >> hShift)
    }
    left = max(left, part.left)
    right = min(right, part.right)
    guard left < right else { return }
    let (n, interval) = (right - left, work.alignment >> hShift)
    let base = left / interval * interval
    let length = (right - base + interval - 1) / interval * interval
    let aligned = Displacements(
      x: scratch.x[..<length], y: scratch.y[..<length], wholeX: scratch.wholeX[..<length],
      wholeY: scratch.wholeY[..<length])
    computeDisplacements(work.grids, height, base, sums: met > 1 || isFine, into: aligned, scratch)
    let ends = scratch.ends[..<n]
    let steps = ReshapeKernels.Steps(
      wholeX: aligned.wholeX[from: left - base, count: n],
      wholeY: aligned.wholeY[from: left - base, count: n],
      x: aligned.x[from: left - base, count: n], y: aligned.y[from: left - base, count: n],
      ends: ends)
    ReshapeKernels.markRunEnds(ends, steps.wholeX, steps.wholeY)
    let halo = ReshapeSource.halo
    // Of the copy: the first of the four columns and rows of the first sample.
    let (column, row) = (left - part.left + halo - 1, y - part.top + halo - 1)
    let place = ReshapeKernels.SourceWindow(
      first: row * work.stride + column, stride: work.stride,
      columns: -column...(part.right - part.left + halo - 2 - column),
      rows: -row...(work.rowCount - 4 - row))
    let values = scratch.values[..<n]
    for index in 0..<count {
      ReshapeKernels.sampleCatmullRom(values, work.samples[index], place, steps)
      work.planes[index].write(row: y, from: left, values, scratch.codes)
    }
  }

  /// The displacement of each sample of a row: fractions, and whole samples.
  private struct Displacements {
    let x, y: Row<Float>
    let wholeX, wholeY: Row<Int32>
  }

  /// Computes the displacement of each sample from column `base` on.
  ///
  /// `height` is in the picture's rows. Without `sums` a single grid displaces the row.
  @inline(__always)
  private func computeDisplacements(
    _ grids: [WarpGrid], _ height: Float, _ base: Int, sums: Bool, into out: Displacements,
    _ scratch: ReshapeScratch.Rows
  ) {
    let (x, y) = (out.x, out.y)
    if sums {
      x.fill(0)
      y.fill(0)
    }
    for grid in grids where !grid.movedColumns(y: height).isEmpty {
      let cells = nodeDisplacements(grid, height, base, x.count, scratch)
      let (samples, interval, offset) = (cells.samples, cells.interval, cells.offset)
      if sums {
        ReshapeKernels.addInterpolated(x[samples], cells.x, interval: interval, offset: offset)
        ReshapeKernels.addInterpolated(y[samples], cells.y, interval: interval, offset: offset)
      } else {
        ReshapeKernels.splitInterpolated(
          out.wholeX[samples], x[samples], cells.x, interval: interval, offset: offset)
        ReshapeKernels.splitInterpolated(
          out.wholeY[samples], y[samples], cells.y, interval: interval, offset: offset)
      }
    }
    if sums {
      ReshapeKernels.splitWholeAndFraction(out.wholeX, x)
      ReshapeKernels.splitWholeAndFraction(out.wholeY, y)
    }
  }

  /// A part of a row, and the displacements of the nodes around it.
  private struct Cells {
    /// Relative to the row's base.
    let samples: Range<Int>
    let x, y: Row<Float>
    /// Samples between nodes, and from the first node to the first sample.
    let interval: Int
    let offset: Float
  }

  /// The part of `length` samples from column `base` on, a node's column, that a grid displaces;
  /// `height` is in rows of the picture.
  private func nodeDisplacements(
    _ grid: WarpGrid, _ height: Float, _ base: Int, _ length: Int,
    _ scratch: ReshapeScratch.Rows
  ) -> Cells {
    let span = grid.movedColumns(y: height)
    let (step, interval) = (grid.step, grid.step >> hShift)
    // Node indices relative to the frame.
    let from = max(span.lowerBound / step, base / interval)
    let to = max(from, min(span.upperBound / step, (base + length) / interval))
    let count = from < to ? to - from + 1 : 0
    let (x, y) = (scratch.nodesX[..<count], scratch.nodesY[..<count])
    if count > 0 {
      let place = height / Float(step)
      let j = Int(place)
      grid.interpolateRow(
        j - grid.row, place - Float(j), from: from - grid.column, into: x, y, hShift, vShift)
    }
    let start = min(from * interval - base, length)
    return Cells(
      samples: start..<(start + (to - from) * interval), x: x, y: y, interval: interval,
      offset: offset.x / Float(1 << hShift))
  }
}
