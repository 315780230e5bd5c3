import Pixels

/// A sample of a picture: a byte, or a word of more than 8 bits.
protocol SpriteSample: FixedWidthInteger, BitwiseCopyable {
  static var isByte: Bool { get }
  /// Six rows of a scratch.
  static func rows(_ scratch: SpriteScratch) -> [Row<Self>]
  /// As many samples of a component's row as `scratch` holds; nil if the format does not have it.
  static func samples(
    _ target: SpriteTarget, _ index: Int, row y: Int, from x: Int, scratch: Row<Self>
  ) -> Row<Self>?
  /// Stores samples that `samples` returned.
  static func write(_ row: Row<Self>, _ target: SpriteTarget, _ index: Int, row y: Int, from x: Int)
}

extension UInt8: SpriteSample {
  static var isByte: Bool { true }
  static func rows(_ scratch: SpriteScratch) -> [Row<UInt8>] { scratch.bytes }
  static func samples(
    _ target: SpriteTarget, _ index: Int, row y: Int, from x: Int, scratch: Row<UInt8>
  ) -> Row<UInt8>? {
    target[index]?.samples(row: y, from: x, scratch: scratch)
  }
  static func write(
    _ row: Row<UInt8>, _ target: SpriteTarget, _ index: Int, row y: Int, from x: Int
  ) {
    target[index]?.scatter(row: y, from: x, row)
  }
}

extension UInt16: SpriteSample {
  static var isByte: Bool { false }
  static func rows(_ scratch: SpriteScratch) -> [Row<UInt16>] { scratch.samples }
  static func samples(
    _ target: SpriteTarget, _ index: Int, row y: Int, from x: Int, scratch: Row<UInt16>
  ) -> Row<UInt16>? {
    guard let component = target.deep[index] else { return nil }
    component.gather(row: y, from: x, into: scratch)
    return scratch
  }
  static func write(
    _ row: Row<UInt16>, _ target: SpriteTarget, _ index: Int, row y: Int, from x: Int
  ) {
    target.deep[index]?.scatter(row: y, from: x, row)
  }
}
