package import Pixels

/// Codes of more than 8 bits, by the 8-bit codes that algorithms compute in: 2^(depth - 8) times as
/// high, so that 16 and 128 are 64 and 512 in 10 bits.
package struct DeepCodes: Sendable {
  /// Codes for one of 8 bits.
  package let scale: Float
  package let maximum: Float

  /// Nil for formats of 8 bits.
  package init?(_ video: VideoFormat) {
    let depth = video.format.bitDepth
    guard depth > 8 else { return nil }
    scale = Float(1 << (depth - 8))
    maximum = Float(1 << depth) - 1
  }

  /// The nearest code to a value in 8-bit codes.
  @inlinable @inline(__always)
  package func nearest(_ value: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: Pixels.nearest(limited(value * scale, 0, maximum)))
  }
}
