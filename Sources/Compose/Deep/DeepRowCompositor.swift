import Pixels

/// Composites the grid rows of one frame of more than 8 bits on one thread; as `RowCompositor`.
///
/// Rows are copied out of the picture as codes, and those blocks back in that have changed.
struct DeepRowCompositor {
  let frame: DeepFrame
  let codes: DeepCodes
  /// Alpha as shaped.
  let matte: DeepPlane.Rows
  /// Alpha as keyed; nil if equal to the composited alpha.
  let keyedAlpha: DeepPlane.Rows?
  let crop: MatteCrop
  let edges: (any DeepEdgeColors)?
  let showsMatte: Bool
  let background: DeepBackground?

  private var grid: ChromaGrid { frame.grid }

  /// Writes grid row `y`.
  func composite(_ y: Int, _ scratch: DeepScratch.Rows) {
    if showsMatte { return writeMatteAsGrey(y, scratch) }
    let kinds = classify(y, scratch)
    let changed =
      frame.isInPlace ? BlockKernels.nonForegroundRange(kinds) : 0..<kinds.count
    let lines = frame.eightBit.pictureLines(ofGridRow: y)
    let numbers = BlockKernels.blockIndices(of: .mixed, kinds, into: scratch.mixedBlocks)
    let mixed = MixedBlocks(numbers: numbers, y: y, gridWidth: grid.gridWidth)
    if mixed.count > 0 {
      prepareAlpha(mixed, lines, scratch)
      edges?.prepare(mixed, cells: scratch.cellWords)
    }
    if !changed.isEmpty {
      for (index, line) in lines.enumerated() {
        composite(0, line, index, kinds, mixed, changed, scratch)
      }
      composite(1, y, 0, kinds, mixed, changed, scratch)
      composite(2, y, 0, kinds, mixed, changed, scratch)
    }
    for (index, line) in lines.enumerated() {
      writeAlpha(line, kinds, mixed, pick(index, scratch.mixedAlpha), scratch)
    }
  }

  private func classify(_ y: Int, _ scratch: DeepScratch.Rows) -> Row<UInt8> {
    let kinds = scratch.kinds[..<matte.blocks]
    BlockKernels.classify(kinds, matte.marks(around: y, grid.vShift))
    edges?.markMixed(kinds, y)
    crop.restrict(
      kinds, frame.eightBit.pictureLines(ofGridRow: y), grid,
      mixesForeground: frame.source.alpha != nil && background != nil)
    return kinds
  }

  /// Samples of a component in a block, and in its rows.
  private func size(_ component: Int) -> (block: Int, row: Int) {
    component == 0
      ? (GridPlane.Rows.block << grid.hShift, grid.width)
      : (GridPlane.Rows.block, grid.gridWidth)
  }

  /// The samples of neighbouring blocks in a row of `count`.
  private func samples(_ blocks: Range<Int>, _ block: Int, _ count: Int) -> Range<Int> {
    blocks.lowerBound &* block..<min(blocks.upperBound &* block, count)
  }

  /// Composites a row of one component, and writes the blocks in `changed`.
  private func composite(
    _ component: Int, _ line: Int, _ index: Int, _ kinds: Row<UInt8>, _ mixed: MixedBlocks,
    _ changed: Range<Int>, _ scratch: DeepScratch.Rows
  ) {
    let (block, count) = size(component)
    let target = frame.destination[component]
    let own = target.row(line)
    let row = own ?? scratch.luma.0[..<count]
    let written = changed.lowerBound * block..<min(changed.upperBound * block, count)
    let isThere = own != nil && frame.isInPlace
    if !isThere { readForeground(component, line, kinds, written, into: row) }
    let behind = background?.row(component, line, count: count, scratch)
    let black = codes.nearest(Float(grid.blackCode(component)))
    if own != nil {
      // Before mixed blocks, which lie between these runs and are in the cache then.
      BlockKernels.forBackgroundRuns(kinds) { blocks in
        let samples = samples(blocks, block, count)
        if let behind { row[samples].copy(behind[samples]) } else { row[samples].fill(black) }
      }
    }
    if mixed.count > 0 {
      let isSubsampled = component > 0 && grid.hShift > 0
      let n = mixed.numbers.count * block
      let samples = scratch.samples[..<n]
      let site = DeepEdgeSamples(
        component: component, isDoubled: component == 0 && grid.hShift > 0,
        alpha: (isSubsampled ? scratch.chromaAlpha : pick(index, scratch.mixedAlpha))[..<n],
        keyedAlpha: (isSubsampled ? scratch.keyedChromaAlpha : pick(index, scratch.keyedAlpha))[
          ..<n])
      BlockKernels.gatherBlocks(
        samples, row, mixed.numbers, size: block, mask: isThere ? target.maximum : .max)
      edges?.restoreForeground(samples, site)
      if let behind {
        let gathered = scratch.behind[..<n]
        BlockKernels.gatherBlocks(gathered, behind, mixed.numbers, size: block)
        DeepKernels.blend(samples, gathered, alpha: site.alpha)
      }
      edges?.addLight(samples, site)
      BlockKernels.scatterBlocks(row, samples, mixed.numbers, size: block)
    }
    guard own == nil else { return }
    var next = written.lowerBound
    BlockKernels.forBackgroundRuns(kinds) { blocks in
      let samples = samples(blocks, block, count)
      guard let behind else { return row[samples].fill(black) }
      // Straight from there, without a copy.
      target.scatter(row: line, from: next, row[next..<samples.lowerBound])
      target.scatter(row: line, from: samples.lowerBound, behind[samples])
      next = samples.upperBound
    }
    target.scatter(row: line, from: next, row[next..<written.upperBound])
  }

  /// Copies those samples of a row out of the source that the background does not replace.
  private func readForeground(
    _ component: Int, _ line: Int, _ kinds: Row<UInt8>, _ samples: Range<Int>,
    into row: Row<UInt16>
  ) {
    let (source, block) = (frame.source[component], size(component).block)
    var next = samples.lowerBound
    func read(to end: Int) {
      guard next < end else { return }
      source.gather(row: line, from: next, into: row[next..<end])
    }
    BlockKernels.forBackgroundRuns(kinds) { blocks in
      read(to: blocks.lowerBound &* block)
      next = blocks.upperBound &* block
    }
    read(to: samples.upperBound)
  }

  /// Writes the alpha of a line of the picture, where the destination has alpha.
  private func writeAlpha(
    _ line: Int, _ kinds: Row<UInt8>, _ mixed: MixedBlocks, _ alpha: Row<Float>,
    _ scratch: DeepScratch.Rows
  ) {
    guard let destination = frame.destination.alpha else { return }
    let (block, count) = size(0)
    let memory = destination.row(line)
    let out = memory ?? scratch.alpha[..<count]
    if background != nil {
      out.fill(destination.maximum)
    } else {
      if let own = frame.source.alpha {
        own.gather(row: line, into: out)
        BlockKernels.forBackgroundRuns(kinds) { out[samples($0, block, count)].fill(0) }
      } else {
        // Each sample once.
        var next = 0
        BlockKernels.forBackgroundRuns(kinds) { blocks in
          let samples = samples(blocks, block, count)
          out[next..<samples.lowerBound].fill(destination.maximum)
          out[samples].fill(0)
          next = samples.upperBound
        }
        out[next...].fill(destination.maximum)
      }
      let mixedCodes = scratch.alphaCodes[..<(mixed.numbers.count * block)]
      DeepKernels.alphaToCodes(mixedCodes, alpha, offset: 0, scale: Float(destination.maximum))
      BlockKernels.scatterBlocks(out, mixedCodes, mixed.numbers, size: block)
    }
    if memory == nil { destination.scatter(row: line, out) }
  }

  // MARK: Alpha at the picture's size

  /// Prepares the alpha of mixed blocks, as composited and as keyed, for luma's lines and for
  /// chroma.
  private func prepareAlpha(
    _ mixed: MixedBlocks, _ lines: Range<Int>, _ scratch: DeepScratch.Rows
  ) {
    let isKeyed = edges?.readsKeyedAlpha == true
    let shift = grid.hShift
    for (index, line) in lines.enumerated() {
      let (alpha, keyed) = (pick(index, scratch.mixedAlpha), pick(index, scratch.keyedAlpha))
      mixed.forEachRun { columns, offset in
        upsample(matte, columns, line, alpha[(offset << shift)...], scratch)
        let x = columns.lowerBound << shift
        let own = alpha[
          from: offset << shift, count: min(columns.upperBound << shift, grid.width) - x]
        if isKeyed {
          let target = keyed[(offset << shift)...]
          if let keyedAlpha {
            upsample(keyedAlpha, columns, line, target, scratch)
          } else {
            target[..<own.count].copy(own)
          }
        }
        multiply(own, x: x, line: line, scratch)
      }
    }
    guard shift > 0 else { return }
    mixed.forEachRun { columns, offset in
      let alpha = scratch.chromaAlpha[from: offset, count: columns.count]
      let x = columns.lowerBound
      DeepKernels.alphaToFloat(alpha, matte.row(mixed.y, from: x, count: columns.count))
      crop.applyColumns(alpha, x: x, hShift: 1)
      if let own = frame.source.alpha {
        let codes = scratch.ownAlpha[..<columns.count]
        own.gather(row: lines.lowerBound, from: x << 1, every: 2, into: codes)
        DeepKernels.multiply(alpha, codes, maximum: Float(own.maximum))
      }
      if isKeyed {
        DeepKernels.alphaToFloat(
          scratch.keyedChromaAlpha[from: offset, count: columns.count],
          (keyedAlpha ?? matte).row(mixed.y, from: x, count: columns.count))
      }
    }
  }

  /// Upsamples columns of alpha to a line of the picture; whole pairs are written.
  private func upsample(
    _ plane: DeepPlane.Rows, _ columns: Range<Int>, _ line: Int, _ out: Row<Float>,
    _ scratch: DeepScratch.Rows
  ) {
    let (x, y) = (columns.lowerBound, line >> grid.vShift)
    guard grid.hShift > 0 else {
      return DeepKernels.alphaToFloat(
        out[..<columns.count], plane.row(y, from: x, count: columns.count))
    }
    var (other, weight): (Int, Float) = (y, 0)
    if grid.vShift > 0 {
      let isSecond = line & 1 == 1
      if grid.chromaSite.isCositedVertically {
        (other, weight) = (y + 1, isSecond ? 0.5 : 0)
      } else {
        (other, weight) = (isSecond ? y + 1 : y - 1, 0.25)
      }
    }
    // A sample more at either end.
    let count = columns.count + 2
    let rows = scratch.interpolated[..<count]
    DeepKernels.blendRows(
      rows, plane.row(y, from: x - 1, count: count), plane.row(other, from: x - 1, count: count),
      weight)
    DeepKernels.upsample2x(out, rows, isCosited: grid.chromaSite.isCositedHorizontally)
  }

  /// Multiplies a line's alpha by the crop's and by the source's own.
  private func multiply(_ alpha: Row<Float>, x: Int, line: Int, _ scratch: DeepScratch.Rows) {
    if crop.lines.contains(line) {
      crop.applyColumns(alpha, x: x, hShift: 0)
    } else {
      alpha.fill(0)
    }
    guard let own = frame.source.alpha else { return }
    let codes = scratch.ownAlpha[..<alpha.count]
    own.gather(row: line, from: x, into: codes)
    DeepKernels.multiply(alpha, codes, maximum: Float(own.maximum))
  }

  /// Writes a grid row of the matte as a grey picture.
  private func writeMatteAsGrey(_ y: Int, _ scratch: DeepScratch.Rows) {
    let colors = grid.colorimetry
    for line in frame.eightBit.pictureLines(ofGridRow: y) {
      let alpha = scratch.mixedAlpha.0
      upsample(matte, 0..<grid.gridWidth, line, alpha, scratch)
      multiply(alpha[..<grid.width], x: 0, line: line, scratch)
      let luma = scratch.luma.0[..<grid.width]
      // White is the code of 8 bits with zeros below, but for full range's, which is all ones.
      let scale = colors.isFullRange ? codes.maximum : colors.lumaScale * codes.scale
      DeepKernels.alphaToCodes(
        luma, alpha, offset: colors.lumaOffset * codes.scale, scale: scale)
      frame.destination[0].scatter(row: line, luma)
      if let target = frame.destination.alpha {
        let opaque = scratch.alpha[..<grid.width]
        opaque.fill(target.maximum)
        target.scatter(row: line, opaque)
      }
    }
    let grey = scratch.chroma.0[..<grid.gridWidth]
    grey.fill(codes.nearest(128))
    frame.destination[1].scatter(row: y, grey)
    frame.destination[2].scatter(row: y, grey)
  }
}
