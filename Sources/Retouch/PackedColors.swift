import Pixels

/// Rows of red, green and blue, one byte each.
typealias ColorRows = (red: CellRow<UInt8>, green: CellRow<UInt8>, blue: CellRow<UInt8>)

/// Red, green and blue of pixels that lie three or four bytes apart.
struct PackedColors {
  let red: Component
  let green: Component
  let blue: Component

  /// Places of the three in a pixel's bytes, counted from the first of them.
  @safe private struct Offsets {
    let first: UnsafeMutablePointer<UInt8>
    let red: Int
    let green: Int
    let blue: Int

    /// Whether the three lie in the low bytes of a word that begins with the first of them.
    var fitWords: Bool { max(red, green, blue) == 2 }
  }

  @unsafe private func withOffsets<R>(_ body: (Offsets) -> R) -> R {
    unsafe red.withBase { r in
      unsafe green.withBase { g in
        unsafe blue.withBase { b in
          let first = unsafe min(r, min(g, b))
          return unsafe body(
            Offsets(first: first, red: r - first, green: g - first, blue: b - first))
        }
      }
    }
  }

  /// Copies the colours of row `y` from column `start` on into `rows`, of equal length, filling
  /// them.
  @inline(never)
  func gather(row y: Int, from start: Int, into rows: ColorRows) {
    let n = rows.red.count
    precondition(rows.green.count == n && rows.blue.count == n)
    precondition(start >= 0 && start + n <= red.width && y >= 0 && y < red.height)
    guard n > 0 else { return }
    unsafe withOffsets { at in
      let step = red.step
      let row = unsafe UnsafeRawPointer(at.first + (y * red.stride + start * step))
      // The last word would reach past the row's last byte.
      let words = step == 4 && at.fitWords ? n - 1 : 0
      let (r, g, b) = (UInt32(at.red * 8), UInt32(at.green * 8), UInt32(at.blue * 8))
      for x in 0..<words {
        let word = unsafe UInt32(
          littleEndian: row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
        rows.red[x] = UInt8(truncatingIfNeeded: word &>> r)
        rows.green[x] = UInt8(truncatingIfNeeded: word &>> g)
        rows.blue[x] = UInt8(truncatingIfNeeded: word &>> b)
      }
      let (i, j, k) = (at.red, at.green, at.blue)
      guard !(step == 3 && j == 1) else {
        // In the order in which they lie, so that the loop reads whole pixels.
        let lowest = i == 0 ? rows.red : rows.blue
        let highest = i == 0 ? rows.blue : rows.red
        let middle = rows.green
        for x in 0..<n {
          lowest[x] = unsafe row.load(fromByteOffset: x &* 3, as: UInt8.self)
          middle[x] = unsafe row.load(fromByteOffset: x &* 3 &+ 1, as: UInt8.self)
          highest[x] = unsafe row.load(fromByteOffset: x &* 3 &+ 2, as: UInt8.self)
        }
        return
      }
      for x in words..<n {
        let place = x &* step
        rows.red[x] = unsafe row.load(fromByteOffset: place &+ i, as: UInt8.self)
        rows.green[x] = unsafe row.load(fromByteOffset: place &+ j, as: UInt8.self)
        rows.blue[x] = unsafe row.load(fromByteOffset: place &+ k, as: UInt8.self)
      }
    }
  }

  /// Copies `rows`, of equal length, over the colours of row `y` from column `start` on.
  ///
  /// The bytes between the colours are written too, with what they hold: no other thread may
  /// write the same row meanwhile.
  @inline(never)
  func scatter(row y: Int, from start: Int, _ rows: ColorRows) {
    let n = rows.red.count
    precondition(rows.green.count == n && rows.blue.count == n)
    precondition(start >= 0 && start + n <= red.width && y >= 0 && y < red.height)
    guard n > 0 else { return }
    unsafe withOffsets { at in
      let step = red.step
      let row = unsafe UnsafeMutableRawPointer(at.first + (y * red.stride + start * step))
      let words = step == 4 && at.fitWords ? n - 1 : 0
      let (r, g, b) = (UInt32(at.red * 8), UInt32(at.green * 8), UInt32(at.blue * 8))
      for x in 0..<words {
        let word = unsafe UInt32(
          littleEndian: row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
        let colors =
          UInt32(truncatingIfNeeded: rows.red[x]) &<< r
          | UInt32(truncatingIfNeeded: rows.green[x]) &<< g
          | UInt32(truncatingIfNeeded: rows.blue[x]) &<< b
        unsafe row.storeBytes(
          of: (word & 0xFF00_0000 | colors).littleEndian, toByteOffset: x &* 4, as: UInt32.self)
      }
      let (i, j, k) = (at.red, at.green, at.blue)
      for x in words..<n {
        let place = x &* step
        unsafe row.storeBytes(of: rows.red[x], toByteOffset: place &+ i, as: UInt8.self)
        unsafe row.storeBytes(of: rows.green[x], toByteOffset: place &+ j, as: UInt8.self)
        unsafe row.storeBytes(of: rows.blue[x], toByteOffset: place &+ k, as: UInt8.self)
      }
    }
  }
}
