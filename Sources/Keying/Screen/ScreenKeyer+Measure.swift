import Pixels

/// Looking at the screen: its colour over the first frames, its unevenness ever after.
extension ScreenKeyer {
  /// Adds a lattice of the frame's chroma samples to `finder`.
  func sample(_ frame: KeyFrame, into finder: inout ScreenFinder, _ scratch: KeyRows) {
    let area = grid.gridWidth * grid.gridHeight
    var step = 1
    while area / (step * step) > ScreenFinder.samples { step += 1 }
    for y in stride(from: step / 2, to: grid.gridHeight, by: step) {
      let (cb, cr) = frame.chroma(y, scratch)
      // Of red, green and blue, what chroma was made of.
      let n = grid.gridWidth
      let rows = grid.isRGB ? scratch.components : frame.components(y, scratch)
      var x = step / 2
      while x < n {
        finder.add(cb: cb[x], cr: cr[x], rows.0[x], rows.1[x], rows.2[x])
        x += step
      }
    }
  }

  /// Measures block rows of the screen map.
  func measure(_ frame: KeyFrame, rows: Range<Int>, _ key: ScreenKey, _ slices: KeySlices) {
    slices.run(rows.count) { range, scratch in
      for row in range { measureBlockRow(frame, rows.lowerBound + row, key, scratch) }
    }
  }

  /// Means over the samples of a block, in every other row, whose 3 x 3 neighbours are screen too.
  private func measureBlockRow(
    _ frame: KeyFrame, _ blockRow: Int, _ key: ScreenKey, _ scratch: KeyRows
  ) {
    let n = grid.gridWidth
    let top = blockRow * ScreenMap.block
    let lattice = max(min(ScreenMap.block, grid.gridHeight - top + 1) / 2, 1)
    let least = scratch.least[..<n]
    map.thresholds(least, blockRow: blockRow, key: key)
    for index in 0..<lattice + 2 {
      let y = max(0, min(top + 2 * (index - 1), grid.gridHeight - 1))
      let chroma = frame.chroma(y, scratch)
      let q = scratch.measures(index)[..<n]
      let mask = scratch.mask(index)
      ScreenKernels.measure(q, cb: chroma.cb, cr: chroma.cr, key)
      ScreenKernels.above(mask[1..<n + 1], q, least)
      mask[0] = 0xffff
      mask[n + 1] = 0xffff
    }
    for channel in 0..<ScreenField.channels { scratch.sums(channel).fill(0) }
    let kept = scratch.recip[..<n]
    for index in 1...lattice {
      let y = min(top + 2 * (index - 1), grid.gridHeight - 1)
      ScreenKernels.erode(
        kept, scratch.mask(index - 1), scratch.mask(index), scratch.mask(index + 1))
      ScreenKernels.count(scratch.sums(0)[..<n], kept)
      ScreenKernels.sum(scratch.sums(1)[..<n], scratch.measures(index), kept)
      let components = frame.components(y, scratch)
      ScreenKernels.sum(scratch.sums(2)[..<n], components.0, kept)
      ScreenKernels.sum(scratch.sums(3)[..<n], components.1, kept)
      ScreenKernels.sum(scratch.sums(4)[..<n], components.2, kept)
    }
    reduce(blockRow, lattice: lattice, scratch)
  }

  private func reduce(_ blockRow: Int, lattice: Int, _ scratch: KeyRows) {
    let news = map.news.row(blockRow)
    for column in 0..<map.columns {
      let left = column * ScreenMap.block
      let right = min(left + ScreenMap.block, grid.gridWidth)
      func total(_ channel: Int) -> Float {
        var total: UInt32 = 0
        let sums = scratch.sums(channel)[left..<right]
        for x in 0..<sums.count { total &+= UInt32(sums[x]) }
        return Float(total)
      }
      let count = total(0)
      let means = SIMD4(total(2) / count, total(3) / count, total(4) / count, total(1) / count / 16)
      news[column] =
        count > 0
        ? ScreenMeasure(weight: count / Float((right - left) * lattice), means: means)
        : ScreenMeasure()
    }
  }
}
