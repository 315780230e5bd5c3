import Pixels

/// The loops over blocks of 16 samples that are taken out of a row, put side by side, and put back.
///
/// A row that ends within a block gives, and gets, as much of it as it has.
enum BlockKernels {
  typealias Bytes = Row<UInt8>
  typealias Numbers = Row<UInt16>

  /// The numbers of the blocks that are mixed, in `room`.
  @inline(never)
  static func mixed(_ kinds: Bytes, room: Numbers) -> Numbers {
    let kind = Composer.Kind.mixed.rawValue
    let n = kinds.count
    var count = 0
    var x = 0
    // Eight at a time: of a word, the bit of the kind in each byte.
    while x &+ 8 <= n {
      let word = kinds.word(at: x, as: UInt64.self)
      var found = (word &>> UInt64(kind &- 1)) & 0x0101_0101_0101_0101
      while found != 0 {
        room[count] = UInt16(truncatingIfNeeded: x &+ found.trailingZeroBitCount &>> 3)
        count &+= 1
        found &= found &- 1
      }
      x &+= 8
    }
    while x < n {
      if kinds[x] == kind {
        room[count] = UInt16(truncatingIfNeeded: x)
        count &+= 1
      }
      x &+= 1
    }
    return room[..<count]
  }

  /// Puts blocks of three rows side by side.
  @inline(never)
  static func collect(_ out: PackedPixels.Rows, _ rows: PackedPixels.Rows, _ blocks: Numbers) {
    for i in 0..<blocks.count { copy(out, i, rows, Int(blocks[i])) }
  }

  /// Puts them back.
  @inline(never)
  static func spread(_ rows: PackedPixels.Rows, _ source: PackedPixels.Rows, _ blocks: Numbers) {
    for i in 0..<blocks.count { copy(rows, Int(blocks[i]), source, i) }
  }

  /// Copies the screen's blocks of three rows to their places in others.
  @inline(never)
  static func copyScreen(
    _ rows: PackedPixels.Rows, _ source: PackedPixels.Rows, _ kinds: Bytes
  ) {
    let screen = Composer.Kind.screen.rawValue
    for i in 0..<kinds.count where kinds[i] == screen { copy(rows, i, source, i) }
  }

  /// Sets the samples of the screen's blocks in three rows.
  @inline(never)
  static func fillScreen(
    _ rows: PackedPixels.Rows, _ values: (UInt8, UInt8, UInt8), _ kinds: Bytes
  ) {
    let screen = Composer.Kind.screen.rawValue
    for i in 0..<kinds.count where kinds[i] == screen {
      fill(rows.0, values.0, i)
      fill(rows.1, values.1, i)
      fill(rows.2, values.2, i)
    }
  }

  /// 0 in the screen's blocks, and 255 in all others.
  @inline(never)
  static func keep(_ out: Bytes, _ kinds: Bytes) {
    let screen = Composer.Kind.screen.rawValue
    let out = out[..<(kinds.count &* MatteRows.block)]
    for i in 0..<kinds.count { fill(out, kinds[i] == screen ? 0 : 255, i) }
  }

  @inline(__always)
  private static func fill(_ row: Bytes, _ value: UInt8, _ block: Int) {
    let at = block &* MatteRows.block
    row.setLanes(SIMD8(repeating: value), at: at)
    row.setLanes(SIMD8(repeating: value), at: at &+ 8)
  }

  @inline(__always)
  private static func copy(
    _ out: PackedPixels.Rows, _ to: Int, _ source: PackedPixels.Rows, _ from: Int
  ) {
    copy(out.0, to, source.0, from)
    copy(out.1, to, source.1, from)
    copy(out.2, to, source.2, from)
  }

  @inline(__always)
  private static func copy(_ out: Bytes, _ to: Int, _ source: Bytes, _ from: Int) {
    let (to, from) = (to &* MatteRows.block, from &* MatteRows.block)
    guard from &+ MatteRows.block <= source.count else {
      out[from: to, count: source.count &- from].copy(source[from...])
      return
    }
    let (left, right) = (source.lanes(at: from), source.lanes(at: from &+ 8))
    out.setLanes(left, at: to)
    out.setLanes(right, at: to &+ 8)
  }
}
