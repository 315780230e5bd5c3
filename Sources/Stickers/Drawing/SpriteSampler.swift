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
  static let sampledAtOnce = 256

  /// Fills `taps` with the sprite's pixels along `path`.
  ///
  /// Weights are in 1/256 and sum to 256, so that products are exact and a flat colour comes out as
  /// it went in. `words` is two rows of scratch, `sampledAtOnce` each.
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
      part(pixels.row(path.v >> 32)[start..<start + count], into: taps)
      return
    }
    let (evens, odds) = words
    var done = 0
    while done < count {
      let n = min(count - done, sampledAtOnce)
      mix(pixels, path.dropping(done), evens, odds, n)
      let piece = taps[done..<done + n]
      part(evens[0..<n], low: piece.c0, high: piece.c2)
      part(odds[0..<n], low: piece.c1, high: piece.alpha)
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
      let n = min(count - done, sampledAtOnce)
      mix(pixels, us[from: done, count: n], vs[from: done, count: n], evens, odds)
      let piece = taps[done..<done + n]
      part(evens[0..<n], low: piece.c0, high: piece.c2)
      part(odds[0..<n], low: piece.c1, high: piece.alpha)
      done += n
    }
  }
}

/// Weights of the neighbours of two places, in 1/256, as they move on by two places at a time.
struct SpriteWeights {
  /// 255 - x for the left neighbour and x for the right one, of each place, with 24 more bits.
  private var across, down: SIMD4<UInt32>
  private let jumpAcross, jumpDown: SIMD4<UInt32>

  init(_ path: SpritePath) {
    func low(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value) }
    let next = path.dropping(1)
    let (u0, u1) = (low(path.u), low(next.u))
    let (v0, v1) = (low(path.v), low(next.v))
    let (jumpU, jumpV) = (low(2 &* path.stepU), low(2 &* path.stepV))
    across = SIMD4(~u0, u0, ~u1, u1)
    down = SIMD4(v0, v0, v1, v1)
    jumpAcross = SIMD4(0 &- jumpU, jumpU, 0 &- jumpU, jumpU)
    jumpDown = SIMD4(repeating: jumpV)
  }

  /// Of two places in 1/65536, to which half of 1/256 was added so that they are rounded.
  @inline(__always)
  init(_ u0: Int32, _ u1: Int32, _ v0: Int32, _ v1: Int32) {
    func fraction(_ place: Int32) -> UInt32 { UInt32(bitPattern: place) &<< 16 }
    let (left, right) = (fraction(u0), fraction(u1))
    let (upper, lower) = (fraction(v0), fraction(v1))
    across = SIMD4(~left, left, ~right, right)
    down = SIMD4(upper, upper, lower, lower)
    (jumpAcross, jumpDown) = (.zero, .zero)
  }

  @inline(__always)
  mutating func advance() {
    across = across &+ jumpAcross
    down = down &+ jumpDown
  }

  /// Those of the upper and the lower neighbours, each once for two components.
  @inline(__always)
  var rows: (above: SIMD8<UInt16>, below: SIMD8<UInt16>) {
    let across = Self.upperByte(across) &+ SIMD8<UInt16>(1, 1, 0, 0, 1, 1, 0, 0)
    let below = (across &* Self.upperByte(down) &+ SIMD8(repeating: 128)) &>> SIMD8(repeating: 8)
    return (across &- below, below)
  }

  @inline(__always)
  private static func upperByte(_ fine: SIMD4<UInt32>) -> SIMD8<UInt16> {
    let x = fine &>> SIMD4(repeating: 24)
    return SpriteKernels.halves(x | x &<< SIMD4(repeating: 16))
  }
}
