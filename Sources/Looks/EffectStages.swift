import Pixels

/// The stages of the photo effects of one frame, in their order; applied tile by tile.
struct EffectStages {
  let lines: PictureLines
  let colors: ColorGrader?
  let cartoon: Cartoon?
  let intensity: Float
  let vignette: Vignette?
  let grain: Grain?
  let mask: EffectMask?
  let dither: Grid<Float>

  /// Whether nothing but the look's colours changes.
  var isLookAlone: Bool { cartoon == nil && vignette == nil && grain == nil && mask == nil }

  /// Applies the stages to a tile.
  func apply(_ picture: borrowing Picture, _ tile: LookTile, _ scratch: LookScratch) {
    if mask != nil {
      lines.forEach(picture, tile, scratch, writes: false) { line, index in
        scratch.originals(index, line.samples.count).copy(line.samples)
      }
    }
    cartoon?.apply(picture, lines, tile, intensity: intensity, scratch)
    colors?.apply(picture, tile, scratch)
    guard vignette != nil || grain != nil || mask != nil else { return }
    lines.forEach(picture, tile, scratch) { line, index in
      let length = line.samples.count
      vignette?.apply(line, dither: dither)
      grain?.apply(line, scratch.words(0, length + 1), scratch.words(1, length + 1))
      guard let mask else { return }
      let weights = scratch.values(0, length)
      mask.sample(line.position, into: weights, scratch: scratch.cells(mask.width))
      Self.blend(line.samples, scratch.originals(index, length), weights)
    }
  }

  /// Blends the originals with the changed samples by weight.
  @inline(never)
  private static func blend(_ samples: Row<UInt8>, _ originals: Row<UInt8>, _ weights: Row<Float>) {
    let n = min(samples.count, originals.count, weights.count)
    for x in 0..<n {
      let old = Float(originals[x])
      samples[x] = UInt8(truncatingIfNeeded: nearest(old + (Float(samples[x]) - old) * weights[x]))
    }
  }
}
