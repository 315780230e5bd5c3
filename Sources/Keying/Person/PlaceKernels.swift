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
    spread(
      FloatMix(out: out), cells, shares.count, SIMD4<Float>(padded(shares)) * (1 / 128))
  }

  /// Bytes of those in words.
  @inline(never)
  static func expand(_ out: Row<UInt8>, _ cells: Row<UInt16>, _ shares: Row<UInt16>) {
    spread(ByteMix(out: out), cells, shares.count, padded(shares))
  }

  private static func padded(_ shares: Row<UInt16>) -> SIMD4<UInt16> {
    var result = SIMD4<UInt16>()
    for i in 0..<min(shares.count, most) { result[i] = shares[i] }
    return result
  }

  @inline(__always)
  private static func spread<Mix: PlaceMix>(
    _ mix: Mix, _ cells: Row<Mix.Cell>, _ count: Int, _ shares: SIMD4<Mix.Cell>
  ) {
    let n = cells.count - 1
    guard n >= block else {
      for i in 0..<max(n, 0) {
        for k in 0..<count { mix.write(cells[i], cells[i &+ 1], shares[k], at: i &* count &+ k) }
      }
      return
    }
    // With the number written out lanes are sorted by numbers that the compiler knows.
    switch count {
    case 1: spread(mix, cells, n, 1, shares)
    case 2: spread(mix, cells, n, 2, shares)
    case 3: spread(mix, cells, n, 3, shares)
    default: spread(mix, cells, n, 4, shares)
    }
  }

  @inline(__always)
  private static func spread<Mix: PlaceMix>(
    _ mix: Mix, _ cells: Row<Mix.Cell>, _ n: Int, _ count: Int, _ shares: SIMD4<Mix.Cell>
  ) {
    func share(_ part: Int) -> SIMD8<Mix.Cell> {
      func one(_ lane: Int) -> Mix.Cell { shares[(8 &* part &+ lane) % count] }
      return SIMD8(one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7))
    }
    let all = (share(0), share(1), share(2), share(3))
    forBlocks(of: block, 0..<n) { i in
      let (a, b) = (cells.lanes(at: i), cells.lanes(at: i &+ 1))
      let x = i &* count
      mix.write(repeated(a, count, 0), repeated(b, count, 0), all.0, at: x)
      if count > 1 { mix.write(repeated(a, count, 1), repeated(b, count, 1), all.1, at: x &+ 8) }
      if count > 2 { mix.write(repeated(a, count, 2), repeated(b, count, 2), all.2, at: x &+ 16) }
      if count > 3 { mix.write(repeated(a, count, 3), repeated(b, count, 3), all.3, at: x &+ 24) }
    }
  }

  /// Of lanes that each stand `count` times, the eight from eight times `part` on.
  @inline(__always)
  private static func repeated<Cell: SIMDScalar>(
    _ lanes: SIMD8<Cell>, _ count: Int, _ part: Int
  ) -> SIMD8<Cell> {
    let x = 8 &* part
    return SIMD8(
      lanes[x / count], lanes[(x &+ 1) / count], lanes[(x &+ 2) / count],
      lanes[(x &+ 3) / count], lanes[(x &+ 4) / count], lanes[(x &+ 5) / count],
      lanes[(x &+ 6) / count], lanes[(x &+ 7) / count])
  }
}

/// What is written of cells before and after samples, and of the latter's shares.
private protocol PlaceMix {
  associatedtype Cell: SIMDScalar & BitwiseCopyable
  func write(_ a: SIMD8<Cell>, _ b: SIMD8<Cell>, _ share: SIMD8<Cell>, at x: Int)
  func write(_ a: Cell, _ b: Cell, _ share: Cell, at x: Int)
}

private struct FloatMix: PlaceMix {
  let out: Row<Float>

  @inline(__always)
  func write(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ share: SIMD8<Float>, at x: Int) {
    out.setLanes(a + (b - a) * share, at: x)
  }

  @inline(__always)
  func write(_ a: Float, _ b: Float, _ share: Float, at x: Int) { out[x] = a + (b - a) * share }
}

private struct ByteMix: PlaceMix {
  let out: Row<UInt8>

  @inline(__always)
  func write(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>, _ share: SIMD8<UInt16>, at x: Int) {
    out.setLanes(truncating: (a &* (128 &- share) &+ b &* share &+ 64) &>> 7, at: x)
  }

  @inline(__always)
  func write(_ a: UInt16, _ b: UInt16, _ share: UInt16, at x: Int) {
    out[x] = UInt8(truncatingIfNeeded: (a &* (128 &- share) &+ b &* share &+ 64) &>> 7)
  }
}
