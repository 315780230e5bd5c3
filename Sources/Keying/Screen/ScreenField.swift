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

  /// The rows of a channel about grid row `y`, how far it lies between them in 1/16, and the blocks
  /// of a stretch of it; the same serve four rows.
  @inline(__always)
  private func place(_ channel: Int, _ y: Int, _ range: Range<Int>) -> (
    above: Row<UInt16>, below: Row<UInt16>, weight: UInt16, segments: ClosedRange<Int>
  ) {
    let place = (y & ~3) + 2 + Self.origin
    let block = place / ScreenMap.block
    let first = (range.lowerBound + Self.origin) / ScreenMap.block
    let end = min((range.upperBound - 1 + Self.origin) / ScreenMap.block, channels.width)
    return (
      channels.row(channel * blockRows + max(0, min(block - 1, blockRows - 1))),
      channels.row(channel * blockRows + min(block, blockRows - 1)),
      UInt16(truncatingIfNeeded: place % ScreenMap.block), first...end
    )
  }

  /// Interpolates recip and along for grid row `y`, in 1/256 of a code, from `origin` on.
  func expand(recip: Row<UInt16>, along: Row<UInt16>, y: Int) {
    for channel in 0..<2 {
      let at = place(channel, y, 0..<channels.width * ScreenMap.block)
      KeyKernels.expand(
        channel == 0 ? recip : along, at.above, at.below, weight: at.weight, segments: at.segments)
    }
  }

  /// Interpolates the samples in `range` of the screen's components in grid row `y`, rounded.
  func expand(into out: PackedPixels.Rows, y: Int, range: Range<Int>) {
    for component in 0..<3 {
      let at = place(2 + component, y, range)
      KeyKernels.expand(
        pick(component, out), at.above, at.below, weight: at.weight, segments: at.segments)
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
