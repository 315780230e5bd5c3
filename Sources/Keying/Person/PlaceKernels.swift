import Pixels

/// The loops of `CellPlaces` over samples that lie alike between all cells: of each two neighbours
/// as many as there are `shares` of the second, in 1/128.
enum PlaceKernels {
  /// Samples between two cells, at most: further apart they are made cell by cell.
  static let most = 4

  @inline(never)
  static func expand(_ out: Row<Float>, _ cells: Row<Float>, _ shares: Row<UInt16>) {
    spread(out, cells, shares) { $0 + ($1 - $0) * (Float($2) * (1 / 128)) }
  }

  /// Bytes of those in words.
  @inline(never)
  static func expand(_ out: Row<UInt8>, _ cells: Row<UInt16>, _ shares: Row<UInt16>) {
    spread(out, cells, shares) {
      UInt8(truncatingIfNeeded: ($0 &* (128 &- $2) &+ $1 &* $2 &+ 64) &>> 7)
    }
  }

  @inline(__always)
  private static func spread<Cell, Sample>(
    _ out: Row<Sample>, _ cells: Row<Cell>, _ shares: Row<UInt16>,
    _ mix: (Cell, Cell, _ share: UInt16) -> Sample
  ) {
    let (n, count) = (cells.count - 1, shares.count)
    func share(_ index: Int) -> UInt16 { shares[min(index, count - 1)] }
    let (s0, s1, s2, s3) = (share(0), share(1), share(2), share(3))
    let out = out[..<(n * count)]
    let (a, b) = (cells[..<n], cells[from: 1, count: n])
    // With the number written out the samples of several cells are made, and sorted, at once.
    switch count {
    case 1:
      for i in 0..<n { out[i] = mix(a[i], b[i], s0) }
    case 2:
      for i in 0..<n {
        out[2 &* i] = mix(a[i], b[i], s0)
        out[2 &* i &+ 1] = mix(a[i], b[i], s1)
      }
    case 3:
      for i in 0..<n {
        out[3 &* i] = mix(a[i], b[i], s0)
        out[3 &* i &+ 1] = mix(a[i], b[i], s1)
        out[3 &* i &+ 2] = mix(a[i], b[i], s2)
      }
    default:
      precondition(count == most)
      for i in 0..<n {
        out[4 &* i] = mix(a[i], b[i], s0)
        out[4 &* i &+ 1] = mix(a[i], b[i], s1)
        out[4 &* i &+ 2] = mix(a[i], b[i], s2)
        out[4 &* i &+ 3] = mix(a[i], b[i], s3)
      }
    }
  }
}
