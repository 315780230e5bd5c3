import Filters
import Pixels

/// The matte at the picture's size.
extension Composer {
  /// Screen shares of each line, the screen's own colour and the spill, for a mixed run.
  func prepare(_ run: Run, _ scratch: KeyRows) {
    let grid = frame.grid
    let (x, count) = (run.x, run.count)
    for (index, line) in run.lines.enumerated() {
      let edge = pick(index, scratch.edges)[..<run.pixels]
      if hasLight, let light {
        upsample(light.shares, run, line, pick(index, scratch.shares), scratch)
      }
      if hasLight, !isShaped {
        edge.copy(pick(index, scratch.shares)[..<run.pixels])
      } else {
        upsample(matte, run, line, pick(index, scratch.edges), scratch)
      }
      finish(edge, x: run.pixel, line: line, scratch)
    }
    if hasBackground || hasColors, grid.hShift > 0 {
      prepareChromaEdge(run, scratch)
    }
    if hasColors, let colors {
      colors.upsample(run, scratch)
      if grid.hShift > 0 {
        for index in 0..<2 {
          MatteKernels.repeat2x(scratch.doubled(index), scratch.fused(3 * index)[..<count])
        }
      }
    }
    if hasWrap, let wrap {
      wrap.upsample(run, scratch)
      if grid.hShift > 0 {
        MatteKernels.repeat2x(scratch.doubledLight, scratch.wrapped(0)[..<count])
      }
    }
    guard let light else { return }
    light.field.expand(into: scratch.screens, y: run.y, range: x..<x + count, scratch)
    guard grid.hShift > 0 else { return }
    MatteKernels.repeat2x(
      scratch.lineScreen, scratch.screens.0[from: x + ScreenField.origin, count: count])
    MatteKernels.repeat2x(scratch.lineSpill, light.spill.row(run.y, from: x, count: count))
  }

  /// Chroma's own screen shares for compositing.
  private func prepareChromaEdge(_ run: Run, _ scratch: KeyRows) {
    let shares = scratch.chromaEdge[..<run.count]
    shares.copy(matte.row(run.y, from: run.x, count: run.count))
    crop.applyColumns(shares, x: run.x, hShift: 1)
    guard let alpha = frame.source.alpha else { return }
    let own = scratch.input[..<run.count]
    alpha.gather(row: run.lines.lowerBound, from: run.pixel, every: 2, into: own)
    MatteKernels.veil(shares, alpha: own)
  }

  /// A run of one line of a matte at the picture's size; whole pairs are written.
  private func upsample(
    _ matte: MatteRows, _ run: Run, _ line: Int, _ out: Row<UInt8>, _ scratch: KeyRows
  ) {
    let grid = frame.grid
    guard grid.hShift > 0 else {
      out[..<run.pixels].copy(matte.row(run.y, from: run.x, count: run.pixels))
      return
    }
    var other = run.y
    var weight: UInt16 = 4
    if grid.vShift > 0 {
      let isSecond = line & 1 == 1
      if grid.chromaSite.isCositedVertically {
        weight = isSecond ? 2 : 4
        other = run.y + 1
      } else {
        weight = 3
        other = isSecond ? run.y + 1 : run.y - 1
      }
    }
    let reach = run.count + 2
    let rows = scratch.mixed[..<reach]
    BilinearRows.blend(
      rows, matte.row(other, from: run.x - 1, count: reach),
      matte.row(run.y, from: run.x - 1, count: reach), weight, of: 4)
    MatteKernels.upsample2x(out, rows, isCosited: grid.chromaSite.isCositedHorizontally)
  }

  /// Cuts a line of a matte, and lets the source's own alpha through.
  func finish(_ edge: Row<UInt8>, x: Int, line: Int, _ scratch: KeyRows) {
    crop.apply(edge, x: x, line: line)
    guard let alpha = frame.source.alpha else { return }
    let own = alpha.samples(row: line, from: x, scratch: scratch.input[..<edge.count])
    MatteKernels.veil(edge, alpha: own)
  }

  /// Writes a grid row of the matte as a grey picture.
  func show(_ y: Int, _ scratch: KeyRows) {
    let grid = frame.grid
    let destination = frame.destination
    let run = Run(0..<grid.gridWidth, y: y, kind: .mixed, grid: grid)
    for (index, line) in run.lines.enumerated() {
      let edge = pick(index, scratch.edges)[..<run.pixels]
      upsample(matte, run, line, pick(index, scratch.edges), scratch)
      finish(edge, x: run.pixel, line: line, scratch)
      let offset = grid.isRGB ? 0 : grid.colorimetry.lumaOffset
      let scale = grid.isRGB ? 255 : grid.colorimetry.lumaScale
      let own = grid.isRGB ? nil : destination[0].row(line, count: run.pixels)
      MatteKernels.grey(own ?? edge, edge, offset: UInt16(offset), scale: UInt16(scale))
      if own == nil {
        for component in 0..<(grid.isRGB ? 3 : 1) {
          destination[component].scatter(row: line, edge)
        }
      }
      if let alpha = destination.alpha {
        let opaque = scratch.input[..<run.pixels]
        opaque.fill(255)
        alpha.scatter(row: line, opaque)
      }
    }
    if !grid.isRGB { destination.fillChroma(row: y, 128, room: scratch.output) }
  }
}
