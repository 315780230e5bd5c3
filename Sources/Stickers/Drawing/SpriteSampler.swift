import Pixels

/// The coordinates in a sprite of a run of pixels: start and step in stored pixels with 32
/// fractional bits.
struct SpritePath {
  var u, v: Int
  let stepU, stepV: Int

  /// The path without its first `count` pixels.
  func dropping(_ count: Int) -> SpritePath {
    SpritePath(u: u &+ count &* stepU, v: v &+ count &* stepV, stepU: stepU, stepV: stepV)
  }
}

/// Bilinear sampling: interpolates two components of a pixel in one word, then deinterleaves them.
extension SpriteKernels {
  /// Pixels interpolated before they are deinterleaved: few enough for the L1 cache.
  static let batchSize = 256

  /// Fills `taps` with the sprite's pixels along `path`.
  ///
  /// Weights are in 1/256 and sum to 256: products are exact, and a constant colour is preserved.
  /// `words` is two rows of scratch of `batchSize` elements.
  static func sample(
    _ pixels: SpritePixels, _ path: SpritePath, into taps: SpriteTaps,
    _ words: (Row<UInt32>, Row<UInt32>)
  ) {
    let count = taps.count
    let last = path.dropping(count - 1)
    // Coordinates are linear in the column: if both ends lie inside, all do, as do the pixels to
    // the right and below.
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
      let batch = taps[done..<done + n]
      deinterleave(evens[0..<n], low: batch.c0, high: batch.c2)
      deinterleave(odds[0..<n], low: batch.c1, high: batch.alpha)
      done += n
    }
  }
}

extension SpriteKernels {
  /// Fills `taps` with the sprite's pixels at coordinates in 1/65536 pixel; `us` and `vs` are
  /// overwritten.
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
      let batch = taps[done..<done + n]
      deinterleave(evens[0..<n], low: batch.c0, high: batch.c2)
      deinterleave(odds[0..<n], low: batch.c1, high: batch.alpha)
      done += n
    }
  }
}
