import Pixels

/// The loops of `CellPlaces` over samples that lie alike between all cells: of each two neighbours
/// as many as there are `shares` of the second, in 1/128.
enum PlaceKernels {
  /// Samples between two cells, at most: further apart they are made cell by cell.
  static let most = 4
  /// Cells whose samples are made at once.
  private static let block = 8

  @inline(never)
  static func expand(_ out: Row<Float>, _ cells: Row<Float>, _ shares: Row<UInt16>) {
    let share = SIMD4<Float>(padded(shares)) * (1 / 128)
    spread(
      cells, shares.count, share,
      block: { out.setLanes($0 + ($1 - $0) * $2, at: $3) }, one: { out[$3] = $0 + ($1 - $0) * $2 })
  }

  /// Bytes of those in words.
  @inline(never)
  static func expand(_ out: Row<UInt8>, _ cells: Row<UInt16>, _ shares: Row<UInt16>) {
    spread(
      cells, shares.count, padded(shares),
      block: { a, b, share, x in
        out.setLanes(truncating: (a &* (128 &- share) &+ b &* share &+ 64) &>> 7, at: x)
      },
      one: { a, b, share, x in
        out[x] = UInt8(truncatingIfNeeded: (a &* (128 &- share) &+ b &* share &+ 64) &>> 7)
      })
  }

  private static func padded(_ shares: Row<UInt16>) -> SIMD4<UInt16> {
    var result = SIMD4<UInt16>()
    for i in 0..<min(shares.count, most) { result[i] = shares[i] }
    return result
  }

  /// Calls `block` with eight samples' cells before and after them, the share of the latter, and
  /// the first one's place; `one` with those of one, where there are fewer.
  @inline(__always)
  private static func spread<Cell: SIMDScalar>(
    _ cells: Row<Cell>, _ count: Int, _ shares: SIMD4<Cell>,
    block body: (SIMD8<Cell>, SIMD8<Cell>, SIMD8<Cell>, Int) -> Void,
    one: (Cell, Cell, Cell, Int) -> Void
  ) {
    let n = cells.count - 1
    guard n >= block else {
      for i in 0..<max(n, 0) {
        for k in 0..<count { one(cells[i], cells[i &+ 1], shares[k], i &* count &+ k) }
      }
      return
    }
    // With the number written out lanes are sorted by numbers that the compiler knows.
    switch count {
    case 1: spread(cells, n, 1, shares, body)
    case 2: spread(cells, n, 2, shares, body)
    case 3: spread(cells, n, 3, shares, body)
    default: spread(cells, n, 4, shares, body)
    }
  }

  @inline(__always)
  private static func spread<Cell: SIMDScalar>(
    _ cells: Row<Cell>, _ n: Int, _ count: Int, _ shares: SIMD4<Cell>,
    _ body: (SIMD8<Cell>, SIMD8<Cell>, SIMD8<Cell>, Int) -> Void
  ) {
    /// Of eight samples, from eight times `part` on, what `value` says of each.
    @inline(__always)
    func samples(_ part: Int, _ value: (Int) -> Cell) -> SIMD8<Cell> {
      let x = 8 &* part
      return SIMD8(
        value(x), value(x &+ 1), value(x &+ 2), value(x &+ 3), value(x &+ 4), value(x &+ 5),
        value(x &+ 6), value(x &+ 7))
    }
    @inline(__always)
    func share(_ part: Int) -> SIMD8<Cell> { samples(part) { shares[$0 % count] } }
    let all = (share(0), share(1), share(2), share(3))
    forBlocks(of: block, 0..<n) { i in
      let (a, b) = (cells.lanes(at: i), cells.lanes(at: i &+ 1))
      @inline(__always)
      func make(_ part: Int, _ share: SIMD8<Cell>) {
        body(
          samples(part) { a[$0 / count] }, samples(part) { b[$0 / count] }, share,
          (i &* count) &+ 8 &* part)
      }
      make(0, all.0)
      if count > 1 { make(1, all.1) }
      if count > 2 { make(2, all.2) }
      if count > 3 { make(3, all.3) }
    }
  }
}
