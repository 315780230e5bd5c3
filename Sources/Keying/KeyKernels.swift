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

  /// Blocks of 16 elements from `segments.lowerBound` on, each a slope from the value of the column
  /// before to that of its own, 16 times as fine.
  ///
  /// Values are `above` and `below` mixed by `weight`/16; columns outside are the nearest.
  @inline(never)
  static func expand(
    _ out: Row<UInt16>, _ above: Row<UInt16>, _ below: Row<UInt16>, weight: UInt16,
    segments: ClosedRange<Int>
  ) {
    slopes(out, above, below, weight, segments) { $0 }
  }

  /// The same, rounded from 1/256 to bytes.
  @inline(never)
  static func expand(
    _ out: Row<UInt8>, _ above: Row<UInt16>, _ below: Row<UInt16>, weight: UInt16,
    segments: ClosedRange<Int>
  ) {
    slopes(out, above, below, weight, segments) {
      UInt8(truncatingIfNeeded: (min($0, 65407) &+ 128) &>> 8)
    }
  }

  @inline(__always)
  private static func slopes<Element>(
    _ out: Row<Element>, _ above: Row<UInt16>, _ below: Row<UInt16>, _ weight: UInt16,
    _ segments: ClosedRange<Int>, _ element: (UInt16) -> Element
  ) {
    let block = ScreenMap.block
    let last = above.count - 1
    let (first, end) = (segments.lowerBound, segments.upperBound)
    precondition(last >= 0 && below.count > last && first >= 0 && out.count >= (end + 1) * block)
    let (out, above, below) = unsafe (out.base, above.base, below.base)
    func value(_ column: Int) -> UInt16 {
      unsafe (above[column] &* (16 &- weight) &+ below[column] &* weight) &>> 4
    }
    var from = value(max(0, min(first &- 1, last)))
    for segment in first...end {
      let to = value(min(segment, last))
      let start = from &* 16
      let difference = to &- from
      let samples = unsafe out + segment &* block
      for i in 0..<block {
        unsafe samples[i] = element(start &+ difference &* UInt16(truncatingIfNeeded: i))
      }
      from = to
    }
  }
}
