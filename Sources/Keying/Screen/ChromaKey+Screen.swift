import Pixels
import Threads

/// Looking at the screen: its colour over the first frames, its unevenness ever after.
extension ChromaKey {
  /// Adds a lattice of the frame's chroma samples to `finder`.
  func sample(_ frame: KeyFrame, into finder: inout ScreenFinder) {
    let grid = frame.grid
    guard let scratch = scratch.first?.lines else { return }
    let area = grid.gridWidth * grid.gridHeight
    var step = 1
    while area / (step * step) > ScreenFinder.samples { step += 1 }
    for y in stride(from: step / 2, to: grid.gridHeight, by: step) {
      let chroma = unsafe frame.chroma(y, scratch)
      if grid.isRGB {
        let r = unsafe frame.row(
          0, y: y, count: grid.gridWidth, room: scratch.components.0)
        let g = unsafe frame.row(
          1, y: y, count: grid.gridWidth, room: scratch.components.1)
        let b = unsafe frame.row(
          2, y: y, count: grid.gridWidth, room: scratch.components.2)
        for x in stride(from: step / 2, to: grid.gridWidth, by: step) {
          unsafe finder.add(cb: chroma.cb[x], cr: chroma.cr[x], r[x], g[x], b[x])
        }
      } else {
        let luma = unsafe frame.first(y, scratch)
        for x in stride(from: step / 2, to: grid.gridWidth, by: step) {
          unsafe finder.add(
            cb: chroma.cb[x], cr: chroma.cr[x], luma[x], chroma.cb[x], chroma.cr[x])
        }
      }
    }
  }

  /// Measures block rows of the screen map.
  func measure(_ frame: KeyFrame, rows: Range<Int>, _ runner: any SliceRunner) {
    guard let key else { return }
    runSlices(rows.count, runner) { range, scratch in
      for row in range { measureBlockRow(frame, rows.lowerBound + row, key, scratch) }
    }
  }

  /// Cuts `0..<rows` into slices with scratch rows of their own.
  func runSlices(
    _ rows: Int, _ runner: any SliceRunner, _ body: (Range<Int>, KeyLines) -> Void
  ) {
    let pieces = max(1, min(runner.threadCount, rows, scratch.count))
    guard pieces > 1 else {
      if rows > 0, let first = scratch.first { body(0..<rows, first.lines) }
      return
    }
    let scratch = scratch
    runner.run(pieces) { piece in
      let start = rows * piece / pieces
      let end = rows * (piece + 1) / pieces
      if start < end { body(start..<end, scratch[piece].lines) }
    }
  }

  /// Means over the samples of a block whose 3 x 3 neighbours on the lattice are screen too.
  ///
  /// The lattice has every other row, which is plenty for means, and half the work.
  private func measureBlockRow(
    _ frame: KeyFrame, _ blockRow: Int, _ key: KeyTable, _ scratch: KeyLines
  ) {
    let grid = frame.grid
    let n = grid.gridWidth
    let top = blockRow * ScreenMap.block
    let count = min(ScreenMap.block, grid.gridHeight - top + 1) / 2
    let lattice = max(count, 1)
    let least = unsafe scratch.expanded
    unsafe map.thresholds(least, blockRow: blockRow, gridWidth: n, key: key)
    for index in 0..<lattice + 2 {
      let y = max(0, min(top + 2 * (index - 1), grid.gridHeight - 1))
      let chroma = unsafe frame.chroma(y, scratch)
      let q = unsafe scratch.measures + index * scratch.columns
      let mask = unsafe scratch.masks + index * scratch.columns
      unsafe KeyKernels.measure(q, cb: chroma.cb, cr: chroma.cr, n, key)
      unsafe KeyKernels.above(mask + 1, q, least, n)
      unsafe mask[0] = 0xffff
      unsafe mask[n + 1] = 0xffff
    }
    let columns = scratch.columns
    let sums = unsafe scratch.sums
    unsafe sums.update(repeating: 0, count: 5 * columns)
    for index in 1...lattice {
      let y = min(top + 2 * (index - 1), grid.gridHeight - 1)
      let kept = unsafe scratch.recip
      unsafe KeyKernels.erode(
        kept, scratch.masks + (index - 1) * columns, scratch.masks + index * columns,
        scratch.masks + (index + 1) * columns, n)
      unsafe KeyKernels.count(sums, kept, n)
      unsafe KeyKernels.sum(sums + columns, scratch.measures + index * columns, kept, n)
      let first = unsafe frame.first(y, scratch)
      unsafe KeyKernels.sum(sums + 2 * columns, first, kept, n)
      for component in 1...2 {
        let row = unsafe frame.row(
          component, y: y, count: n, room: scratch.components.0)
        unsafe KeyKernels.sum(sums + (2 + component) * columns, row, kept, n)
      }
    }
    reduce(blockRow, lattice: lattice, gridWidth: n, scratch)
  }

  private func reduce(
    _ blockRow: Int, lattice: Int, gridWidth: Int, _ scratch: KeyLines
  ) {
    for column in 0..<map.columns {
      let left = column * ScreenMap.block
      let right = min(left + ScreenMap.block, gridWidth)
      var totals = SIMD8<Float>.zero
      for channel in 0..<5 {
        var total: UInt32 = 0
        let sums = unsafe scratch.sums + channel * scratch.columns
        for x in left..<right { unsafe total &+= UInt32(sums[x]) }
        totals[channel] = Float(total)
      }
      let count = totals[0]
      let measure =
        count > 0
        ? ScreenMeasure(
          weight: count / Float((right - left) * lattice), q: totals[1] / count / 16,
          c0: totals[2] / count, c1: totals[3] / count, c2: totals[4] / count)
        : ScreenMeasure()
      unsafe map.news.base[blockRow * map.columns + column] = measure
    }
  }
}
