/// Samples of a row of v210: of ten bits, three in each little-endian 32-bit word, the first in its
/// low bits; two bits are unused.
///
/// Samples are numbered through the row: six pixels have twelve in four words (Cb Y Cr, Y Cb Y,
/// Cr Y Cb, Y Cr Y), so that luma is every second one, Cb and Cr every fourth. Borrowed memory, as
/// `Plane`. Source: Apple, "Uncompressed Y'CbCr Video in QuickTime Files" (TN2162), 'v210'.
struct ThreeSampleRow {
  private let bytes: Row<UInt8>
  private let first, step, count: Int

  /// `count` samples, `step` apart, from number `first` on; traps if they are not all in the row.
  @inline(__always)
  init(_ bytes: Row<UInt8>, first: Int, step: Int, count: Int) {
    precondition(first >= 0 && step > 0)
    precondition(count == 0 || ((first + (count - 1) * step) / 3 + 1) * 4 <= bytes.count)
    (self.bytes, self.first, self.step, self.count) = (bytes, first, step, count)
  }

  /// The byte of a sample's word, and the bits below it there.
  private typealias Place = (byte: Int, shift: UInt32)

  @inline(__always)
  private func place(_ number: Int) -> Place {
    let word = number / 3
    return (4 &* word, UInt32(truncatingIfNeeded: 10 &* (number &- 3 &* word)))
  }

  @inline(__always)
  private func code(_ place: Place) -> UInt16 {
    let word = bytes.word(at: place.byte, as: UInt32.self)
    return UInt16(truncatingIfNeeded: word &>> place.shift) & 1023
  }

  @inline(__always)
  private func set(_ place: Place, _ code: UInt16) {
    let old = bytes.word(at: place.byte, as: UInt32.self) & ~(1023 &<< place.shift)
    let word = old | UInt32(code & 1023) &<< place.shift
    let own = bytes[from: place.byte, count: 4]
    for i in 0..<4 { own[i] = UInt8(truncatingIfNeeded: word &>> UInt32(8 &* i)) }
  }

  /// The first sample.
  var code: UInt16 { code(place(first)) }

  /// Sets the first sample.
  func set(_ code: UInt16) { set(place(first), code) }

  /// Calls `body` with an index from 0 on and where its sample is.
  @inline(__always)
  private func forSamples(_ body: (Int, Place) -> Void) {
    var index = 0
    // Constants, so that the compiler knows the places in a group of twelve samples.
    switch (first % step, step) {
    case (1, 2): forGroups(&index, offset: 1, step: 2, body)
    case (0, 4): forGroups(&index, offset: 0, step: 4, body)
    case (2, 4): forGroups(&index, offset: 2, step: 4, body)
    default: break
    }
    while index < count {
      body(index, place(first &+ index &* step))
      index &+= 1
    }
  }

  /// Calls `body` for all samples up to the last whole group.
  @inline(__always)
  private func forGroups(
    _ index: inout Int, offset: Int, step: Int, _ body: (Int, Place) -> Void
  ) {
    while index < count, (first &+ index &* step) % 12 != offset {
      body(index, place(first &+ index &* step))
      index &+= 1
    }
    let inGroup = 12 / step
    var start = (first &+ index &* step) / 12 &* 16
    while index &+ inGroup <= count {
      for i in 0..<inGroup {
        let place = place(offset &+ i &* step)
        body(index &+ i, (start &+ place.byte, place.shift))
      }
      index &+= inGroup
      start &+= 16
    }
  }

  /// Fills `target`, of as many elements, with codes.
  @inline(never)
  func gather(into target: Row<UInt16>) {
    let target = target[..<count]
    forSamples { target[$0] = code($1) }
  }

  /// Writes as many codes; the samples between keep their values.
  @inline(never)
  func scatter(_ source: Row<UInt16>) {
    let source = source[..<count]
    forSamples { set($1, source[$0]) }
  }

  /// Fills `target`, of as many elements, with codes rounded to 8 bits.
  @inline(never)
  func gatherBytes(into target: Row<UInt8>) {
    let target = target[..<count]
    forSamples { target[$0] = UInt8(truncatingIfNeeded: min((code($1) &+ 2) &>> 2, 255)) }
  }
}
