import Pixels

/// The screen from place to place: five channels on blocks; valid while its map lives.
struct ScreenField {
  /// recip, along, component 0, 1, 2.
  static let channels = 5
  /// Element of an expanded row at which column 0 lies: rows begin half a block before it.
  static let origin = ScreenMap.block / 2

  /// The channels' rows of blocks, one channel after another, in 1/16 codes or 12 bits.
  private let channels: Grid<UInt16>.Rows
  private let blockRows: Int

  init(rows: Grid<UInt16>.Rows) {
    channels = rows
    blockRows = rows.height / Self.channels
  }

  /// Where a stretch of a row lies among the blocks.
  private struct Place {
    let above: Int
    let below: Int
    let weight: UInt16
    let segments: ClosedRange<Int>
  }

  /// The same values serve four rows.
  @inline(__always)
  private func place(_ y: Int, _ range: Range<Int>) -> Place {
    let place = (y & ~3) + 2 + Self.origin
    let first = (range.lowerBound + Self.origin) / ScreenMap.block
    let end = min((range.upperBound - 1 + Self.origin) / ScreenMap.block, channels.width)
    return Place(
      above: max(0, min(place / ScreenMap.block - 1, blockRows - 1)),
      below: min(place / ScreenMap.block, blockRows - 1),
      weight: UInt16(truncatingIfNeeded: place % ScreenMap.block), segments: first...end)
  }

  /// Interpolates recip and along for grid row `y`, in 1/256 of a code; `y` counts by fours.
  ///
  /// Sample x lies at element x + `origin`.
  func expand(recip: Row<UInt16>, along: Row<UInt16>, y: Int) {
    let place = place(y, 0..<channels.width * ScreenMap.block)
    KeyKernels.expand(
      recip, channels.row(place.above), channels.row(place.below), weight: place.weight,
      segments: place.segments)
    KeyKernels.expand(
      along, channels.row(blockRows + place.above), channels.row(blockRows + place.below),
      weight: place.weight, segments: place.segments)
  }

  /// Interpolates the screen's three components for grid row `y`, rounded; sample x lies at
  /// element x + `origin`, and only those in `range` are made.
  func expand(into out: PackedPixels.Rows, y: Int, range: Range<Int>) {
    let place = place(y, range)
    for component in 0..<3 {
      let first = (2 + component) * blockRows
      KeyKernels.expand(
        pick(component, out), channels.row(first + place.above), channels.row(first + place.below),
        weight: place.weight, segments: place.segments)
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
