import Filters
import Pixels

/// One grid row of the destination, to work in: the picture's own memory where samples of a component
/// are contiguous, else scratch rows that `store` copies back.
struct PictureRows {
  /// The grid row, and the picture's lines that it stands for.
  let y: Int
  let lines: Range<Int>
  /// Component 0 of each line; the first alone is valid where there is one line.
  let luma: (Row<UInt8>, Row<UInt8>)
  /// Components 1 and 2.
  let chroma: (Row<UInt8>, Row<UInt8>)
  /// Alpha of each line, valid where the destination has alpha.
  let alpha: (Row<UInt8>, Row<UInt8>)

  // Inlined, and without a copy of the frame, which would cost more than a row of blocks.
  @inline(__always)
  init(_ frame: ComposeFrame, _ y: Int, _ scratch: ComposeScratch.Rows) {
    self.y = y
    let (grid, destination, lines) = (
      frame.grid, frame.destination, frame.pictureLines(ofGridRow: y)
    )
    self.lines = lines
    func line(_ component: Component?, _ index: Int, _ scratch: Row<UInt8>) -> Row<UInt8> {
      guard index < lines.count, let component else { return scratch[..<grid.width] }
      return component.row(lines.lowerBound + index, count: grid.width) ?? scratch[..<grid.width]
    }
    luma = (line(destination[0], 0, scratch.luma.0), line(destination[0], 1, scratch.luma.1))
    alpha = (
      line(destination.alpha, 0, scratch.alpha.0), line(destination.alpha, 1, scratch.alpha.1)
    )
    func row(_ component: Component, _ scratch: Row<UInt8>) -> Row<UInt8> {
      // In scratch rows with one more sample before the first.
      component.row(y, count: grid.gridWidth) ?? scratch[from: 1, count: grid.gridWidth]
    }
    chroma = (row(destination[1], scratch.chroma.0), row(destination[2], scratch.chroma.1))
  }

  /// Copies the source's samples into the rows, but for those that lie there.
  @inline(__always)
  func load(_ frame: ComposeFrame) {
    if let packed = frame.source.packed {
      packed.deinterleave(row: y, into: (luma.0, chroma.0, chroma.1))
      return
    }
    for (index, line) in lines.enumerated() {
      load(frame.source[0], frame.destination[0], line, pick(index, luma))
    }
    if let pairs = ChromaPairs(cb: frame.source[1], cr: frame.source[2]) {
      pairs.deinterleave(row: y, from: 0, into: chroma)
    } else {
      load(frame.source[1], frame.destination[1], y, chroma.0)
      load(frame.source[2], frame.destination[2], y, chroma.1)
    }
  }

  private func load(_ from: Component, _ to: Component, _ line: Int, _ row: Row<UInt8>) {
    if to.step == 1, from.isSameMemory(as: to) { return }
    from.gather(row: line, into: row)
  }

  /// Copies the rows to the destination unless they are its own memory: whole lines, or only the
  /// blocks in `changed` if the destination holds the rest.
  ///
  /// Without `hasAlpha` the destination's alpha, if any, becomes 255.
  @inline(__always)
  func store(
    _ frame: ComposeFrame, _ changed: Range<Int>, hasAlpha: Bool, _ scratch: ComposeScratch.Rows
  ) {
    let (grid, destination) = (frame.grid, frame.destination)
    if let pixels = destination.packed {
      let colors = frame.upsamplesChroma ? wideChroma(grid, scratch) : chroma
      let rows = (luma.0, colors.0, colors.1)
      if hasAlpha, pixels.hasAlpha {
        pixels.interleave(row: y, rows, alpha: alpha.0)
      } else {
        pixels.interleave(row: y, rows, alpha: 255)
      }
      return
    }
    let block = GridPlane.Rows.block
    func range(_ size: Int, _ count: Int) -> Range<Int> {
      frame.isInPlace
        ? changed.lowerBound * size..<min(changed.upperBound * size, count) : 0..<count
    }
    if destination[0].step != 1 {
      let range = range(block << grid.hShift, grid.width)
      for (index, line) in lines.enumerated() {
        destination[0].scatter(row: line, from: range.lowerBound, pick(index, luma)[range])
      }
    }
    if destination[1].step != 1 {
      let range = range(block, grid.gridWidth)
      destination[1].scatter(row: y, from: range.lowerBound, chroma.0[range])
      destination[2].scatter(row: y, from: range.lowerBound, chroma.1[range])
    }
  }

  /// Chroma of 4:2:2 at the picture's width.
  private func wideChroma(
    _ grid: ChromaGrid, _ scratch: ComposeScratch.Rows
  ) -> (Row<UInt8>, Row<UInt8>) {
    let (n, width) = (grid.gridWidth, grid.width)
    for index in 0..<2 {
      let row = pick(index, scratch.chroma)[..<(n + 2)]
      row[0] = row[1]
      row[n + 1] = row[n]
      let words = scratch.interpolated[..<row.count]
      BilinearRows.blend(words, row, row, 4, of: 4)
      MatteKernels.upsample2x(
        pick(index, scratch.wideChroma), words,
        isCosited: grid.chromaSite.isCositedHorizontally, roundsHalvesUp: true)
    }
    return (scratch.wideChroma.0[..<width], scratch.wideChroma.1[..<width])
  }
}
