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
}
