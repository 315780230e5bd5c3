/// A two-dimensional buffer that is reused from frame to frame, so that frames do not allocate.
///
/// Different threads may write different rows; `resize` needs exclusive access.
@usableFromInline @safe package final class Grid<Element: BitwiseCopyable> {
  // Each `row` reads these: dynamic exclusivity checks would double its cost. Only `resize` writes
  // them.
  @exclusivity(unchecked) @usableFromInline package internal(set) var width = 0
  @exclusivity(unchecked) @usableFromInline package internal(set) var height = 0
  @exclusivity(unchecked) @usableFromInline var memory: UnsafeMutablePointer<Element>?
  @usableFromInline var capacity = 0
  @usableFromInline let initial: Element

  /// A grid whose memory is filled with `initial` on each allocation.
  @inlinable
  package init(width: Int = 0, height: Int = 0, of initial: Element) {
    self.initial = initial
    resize(width: width, height: height)
  }

  @inlinable
  deinit { unsafe memory?.deallocate() }

  /// Sets the size; memory only grows, and its contents are unspecified but initialized.
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

  /// A view of the rows without reference counting; valid until the grid is resized or freed.
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

  /// All rows; traps if the grid is empty.
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
