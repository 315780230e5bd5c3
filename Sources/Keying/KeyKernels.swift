import Pixels

/// The loops that read or write several elements at once, and check their rows as a whole first.
enum KeyKernels {
  /// Marks blocks of 16 bytes that are 0, or 255, with the bytes next to them; `samples` begins
  /// with the byte before the first block.
  @inline(never)
  static func mark(_ marks: Row<UInt8>, _ samples: Row<UInt8>) {
    let block = MatteRows.block
    let n = marks.count
    precondition(n >= 0 && samples.count >= n * block + 2)
    let (marks, samples) = unsafe (marks.base, UnsafeRawPointer(samples.base))
    for i in 0..<n {
      // 18 bytes as three words that overlap.
      let bytes = unsafe samples + i &* block
      let a = unsafe bytes.loadUnaligned(as: UInt64.self)
      let b = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let c = unsafe bytes.loadUnaligned(fromByteOffset: 10, as: UInt64.self)
      let isNone = a | b | c == 0
      unsafe marks[i] = isNone ? MatteRows.none : a & b & c == .max ? MatteRows.all : 0
    }
  }

  /// Values of the columns from `first` on, those of two rows mixed by `weight`/16; columns outside
  /// are the nearest.
  @inline(never)
  static func mixColumns(
    _ out: Row<UInt16>, _ above: Row<UInt16>, _ below: Row<UInt16>, weight: UInt16, from first: Int
  ) {
    // Columns from `start` up to `end` of those that are written lie within the rows.
    let start = min(max(0, 0 &- first), out.count)
    let end = max(start, min(above.count &- first, out.count))
    let n = end &- start
    let at = max(0, min(first &+ start, above.count &- 1))
    let (a, b, inner) = (
      above[from: at, count: n], below[from: at, count: n], out[from: start, count: n]
    )
    let other = 16 &- weight
    var x = 0
    while x &+ 8 <= n {
      inner.setLanes((a.lanes(at: x) &* other &+ b.lanes(at: x) &* weight) &>> 4, at: x)
      x &+= 8
    }
    func mixed(_ column: Int) -> UInt16 {
      (above[column] &* other &+ below[column] &* weight) &>> 4
    }
    while x < n {
      inner[x] = mixed(at &+ x)
      x &+= 1
    }
    if start > 0 { out[..<start].fill(mixed(0)) }
    if end < out.count { out[end...].fill(mixed(above.count &- 1)) }
  }

  /// Slopes of 16 elements, each from the value of its number to the next, 16 times as fine.
  ///
  /// `ramp` is 0...15: from memory, for of numbers that it knows the compiler makes additions of
  /// each by itself.
  @inline(never)
  static func slopes(_ out: Row<UInt16>, _ values: Row<UInt16>, ramp: Row<UInt16>) {
    let (left, right) = (ramp.lanes(at: 0), ramp.lanes(at: 8))
    for segment in 0..<max(values.count &- 1, 0) {
      let (from, to) = (values[segment], values[segment &+ 1])
      out.setLanes(slope(from, to, left), at: segment &* 16)
      out.setLanes(slope(from, to, right), at: segment &* 16 &+ 8)
    }
  }

  /// The same, rounded from 1/256 to bytes.
  @inline(never)
  static func slopes(_ out: Row<UInt8>, _ values: Row<UInt16>, ramp: Row<UInt16>) {
    let (left, right) = (ramp.lanes(at: 0), ramp.lanes(at: 8))
    for segment in 0..<max(values.count &- 1, 0) {
      let (from, to) = (values[segment], values[segment &+ 1])
      out.setLanes(truncating: codes(slope(from, to, left)), at: segment &* 16)
      out.setLanes(truncating: codes(slope(from, to, right)), at: segment &* 16 &+ 8)
    }
  }

  /// Samples of those blocks of a picture's row, side by side; values lie in the middles of its
  /// blocks, the first half a block before it.
  @inline(never)
  static func slopes(
    _ out: Row<UInt8>, _ values: Row<UInt16>, ramp: Row<UInt16>, blocks: Row<UInt16>
  ) {
    let (left, right) = (ramp.lanes(at: 0), ramp.lanes(at: 8))
    for i in 0..<blocks.count {
      let near = values[from: Int(blocks[i]), count: 3]
      out.setLanes(truncating: codes(slope(near[0], near[1], right)), at: i &* 16)
      out.setLanes(truncating: codes(slope(near[1], near[2], left)), at: i &* 16 &+ 8)
    }
  }

  @inline(__always)
  private static func slope(
    _ from: UInt16, _ to: UInt16, _ ramp: SIMD8<UInt16>
  ) -> SIMD8<UInt16> {
    from &* 16 &+ ramp &* (to &- from)
  }

  /// Rounded from 1/256.
  @inline(__always)
  private static func codes(_ values: SIMD8<UInt16>) -> SIMD8<UInt16> {
    let most = SIMD8<UInt16>(repeating: 65407)
    return (values.replacing(with: most, where: values .> most) &+ 128) &>> 8
  }

  /// Samples that `widen` writes at a time.
  static let widened = 8

  /// Samples from those of cells: `starts[c]` is where those between the middles of the cells
  /// before and at `c` begin; `shares` are those of the latter, in 1/128.
  ///
  /// Writes the samples `from`... of the cells `first`... up to where they end; whole blocks, so
  /// there must be room for one more. Cells beyond either end are the outermost.
  @inline(never)
  static func widen(
    _ out: Row<UInt8>, from place: Int, count: Int, _ cells: Row<UInt16>, first: Int,
    columns: Int, starts: Row<Int32>, shares: Row<UInt16>, segment: Int
  ) {
    let end = place + count
    precondition(place >= 0 && count >= 0 && out.count >= count + widened)
    precondition(shares.count >= end + widened && segment >= 0 && first >= 0)
    let last = min(first + cells.count, columns) - 1
    precondition(last >= first)
    let (samples, cells, shares) = unsafe (out.base - place, cells.base - first, shares.base)
    var at = place
    var segment = segment
    while at < end {
      precondition(segment + 1 < starts.count)
      let next = unsafe min(Int(starts.base[segment &+ 1]), end)
      let a = unsafe cells[max(first, min(segment &- 1, last))]
      let b = unsafe cells[max(first, min(segment, last))]
      while at < next {
        for i in 0..<widened {
          let share = unsafe shares[at &+ i]
          let value = (a &* (128 &- share) &+ b &* share &+ 64) &>> 7
          unsafe samples[at &+ i] = UInt8(truncatingIfNeeded: value)
        }
        at &+= widened
      }
      at = max(next, place)
      segment &+= 1
    }
  }

  /// Luma where samples of chroma lie: the mean of two rows, and of pairs of columns, or 1 2 1 about
  /// every other one where chroma is cosited.
  @inline(never)
  static func halve(_ out: Row<UInt8>, _ a: Row<UInt8>, _ b: Row<UInt8>, isCosited: Bool) {
    let (n, width) = (out.count, a.count)
    precondition(width > 0 && b.count == width && n <= (width + 1) / 2)
    // All but the first and the last have neighbours on both sides.
    let inner = max(min(n, (width - 1) / 2), 0)
    let first = isCosited ? min(1, inner) : 0
    // What is less than a block, and what lies at the ends, is done sample by sample.
    let isWide = inner - first >= halved
    if isWide, isCosited {
      forBlocks(of: halved, first..<inner) { unsafe halveCosited(out.base, a.base, b.base, $0) }
    } else if isWide {
      forBlocks(of: halved, first..<inner) { unsafe halveBetween(out.base, a.base, b.base, $0) }
    }
    func sum(_ x: Int) -> UInt16 { UInt16(a[x]) &+ UInt16(b[x]) }
    func careful(_ i: Int) {
      let (left, right) = (sum(max(2 * i - 1, 0)), sum(min(2 * i + 1, width - 1)))
      let middle = sum(min(2 * i, width - 1))
      let four = isCosited ? 2 &* middle &+ left &+ right : 2 &* (middle &+ right)
      out[i] = UInt8(truncatingIfNeeded: (four &+ 4) &>> 3)
    }
    for i in 0..<min(first, n) { careful(i) }
    for i in (isWide ? inner : first)..<max(n, isWide ? inner : first) { careful(i) }
  }

  /// Samples that are halved at once.
  private static let halved = 16
  private typealias Bytes = UnsafeMutablePointer<UInt8>

  /// Pairs of neighbours from pair `i` on, in a word each: faster than every other byte.
  @inline(__always)
  @unsafe private static func pairs(_ row: Bytes, _ i: Int) -> SIMD16<UInt16> {
    unsafe UnsafeRawPointer(row).loadUnaligned(fromByteOffset: 2 &* i, as: SIMD16<UInt16>.self)
  }

  @inline(__always)
  @unsafe private static func store(_ out: Bytes, _ codes: SIMD16<UInt16>, _ i: Int) {
    for k in 0..<halved { unsafe out[i &+ k] = UInt8(truncatingIfNeeded: codes[k]) }
  }

  @inline(__always)
  @unsafe private static func halveCosited(_ out: Bytes, _ a: Bytes, _ b: Bytes, _ i: Int) {
    let (p, q) = unsafe (pairs(a, i), pairs(b, i))
    let (r, s) = unsafe (pairs(a, i &- 1), pairs(b, i &- 1))
    let middle = (p & 0xff) &+ (q & 0xff)
    let sides = (p &>> 8) &+ (q &>> 8) &+ (r &>> 8) &+ (s &>> 8)
    unsafe store(out, (middle &+ middle &+ sides &+ 4) &>> 3, i)
  }

  @inline(__always)
  @unsafe private static func halveBetween(_ out: Bytes, _ a: Bytes, _ b: Bytes, _ i: Int) {
    let (p, q) = unsafe (pairs(a, i), pairs(b, i))
    let sum = (p & 0xff) &+ (p &>> 8) &+ (q & 0xff) &+ (q &>> 8)
    unsafe store(out, (sum &+ 2) &>> 2, i)
  }
}
