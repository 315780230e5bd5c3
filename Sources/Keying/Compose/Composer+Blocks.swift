import Pixels

/// Rows of pictures whose chroma is at full size, before a screen's matte that is made row by row.
///
/// A screen with some noise in it falls to many short runs, of which each would cost more than its
/// samples. So the blocks that are mixed are put side by side, and the arithmetic runs over them
/// once a row.
extension Composer {
  /// Writes row `y`, whose kinds, light and field are in the scratch rows.
  func composeBlocks(_ y: Int, _ light: ScreenLight, _ scratch: KeyRows) {
    let rows = components(y, scratch)
    let edge = edge(y, light, scratch)
    let kinds = scratch.kinds[..<matte.blocks]
    let mixed = BlockKernels.mixed(kinds, room: scratch.mixedBlocks)
    if mixed.count > 0 { mix(rows, edge, mixed, y, light, scratch) }
    write(rows, edge, kinds, y, scratch)
  }

  /// Whole blocks of the components, which may be written over.
  private func components(_ y: Int, _ scratch: KeyRows) -> PackedPixels.Rows {
    let (width, all) = (frame.grid.width, scratch.components)
    if frame.source.packed == nil {
      frame.source.split(row: y, into: (all.0[..<width], all.1[..<width], all.2[..<width]))
    }
    let n = matte.blocks * Self.block
    return (all.0[..<n], all.1[..<n], all.2[..<n])
  }

  /// What is to go of a row, in whole blocks: the light's shares where nothing else has a say.
  private func edge(_ y: Int, _ light: ScreenLight, _ scratch: KeyRows) -> Row<UInt8> {
    let width = frame.grid.width
    let shares = light.shares.row(y, from: 0, count: matte.blocks * Self.block)
    guard frame.source.alpha != nil || !crop.isWhole(frame.grid.video) else { return shares }
    let edge = scratch.edges.0[..<shares.count]
    edge.copy(shares)
    finish(edge[..<width], x: 0, line: y, scratch)
    return edge
  }

  /// Takes the screen's light out of mixed blocks, and puts the background behind.
  private func mix(
    _ rows: PackedPixels.Rows, _ edge: Row<UInt8>, _ blocks: Row<UInt16>, _ y: Int,
    _ light: ScreenLight, _ scratch: KeyRows
  ) {
    let grid = frame.grid
    let (n, all) = (blocks.count * Self.block, matte.blocks * Self.block)
    let (shares, spill, going) = (
      scratch.shares.0[..<n], scratch.lineSpill[..<n], scratch.shares.1[..<n]
    )
    BlockKernels.collect(
      (shares, spill, going),
      (
        light.shares.row(y, from: 0, count: all), light.spill.row(y, from: 0, count: all), edge
      ), blocks)
    let weights = scratch.weights[..<n]
    ComposeKernels.weights(weights, b: shares)
    let samples = (scratch.output[..<n], scratch.chroma.0[..<n], scratch.chroma.1[..<n])
    BlockKernels.collect(samples, rows, blocks)
    for component in 0..<3 {
      let (samples, screen) = (pick(component, samples), scratch.lineScreen[..<n])
      KeyKernels.slopes(
        screen, scratch.field(2 + component)[..<light.field.values], ramp: scratch.ramp,
        blocks: blocks)
      unmix(samples, component, light, b: shares, screen: screen, spill: spill, weights: weights)
    }
    if hasBackground, let background = frame.background {
      let behind = (
        scratch.screens.0[..<n], scratch.screens.1[..<n], scratch.screens.2[..<n]
      )
      let whole = background.all(y, from: 0, count: grid.width, scratch)
      BlockKernels.collect(behind, whole, blocks)
      for component in 0..<3 {
        ComposeKernels.blend(pick(component, samples), pick(component, behind), b: going)
      }
    }
    BlockKernels.spread(rows, samples, blocks)
  }

  /// Writes a row with the screen's blocks gone, and alpha where there is one.
  private func write(
    _ rows: PackedPixels.Rows, _ edge: Row<UInt8>, _ kinds: Row<UInt8>, _ y: Int,
    _ scratch: KeyRows
  ) {
    let grid = frame.grid
    let nothing = (grid.neutral(0), grid.neutral(1), grid.neutral(2))
    let whole = (rows.0[..<grid.width], rows.1[..<grid.width], rows.2[..<grid.width])
    let pixels = frame.destination.packed
    if let pixels, pixels.hasAlpha, !hasBackground {
      let alpha = scratch.input[..<grid.width]
      MatteKernels.complement(alpha, edge)
      let kept = scratch.shares.1
      BlockKernels.keep(kept, kinds)
      pixels.interleave(row: y, whole, alpha: alpha, kept: kept[..<grid.width], else: nothing)
      return
    }
    if hasBackground, let background = frame.background {
      let behind = background.all(y, from: 0, count: grid.width, scratch)
      BlockKernels.copyScreen(rows, behind, kinds)
    } else {
      BlockKernels.fillScreen(rows, nothing, kinds)
    }
    if let pixels {
      pixels.interleave(row: y, whole, alpha: 255)
    } else {
      for component in 0..<3 {
        frame.destination[component].scatter(row: y, pick(component, whole))
      }
    }
  }
}
