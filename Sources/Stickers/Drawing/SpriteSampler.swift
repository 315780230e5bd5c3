import Pixels

/// Where a run of pixels begins in a sprite and how it goes on, in stored pixels with 32 fractional
/// bits.
struct SpritePath {
  var u, v: Int
  let stepU, stepV: Int

  /// The path from the `count`-th pixel on.
  func dropping(_ count: Int) -> SpritePath {
    SpritePath(u: u &+ count &* stepU, v: v &+ count &* stepV, stepU: stepU, stepV: stepV)
  }
}

/// Bilinear sampling: neighbours are fetched, weighed and mixed for two pixels at a time, then
/// parted into components.
extension SpriteKernels {
  /// Pixels that are mixed before they are parted, so few that both passes stay in the first cache.
  static let batchSize = 256

  /// Fills `taps` with the sprite's pixels along `path`.
  ///
  /// Weights are in 1/256 and sum to 256, so that products are exact and a flat colour comes out as
  /// it went in. `words` is two rows of scratch, `batchSize` each.
  static func sample(
    _ pixels: SpritePixels, _ path: SpritePath, into taps: SpriteTaps,
    _ words: (Row<UInt32>, Row<UInt32>)
  ) {
    let count = taps.count
    let last = path.dropping(count - 1)
    // Places are linear in the column, so when both ends lie inside all do, and so do the pixels
    // right of and below them.
    precondition(
      min(path.u, last.u) >= 0 && max(path.u, last.u) >> 32 < pixels.width - 1
        && min(path.v, last.v) >= 0 && max(path.v, last.v) >> 32 < pixels.height - 1)
    if path.stepU == 1 << 32, path.stepV == 0, (path.u | path.v) >> 24 & 255 == 0 {
      let start = path.u >> 32
      deinterleave(pixels.row(path.v >> 32)[start..<start + count], into: taps)
      return
    }
    let (evens, odds) = words
    var done = 0
    while done < count {
      let n = min(count - done, batchSize)
      interpolate(pixels, path.dropping(done), evens, odds, n)
      let piece = taps[done..<done + n]
      deinterleave(evens[0..<n], low: piece.c0, high: piece.c2)
      deinterleave(odds[0..<n], low: piece.c1, high: piece.alpha)
      done += n
    }
  }
}

extension SpriteKernels {
  /// Fills `taps` with the sprite's pixels at places in 1/65536, which it changes.
  static func sample(
    _ pixels: SpritePixels, _ us: Row<Int32>, _ vs: Row<Int32>, into taps: SpriteTaps,
    _ words: (Row<UInt32>, Row<UInt32>)
  ) {
    let count = min(taps.count, us.count, vs.count)
    let (evens, odds) = words
    var done = 0
    while done < count {
      let n = min(count - done, batchSize)
      interpolate(pixels, us[from: done, count: n], vs[from: done, count: n], evens, odds)
      let piece = taps[done..<done + n]
      deinterleave(evens[0..<n], low: piece.c0, high: piece.c2)
      deinterleave(odds[0..<n], low: piece.c1, high: piece.alpha)
      done += n
    }
  }
}
