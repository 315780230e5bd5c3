import Pixels

/// The screen's colour and light on blocks of 16 x 16 chroma samples; valid while its map lives.
struct ScreenField {
  /// 2^20 / q, x along the screen's hue, and components 0, 1, 2.
  static let channels = 5
  /// The index of column 0 in an interpolated row, which begins half a block before it.
  static let origin = ScreenMap.block / 2

  /// The channels' rows of blocks, one channel after another, in 1/16 codes or 12 bits.
  let channels: Grid<UInt16>.Rows
  private var blockRows: Int { channels.height / Self.channels }

  /// Interpolates a channel at grid row `y`, in the middles of blocks, from one before the first to
  /// one after the last; equal for four rows each.
  func interpolateRow(_ channel: Int, _ y: Int, into out: Row<UInt16>) {
    let position = (y & ~3) + 2 + Self.origin
    let block = position / ScreenMap.block
    FieldKernels.blendRows(
      out, channels.row(channel * blockRows + max(0, min(block - 1, blockRows - 1))),
      channels.row(channel * blockRows + min(block, blockRows - 1)),
      weight: UInt16(truncatingIfNeeded: position % ScreenMap.block), from: -1)
  }

  /// The number of values that `interpolateRow` writes.
  var valueCount: Int { channels.width + 2 }
}
