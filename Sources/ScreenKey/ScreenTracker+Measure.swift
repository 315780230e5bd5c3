import Compose
import Pixels

/// Measuring the screen: its colour in the first frames, its light in all of them.
extension ScreenTracker {
  /// Adds a lattice of the frame's chroma samples to `finder`.
  func addSamples(
    of frame: ComposeFrame, into finder: inout ScreenFinder, _ scratch: ScreenScratch
  ) {
    let area = grid.gridWidth * grid.gridHeight
    var step = 1
    while area / (step * step) > ScreenFinder.samples { step += 1 }
    for y in stride(from: step / 2, to: grid.gridHeight, by: step) {
      let (cb, cr) = scratch.keyChroma(row: y, of: frame)
      // Chroma of RGB leaves its components in the scratch rows.
      let n = grid.gridWidth
      let rows = grid.isRGB ? scratch.components : scratch.gridComponents(row: y, of: frame)
      var x = step / 2
      while x < n {
        finder.addSample(cb: cb[x], cr: cr[x], rows.0[x], rows.1[x], rows.2[x])
        x += step
      }
    }
  }

  /// Measures block rows of the screen map.
  func measureBlockRows(
    _ frame: ComposeFrame, rows: Range<Int>, _ color: ScreenColor, _ slices: FrameSlices
  ) {
    slices.run(rows.count) { range, scratch in
      let scratch = threads[scratch.thread].scratch
      for row in range { measureBlockRow(frame, rows.lowerBound + row, color, scratch) }
    }
  }

  /// Computes the means, in every other row, of those samples of a block whose 3 x 3 neighbours are
  /// screen.
  private func measureBlockRow(
    _ frame: ComposeFrame, _ blockRow: Int, _ color: ScreenColor, _ scratch: ScreenScratch
  ) {
    let n = grid.gridWidth
    let top = blockRow * ScreenMap.block
    let lattice = max(min(ScreenMap.block, grid.gridHeight - top + 1) / 2, 1)
    let threshold = scratch.threshold[..<n]
    map.writeThresholds(threshold, blockRow: blockRow, color: color)
    for index in 0..<lattice + 2 {
      let y = max(0, min(top + 2 * (index - 1), grid.gridHeight - 1))
      let chroma = scratch.keyChroma(row: y, of: frame)
      let q = scratch.measures(index)[..<n]
      let mask = scratch.mask(index)
      ScreenKernels.measureScreen(q, cb: chroma.cb, cr: chroma.cr, color)
      ScreenKernels.maskAbove(mask[1..<n + 1], q, threshold)
      mask[0] = 0xffff
      mask[n + 1] = 0xffff
    }
    for channel in 0..<ScreenField.channels { scratch.sums(channel).fill(0) }
    let kept = scratch.kept[..<n]
    for index in 1...lattice {
      let y = min(top + 2 * (index - 1), grid.gridHeight - 1)
      ScreenKernels.erode3x3(
        kept, scratch.mask(index - 1), scratch.mask(index), scratch.mask(index + 1))
      ScreenKernels.countMasked(scratch.sums(0)[..<n], kept)
      ScreenKernels.addMasked(scratch.sums(1)[..<n], scratch.measures(index), kept)
      let components = scratch.gridComponents(row: y, of: frame)
      ScreenKernels.addMasked(scratch.sums(2)[..<n], components.0, kept)
      ScreenKernels.addMasked(scratch.sums(3)[..<n], components.1, kept)
      ScreenKernels.addMasked(scratch.sums(4)[..<n], components.2, kept)
    }
    writeBlockMeans(blockRow, lattice: lattice, scratch)
  }

  /// Sums the column sums of a block row over its blocks, and writes their means.
  private func writeBlockMeans(_ blockRow: Int, lattice: Int, _ scratch: ScreenScratch) {
    let measured = map.measured.row(blockRow)
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
      measured[column] =
        count > 0
        ? ScreenMeasure(weight: count / Float((right - left) * lattice), means: means)
        : ScreenMeasure()
    }
  }
}
