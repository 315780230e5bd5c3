package import Pixels

/// Loops that classify the blocks of a row, and gather and scatter blocks of one kind.
///
/// A block has 16 samples on the grid, or 32 of a component with twice the width. The last block of
/// a row may be partial.
package enum BlockKernels {
  typealias Kind = RowCompositor.Kind
  private static let block = GridPlane.Rows.block

  /// The kinds of blocks, by the marks of a matte's three rows about them.
  @inline(never)
  static func classify(_ out: Row<UInt8>, _ marks: (Row<UInt8>, Row<UInt8>, Row<UInt8>)) {
    let n = out.count
    let (a, b, c) = (marks.0[..<n], marks.1[..<n], marks.2[..<n])
    let (zero, full) = (GridPlane.Rows.zero, GridPlane.Rows.full)
    // Eight at a time, in bits: marks of zero and full blocks are those of background and mixed ones. A
    // block without either mark is mixed.
    var x = 0
    while x &+ 8 <= n {
      let common = a.lanes(at: x) & b.lanes(at: x) & c.lanes(at: x)
      let background = common & zero
      out.setLanes(background | (~common & ~(background &<< 1) & full), at: x)
      x &+= 8
    }
    while x < n {
      let common = a[x] & b[x] & c[x]
      let kind: Kind = common & zero != 0 ? .background : common & full != 0 ? .foreground : .mixed
      out[x] = kind.rawValue
      x &+= 1
    }
  }

  /// Makes foreground blocks mixed ones.
  package static func markForegroundMixed(_ kinds: Row<UInt8>) {
    let (foreground, mixed) = (Kind.foreground.rawValue, Kind.mixed.rawValue)
    for i in 0..<kinds.count { kinds[i] = kinds[i] == foreground ? mixed : kinds[i] }
  }

  /// Reclassifies foreground blocks with spill as mixed: those whose keyed alpha is 255 in three
  /// rows and whose spill is not 0.
  @inline(never)
  package static func markSpillMixed(
    _ kinds: Row<UInt8>, alpha: (Row<UInt8>, Row<UInt8>, Row<UInt8>), spill: Row<UInt8>
  ) {
    let n = kinds.count
    let (a, b, c, d) = (alpha.0[..<n], alpha.1[..<n], alpha.2[..<n], spill[..<n])
    let (foreground, mixed, full) = (
      Kind.foreground.rawValue, Kind.mixed.rawValue, GridPlane.Rows.full
    )
    // Eight at a time, as above; background blocks stay.
    var x = 0
    while x &+ 8 <= n {
      let opaque = a.lanes(at: x) & b.lanes(at: x) & c.lanes(at: x)
      let changed = ~(opaque & (d.lanes(at: x) &<< 1)) & full
      let own = kinds.lanes(at: x)
      kinds.setLanes(own | (changed & ~(own &<< 1)), at: x)
      x &+= 8
    }
    while x < n {
      let isUnchanged = a[x] & b[x] & c[x] & (d[x] &<< 1) & full != 0
      kinds[x] = !isUnchanged && kinds[x] == foreground ? mixed : kinds[x]
      x &+= 1
    }
  }

  /// The blocks from the first to the last that are not foreground.
  static func nonForegroundRange(_ kinds: Row<UInt8>) -> Range<Int> {
    var (first, end) = (0, kinds.count)
    while first < end, kinds[first] == Kind.foreground.rawValue { first &+= 1 }
    while end > first, kinds[end &- 1] == Kind.foreground.rawValue { end &-= 1 }
    return first < end ? first..<end : 0..<0
  }

  /// The numbers of the blocks of a kind, written to `out`.
  @inline(never)
  static func blockIndices(of kind: Kind, _ kinds: Row<UInt8>, into out: Row<UInt16>) -> Row<UInt16>
  {
    let n = kinds.count
    var count = 0
    var x = 0
    // Eight at a time: of a word, the bit of the kind in each byte.
    while x &+ 8 <= n {
      let word = kinds.word(at: x, as: UInt64.self)
      var found = (word &>> UInt64(kind.rawValue &- 1)) & 0x0101_0101_0101_0101
      while found != 0 {
        out[count] = UInt16(truncatingIfNeeded: x &+ found.trailingZeroBitCount &>> 3)
        count &+= 1
        found &= found &- 1
      }
      x &+= 8
    }
    while x < n {
      if kinds[x] == kind.rawValue {
        out[count] = UInt16(truncatingIfNeeded: x)
        count &+= 1
      }
      x &+= 1
    }
    return out[..<count]
  }

  /// Copies blocks of a row side by side.
  @inline(never)
  package static func gatherBlocks(
    _ out: Row<UInt8>, _ row: Row<UInt8>, _ indices: Row<UInt16>, size: Int = GridPlane.Rows.block
  ) {
    forSize(size) { size in
      for i in 0..<indices.count {
        copy(out, i &* size, row, Int(indices[i]) &* size, size: size)
      }
    }
  }

  /// As above, the bits of `mask` of 16-bit samples.
  @inline(never)
  package static func gatherBlocks(
    _ out: Row<UInt16>, _ row: Row<UInt16>, _ indices: Row<UInt16>,
    size: Int = GridPlane.Rows.block, mask: UInt16 = .max
  ) {
    forSize(size) { size in
      for i in 0..<indices.count {
        copy(out, i &* size, row, Int(indices[i]) &* size, size: size)
      }
    }
    guard mask != .max else { return }
    // While they are in the cache.
    for i in 0..<min(out.count, indices.count &* size) { out[i] &= mask }
  }

  /// Copies 16-bit samples back.
  @inline(never)
  static func scatterBlocks(
    _ row: Row<UInt16>, _ source: Row<UInt16>, _ indices: Row<UInt16>, size: Int
  ) {
    forSize(size) { size in
      for i in 0..<indices.count {
        copy(row, Int(indices[i]) &* size, source, i &* size, size: size)
      }
    }
  }

  /// Copies them back.
  @inline(never)
  static func scatterBlocks(
    _ row: Row<UInt8>, _ source: Row<UInt8>, _ indices: Row<UInt16>, size: Int
  ) {
    forSize(size) { size in
      for i in 0..<indices.count {
        copy(row, Int(indices[i]) &* size, source, i &* size, size: size)
      }
    }
  }

  /// Copies a row's background blocks from `source`.
  @inline(never)
  static func copyBackgroundBlocks(
    _ row: Row<UInt8>, _ source: Row<UInt8>, _ kinds: Row<UInt8>, size: Int
  ) {
    let count = min(row.count, source.count)
    forBackgroundRuns(kinds) { blocks in
      let samples = blocks.lowerBound &* size..<min(blocks.upperBound &* size, count)
      row[samples].copy(source[samples])
    }
  }

  /// Calls `body` with the numbers of each run of neighbouring background blocks.
  @inline(__always)
  static func forBackgroundRuns(_ kinds: Row<UInt8>, _ body: (Range<Int>) -> Void) {
    var i = next(kinds, 0, isBackground: true)
    while i < kinds.count {
      let end = next(kinds, i, isBackground: false)
      body(i..<end)
      i = next(kinds, end, isBackground: true)
    }
  }

  /// The first block from number `start` on that is background, or is not; the count if none is.
  @inline(__always)
  private static func next(_ kinds: Row<UInt8>, _ start: Int, isBackground: Bool) -> Int {
    let bits = UInt64(Kind.background.rawValue) &* 0x0101_0101_0101_0101
    let inverted: UInt64 = isBackground ? 0 : bits
    // Eight at a time, of the first eight only those from `start` on.
    var x = start & ~7
    var wanted = bits &<< UInt64(8 &* (start & 7))
    while x &+ 8 <= kinds.count {
      let found = (kinds.word(at: x, as: UInt64.self) ^ inverted) & wanted
      if found != 0 { return x &+ found.trailingZeroBitCount &>> 3 }
      x &+= 8
      wanted = bits
    }
    x = max(x, start)
    while x < kinds.count, (kinds[x] == Kind.background.rawValue) != isBackground { x &+= 1 }
    return x
  }

  /// Calls `body` with `size` as a constant.
  ///
  /// Blocks have one of two sizes, and a copy of a constant size needs no call and no loop.
  @inline(__always)
  private static func forSize(_ size: Int, _ body: (Int) -> Void) {
    if size == block { body(block) } else { body(2 &* block) }
  }

  @inline(__always)
  private static func copy<Sample: BitwiseCopyable>(
    _ out: Row<Sample>, _ to: Int, _ source: Row<Sample>, _ from: Int, size: Int
  ) {
    guard isInside(source, from, size), isInside(out, to, size) else {
      let count = min(size, source.count &- from, out.count &- to)
      out[from: to, count: count].copy(source[from: from, count: count])
      return
    }
    out[from: to, count: size].copy(source[from: from, count: size])
  }

  /// Whether a row has `size` samples from `start` on, in the terms of the row's own check, which the
  /// compiler then omits.
  @inline(__always)
  private static func isInside<Sample: BitwiseCopyable>(
    _ row: Row<Sample>, _ start: Int, _ size: Int
  ) -> Bool {
    UInt(bitPattern: start) <= UInt(bitPattern: row.count)
      && UInt(bitPattern: size) <= UInt(bitPattern: row.count &- start)
  }
}
