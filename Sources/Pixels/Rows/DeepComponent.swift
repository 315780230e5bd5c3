/// A strided view of one colour component of a picture of more than 8 bits.
///
/// The counterpart of `Component`. Rows are copied out and in, as codes of `depth` bits. A sample has
/// a 16-bit word, of which other bits are neither read nor kept, or a third of a word of v210.
/// Borrowed memory, as `Plane`.
package struct DeepComponent {
  package let width, height: Int
  /// Bits of a code.
  package let depth: Int
  private let plane: Plane
  private let offset, step: Int
  private let shift: UInt16
  private let packsThreeSamples: Bool

  /// The component whose words are `step` bytes apart in each row of a plane, from byte `offset`
  /// on, and whose codes lie above `shift` bits; of v210 offset and step count samples.
  init(
    _ plane: Plane, offset: Int, step: Int, width: Int, depth: Int, shift: Int,
    packsThreeSamples: Bool
  ) {
    precondition(step > 1 && offset >= 0 && width > 0)
    precondition(packsThreeSamples || offset + (width - 1) * step + 1 < plane.rowBytes)
    (self.plane, self.offset, self.step) = (plane, offset, step)
    self.packsThreeSamples = packsThreeSamples
    (self.width, height) = (width, plane.height)
    (self.depth, self.shift) = (depth, UInt16(shift))
  }

  /// The highest code.
  package var maximum: UInt16 { UInt16(truncatingIfNeeded: (1 << depth) - 1) }

  /// Whether both views have the same address, strides and bits, so that copying one to the other
  /// is a no-op.
  package func isSameMemory(as other: DeepComponent) -> Bool {
    step == other.step && offset == other.offset && plane.stride == other.plane.stride
      && shift == other.shift && depth == other.depth && height == other.height && height > 0
      && packsThreeSamples == other.packsThreeSamples
      && RowKernels.isSameAddress(plane.row(0), other.plane.row(0))
  }

  /// The bytes from the first to the last of `count` samples, `interval` columns apart.
  @inline(__always)
  private func bytes(
    row y: Int, from start: Int = 0, every interval: Int = 1, count: Int
  ) -> Row<UInt8> {
    precondition(start >= 0 && interval > 0 && count >= 0)
    precondition(count == 0 || start + (count - 1) * interval < width)
    let length = count > 0 ? (count - 1) * interval * step + 2 : 0
    return plane.row(y)[from: count > 0 ? offset + start * step : 0, count: length]
  }

  /// The samples of a row of v210; nil for other layouts.
  @inline(__always)
  private func packed(
    row y: Int, from start: Int, every interval: Int = 1, count: Int
  ) -> ThreeSampleRow? {
    guard packsThreeSamples else { return nil }
    precondition(start >= 0 && interval > 0 && count >= 0)
    precondition(count == 0 || start + (count - 1) * interval < width)
    return ThreeSampleRow(
      plane.row(y), first: offset + start * step, step: interval * step, count: count)
  }

  /// The words of row `y`, for reading or writing codes in place; nil if codes lie apart, above
  /// other bits, or at an odd address.
  ///
  /// Bits above the codes may be set, and must be masked by `maximum` when they are read.
  package func row(_ y: Int) -> Row<UInt16>? {
    guard step == 2, shift == 0, !packsThreeSamples else { return nil }
    return RowKernels.words(bytes(row: y, count: width))
  }

  /// The codes of row `y`: the picture's own words, of which those above `maximum` must be masked,
  /// or copied into `scratch`, of as many elements.
  package func samples(row y: Int, scratch: Row<UInt16>) -> Row<UInt16> {
    if let own = row(y), own.count == scratch.count { return own }
    gather(row: y, into: scratch)
    return scratch
  }

  /// The code at column `x`, row `y`; traps outside the component.
  package subscript(x: Int, y: Int) -> UInt16 {
    get {
      if let packed = packed(row: y, from: x, count: 1) { return packed.code }
      let word = bytes(row: y, from: x, count: 1).word(at: 0, as: UInt16.self)
      return (word >> shift) & maximum
    }
    nonmutating set {
      if let packed = packed(row: y, from: x, count: 1) { return packed.set(newValue) }
      let word = (newValue & maximum) << shift
      let bytes = bytes(row: y, from: x, count: 1)
      bytes[0] = UInt8(truncatingIfNeeded: word)
      bytes[1] = UInt8(truncatingIfNeeded: word >> 8)
    }
  }

  /// Fills `target` with codes of row `y`: column `start` and every `interval`-th after it.
  package func gather(
    row y: Int, from start: Int = 0, every interval: Int = 1, into target: Row<UInt16>
  ) {
    if let packed = packed(row: y, from: start, every: interval, count: target.count) {
      return packed.gather(into: target)
    }
    RowKernels.gatherWords(
      target, bytes(row: y, from: start, every: interval, count: target.count),
      step: step * interval, shift: shift, mask: maximum)
  }

  /// Writes codes to row `y` from column `start` on.
  ///
  /// The bytes between the samples are rewritten with their own values, so no other thread may
  /// write the same row meanwhile.
  package func scatter(row y: Int, from start: Int = 0, _ source: Row<UInt16>) {
    if let packed = packed(row: y, from: start, count: source.count) {
      return packed.scatter(source)
    }
    RowKernels.scatterWords(
      bytes(row: y, from: start, count: source.count), source, step: step, shift: shift)
  }

  /// Fills `target` with the codes of row `y` from column `start` on, rounded to 8 bits.
  package func gatherBytes(row y: Int, from start: Int = 0, into target: Row<UInt8>) {
    if let packed = packed(row: y, from: start, count: target.count) {
      return packed.gatherBytes(into: target)
    }
    RowKernels.gatherRoundedWords(
      target, bytes(row: y, from: start, count: target.count), step: step, shift: shift,
      mask: maximum, dropped: UInt16(depth - 8))
  }
}
