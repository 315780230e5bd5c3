import Pixels

/// The components of a picture; a plain value, so that making one allocates nothing.
struct KeyComponents {
  private let first, second, third: Component
  /// The alpha, where there is one.
  let alpha: Component?
  /// All of them at once, where the layout keeps pixels whole.
  let packed: PackedPixels?
  init(_ picture: borrowing Picture) {
    first = picture.component(0)
    second = picture.component(1)
    third = picture.component(2)
    alpha = picture.format.hasAlpha ? picture.component(3) : nil
    packed = PackedPixels(picture)
  }

  @inline(__always)
  subscript(index: Int) -> Component { pick(index, (first, second, third)) }

  /// As much chroma of row `y` as `room` has, as `samples`.
  func chroma(
    row y: Int, from x: Int = 0, room: (cb: Row<UInt8>, cr: Row<UInt8>)
  ) -> (cb: Row<UInt8>, cr: Row<UInt8>) {
    if let pairs = ChromaPairs(cb: second, cr: third) {
      pairs.deinterleave(row: y, from: x, into: room)
      return room
    }
    return (
      second.samples(row: y, from: x, scratch: room.cb),
      third.samples(row: y, from: x, scratch: room.cr)
    )
  }

  /// Sets the chroma of row `y`; `room` for a row of it.
  func fillChroma(row y: Int, _ value: UInt8, room: Row<UInt8>) {
    if let pairs = ChromaPairs(cb: second, cr: third) { return pairs.fill(row: y, value) }
    let samples = room[..<second.width]
    samples.fill(value)
    second.scatter(row: y, samples)
    third.scatter(row: y, samples)
  }

  /// Fills rows with the components of row `y`, all of one size, from column `x` on.
  func split(row y: Int, from x: Int = 0, into rows: PackedPixels.Rows) {
    if let packed {
      packed.deinterleave(row: y, from: x, into: rows)
    } else {
      first.gather(row: y, from: x, into: rows.0)
      second.gather(row: y, from: x, into: rows.1)
      third.gather(row: y, from: x, into: rows.2)
    }
  }

  /// As many components of row `y` as `room` has, to be read: the picture's own bytes where they lie
  /// next to each other, else copied into `room`.
  func samples(row y: Int, from x: Int = 0, room: PackedPixels.Rows) -> PackedPixels.Rows {
    if let packed {
      packed.deinterleave(row: y, from: x, into: room)
      return room
    }
    return (
      first.samples(row: y, from: x, scratch: room.0),
      second.samples(row: y, from: x, scratch: room.1),
      third.samples(row: y, from: x, scratch: room.2)
    )
  }
}

/// One frame's pictures as the keyer's passes read and write them.
struct KeyFrame {
  let grid: ChromaGrid
  let source, destination: KeyComponents
  var background: BackgroundRows?
  /// Whether colour is already where it has to go.
  let isInPlace: Bool
  /// Chroma is 4:2:2 in the source and 4:4:4 in the destination.
  let widensChroma: Bool

  init(
    source: borrowing Picture, destination: borrowing Picture, background: BackgroundRows?,
    grid: ChromaGrid
  ) {
    (self.grid, self.background) = (grid, background)
    self.source = KeyComponents(source)
    self.destination = KeyComponents(destination)
    isInPlace = (0..<3).allSatisfy { [from = self.source, to = self.destination] in
      from[$0].isSame(as: to[$0])
    }
    widensChroma = self.source[1].width != self.destination[1].width
  }

  /// The key's chroma of grid row `y`.
  func chroma(_ y: Int, _ scratch: KeyRows) -> (cb: Row<UInt8>, cr: Row<UInt8>) {
    let n = grid.gridWidth
    let (cb, cr) = (scratch.cb[..<n], scratch.cr[..<n])
    guard source.packed != nil else { return source.chroma(row: y, room: (cb, cr)) }
    let rows = (scratch.components.0[..<n], scratch.components.1[..<n], scratch.components.2[..<n])
    source.split(row: y, into: rows)
    guard grid.isRGB else { return (rows.1, rows.2) }
    ScreenKernels.chroma(cb, cr, rows, (grid.cbRow, grid.crRow))
    return (cb, cr)
  }

  /// The components at the grid's places of grid row `y`: luma is that of every other pixel, and
  /// of every other line, where chroma is subsampled.
  func components(_ y: Int, _ scratch: KeyRows) -> PackedPixels.Rows {
    let n = grid.gridWidth
    let room = (scratch.components.0[..<n], scratch.components.1[..<n], scratch.components.2[..<n])
    guard grid.hShift > 0 else { return source.samples(row: y, room: room) }
    source[0].gather(row: y << grid.vShift, every: 2, into: room.0)
    let chroma = source.chroma(row: y, room: (room.1, room.2))
    return (room.0, chroma.cb, chroma.cr)
  }
}
