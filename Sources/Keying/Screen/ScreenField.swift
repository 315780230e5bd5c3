import Pixels

/// The screen from place to place: five channels on blocks; valid while its map lives.
struct ScreenField {
  /// recip, along, component 0, 1, 2.
  static let channels = 5
  /// Where column 0 lies in an expanded row, which begins half a block before it.
  static let origin = ScreenMap.block / 2

  /// The channels' rows of blocks, one channel after another, in 1/16 codes or 12 bits.
  let channels: Grid<UInt16>.Rows
  private var blockRows: Int { channels.height / Self.channels }

  /// A channel at grid row `y` in the middles of its blocks from number `first` on; the same serve
  /// four rows.
  func mix(_ channel: Int, _ y: Int, from first: Int = -1, into out: Row<UInt16>) {
    let place = (y & ~3) + 2 + Self.origin
    let block = place / ScreenMap.block
    KeyKernels.mixColumns(
      out, channels.row(channel * blockRows + max(0, min(block - 1, blockRows - 1))),
      channels.row(channel * blockRows + min(block, blockRows - 1)),
      weight: UInt16(truncatingIfNeeded: place % ScreenMap.block), from: first)
  }

  /// Values that a row takes: one more at either end.
  var values: Int { channels.width + 2 }

  /// Interpolates the samples in `range` of the screen's components in grid row `y`, rounded.
  func expand(into out: PackedPixels.Rows, y: Int, range: Range<Int>, _ scratch: KeyRows) {
    let first = (range.lowerBound + Self.origin) / ScreenMap.block
    let last = (range.upperBound - 1 + Self.origin) / ScreenMap.block
    let values = scratch.mixed[..<(last - first + 2)]
    for component in 0..<3 {
      mix(2 + component, y, from: first - 1, into: values)
      KeyKernels.slopes(
        pick(component, out)[(first * ScreenMap.block)...], values, ramp: scratch.ramp)
    }
  }
}

/// The screen's light in the subject, which composing takes out again.
struct ScreenLight {
  /// Screen shares as keyed, whatever was made of the matte later.
  let shares: MatteRows
  /// Light of the screen's hue on the subject, in half codes of chroma.
  let spill: MatteRows
  /// What one half code of spill takes off each component, in 1/64 codes.
  let spillFactors: (Int16, Int16, Int16)
  /// The screen's own colour.
  let field: ScreenField
}
