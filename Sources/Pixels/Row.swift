/// One row of bytes in a picture: a checked window on borrowed memory.
///
/// A subscript outside `0..<count` traps, in release builds too; the check leaves an
/// element-by-element loop vectorised when the loop's bound is visibly at most `count`
/// (take `let n = min(a.count, b.count)` before the loop and use `&+`, `&*`, `&>>` in it).
/// Valid as long as the picture it came from is mapped; never store one.
@safe package struct Row {
  package let count: Int
  private let base: UnsafeMutablePointer<UInt8>

  @inline(__always)
  @unsafe init(base: UnsafeMutablePointer<UInt8>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inline(__always)
  package subscript(index: Int) -> UInt8 {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe base[index]
    }
    nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe base[index] = newValue
    }
  }

  /// The bytes from `bounds.lowerBound` up to `bounds.upperBound`, renumbered from 0.
  @inline(__always)
  package subscript(bounds: Range<Int>) -> Row {
    precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count)
    return unsafe Row(base: base + bounds.lowerBound, count: bounds.count)
  }

  /// Copies `source`, of the same length, over this row; the two may be the same memory.
  package func copy(_ source: Row) {
    precondition(source.count == count)
    unsafe base.update(from: source.base, count: count)
  }

  /// Sets every byte to `value`.
  package func fill(_ value: UInt8) {
    unsafe base.update(repeating: value, count: count)
  }

  /// Lends the bytes themselves to kernels that read or write several at once.
  ///
  /// The pointer is valid during the call only.
  @unsafe package func withBytes<R>(
    _ body: (UnsafeMutableBufferPointer<UInt8>) throws -> R
  ) rethrows -> R {
    unsafe try body(UnsafeMutableBufferPointer(start: base, count: count))
  }
}
