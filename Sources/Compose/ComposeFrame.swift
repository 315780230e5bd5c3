package import Pixels

/// The components of a picture; a plain value, so that making one allocates nothing.
package struct PictureComponents {
  private let first, second, third: Component
  /// The alpha, where there is one.
  let alpha: Component?
  /// All components at once, where the layout keeps a pixel's samples together.
  package let packed: PackedPixels?

  init(_ picture: borrowing Picture) {
    first = picture.component(0)
    second = picture.component(1)
    third = picture.component(2)
    alpha = picture.format.hasAlpha ? picture.component(3) : nil
    packed = PackedPixels(picture)
  }

  package subscript(index: Int) -> Component { pick(index, (first, second, third)) }

  /// As many chroma samples of row `y` as `scratch` holds: the picture's own where they are
  /// contiguous, else copied into `scratch`.
  package func chromaSamples(
    row y: Int, from x: Int = 0, scratch: (cb: Row<UInt8>, cr: Row<UInt8>)
  ) -> (cb: Row<UInt8>, cr: Row<UInt8>) {
    if let pairs = ChromaPairs(cb: second, cr: third) {
      pairs.deinterleave(row: y, from: x, into: scratch)
      return scratch
    }
    return (
      second.samples(row: y, from: x, scratch: scratch.cb),
      third.samples(row: y, from: x, scratch: scratch.cr)
    )
  }

  /// Fills rows with the components of row `y`, all of one size, from column `x` on.
  package func gatherComponents(row y: Int, from x: Int = 0, into rows: PackedPixels.Rows) {
    if let packed {
      packed.deinterleave(row: y, from: x, into: rows)
    } else {
      first.gather(row: y, from: x, into: rows.0)
      second.gather(row: y, from: x, into: rows.1)
      third.gather(row: y, from: x, into: rows.2)
    }
  }

  /// The components of row `y` at full size, to be read: the picture's own bytes where they are
  /// contiguous, else copied into `scratch`.
  package func samples(row y: Int, scratch: PackedPixels.Rows) -> PackedPixels.Rows {
    if let packed {
      packed.deinterleave(row: y, into: scratch)
      return scratch
    }
    return (
      first.samples(row: y, scratch: scratch.0), second.samples(row: y, scratch: scratch.1),
      third.samples(row: y, scratch: scratch.2)
    )
  }
}

/// One frame's pictures, and the background.
package struct ComposeFrame {
  package let grid: ChromaGrid
  package let source: PictureComponents
  let destination: PictureComponents
  package internal(set) var background: BackgroundRows?
  /// Whether the destination's colours lie in the source's memory.
  let isInPlace: Bool
  /// Whether chroma is 4:2:2 in the source and 4:4:4 in the destination.
  let upsamplesChroma: Bool

  init(
    source: borrowing Picture, destination: borrowing Picture, background: BackgroundRows?,
    grid: ChromaGrid
  ) {
    (self.grid, self.background) = (grid, background)
    self.source = PictureComponents(source)
    self.destination = PictureComponents(destination)
    isInPlace = (0..<3).allSatisfy { [from = self.source, to = self.destination] in
      from[$0].isSameMemory(as: to[$0])
    }
    upsamplesChroma = self.source[1].width != self.destination[1].width
  }

  /// Whether a component has one sample for two columns of the picture.
  @inline(__always)
  func isSubsampled(_ component: Int) -> Bool { component > 0 && grid.hShift > 0 }

  /// The picture's lines that grid row `y` stands for.
  @inline(__always)
  func pictureLines(ofGridRow y: Int) -> Range<Int> {
    let top = y << grid.vShift
    return top..<min(top + 1 << grid.vShift, grid.height)
  }
}
