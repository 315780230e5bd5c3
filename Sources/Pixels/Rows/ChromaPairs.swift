/// The interleaved chroma plane of a semi-planar layout such as NV12.
///
/// Cb and Cr are accessed together. Borrowed memory, as `Plane`.
package struct ChromaPairs {
  /// The component that comes first in memory.
  private let first: Component
  /// Whether Cr comes first.
  private let isSwapped: Bool

  /// Nil for other layouts.
  package init?(_ picture: borrowing Picture) {
    guard picture.format.layout.componentCount >= 3 else { return nil }
    self.init(cb: picture.component(1), cr: picture.component(2))
  }

  /// Nil if these components are not interleaved.
  package init?(cb: Component, cr: Component) {
    guard cb.step == 2, cr.step == 2, cb.stride == cr.stride, cb.width == cr.width,
      cb.height == cr.height, unsafe abs(cb.base - cr.base) == 1
    else { return nil }
    isSwapped = unsafe cr.base < cb.base
    first = isSwapped ? cr : cb
  }

  /// The interleaved bytes.
  private func pairs(row y: Int, from start: Int, count: Int) -> Row<UInt8> {
    unsafe Row(base: first.address(row: y, from: start, count: count), count: 2 * count)
  }

  /// The rows in memory order, and their common length.
  private func inMemoryOrder<T>(
    _ rows: (cb: Row<T>, cr: Row<T>)
  ) -> (first: Row<T>, second: Row<T>, count: Int) {
    precondition(rows.cb.count == rows.cr.count)
    return isSwapped ? (rows.cr, rows.cb, rows.cb.count) : (rows.cb, rows.cr, rows.cb.count)
  }

  /// Adds the samples of row `y` from column `start` on to sums of equal length.
  package func addSamples(row y: Int, from start: Int, to sums: (cb: Row<UInt16>, cr: Row<UInt16>))
  {
    let (first, second, n) = inMemoryOrder(sums)
    unsafe RowKernels.addDeinterleavedPairs(
      first.base, second.base, pairs(row: y, from: start, count: n).base, n)
  }

  /// Copies the samples of row `y` from column `start` on into rows of equal length.
  package func deinterleave(
    row y: Int, from start: Int, into rows: (cb: Row<UInt8>, cr: Row<UInt8>)
  ) {
    let (first, second, n) = inMemoryOrder(rows)
    unsafe RowKernels.deinterleavePairs(
      first.base, second.base, pairs(row: y, from: start, count: n).base, n)
  }
}

extension Row<UInt16> {
  /// Adds each pair of neighbouring bytes to one sum; an odd last byte is added alone.
  package func addPairs(of bytes: Row<UInt8>) {
    let n = bytes.count &>> 1
    precondition(count == (bytes.count &+ 1) &>> 1)
    unsafe RowKernels.addPairSums(base, bytes.base, n)
    if n < count { self[n] &+= UInt16(bytes[2 &* n]) }
  }
}
