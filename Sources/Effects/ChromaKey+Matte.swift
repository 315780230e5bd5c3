import Pixels

/// The keyed matte and spill, on the chroma grid.
extension ChromaKey {
  func makeMatte(_ frame: KeyFrame, _ runner: any SliceRunner) {
    guard let key else {
      keyMatte.clear()
      spill.clear()
      return
    }
    runSlices(frame.grid.gridHeight, runner) { rows, scratch in
      var expandedPair = -1
      for y in rows {
        if y >> 1 != expandedPair {
          expandedPair = y >> 1
          let all = 0..<frame.grid.gridWidth
          unsafe map.expand(scratch.recip.base, channel: 0, y: y, range: all)
          unsafe map.expand(scratch.along.base, channel: 1, y: y, range: all)
        }
        let chroma = unsafe frame.chroma(y, scratch)
        unsafe KeyKernels.matte(
          keyMatte.row(y), spill.row(y), cb: chroma.cb, cr: chroma.cr,
          recip: scratch.recip.base + ScreenMap.block / 2,
          along: scratch.along.base + ScreenMap.block / 2, frame.grid.gridWidth, key)
        keyMatte.replicateEnds(y)
        spill.replicateEnds(y)
      }
    }
  }
}
