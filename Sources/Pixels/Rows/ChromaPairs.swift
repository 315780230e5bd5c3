/// The chroma of a layout that keeps Cb and Cr side by side in a plane of their own, as NV12.
///
/// Both are read at once. Borrowed memory, as `Plane`.
package struct ChromaPairs {
  private let plane: Plane
  private let width: Int
  /// Whether Cr comes first.
  private let isSwapped: Bool

  /// Nil for any other layout.
  package init?(_ picture: borrowing Picture) {
    let layout = picture.format.layout
    guard layout.componentCount >= 3 else { return nil }
    let (cb, cr) = (layout[1], layout[2])
    guard cb.step == 2, cb.plane == cr.plane, cb.offset + cr.offset == 1 else { return nil }
    plane = picture.plane(cb.plane)
    width = PixelLayout.subsampled(picture.width, by: cb.hShift)
    isSwapped = cb.offset == 1
  }

  private func pairs(row y: Int, from start: Int, count: Int) -> Row<UInt8> {
    precondition(start >= 0 && count >= 0 && start + count <= width)
    return plane.row(y)[from: 2 * start, count: 2 * count]
  }

  /// Adds the samples of row `y` from column `start` on to sums of equal length.
  package func add(row y: Int, from start: Int, to sums: (cb: Row<UInt16>, cr: Row<UInt16>)) {
    let n = sums.cb.count
    precondition(sums.cr.count == n)
    let (first, second) = isSwapped ? (sums.cr, sums.cb) : (sums.cb, sums.cr)
    unsafe RowKernels.addPairs(
      first.base, second.base, pairs(row: y, from: start, count: n).base, n)
  }

  /// Sets all samples of row `y`.
  package func fill(row y: Int, _ value: UInt8) {
    pairs(row: y, from: 0, count: width).fill(value)
  }

  /// Copies the samples of row `y` from column `start` on into rows of equal length.
  package func split(row y: Int, from start: Int, into rows: (cb: Row<UInt8>, cr: Row<UInt8>)) {
    let n = rows.cb.count
    precondition(rows.cr.count == n)
    let (first, second) = isSwapped ? (rows.cr, rows.cb) : (rows.cb, rows.cr)
    unsafe RowKernels.splitPairs(
      first.base, second.base, pairs(row: y, from: start, count: n).base, n)
  }
}

extension Row<UInt16> {
  /// Adds bytes to sums, two neighbours to each; the last, where their number is odd, alone.
  package func addPairs(of bytes: Row<UInt8>) {
    let n = bytes.count &>> 1
    precondition(count == (bytes.count &+ 1) &>> 1)
    unsafe RowKernels.addPairs(base, bytes.base, n)
    if n < count { self[n] &+= UInt16(bytes[2 &* n]) }
  }
}
