import Pixels

/// Composites the grid rows of one frame on one thread.
///
/// Blocks of 16 chroma samples are sorted first: foreground, which stays; background, which is
/// replaced; and mixed ones. The samples of mixed blocks are gathered side by side, so that each
/// kernel runs over a row of them once, and scattered back.
struct RowCompositor {
  /// None, or one bit.
  enum Kind: UInt8 { case foreground, background, mixed }

  let frame: ComposeFrame
  /// Alpha as shaped.
  let matte: GridPlane.Rows
  /// Alpha as keyed; nil if equal to the composited alpha.
  let keyedAlpha: GridPlane.Rows?
  /// The part of the picture that may stay.
  let crop: MatteCrop
  /// What corrects the colours of mixed samples.
  let edges: (any EdgeColors)?
  /// Whether the matte itself is written, as a grey picture.
  let showsMatte: Bool
  /// Whether there is a background; to ask the frame copies its description.
  let hasBackground: Bool

  /// Writes a grid row by a matte that is there.
  func composite(_ y: Int, _ scratch: ComposeScratch.Rows) {
    let rows = PictureRows(frame, y, scratch)
    if showsMatte { return writeMatteAsGrey(rows, scratch) }
    let kinds = classify(y, scratch)
    let changed = BlockKernels.nonForegroundRange(kinds)
    if frame.isInPlace, changed.isEmpty { return writeOpaqueAlpha(rows, scratch) }
    rows.load(frame)
    composite(rows, kinds, changed, scratch)
  }

  /// Writes a grid row after `maker` has made its alpha.
  func composite(_ y: Int, madeBy maker: any AlphaRowMaker, _ scratch: ComposeScratch.Rows) {
    let rows = PictureRows(frame, y, scratch)
    rows.load(frame)
    maker.makeRow(y, (rows.luma.0, rows.chroma.0, rows.chroma.1))
    if showsMatte { return writeMatteAsGrey(rows, scratch) }
    let kinds = classify(y, scratch)
    composite(rows, kinds, BlockKernels.nonForegroundRange(kinds), scratch)
  }

  private func composite(
    _ rows: PictureRows, _ kinds: Row<UInt8>, _ changed: Range<Int>,
    _ scratch: ComposeScratch.Rows
  ) {
    let numbers = BlockKernels.blockIndices(of: .mixed, kinds, into: scratch.mixedBlocks)
    let mixed = MixedBlocks(numbers: numbers, y: rows.y, gridWidth: frame.grid.gridWidth)
    if mixed.count > 0 {
      prepareAlpha(mixed, rows.lines, scratch)
      edges?.prepare(mixed, scratch)
    }
    for index in 0..<rows.lines.count {
      composite(
        ComponentRow(0, rows.lines.lowerBound + index, pick(index, rows.luma), index: index), kinds,
        mixed, scratch)
    }
    composite(ComponentRow(1, rows.y, rows.chroma.0), kinds, mixed, scratch)
    composite(ComponentRow(2, rows.y, rows.chroma.1), kinds, mixed, scratch)
    writeAlpha(rows, mixed, scratch)
    if !hasBackground { clearBackground(rows, kinds) }
    rows.store(frame, changed, hasAlpha: !hasBackground, scratch)
  }

  /// A row of one component.
  private struct ComponentRow {
    let component: Int
    /// Its number in the component, and among the lines of the grid row.
    let line, index: Int
    let samples: Row<UInt8>

    init(_ component: Int, _ line: Int, _ samples: Row<UInt8>, index: Int = 0) {
      (self.component, self.line, self.index) = (component, line, index)
      self.samples = samples
    }
  }

  /// The background of a row.
  ///
  /// Not inlined, since it copies the description of the background.
  @inline(never)
  private func background(
    _ row: ComponentRow, _ kinds: Row<UInt8>, _ scratch: ComposeScratch.Rows
  ) -> Row<UInt8>? {
    frame.background?.row(row.component, row.line, kinds, count: row.samples.count, scratch)
  }

  /// Composites samples of one component, in the order in which the row holds them.
  private func composite(
    _ own: ComponentRow, _ kinds: Row<UInt8>, _ mixed: MixedBlocks, _ scratch: ComposeScratch.Rows
  ) {
    let (component, index, row) = (own.component, own.index, own.samples)
    let isSubsampled = frame.isSubsampled(component)
    let isDoubled = component == 0 && frame.grid.hShift > 0
    let size = GridPlane.Rows.block << (isDoubled ? 1 : 0)
    let behind = hasBackground ? background(own, kinds, scratch) : nil
    if mixed.count > 0 {
      let n = mixed.numbers.count * size
      let samples = scratch.samples[..<n]
      let site = EdgeSamples(
        component: component, isDoubled: isDoubled,
        isNewAlpha: component == 0 || (component == 1 && isSubsampled),
        alpha: (isSubsampled ? scratch.chromaAlpha : pick(index, scratch.mixedAlpha))[..<n],
        keyedAlpha: (isSubsampled ? scratch.keyedChromaAlpha : pick(index, scratch.keyedAlpha))[
          ..<n])
      BlockKernels.gatherBlocks(samples, row, mixed.numbers, size: size)
      edges?.restoreForeground(samples, site)
      if let behind {
        let gathered = scratch.behind[..<n]
        BlockKernels.gatherBlocks(gathered, behind, mixed.numbers, size: size)
        MatteKernels.blend(samples, gathered, alpha: site.alpha)
      }
      edges?.addLight(samples, site)
      BlockKernels.scatterBlocks(row, samples, mixed.numbers, size: size)
    }
    if let behind { BlockKernels.copyBackgroundBlocks(row, behind, kinds, size: size) }
  }

  /// Makes background blocks black and transparent.
  ///
  /// Their runs are found once for all rows. A matte that is the alpha is transparent there itself.
  private func clearBackground(_ rows: PictureRows, _ kinds: Row<UInt8>) {
    let (grid, hasAlpha) = (frame.grid, frame.destination.alpha != nil && !isMatteAlpha)
    let size = GridPlane.Rows.block
    let (luma, cb, cr) = (grid.blackCode(0), grid.blackCode(1), grid.blackCode(2))
    BlockKernels.forBackgroundRuns(kinds) { blocks in
      let (start, end) = (blocks.lowerBound &* size, blocks.upperBound &* size)
      let samples = start..<min(end, grid.gridWidth)
      rows.chroma.0[samples].fill(cb)
      rows.chroma.1[samples].fill(cr)
      let pixels = start << grid.hShift..<min(end << grid.hShift, grid.width)
      for index in 0..<rows.lines.count {
        pick(index, rows.luma)[pixels].fill(luma)
        if hasAlpha { pick(index, rows.alpha)[pixels].fill(0) }
      }
    }
  }

  /// Writes the alpha of a row whose colours all stay where they are.
  private func writeOpaqueAlpha(_ rows: PictureRows, _ scratch: ComposeScratch.Rows) {
    guard let pixels = frame.destination.packed else {
      let none = MixedBlocks(
        numbers: scratch.mixedBlocks[..<0], y: rows.y, gridWidth: frame.grid.gridWidth)
      return writeAlpha(rows, none, scratch)
    }
    if hasBackground || frame.source.alpha == nil {
      pixels.fillAlpha(row: rows.y, from: 0, count: frame.grid.width, 255)
    }
  }

  /// Writes the alpha of the picture's lines, into its memory or, where it is packed, into the rows; that of
  /// background blocks only if the matte is the alpha.
  private func writeAlpha(
    _ rows: PictureRows, _ mixed: MixedBlocks, _ scratch: ComposeScratch.Rows
  ) {
    guard let alpha = frame.destination.alpha else { return }
    let size = GridPlane.Rows.block << frame.grid.hShift
    for (index, line) in rows.lines.enumerated() {
      let out = pick(index, rows.alpha)
      if hasBackground {
        if alpha.step == 1 { out.fill(255) }
        continue
      }
      if isMatteAlpha {
        out.copy(matte.row(rows.y))
        continue
      }
      if let own = frame.source.alpha {
        if alpha.step != 1 || !own.isSameMemory(as: alpha) { own.gather(row: line, into: out) }
      } else {
        out.fill(255)
      }
      BlockKernels.scatterBlocks(out, pick(index, scratch.mixedAlpha), mixed.numbers, size: size)
    }
  }

  /// Classifies the blocks of a grid row.
  private func classify(_ y: Int, _ scratch: ComposeScratch.Rows) -> Row<UInt8> {
    let grid = frame.grid
    let kinds = scratch.kinds[..<matte.blocks]
    BlockKernels.classify(kinds, matte.marks(around: y, grid.vShift))
    edges?.markMixed(kinds, y)
    crop.restrict(
      kinds, frame.pictureLines(ofGridRow: y), grid,
      mixesForeground: frame.source.alpha != nil && hasBackground)
    return kinds
  }
}
