import Filters
import Pixels

/// The matte at the picture's size.
extension RowCompositor {
  /// Prepares the alpha of mixed blocks, as composited and as keyed, for luma's lines and for chroma.
  func prepareAlpha(
    _ mixed: MixedBlocks, _ lines: Range<Int>, _ scratch: ComposeScratch.Rows
  ) {
    let isKeyed = edges?.readsKeyedAlpha == true
    let shift = frame.grid.hShift
    if isMatteAlpha {
      gather(mixed, isKeyed, scratch)
    } else {
      for (index, line) in lines.enumerated() {
        let (alpha, keyed) = (pick(index, scratch.mixedAlpha), pick(index, scratch.keyedAlpha))
        mixed.forEachRun { columns, offset in
          let pixels = pixels(columns)
          upsample(matte, columns, line, alpha[(offset << shift)...], scratch)
          let own = alpha[from: offset << shift, count: pixels.count]
          if isKeyed, let keyedAlpha {
            upsample(keyedAlpha, columns, line, keyed[(offset << shift)...], scratch)
          } else if isKeyed {
            keyed[from: offset << shift, count: pixels.count].copy(own)
          }
          multiply(own, x: pixels.lowerBound, line: line, scratch)
        }
      }
    }
    guard shift > 0 else { return }
    if hasBackground || edges?.readsAlpha == true {
      mixed.forEachRun { columns, offset in
        prepareChromaAlpha(
          scratch.chromaAlpha[from: offset, count: columns.count], columns, mixed.y, scratch)
      }
    }
    if isKeyed {
      BlockKernels.gatherBlocks(
        scratch.keyedChromaAlpha, (keyedAlpha ?? matte).wholeBlockRow(mixed.y), mixed.numbers)
    }
  }

  /// Whether the matte has the picture's size, and is the alpha of every pixel.
  var isMatteAlpha: Bool {
    frame.grid.hShift == 0 && frame.source.alpha == nil && crop.isWhole(frame.grid.video)
  }

  /// Gathers the alpha of mixed blocks where the matte is the alpha of every pixel.
  private func gather(_ mixed: MixedBlocks, _ isKeyed: Bool, _ scratch: ComposeScratch.Rows) {
    BlockKernels.gatherBlocks(scratch.mixedAlpha.0, matte.wholeBlockRow(mixed.y), mixed.numbers)
    guard isKeyed else { return }
    if let keyedAlpha {
      BlockKernels.gatherBlocks(
        scratch.keyedAlpha.0, keyedAlpha.wholeBlockRow(mixed.y), mixed.numbers)
    } else {
      scratch.keyedAlpha.0[..<mixed.count].copy(scratch.mixedAlpha.0[..<mixed.count])
    }
  }

  /// The picture's columns that the grid's stand for.
  private func pixels(_ columns: Range<Int>) -> Range<Int> {
    let grid = frame.grid
    return columns.lowerBound << grid.hShift..<min(columns.upperBound << grid.hShift, grid.width)
  }

  /// The alpha of chroma samples.
  private func prepareChromaAlpha(
    _ alpha: Row<UInt8>, _ columns: Range<Int>, _ y: Int, _ scratch: ComposeScratch.Rows
  ) {
    alpha.copy(matte.row(y, from: columns.lowerBound, count: columns.count))
    crop.applyColumns(alpha, x: columns.lowerBound, hShift: 1)
    guard let source = frame.source.alpha else { return }
    let own = scratch.sourceAlpha[..<columns.count]
    source.gather(
      row: frame.pictureLines(ofGridRow: y).lowerBound, from: columns.lowerBound << 1, every: 2,
      into: own)
    MatteKernels.multiply(alpha, own)
  }

  /// Upsamples columns of alpha to a line of the picture; whole pairs are written.
  private func upsample(
    _ plane: GridPlane.Rows, _ columns: Range<Int>, _ line: Int, _ out: Row<UInt8>,
    _ scratch: ComposeScratch.Rows
  ) {
    let grid = frame.grid
    let (x, y) = (columns.lowerBound, line >> grid.vShift)
    guard grid.hShift > 0 else {
      out[..<columns.count].copy(plane.row(y, from: x, count: columns.count))
      return
    }
    var other = y
    var weight: UInt16 = 4
    if grid.vShift > 0 {
      let isSecond = line & 1 == 1
      if grid.chromaSite.isCositedVertically {
        weight = isSecond ? 2 : 4
        other = y + 1
      } else {
        weight = 3
        other = isSecond ? y + 1 : y - 1
      }
    }
    // A sample more at either end.
    let count = columns.count + 2
    let rows = scratch.interpolated[..<count]
    BilinearRows.blend(
      rows, plane.row(other, from: x - 1, count: count), plane.row(y, from: x - 1, count: count),
      weight, of: 4)
    MatteKernels.upsample2x(
      out, rows, isCosited: grid.chromaSite.isCositedHorizontally, roundsHalvesUp: false)
  }

  /// Multiplies a line's alpha by the crop's and by the source's own.
  private func multiply(
    _ alpha: Row<UInt8>, x: Int, line: Int, _ scratch: ComposeScratch.Rows
  ) {
    crop.apply(alpha, x: x, line: line)
    guard let source = frame.source.alpha else { return }
    let own = source.samples(row: line, from: x, scratch: scratch.sourceAlpha[..<alpha.count])
    MatteKernels.multiply(alpha, own)
  }

  /// Writes a grid row of the matte as a grey picture.
  func writeMatteAsGrey(_ rows: PictureRows, _ scratch: ComposeScratch.Rows) {
    let grid = frame.grid
    let offset = grid.isRGB ? 0 : grid.colorimetry.lumaOffset
    let scale = grid.isRGB ? 255 : grid.colorimetry.lumaScale
    for (index, line) in rows.lines.enumerated() {
      let alpha = scratch.mixedAlpha.0
      upsample(matte, 0..<grid.gridWidth, line, alpha, scratch)
      multiply(alpha[..<grid.width], x: 0, line: line, scratch)
      let luma = pick(index, rows.luma)
      MatteKernels.alphaToLuma(luma, alpha, offset: UInt16(offset), scale: UInt16(scale))
      if frame.destination.alpha != nil { pick(index, rows.alpha).fill(255) }
    }
    if grid.isRGB {
      rows.chroma.0.copy(rows.luma.0)
      rows.chroma.1.copy(rows.luma.0)
    } else {
      rows.chroma.0.fill(128)
      rows.chroma.1.fill(128)
    }
    rows.store(frame, 0..<matte.blocks, hasAlpha: true, scratch)
  }
}
