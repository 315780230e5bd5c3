import Faces
import Pixels

/// Composites the samples of a sprite or a surface onto a picture, row by row.
struct SpritePainter<Source: TapSource> {
  let source: Source
  let target: SpriteTarget
  let mixer: SpriteMixer<UInt8>
  let deepMixer: SpriteMixer<UInt16>
  let blend: SpriteBlend
  /// Factor of the sprite's alpha in 1/65535; nil for 1.
  let opacity: UInt16?
  /// What is in front of the sprite; nil for nothing.
  let cover: CoverSampler?
  let clear: UInt32

  /// Draws rows of the picture; the first row is even.
  func paint(_ rows: Range<Int>, _ scratch: SpriteScratch) {
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 1 << target.shifts.v) {
      paintRow(y, scratch)
    }
  }

  /// Draws row `y`, with the next row if both share chroma.
  private func paintRow(_ y: Int, _ scratch: SpriteScratch) {
    let (h, v) = target.shifts
    let isCosited = v > 0 && target.site.isCositedVertically
    let before = isCosited ? source.coveredRun(y - 1, lightingRow: y) : .none
    let upper = source.coveredRun(y)
    let lower = v > 0 ? source.coveredRun(y + 1) : .none
    let covered = before.columns.union(upper.columns).union(lower.columns)
    guard !covered.isEmpty else { return }
    let block = SpriteBlock(covered, y, h: h, v: v, width: target.width, height: target.height)
    guard !block.shared.isEmpty else { return }
    // With horizontal subsampling one more column on each side contributes to chroma.
    let first = block.columns.lowerBound - h
    let count = block.shared.count << h + 2 * h
    var shared = fillTaps(scratch.upper[0..<count], y, from: first, upper, scratch)
    var rows = (shared, shared)
    if v > 0 {
      rows.1 = fillTaps(scratch.lower[0..<count], y + 1, from: first, lower, scratch)
      shared = scratch.mean[0..<count]
      let above =
        isCosited
        ? fillTaps(scratch.before[0..<count], y - 1, from: first, before, scratch) : nil
      for component in components {
        if let above {
          SpriteKernels.averageCosited(
            above[component], rows.0[component], rows.1[component], into: shared[component])
        } else {
          SpriteKernels.average(rows.0[component], rows.1[component], into: shared[component])
        }
      }
    }
    if h > 0 {
      let chroma = scratch.chroma[0..<block.shared.count]
      for component in components {
        SpriteKernels.downsampleChromaHorizontally(
          shared[component], into: chroma[component],
          cosited: target.site.isCositedHorizontally)
      }
      shared = chroma
      let own = h..<h + block.columns.count
      rows = (rows.0[own], v > 0 ? rows.1[own] : rows.0)
    }
    compositeBlock(block, rows, shared, scratch)
  }

  /// Composites taps on a block: those of its rows, and `shared`, those of its chroma.
  private func compositeBlock(
    _ block: SpriteBlock, _ rows: (SpriteTaps, SpriteTaps), _ shared: SpriteTaps,
    _ scratch: SpriteScratch
  ) {
    guard blend == .over, isOpaque(block, scratch) else {
      if target.isDeep {
        deepMixer.mixBlock(block, rows, shared, scratch)
      } else {
        mixer.mixBlock(block, rows, shared, scratch)
      }
      return
    }
    let x = block.columns.lowerBound
    let codes = scratch.codes(0, block.columns.count)
    for y in block.rows {
      target.composite(0, x: x, y: y, y == block.rows.lowerBound ? rows.0 : rows.1, scratch: codes)
    }
    target.compositeChroma(
      x: block.shared.lowerBound, y: block.sharedRow, shared,
      scratch: scratch.codes(0, shared.count))
  }

  /// Components whose means are needed: component 0 only if the blend mixes components.
  private var components: Range<Int> { blend == .over ? 1..<4 : 0..<4 }

  /// Whether the picture has no alpha, or is opaque in this block.
  private func isOpaque(_ block: SpriteBlock, _ scratch: SpriteScratch) -> Bool {
    if let alpha = target.deep[3] {
      let codes = scratch.samples[0][0..<block.columns.count]
      return block.rows.allSatisfy { y in
        alpha.gather(row: y, from: block.columns.lowerBound, into: codes)
        return SpriteKernels.isOpaque(codes, maximum: alpha.maximum)
      }
    }
    guard let alpha = target[3] else { return true }
    let bytes = scratch.bytes[0][0..<block.columns.count]
    return block.rows.allSatisfy { y in
      SpriteKernels.isOpaque(alpha.samples(row: y, from: block.columns.lowerBound, scratch: bytes))
    }
  }

  /// Fills `taps` with row `y` of the sprite from column `first` on, multiplied by `opacity`, and
  /// without what is covered; returns them.
  private func fillTaps(
    _ taps: SpriteTaps, _ y: Int, from first: Int, _ run: Source.Run, _ scratch: SpriteScratch
  ) -> SpriteTaps {
    source.fill(taps, from: first, run: run, clear: clear, scratch)
    if let opacity {
      for component in 0..<4 {
        SpriteKernels.fade(taps[component], by: opacity, centre: centre(component))
      }
    }
    let visibility = scratch.visibility[0..<taps.count]
    if let cover, cover.writeVisibility(row: y, from: first, into: visibility) {
      for component in 0..<4 {
        SpriteKernels.fade(taps[component], by: visibility, centre: centre(component))
      }
    }
    return taps
  }

  /// The value of a transparent tap.
  private func centre(_ component: Int) -> UInt16 {
    UInt16(clear >> (8 * UInt32(component)) & 255) << 8
  }
}

/// The pixels of one row, or of two rows that share chroma, that a sprite affects.
struct SpriteBlock {
  /// Columns and rows of pixels.
  let columns, rows: Range<Int>
  /// Columns and row of chroma samples; those of pixels without subsampling.
  let shared: Range<Int>
  let sharedRow: Int

  /// The block that pixels in columns `covered` affect, clipped to the picture.
  init(_ covered: Range<Int>, _ y: Int, h: Int, v: Int, width: Int, height: Int) {
    shared = (covered.lowerBound >> h..<covered.upperBound >> h + h)
      .clamped(to: 0..<PixelLayout.subsampled(width, by: h))
    columns = (shared.lowerBound << h..<shared.upperBound << h).clamped(to: 0..<width)
    rows = y..<min(y + 1 << v, height)
    sharedRow = y >> v
  }
}

extension Range<Int> {
  /// The smallest range that contains both; empty ranges are ignored.
  fileprivate func union(_ other: Range<Int>) -> Range<Int> {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
