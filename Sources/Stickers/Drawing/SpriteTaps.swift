import Pixels

/// A run of taps: components 0, 1, 2 and alpha of the sprite at some pixels of the picture.
///
/// A tap is premultiplied and has 8 fractional bits: 0...65280. Chroma lies round 32768.
struct SpriteTaps {
  let c0, c1, c2, alpha: Row<UInt16>

  /// How many pixels all four have.
  @inline(__always)
  var count: Int { min(min(c0.count, c1.count), min(c2.count, alpha.count)) }

  /// Component 0, 1 or 2; alpha for any other number.
  @inline(__always)
  subscript(component: Int) -> Row<UInt16> {
    switch component {
    case 0: c0
    case 1: c1
    case 2: c2
    default: alpha
    }
  }

  /// The taps in `bounds`, renumbered from 0.
  @inline(__always)
  subscript(bounds: Range<Int>) -> SpriteTaps {
    SpriteTaps(c0: c0[bounds], c1: c1[bounds], c2: c2[bounds], alpha: alpha[bounds])
  }
}

/// The rows that drawing works in, so that no frame allocates.
final class SpriteScratch {
  /// The row before a pair that shares its chroma, the pair, the mean of those, and the mean of
  /// its columns at the places of chroma.
  let before, upper, lower, mean, chroma: SpriteTaps
  /// One of several rows within a row.
  let fine: SpriteTaps
  /// Six rows for samples on their way to the picture.
  let bytes: [Row<UInt8>]
  /// Scratch of the sampler; see `SpriteKernels.sample`.
  let words: (Row<UInt32>, Row<UInt32>)
  /// Texture coordinates in 1/65536 of stored pixels, and the changes of the coverage.
  let u, v: Row<Int32>
  let coverage: Row<Float>
  /// The coverage in 1/65535, and the gain of the lighting.
  let share, gain: Row<UInt16>
  /// Which columns are not covered as a whole; see `SurfaceTaps`.
  let blocks: Row<UInt8>
  // What owns the rows.
  private let placeMemory: Grid<Int32>
  private let coverageMemory: Grid<Float>
  private let shareMemory: Grid<UInt16>
  private let tapMemory: Grid<UInt16>
  private let byteMemory: Grid<UInt8>
  private let lightMemory: Grid<Float>
  private let wordMemory = Grid<UInt32>(width: SpriteKernels.batchSize, height: 2, of: 0)

  /// Allocates rows for pictures `width` pixels wide.
  init(width: Int) {
    // A column beyond each side, and one to fill a last pair.
    let capacity = width + 3
    let taps = Grid<UInt16>(width: capacity, height: 24, of: 0)
    func line(_ first: Int) -> SpriteTaps {
      SpriteTaps(
        c0: taps.row(first), c1: taps.row(first + 1), c2: taps.row(first + 2),
        alpha: taps.row(first + 3))
    }
    (before, upper, lower, mean, chroma) = (line(0), line(4), line(8), line(12), line(16))
    fine = line(20)
    let bytes = Grid<UInt8>(width: capacity, height: 7, of: 0)
    self.bytes = (0..<6).map { bytes.row($0) }
    blocks = bytes.row(6)
    words = (wordMemory.row(0), wordMemory.row(1))
    (tapMemory, byteMemory) = (taps, bytes)
    placeMemory = Grid(width: capacity + SpriteKernels.rampPadding, height: 2, of: 0)
    (u, v) = (placeMemory.row(0), placeMemory.row(1))
    // Covering one pixel changes the next one's sum.
    coverageMemory = Grid(width: capacity + 2, height: 1, of: 0)
    coverage = coverageMemory.row(0)
    shareMemory = Grid(width: capacity, height: 2, of: 0)
    (share, gain) = (shareMemory.row(0), shareMemory.row(1))
    lightMemory = Grid(width: capacity, height: 4, of: 0)
  }

  /// Rows for three components and alpha while they are mixed.
  typealias Light = (Row<Float>, Row<Float>, Row<Float>, Row<Float>)

  /// The first `count` of each.
  func light(_ count: Int) -> Light {
    func row(_ index: Int) -> Row<Float> { lightMemory.row(index)[0..<count] }
    return (row(0), row(1), row(2), row(3))
  }
}
