/// The pixels of a layout that keeps them whole, in three or four bytes each.
///
/// All components are moved at once; rows come in their order: red, green, blue, or luma, Cb, Cr.
/// Borrowed memory, as `Plane`.
@safe package struct PackedPixels {
  package typealias Rows = (Row<UInt8>, Row<UInt8>, Row<UInt8>)

  package let width, height: Int
  /// Whether a pixel's fourth byte is its alpha, and not a filler that nobody may change.
  package let hasAlpha: Bool
  private let step: Int
  /// Bits below each component, counted from a pixel's first byte, and below the fourth byte.
  private let shifts: (UInt32, UInt32, UInt32, UInt32)
  private let stride: Int
  private let base: UnsafeMutablePointer<UInt8>

  /// Nil for any other layout.
  package init?(_ picture: borrowing Picture) {
    let layout = picture.format.layout
    let step = layout[0].step
    // Packed 4:2:2 has luma in every second byte.
    guard layout.planeCount == 1, step >= 3 else { return nil }
    func shift(_ component: Int) -> UInt32 { UInt32(layout[component].offset * 8) }
    // Places in four bytes add up to 6.
    shifts = (shift(0), shift(1), shift(2), 48 &- shift(0) &- shift(1) &- shift(2))
    let plane = picture.plane(0)
    precondition(plane.rowBytes >= picture.width * step)
    precondition(step == 4 || shifts.1 == 8)
    self.step = step
    (width, height) = (picture.width, picture.height)
    hasAlpha = layout.hasAlpha
    stride = plane.stride
    unsafe base = plane.base
  }

  /// The address of the first of `count` pixels.
  @unsafe private func address(
    row y: Int, from start: Int, count: Int
  ) -> UnsafeMutablePointer<UInt8> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    precondition(start >= 0 && count >= 0 && start + count <= width)
    return unsafe base + (y * stride + start * step)
  }

  /// Addresses of three rows of equal length, in the order of a pixel's bytes; the second component
  /// is always the middle one.
  @unsafe private func ordered(_ rows: Rows) -> RowKernels.Triple {
    shifts.0 < shifts.2
      ? unsafe (rows.0.base, rows.1.base, rows.2.base)
      : unsafe (rows.2.base, rows.1.base, rows.0.base)
  }

  @inline(__always)
  private func check(_ rows: Rows) -> Int {
    precondition(rows.1.count == rows.0.count && rows.2.count == rows.0.count)
    return rows.0.count
  }

  /// Copies the components of row `y` from column `start` on into `rows`, of equal length,
  /// filling them.
  package func split(row y: Int, from start: Int = 0, into rows: Rows) {
    let n = check(rows)
    let pixels = unsafe address(row: y, from: start, count: n)
    if step == 3 {
      unsafe RowKernels.split3(ordered(rows), pixels, n)
    } else {
      unsafe RowKernels.split4(ordered(rows), pixels + Int(min(shifts.0, shifts.2) / 8), n)
    }
  }

  /// Copies `rows`, of equal length, over the components of row `y` from column `start` on.
  ///
  /// A fourth byte gets `alpha`, as long, or is written with what it holds: no other thread may
  /// write the same row meanwhile.
  package func join(row y: Int, from start: Int = 0, _ rows: Rows, alpha: Row<UInt8>? = nil) {
    let n = check(rows)
    let pixels = unsafe address(row: y, from: start, count: n)
    if step == 3 {
      unsafe RowKernels.join3(pixels, ordered(rows), n)
      return
    }
    let bases = unsafe (rows.0.base, rows.1.base, rows.2.base)
    if let alpha {
      precondition(alpha.count == n)
      unsafe RowKernels.join4(pixels, bases, alpha.base, shifts, n)
    } else {
      unsafe RowKernels.join4(
        pixels, bases, (shifts.0, shifts.1, shifts.2), keeping: 0xff &<< shifts.3, n)
    }
  }

  /// The same with one alpha for all of them, where they have one; a filler is kept.
  package func join(row y: Int, from start: Int = 0, _ rows: Rows, alpha: UInt8) {
    guard hasAlpha else {
      join(row: y, from: start, rows)
      return
    }
    let n = check(rows)
    let pixels = unsafe address(row: y, from: start, count: n)
    unsafe RowKernels.join4(
      pixels, (rows.0.base, rows.1.base, rows.2.base), (shifts.0, shifts.1, shifts.2),
      setting: UInt32(alpha) &<< shifts.3, n)
  }

  /// The same, with alpha, where `kept`, of 0 or 255, lets it; the other pixels become `color`, and
  /// transparent.
  package func join(
    row y: Int, _ rows: Rows, alpha: Row<UInt8>, kept: Row<UInt8>, else color: (UInt8, UInt8, UInt8)
  ) {
    let n = check(rows)
    precondition(hasAlpha && alpha.count == n && kept.count == n)
    let pixels = unsafe address(row: y, from: 0, count: n)
    unsafe RowKernels.join4(
      pixels, (rows.0.base, rows.1.base, rows.2.base), alpha.base, shifts, kept: kept.base,
      else: word(color), n)
  }

  /// A colour in its places, and 0 in the fourth.
  private func word(_ color: (UInt8, UInt8, UInt8)) -> UInt32 {
    UInt32(color.0) &<< shifts.0 | UInt32(color.1) &<< shifts.1 | UInt32(color.2) &<< shifts.2
  }

  /// Sets `count` pixels of row `y` from column `start` on, and their alpha where they have one.
  package func fill(
    row y: Int, from start: Int, count: Int, _ color: (UInt8, UInt8, UInt8), alpha: UInt8
  ) {
    let pixels = unsafe address(row: y, from: start, count: count)
    if step == 3 {
      let row = unsafe Row(base: pixels, count: count * 3)
      let (a, b, c) = shifts.0 == 0 ? color : (color.2, color.1, color.0)
      for x in 0..<count {
        row[x &* 3] = a
        row[x &* 3 &+ 1] = b
        row[x &* 3 &+ 2] = c
      }
      return
    }
    let word = word(color)
    let fourth: UInt32 = 0xff &<< shifts.3
    let value = hasAlpha ? word | UInt32(alpha) &<< shifts.3 : word
    unsafe RowKernels.fill4(pixels, value, keeping: hasAlpha ? 0 : fourth, count)
  }

  /// Sets the alpha of `count` pixels of row `y`; nothing where they have none.
  package func fillAlpha(row y: Int, from start: Int, count: Int, _ alpha: UInt8) {
    guard hasAlpha else { return }
    let pixels = unsafe address(row: y, from: start, count: count)
    unsafe RowKernels.fill4(
      pixels, UInt32(alpha) &<< shifts.3, keeping: ~(0xff &<< shifts.3), count)
  }
}
