import Pixels
import Threads

/// The keyed matte and spill, on the chroma grid.
extension ChromaKey {
  func makeMatte(_ frame: KeyFrame, _ runner: any SliceRunner) {
    guard let key else {
      keyMatte.clear()
      spill.clear()
      return
    }
    let field = map.field
    let shares = keyMatte
    let taint = spill
    runSlices(frame.grid.gridHeight, runner) { rows, scratch in
      var expanded = -1
      for y in rows {
        if y >> 2 != expanded {
          expanded = y >> 2
          let all = 0..<frame.grid.gridWidth
          unsafe field.expand(scratch.recip, channel: 0, y: y, range: all)
          unsafe field.expand(scratch.along, channel: 1, y: y, range: all)
        }
        let chroma = unsafe frame.chroma(y, scratch)
        unsafe KeyKernels.matte(
          shares.row(y), taint.row(y), cb: chroma.cb, cr: chroma.cr,
          recip: scratch.recip + ScreenMap.block / 2,
          along: scratch.along + ScreenMap.block / 2, frame.grid.gridWidth, key)
        shares.finish(y)
        taint.finish(y)
      }
    }
  }
}
