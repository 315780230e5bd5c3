import Pixels

/// A run of taps: components 0, 1, 2 and alpha of the sprite at consecutive pixels of the picture.
///
/// Taps are premultiplied with 8 fractional bits, 0...65280. Chroma is centred at 32768.
struct SpriteTaps {
  let c0, c1, c2, alpha: Row<UInt16>

  /// The number of pixels: the shortest row's.
  @inline(__always)
  var count: Int { min(min(c0.count, c1.count), min(c2.count, alpha.count)) }

  /// Component 0, 1 or 2; alpha for any other index.
  @inline(__always)
  subscript(component: Int) -> Row<UInt16> {
    switch component {
    case 0: c0
    case 1: c1
    case 2: c2
    default: alpha
    }
  }

  /// The taps in `bounds`, re-indexed from 0.
  @inline(__always)
  subscript(bounds: Range<Int>) -> SpriteTaps {
    SpriteTaps(c0: c0[bounds], c1: c1[bounds], c2: c2[bounds], alpha: alpha[bounds])
  }
}

/// The rows that drawing works in; they are kept, so that no frame allocates.
final class SpriteScratch {
  /// For two rows that share chroma: the row above them, both rows, their mean, and that mean at
  /// chroma's columns.
  let before, upper, lower, mean, chroma: SpriteTaps
  /// One subsample of a row.
  let fine: SpriteTaps
  /// Six rows for samples of the picture.
  let bytes: [Row<UInt8>]
  /// Six rows for samples of more than 8 bits.
  let samples: [Row<UInt16>]
  /// Rows for samples of either size.
  typealias Codes = (bytes: Row<UInt8>, words: Row<UInt16>)
  /// Scratch of the sampler; see `SpriteKernels.sample`.
  let words: (Row<UInt32>, Row<UInt32>)
  /// Texture coordinates in 1/65536 of stored pixels, and the change of coverage from column to
  /// column.
  let u, v: Row<Int32>
  let coverageDeltas: Row<Float>
  /// Coverage in 1/65535, and the gain of the lighting in 1/16384.
  let coverage, gain: Row<UInt16>
  /// Depth in pixels, and gain of the lighting in 1/16384, of a body.
  let depths: Row<Float>
  let bodyGain: Row<UInt16>
  /// How much of each pixel nothing is in front of, in 1/65535.
  let visibility: Row<UInt16>
  /// Blocks of columns that are not fully covered; see `SurfaceKernels`.
  let blocks: Row<UInt8>
  // Owners of the rows.
  private let coordinateMemory: Grid<Int32>
  private let coverageDeltaMemory: Grid<Float>
  private let coverageMemory: Grid<UInt16>
  private let tapMemory: Grid<UInt16>
  private let byteMemory: Grid<UInt8>
  private let sampleMemory: Grid<UInt16>
  private let colorMemory: Grid<Float>
  private let wordMemory = Grid<UInt32>(width: SpriteKernels.batchSize, height: 2, of: 0)

  /// Allocates rows for pictures `width` pixels wide.
  init(width: Int) {
    // One column beyond each side, and one to complete the last pair.
    let capacity = width + 3
    let taps = Grid<UInt16>(width: capacity, height: 24, of: 0)
    func tapRows(_ first: Int) -> SpriteTaps {
      SpriteTaps(
        c0: taps.row(first), c1: taps.row(first + 1), c2: taps.row(first + 2),
        alpha: taps.row(first + 3))
    }
    (before, upper, lower, mean, chroma) = (
      tapRows(0), tapRows(4), tapRows(8), tapRows(12), tapRows(16)
    )
    fine = tapRows(20)
    let bytes = Grid<UInt8>(width: capacity, height: 7, of: 0)
    self.bytes = (0..<6).map { bytes.row($0) }
    blocks = bytes.row(6)
    let samples = Grid<UInt16>(width: capacity, height: 6, of: 0)
    self.samples = (0..<6).map { samples.row($0) }
    sampleMemory = samples
    words = (wordMemory.row(0), wordMemory.row(1))
    (tapMemory, byteMemory) = (taps, bytes)
    coordinateMemory = Grid(width: capacity + SpriteKernels.rampPadding, height: 2, of: 0)
    (u, v) = (coordinateMemory.row(0), coordinateMemory.row(1))
    // The coverage of a pixel also changes the next one's sum.
    coverageDeltaMemory = Grid(width: capacity + 2, height: 2, of: 0)
    (coverageDeltas, depths) = (coverageDeltaMemory.row(0), coverageDeltaMemory.row(1))
    coverageMemory = Grid(width: capacity, height: 4, of: 0)
    (coverage, gain) = (coverageMemory.row(0), coverageMemory.row(1))
    (visibility, bodyGain) = (coverageMemory.row(2), coverageMemory.row(3))
    colorMemory = Grid(width: capacity, height: 4, of: 0)
  }

  /// The first `count` elements of one of six rows.
  func codes(_ index: Int, _ count: Int) -> Codes {
    (bytes[index][0..<count], samples[index][0..<count])
  }

  /// Rows of three components and alpha for blending in single precision.
  typealias ColorRows = (Row<Float>, Row<Float>, Row<Float>, Row<Float>)

  /// The first `count` elements of each row.
  func colorRows(_ count: Int) -> ColorRows {
    func row(_ index: Int) -> Row<Float> { colorMemory.row(index)[0..<count] }
    return (row(0), row(1), row(2), row(3))
  }
}
