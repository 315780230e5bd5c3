/// Rows of working values that are kept from frame to frame, so that no frame allocates.
///
/// Not safe to resize while another thread uses it, nor to write from two threads in the same row
/// at once; rows are independent.
@usableFromInline @safe package final class Grid<Element: BitwiseCopyable> {
  // Every row that is taken reads these; checking for overlapping access each time would double
  // what a row costs, and only `resize` writes them.
  @exclusivity(unchecked) @usableFromInline package internal(set) var width = 0
  @exclusivity(unchecked) @usableFromInline package internal(set) var height = 0
  @exclusivity(unchecked) @usableFromInline var memory: UnsafeMutablePointer<Element>?
  @usableFromInline var capacity = 0
  @usableFromInline let initial: Element

  /// A grid whose memory, also what it grows by later, is filled with `initial` once.
  @inlinable
  package init(width: Int = 0, height: Int = 0, of initial: Element) {
    self.initial = initial
    resize(width: width, height: height)
  }

  @inlinable
  deinit { unsafe memory?.deallocate() }

  /// Sets the size; memory only ever grows, and what it holds is undefined but initialised.
  @inlinable
  package func resize(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0)
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    precondition(!overflow)
    if count > capacity {
      unsafe memory?.deallocate()
      let grown = UnsafeMutablePointer<Element>.allocate(capacity: count)
      unsafe grown.initialize(repeating: initial, count: count)
      unsafe memory = grown
      capacity = count
    }
    unsafe self.width = width
    unsafe self.height = height
  }

  /// Row `y`, counted from the top; the grid must be kept alive while the row is used.
  @inlinable @inline(__always)
  package func row(_ y: Int) -> Row<Element> { rows.row(y) }

  /// The rows without the grid, for loops in which counting references would cost; valid until the
  /// grid is resized or freed.
  @usableFromInline @safe package struct Rows {
    @usableFromInline package let width, height: Int
    @usableFromInline let base: UnsafeMutablePointer<Element>

    @inlinable
    @unsafe init(base: UnsafeMutablePointer<Element>, width: Int, height: Int) {
      unsafe self.base = base
      (self.width, self.height) = (width, height)
    }

    /// Row `y`, counted from the top.
    @inlinable @inline(__always)
    package func row(_ y: Int) -> Row<Element> {
      precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
      return unsafe Row(base: base + y &* width, count: width)
    }
  }

  /// All rows of a grid that has any.
  @inlinable @inline(__always)
  package var rows: Rows {
    guard let base = unsafe memory else { preconditionFailure("an empty grid has no rows") }
    return unsafe Rows(base: base, width: width, height: height)
  }
}

/// Sets the size of several grids.
@inlinable
package func resizeAll<each Element>(
  _ grids: repeat Grid<each Element>, width: Int, height: Int
) {
  repeat (each grids).resize(width: width, height: height)
}
