import Pixels

/// Where a run of pixels begins in a sprite and how it goes on, in stored pixels with 32 fractional
/// bits.
struct SpritePath {
  var u: Int
  var v: Int
  let stepU: Int
  let stepV: Int

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

  /// Taps of pixels that need no mixing.
  private static func part(_ pixels: Row<UInt32>, into taps: SpriteTaps) {
    let count = pixels.count
    precondition(taps.count >= count)
    let (c0, c1) = unsafe (taps.c0.base, taps.c1.base)
    let (c2, alpha) = unsafe (taps.c2.base, taps.alpha.base)
    let pixels = unsafe pixels.base
    for i in 0..<count {
      let pixel = unsafe pixels[i]
      unsafe c0[i] = UInt16(truncatingIfNeeded: pixel) &<< 8
      unsafe c1[i] = UInt16(truncatingIfNeeded: pixel) & 0xFF00
      unsafe c2[i] = UInt16(truncatingIfNeeded: pixel &>> 16) &<< 8
      unsafe alpha[i] = UInt16(truncatingIfNeeded: pixel &>> 16) & 0xFF00
    }
  }

  private static func part(_ words: Row<UInt32>, low: Taps, high: Taps) {
    let count = words.count
    precondition(low.count >= count && high.count >= count)
    let (words, low, high) = unsafe (words.base, low.base, high.base)
    for i in 0..<count {
      let word = unsafe words[i]
      unsafe low[i] = UInt16(truncatingIfNeeded: word)
      unsafe high[i] = UInt16(truncatingIfNeeded: word &>> 16)
    }
  }

  /// Mixes the neighbours of `count` places, which `sample` has checked: even components of every
  /// pixel, two to a word, then the odd ones.
  private static func mix(
    _ pixels: SpritePixels, _ path: SpritePath, _ evens: Row<UInt32>, _ odds: Row<UInt32>,
    _ count: Int
  ) {
    precondition((count + 1) & ~1 <= min(evens.count, odds.count))
    let (base, stride) = unsafe (UnsafePointer(pixels.base), pixels.width)
    let even = unsafe UnsafeMutableRawPointer(evens.base)
    let odd = unsafe UnsafeMutableRawPointer(odds.base)
    let (stepU, stepV) = (path.stepU, path.stepV)
    var (u, v) = (path.u, path.v)
    var weights = SpriteWeights(path)
    var i = 0
    while i &+ 1 < count {
      let first = (v &>> 32) &* stride &+ (u &>> 32)
      let second = ((v &+ stepV) &>> 32) &* stride &+ ((u &+ stepU) &>> 32)
      let mixed = unsafe mixed(base + first, base + second, stride, weights)
      unsafe even.storeBytes(of: mixed[0], toByteOffset: 4 &* i, as: UInt64.self)
      unsafe odd.storeBytes(of: mixed[1], toByteOffset: 4 &* i, as: UInt64.self)
      weights.advance()
      u = u &+ 2 &* stepU
      v = v &+ 2 &* stepV
      i = i &+ 2
    }
    guard i < count else { return }
    // There is room for one that nobody wants.
    let last = (v &>> 32) &* stride &+ (u &>> 32)
    let mixed = unsafe mixed(base + last, base + last, stride, weights)
    unsafe even.storeBytes(of: mixed[0], toByteOffset: 4 &* i, as: UInt64.self)
    unsafe odd.storeBytes(of: mixed[1], toByteOffset: 4 &* i, as: UInt64.self)
  }

  /// The even components of two pixels and those right of and below them, then the odd ones.
  @inline(__always)
  private static func mixed(
    _ first: UnsafePointer<UInt32>, _ second: UnsafePointer<UInt32>, _ stride: Int,
    _ weights: SpriteWeights
  ) -> SIMD2<UInt64> {
    let top = unsafe neighbours(first, second)
    let bottom = unsafe neighbours(first + stride, second + stride)
    let (above, below) = weights.rows
    let low = SIMD8<UInt16>(repeating: 255)
    let byte = SIMD8<UInt16>(repeating: 8)
    let evens = (top & low) &* above &+ (bottom & low) &* below
    let odds = (top &>> byte) &* above &+ (bottom &>> byte) &* below
    let e = unsafe unsafeBitCast(evens, to: SIMD4<UInt32>.self)
    let o = unsafe unsafeBitCast(odds, to: SIMD4<UInt32>.self)
    // Halves of words sum up to less than 65536: nothing carries from one to the other.
    let sum = SIMD4(e[0], e[2], o[0], o[2]) &+ SIMD4(e[1], e[3], o[1], o[3])
    return unsafe unsafeBitCast(sum, to: SIMD2<UInt64>.self)
  }

  /// The pixels at `first` and right of it, then those at `second`.
  ///
  /// As doubles, for those are loaded straight into halves of a vector; nothing is done to them.
  @inline(__always)
  private static func neighbours(
    _ first: UnsafePointer<UInt32>, _ second: UnsafePointer<UInt32>
  ) -> SIMD8<UInt16> {
    let a = unsafe UnsafeRawPointer(first).loadUnaligned(as: Double.self)
    let b = unsafe UnsafeRawPointer(second).loadUnaligned(as: Double.self)
    return unsafe unsafeBitCast(SIMD2(a, b), to: SIMD8<UInt16>.self)
  }
}

/// Weights of the neighbours of two places, in 1/256, as they move on by two places at a time.
private struct SpriteWeights {
  /// 255 - x for the left neighbour and x for the right one, of each place, with 24 more bits.
  private var across: SIMD4<UInt32>
  private var down: SIMD4<UInt32>
  private let jumpAcross: SIMD4<UInt32>
  private let jumpDown: SIMD4<UInt32>

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

  @inline(__always)
  mutating func advance() {
    across = across &+ jumpAcross
    down = down &+ jumpDown
  }

  /// Those of the upper and the lower neighbours, each once for two components.
  @inline(__always)
  var rows: (above: SIMD8<UInt16>, below: SIMD8<UInt16>) {
    let across = Self.upperByte(across) &+ SIMD8<UInt16>(1, 1, 0, 0, 1, 1, 0, 0)
    let below =
      (across &* Self.upperByte(down) &+ SIMD8(repeating: 128)) &>> SIMD8(repeating: 8)
    return (across &- below, below)
  }

  @inline(__always)
  private static func upperByte(_ fine: SIMD4<UInt32>) -> SIMD8<UInt16> {
    let x = fine &>> SIMD4(repeating: 24)
    return unsafe unsafeBitCast(x | x &<< SIMD4(repeating: 16), to: SIMD8<UInt16>.self)
  }
}
