import Pixels

/// The components of a picture; a plain value, so that making one allocates nothing.
struct KeyComponents {
  private let first: KeyComponent
  private let second: KeyComponent
  private let third: KeyComponent
  /// The alpha, where there is one.
  let alpha: KeyComponent?

  init(_ picture: borrowing Picture) {
    first = KeyComponent(picture, 0)
    second = KeyComponent(picture, 1)
    third = KeyComponent(picture, 2)
    alpha = picture.format.hasAlpha ? KeyComponent(picture, 3) : nil
  }

  subscript(index: Int) -> KeyComponent { index == 0 ? first : index == 1 ? second : third }
}

/// One frame's pictures as the keyer's passes address them; lives for one `process` call.
@safe struct KeyFrame {
  let grid: KeyGrid
  let source: KeyComponents
  let destination: KeyComponents
  let background: BackgroundRows?
  let sourceHasAlpha: Bool
  let destinationHasAlpha: Bool
  /// Whether colour is already where it has to go.
  let isInPlace: Bool
  /// How pixels are packed, where they are units of four bytes.
  let sourceUnits: KeyUnits?
  let destinationUnits: KeyUnits?
  /// Chroma is 4:2:2 in the source and 4:4:4 in the destination.
  let widensChroma: Bool

  init(
    source: borrowing Picture, destination: borrowing Picture, background: BackgroundRows?,
    grid: KeyGrid
  ) {
    self.grid = grid
    self.background = background
    sourceHasAlpha = source.format.hasAlpha
    destinationHasAlpha = destination.format.hasAlpha
    sourceUnits = KeyUnits(source.format)
    destinationUnits = KeyUnits(destination.format)
    self.source = KeyComponents(source)
    self.destination = KeyComponents(destination)
    isInPlace = (0..<3).allSatisfy { [from = self.source, to = self.destination] in
      from[$0].isSame(to[$0])
    }
    widensChroma = self.source[1].width != self.destination[1].width
  }

  /// Component `index` of row `y`, contiguous: the picture's own bytes, or gathered into `room`.
  @unsafe func row(
    _ index: Int, x: Int = 0, y: Int, count: Int, room: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let component = source[index]
    let start = unsafe component.at(x, y)
    if component.step == 1 { return unsafe start }
    unsafe KeyRows.gather(room, start, step: component.step, offset: component.offset, count)
    return unsafe room
  }

  /// The key's chroma of grid row `y`.
  @unsafe func chroma(_ y: Int, _ scratch: KeyLines) -> (
    cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
  ) {
    let n = grid.gridWidth
    let first = source[0]
    guard grid.isRGB else {
      if let units = sourceUnits {
        unsafe units.splitChroma(scratch.cb, scratch.cr, first.at(0, y) - first.offset, n)
        return unsafe (scratch.cb, scratch.cr)
      }
      return unsafe (
        row(1, y: y, count: n, room: scratch.cb), row(2, y: y, count: n, room: scratch.cr)
      )
    }
    let (r, g, b) = unsafe scratch.components
    if let units = sourceUnits {
      unsafe units.split(r, g, b, first.at(0, y) - first.offset, n)
    } else {
      _ = unsafe row(0, y: y, count: n, room: r)
      _ = unsafe row(1, y: y, count: n, room: g)
      _ = unsafe row(2, y: y, count: n, room: b)
    }
    unsafe KeyRows.chroma(scratch.cb, r, g, b, grid.cbRow, n)
    unsafe KeyRows.chroma(scratch.cr, r, g, b, grid.crRow, n)
    return unsafe (scratch.cb, scratch.cr)
  }

  /// Component 0 at the grid's columns of grid row `y`: luma of every other pixel in 4:2:0.
  @unsafe func first(_ y: Int, _ scratch: KeyLines) -> UnsafeMutablePointer<UInt8> {
    let n = grid.gridWidth
    let line = y << grid.vShift
    guard grid.hShift > 0 else {
      return unsafe row(0, y: line, count: n, room: scratch.components.0)
    }
    let component = source[0]
    let start = unsafe component.at(0, line)
    let out = unsafe scratch.components.0
    let step = component.step * 2
    // An odd width has no second pixel in its last pair to read.
    unsafe KeyRows.gather(out, start, step: step, offset: component.offset, n - 1)
    unsafe out[n - 1] = start[(n - 1) * step]
    return unsafe out
  }
}
