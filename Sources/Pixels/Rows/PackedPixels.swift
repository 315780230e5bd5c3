/// The pixels of a packed layout, of three or four bytes each.
///
/// All components are accessed together, as rows in the order red, green, blue or luma, Cb, Cr.
/// Borrowed memory, as `Plane`.
@safe package struct PackedPixels {
  package typealias Rows = (Row<UInt8>, Row<UInt8>, Row<UInt8>)

  package let width, height: Int
  /// Whether a pixel's fourth byte is alpha; else it is padding, which must not change.
  package let hasAlpha: Bool
  private let step: Int
  /// The bit offsets of the components, and of the fourth byte, in a little-endian pixel.
  private let shifts: (UInt32, UInt32, UInt32, UInt32)
  private let plane: Plane

  /// Nil for other layouts.
  package init?(_ picture: borrowing Picture) {
    let layout = picture.format.layout
    let step = layout[0].step
    // Packed 4:2:2 has luma in every second byte.
    guard layout.planeCount == 1, step >= 3 else { return nil }
    func shift(_ component: Int) -> UInt32 { UInt32(layout[component].offset * 8) }
    // The byte offsets add up to 6.
    shifts = (shift(0), shift(1), shift(2), 48 &- shift(0) &- shift(1) &- shift(2))
    let plane = picture.plane(0)
    precondition(plane.rowBytes >= picture.width * step)
    precondition(step == 4 || shifts.1 == 8)
    self.step = step
    (width, height) = (picture.width, picture.height)
    hasAlpha = layout.hasAlpha
    self.plane = plane
  }

  /// The bytes of `count` pixels.
  @inline(__always)
  private func bytes(row y: Int, from start: Int, count: Int) -> Row<UInt8> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    precondition(start >= 0 && count >= 0 && start + count <= width)
    return plane.row(y)[from: start * step, count: count * step]
  }

  /// The addresses of three rows in the order of a pixel's bytes; the second component is always
  /// the middle one.
  @unsafe private func basesInMemoryOrder(_ rows: Rows) -> RowKernels.Triple {
    shifts.0 < shifts.2
      ? unsafe (rows.0.base, rows.1.base, rows.2.base)
      : unsafe (rows.2.base, rows.1.base, rows.0.base)
  }

  /// The number of elements of three rows; traps unless it is the same.
  @inline(__always)
  private func commonCount(_ rows: Rows) -> Int {
    precondition(rows.1.count == rows.0.count && rows.2.count == rows.0.count)
    return rows.0.count
  }

  /// Fills `rows`, of equal length, with the components of row `y` from column `start` on.
  package func deinterleave(row y: Int, from start: Int = 0, into rows: Rows) {
    let n = commonCount(rows)
    let pixels = bytes(row: y, from: start, count: n)
    if step == 3 {
      unsafe RowKernels.deinterleave3(basesInMemoryOrder(rows), pixels.base, n)
    } else {
      unsafe RowKernels.deinterleave4(
        basesInMemoryOrder(rows), pixels.base + Int(min(shifts.0, shifts.2) / 8), n)
    }
  }

  /// Writes `rows`, of equal length, to the components of row `y` from column `start` on.
  ///
  /// A fourth byte is set to `alpha`, or rewritten with its own value: no other thread may write
  /// the same row meanwhile.
  package func interleave(row y: Int, from start: Int = 0, _ rows: Rows, alpha: Row<UInt8>? = nil) {
    let n = commonCount(rows)
    let pixels = bytes(row: y, from: start, count: n)
    if step == 3 {
      unsafe RowKernels.interleave3(pixels.base, basesInMemoryOrder(rows), n)
      return
    }
    let bases = unsafe (rows.0.base, rows.1.base, rows.2.base)
    if let alpha {
      precondition(alpha.count == n)
      unsafe RowKernels.interleave4(pixels.base, bases, alpha.base, shifts, n)
    } else {
      unsafe RowKernels.interleave4(
        pixels.base, bases, (shifts.0, shifts.1, shifts.2), keeping: 0xff &<< shifts.3, n)
    }
  }

  /// As above with a constant alpha; padding is kept.
  package func interleave(row y: Int, from start: Int = 0, _ rows: Rows, alpha: UInt8) {
    guard hasAlpha else {
      interleave(row: y, from: start, rows)
      return
    }
    let n = commonCount(rows)
    let pixels = bytes(row: y, from: start, count: n)
    unsafe RowKernels.interleave4(
      pixels.base, (rows.0.base, rows.1.base, rows.2.base), (shifts.0, shifts.1, shifts.2),
      setting: UInt32(alpha) &<< shifts.3, n)
  }

  /// A pixel of this colour with 0 in the fourth byte.
  private func packedWord(_ color: (UInt8, UInt8, UInt8)) -> UInt32 {
    UInt32(color.0) &<< shifts.0 | UInt32(color.1) &<< shifts.1 | UInt32(color.2) &<< shifts.2
  }

  /// Sets `count` pixels of row `y` from column `start` on, and their alpha if they have one.
  package func fill(
    row y: Int, from start: Int, count: Int, _ color: (UInt8, UInt8, UInt8), alpha: UInt8
  ) {
    let pixels = bytes(row: y, from: start, count: count)
    if step == 3 {
      let (a, b, c) = shifts.0 == 0 ? color : (color.2, color.1, color.0)
      for x in 0..<count {
        pixels[x &* 3] = a
        pixels[x &* 3 &+ 1] = b
        pixels[x &* 3 &+ 2] = c
      }
      return
    }
    let word = packedWord(color)
    let fourth: UInt32 = 0xff &<< shifts.3
    let value = hasAlpha ? word | UInt32(alpha) &<< shifts.3 : word
    unsafe RowKernels.setBits4(pixels.base, value, keeping: hasAlpha ? 0 : fourth, count)
  }

  /// Sets the alpha of `count` pixels of row `y`; no effect on formats without alpha.
  package func fillAlpha(row y: Int, from start: Int, count: Int, _ alpha: UInt8) {
    guard hasAlpha else { return }
    let pixels = bytes(row: y, from: start, count: count)
    unsafe RowKernels.setBits4(
      pixels.base, UInt32(alpha) &<< shifts.3, keeping: ~(0xff &<< shifts.3), count)
  }
}
