/// SIMD access to eight elements of a row, for loops that the compiler does not vectorise itself:
/// those over so many rows that it cannot exclude overlap.
///
/// Bounds-checked; in a loop while `x + 8 <= n`, with rows cut to `n`, the check costs nothing.
extension Row where Element: SIMDScalar {
  /// Eight elements from number `x` on.
  @inlinable @inline(__always)
  package func lanes(at x: Int) -> SIMD8<Element> {
    precondition(x >= 0 && x &+ 8 <= count)
    return unsafe UnsafeRawPointer(base + x).loadUnaligned(as: SIMD8<Element>.self)
  }

  /// Writes eight elements from number `x` on.
  @inlinable @inline(__always)
  package func setLanes(_ lanes: SIMD8<Element>, at x: Int) {
    precondition(x >= 0 && x &+ 8 <= count)
    unsafe UnsafeMutableRawPointer(base + x).storeBytes(of: lanes, as: SIMD8<Element>.self)
  }
}

extension Row where Element: FixedWidthInteger & SIMDScalar {
  /// Eight elements from number `x` on as floats.
  ///
  /// Lane by lane, which compiles to one instruction; the standard library's conversions are calls.
  @inlinable @inline(__always)
  package func floats(at x: Int) -> SIMD8<Float> {
    let row = self[from: x, count: 8]
    return SIMD8(
      Float(row[0]), Float(row[1]), Float(row[2]), Float(row[3]), Float(row[4]), Float(row[5]),
      Float(row[6]), Float(row[7]))
  }

  /// Writes the low bits of eight numbers from element `x` on.
  @inlinable @inline(__always)
  package func setLanes<Number: FixedWidthInteger & SIMDScalar>(
    truncating numbers: SIMD8<Number>, at x: Int
  ) {
    let row = self[from: x, count: 8]
    for i in 0..<8 { row[i] = Element(truncatingIfNeeded: numbers[i]) }
  }

  /// Writes eight values rounded to the nearest integer, for |value| under 2^22, from element `x`
  /// on.
  @inlinable @inline(__always)
  package func setRounded(_ values: SIMD8<Float>, at x: Int) {
    let row = self[from: x, count: 8]
    for i in 0..<8 { row[i] = Element(truncatingIfNeeded: nearest(values[i])) }
  }

  /// A word of the elements from number `x` on, the first in its low bits.
  @inlinable @inline(__always)
  package func word<Word: FixedWidthInteger & BitwiseCopyable>(at x: Int, as: Word.Type) -> Word {
    precondition(x >= 0 && x &+ Word.bitWidth / Element.bitWidth <= count)
    return unsafe Word(
      littleEndian: UnsafeRawPointer(base + x).loadUnaligned(as: Word.self))
  }
}

/// Calls `body` with the starts of blocks of `size` that cover `range`.
///
/// The last block overlaps the one before it if `size` does not divide the count; a range shorter
/// than a block has none. For short loops, most of which would otherwise run in a scalar remainder.
@inlinable @inline(__always)
package func forBlocks(of size: Int, _ range: Range<Int>, _ body: (Int) -> Void) {
  let last = range.upperBound &- size
  guard range.lowerBound <= last else { return }
  var start = range.lowerBound
  // One call site, so that the body is inlined.
  repeat {
    body(min(start, last))
    start &+= size
  } while start < range.upperBound
}
