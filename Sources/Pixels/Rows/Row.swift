/// A bounds-checked view of contiguous elements in memory that it does not own.
///
/// A subscript outside `0..<count` traps, in release builds too. An element-wise loop is still
/// vectorised if the compiler sees that its bound is at most `count` (`let n = min(a.count,
/// b.count)` before the loop; `&+`, `&*`, `&>>` in it). Valid as long as its picture or `Grid`.
@usableFromInline @safe package struct Row<Element: BitwiseCopyable> {
  @usableFromInline package let count: Int
  /// The address of element 0, for loops that read or write several elements at once.
  @usableFromInline @unsafe package let base: UnsafeMutablePointer<Element>

  /// Wraps memory of at least `count` elements.
  @inlinable @inline(__always)
  @unsafe package init(base: UnsafeMutablePointer<Element>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inlinable @inline(__always)
  package subscript(index: Int) -> Element {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe base[index]
    }
    nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe base[index] = newValue
    }
  }

  /// The elements from `bounds.lowerBound` up to `bounds.upperBound`, renumbered from 0.
  @inlinable @inline(__always)
  package subscript(bounds: Range<Int>) -> Row {
    precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count)
    return unsafe Row(base: base + bounds.lowerBound, count: bounds.count)
  }

  /// The first `bounds.upperBound` elements.
  ///
  /// Kernels cut all rows to one length: the cut checks the bounds once, so the loop needs no
  /// checks and no scalar remainder.
  @inlinable @inline(__always)
  package subscript(bounds: PartialRangeUpTo<Int>) -> Row {
    self[from: 0, count: bounds.upperBound]
  }

  /// The elements from `bounds.lowerBound` on, renumbered from 0.
  @inlinable @inline(__always)
  package subscript(bounds: PartialRangeFrom<Int>) -> Row {
    self[from: bounds.lowerBound, count: count &- bounds.lowerBound]
  }

  /// `length` elements from `start` on, renumbered from 0.
  @inlinable @inline(__always)
  package subscript(from start: Int, count length: Int) -> Row {
    precondition(
      UInt(bitPattern: start) <= UInt(bitPattern: count)
        && UInt(bitPattern: length) <= UInt(bitPattern: count &- start))
    return unsafe Row(base: base + start, count: length)
  }

  /// Copies `source`, of the same length, over this row; the two may be the same memory.
  @inlinable
  package func copy(_ source: Row) {
    precondition(source.count == count)
    if unsafe base != source.base { unsafe base.update(from: source.base, count: count) }
  }

  /// Sets every element to `value`.
  @inlinable
  package func fill(_ value: Element) {
    unsafe base.update(repeating: value, count: count)
  }
}

extension Row<UInt8> {
  /// The bytes as 16-bit words, the first of a pair in the low byte; the row must be 2-byte
  /// aligned.
  @inlinable @inline(__always)
  package var pairs: Row<UInt16> {
    precondition(unsafe UInt(bitPattern: base) & 1 == 0)
    return unsafe Row<UInt16>(
      base: UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt16.self), count: count &>> 1)
  }
}

extension Array where Element: BitwiseCopyable {
  /// A copy of a row's elements.
  package init(_ row: Row<Element>) {
    self = unsafe Array(UnsafeBufferPointer(start: row.base, count: row.count))
  }
}
