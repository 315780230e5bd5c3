package import Pixels

/// The module's unsafe loops; each checks the bounds of its rows before it begins.
package enum FilterKernels {
  /// The number of samples that `upsampleIrregular` writes at once.
  static let block = 8

  /// Interpolates `count` samples from `position` on linearly between cell centres.
  ///
  /// Segment c, between the centres of cells c - 1 and c, begins at sample `starts[c]`; `weights`
  /// are those of cell c, in 1/128. `cells` begins with cell `first` and is clamped at the ends.
  /// Whole blocks are written, so `out` is a block longer.
  @inline(never)
  static func upsampleIrregular(
    _ out: Row<UInt8>, from position: Int, count: Int, _ cells: Row<UInt16>, first: Int,
    columns: Int, starts: Row<Int32>, weights: Row<UInt16>, segment: Int
  ) {
    let end = position + count
    precondition(position >= 0 && count >= 0 && out.count >= count + block)
    precondition(weights.count >= end + block && segment >= 0 && first >= 0)
    let last = min(first + cells.count, columns) - 1
    precondition(last >= first)
    let (samples, cells, weights) = unsafe (out.base - position, cells.base - first, weights.base)
    var at = position
    var segment = segment
    while at < end {
      precondition(segment + 1 < starts.count)
      let next = unsafe min(Int(starts.base[segment &+ 1]), end)
      let a = unsafe cells[max(first, min(segment &- 1, last))]
      let b = unsafe cells[max(first, min(segment, last))]
      while at < next {
        for i in 0..<block {
          let weight = unsafe weights[at &+ i]
          let value = (a &* (128 &- weight) &+ b &* weight &+ 64) &>> 7
          unsafe samples[at &+ i] = UInt8(truncatingIfNeeded: value)
        }
        at &+= block
      }
      at = max(next, position)
      segment &+= 1
    }
  }

  /// Downsamples two rows by 2 in both directions: means of 2 x 2 samples or, if `isCosited`, a 1 2
  /// 1 filter centred on even columns; edges are clamped.
  @inline(never)
  package static func downsample2x2(
    _ out: Row<UInt8>, _ a: Row<UInt8>, _ b: Row<UInt8>, isCosited: Bool
  ) {
    let (n, width) = (out.count, a.count)
    precondition(width > 0 && b.count == width && n <= (width + 1) / 2)
    // All but the first and the last samples have neighbours on both sides.
    let inner = max(min(n, (width - 1) / 2), 0)
    let first = isCosited ? min(1, inner) : 0
    // Partial blocks and the ends are computed sample by sample.
    let isWide = inner - first >= pairBlock
    if isWide, isCosited {
      forBlocks(of: pairBlock, first..<inner) {
        unsafe downsampleCosited(out.base, a.base, b.base, $0)
      }
    } else if isWide {
      forBlocks(of: pairBlock, first..<inner) {
        unsafe downsampleCentered(out.base, a.base, b.base, $0)
      }
    }
    func sum(_ x: Int) -> UInt16 { UInt16(a[x]) &+ UInt16(b[x]) }
    func downsampleOne(_ i: Int) {
      let (left, right) = (sum(max(2 * i - 1, 0)), sum(min(2 * i + 1, width - 1)))
      let middle = sum(min(2 * i, width - 1))
      let four = isCosited ? 2 &* middle &+ left &+ right : 2 &* (middle &+ right)
      out[i] = UInt8(truncatingIfNeeded: (four &+ 4) &>> 3)
    }
    for i in 0..<min(first, n) { downsampleOne(i) }
    for i in (isWide ? inner : first)..<max(n, isWide ? inner : first) { downsampleOne(i) }
  }

  /// The number of samples that are downsampled at once.
  private static let pairBlock = 16
  private typealias Bytes = UnsafeMutablePointer<UInt8>

  /// Pairs of neighbours from pair `i` on, one word each: faster than strided bytes.
  @inline(__always)
  @unsafe private static func loadPairs(_ row: Bytes, _ i: Int) -> SIMD16<UInt16> {
    unsafe UnsafeRawPointer(row).loadUnaligned(fromByteOffset: 2 &* i, as: SIMD16<UInt16>.self)
  }

  @inline(__always)
  @unsafe private static func storeBytes(_ out: Bytes, _ codes: SIMD16<UInt16>, _ i: Int) {
    for k in 0..<pairBlock { unsafe out[i &+ k] = UInt8(truncatingIfNeeded: codes[k]) }
  }

  @inline(__always)
  @unsafe private static func downsampleCosited(_ out: Bytes, _ a: Bytes, _ b: Bytes, _ i: Int) {
    let (p, q) = unsafe (loadPairs(a, i), loadPairs(b, i))
    let (r, s) = unsafe (loadPairs(a, i &- 1), loadPairs(b, i &- 1))
    let middle = (p & 0xff) &+ (q & 0xff)
    let sides = (p &>> 8) &+ (q &>> 8) &+ (r &>> 8) &+ (s &>> 8)
    unsafe storeBytes(out, (middle &+ middle &+ sides &+ 4) &>> 3, i)
  }

  @inline(__always)
  @unsafe private static func downsampleCentered(_ out: Bytes, _ a: Bytes, _ b: Bytes, _ i: Int) {
    let (p, q) = unsafe (loadPairs(a, i), loadPairs(b, i))
    let sum = (p & 0xff) &+ (p &>> 8) &+ (q & 0xff) &+ (q &>> 8)
    unsafe storeBytes(out, (sum &+ 2) &>> 2, i)
  }
}
