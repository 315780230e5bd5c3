package import Pixels

/// Loops that classify the blocks of a row, and gather and scatter blocks of one kind.
///
/// A block has 16 samples on the grid, or 32 of a component with twice the width. The last block of
/// a row may be partial.
package enum BlockKernels {
  typealias Kind = RowCompositor.Kind
  private static let lanes = GridPlane.Rows.block

  /// The kinds of blocks, by the marks of a matte's three rows about them.
  @inline(never)
  static func classify(_ out: Row<UInt8>, _ marks: (Row<UInt8>, Row<UInt8>, Row<UInt8>)) {
    let n = out.count
    let (a, b, c) = (marks.0[..<n], marks.1[..<n], marks.2[..<n])
    let (foreground, mixed) = (Kind.foreground.rawValue, Kind.mixed.rawValue)
    for i in 0..<n {
      let common = a[i] & b[i] & c[i]
      let partial = common & GridPlane.Rows.full != 0 ? foreground : mixed
      out[i] = common & GridPlane.Rows.zero != 0 ? Kind.background.rawValue : partial
    }
  }

  /// Reclassifies foreground blocks as mixed.
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
    let (foreground, mixed) = (Kind.foreground.rawValue, Kind.mixed.rawValue)
    for i in 0..<n {
      let isUnchanged = a[i] & b[i] & c[i] & (d[i] &<< 1) & GridPlane.Rows.full != 0
      kinds[i] = !isUnchanged && kinds[i] == foreground ? mixed : kinds[i]
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
    for i in 0..<indices.count {
      copyBlock(out, i &* size, row, Int(indices[i]) &* size, size: size)
    }
  }

  /// Copies blocks that lie side by side back to their places in a row.
  @inline(never)
  static func scatterBlocks(
    _ row: Row<UInt8>, _ source: Row<UInt8>, _ indices: Row<UInt16>, size: Int
  ) {
    for i in 0..<indices.count {
      copyBlock(row, Int(indices[i]) &* size, source, i &* size, size: size)
    }
  }

  /// Copies a row's background blocks from `source`.
  @inline(never)
  static func copyBackgroundBlocks(
    _ row: Row<UInt8>, _ source: Row<UInt8>, _ kinds: Row<UInt8>, size: Int
  ) {
    for i in 0..<kinds.count where kinds[i] == Kind.background.rawValue {
      copyBlock(row, i &* size, source, i &* size, size: size)
    }
  }

  /// Sets the samples of a row's background blocks.
  @inline(never)
  static func fillBackgroundBlocks(
    _ row: Row<UInt8>, _ value: UInt8, _ kinds: Row<UInt8>, size: Int
  ) {
    let lane = SIMD8(repeating: value)
    for i in 0..<kinds.count where kinds[i] == Kind.background.rawValue {
      let start = i &* size
      guard start &+ size <= row.count else { return row[start...].fill(value) }
      var x = start
      while x < start &+ size {
        row.setLanes(lane, at: x)
        x &+= 8
      }
    }
  }

  @inline(__always)
  private static func copyBlock(
    _ out: Row<UInt8>, _ to: Int, _ source: Row<UInt8>, _ from: Int, size: Int
  ) {
    guard from &+ size <= source.count, to &+ size <= out.count else {
      let count = min(size, source.count &- from, out.count &- to)
      out[from: to, count: count].copy(source[from: from, count: count])
      return
    }
    var x = 0
    while x < size {
      let (left, right) = (source.lanes(at: from &+ x), source.lanes(at: from &+ x &+ 8))
      out.setLanes(left, at: to &+ x)
      out.setLanes(right, at: to &+ x &+ 8)
      x &+= lanes
    }
  }
}
