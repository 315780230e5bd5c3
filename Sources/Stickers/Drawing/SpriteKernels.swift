import Glibc
import Pixels

/// The pixels of one size of a sprite, its border included: c0 | c1 << 8 | c2 << 16 | alpha << 24.
///
/// Larger ones are mapped: a pack is made by one thread and let go by another, and the first one's
/// part of the heap would keep what is given back to it. Only read once others have it.
@safe final class SpritePixels: @unchecked Sendable {
  /// From how many bytes on it is worth a mapping, which takes whole pages.
  private static let mappedFrom = 32 << 10

  let width, height: Int
  /// The address of the first; the others are at `y * width + x`.
  @unsafe let base: UnsafeMutablePointer<UInt32>
  private let isMapped: Bool

  /// Makes pixels that are all `pixel`.
  init(width: Int, height: Int, of pixel: UInt32) {
    precondition(width > 0 && height > 0)
    (self.width, self.height) = (width, height)
    let count = width * height
    if 4 * count >= Self.mappedFrom,
      let memory = unsafe mmap(
        nil, 4 * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      unsafe memory != MAP_FAILED
    {
      unsafe base = memory.bindMemory(to: UInt32.self, capacity: count)
      isMapped = true
      // Mapped memory is zero, and pages that stay so take none.
      if pixel != 0 { unsafe base.update(repeating: pixel, count: count) }
    } else {
      unsafe base = .allocate(capacity: count)
      isMapped = false
      unsafe base.initialize(repeating: pixel, count: count)
    }
  }

  deinit {
    if isMapped {
      unsafe munmap(base, 4 * width * height)
    } else {
      unsafe base.deallocate()
    }
  }

  /// Row `y`, counted from the top; valid while the pixels live.
  @inline(__always)
  func row(_ y: Int) -> Row<UInt32> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    return unsafe Row(base: base + y &* width, count: width)
  }
}

/// The loops over rows of taps, bytes and pixels, written to be vectorised, and the only unsafe code
/// of the drawing: each checks its sizes before it begins.
enum SpriteKernels {
  typealias Taps = Row<UInt16>
  typealias Bytes = Row<UInt8>

  /// bytes = tap + bytes (1 - alpha) for one component of an opaque picture, rounded.
  ///
  /// 257/65536 is 1/255 but for 2^-16; the error is under 1/100 code. Chroma, which lies round
  /// 128, has that share of 128 taken off again, as its tap brings all of its own 128 along.
  @inline(never)
  static func over(_ bytes: Bytes, _ tap: Taps, _ alpha: Taps, isChroma: Bool) {
    let count = bytes.count
    precondition(tap.count >= count && alpha.count >= count)
    let (bytes, tap, alpha) = unsafe (bytes.base, tap.base, alpha.base)
    // A bias that only the run knows would be widened before the loop, and so would the product.
    @inline(__always)
    func put(bias: UInt16) {
      for i in 0..<count {
        let rest = unsafe 65280 &- alpha[i]
        let below = unsafe high(rest, UInt16(bytes[i]) &* 257)
        let sum = unsafe tap[i] &+ below &- high(rest, bias) &+ 128
        unsafe bytes[i] = UInt8(truncatingIfNeeded: sum &>> 8)
      }
    }
    if isChroma { put(bias: 128 * 257) } else { put(bias: 0) }
  }

  /// As `over`, for chroma that lies in pairs of bytes: Cb and Cr, or the other way round.
  @inline(never)
  static func overPairs(_ pairs: Bytes, _ first: Taps, _ second: Taps, _ alpha: Taps) {
    let count = pairs.count / 2
    precondition(first.count >= count && second.count >= count && alpha.count >= count)
    let (first, second, alpha) = unsafe (first.base, second.base, alpha.base)
    let raw = unsafe UnsafeMutableRawPointer(pairs.base)
    let bias: UInt16 = 128 * 257
    for i in 0..<count {
      let rest = unsafe 65280 &- alpha[i]
      let pair = unsafe raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let share = 128 &- high(rest, bias)
      let one = unsafe first[i] &+ high(rest, (pair & 255) &* 257) &+ share
      let other = unsafe second[i] &+ high(rest, (pair &>> 8) &* 257) &+ share
      let sum = (one &>> 8) | (other & 0xFF00)
      unsafe raw.storeBytes(of: sum, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Averages a row's columns to where chroma lies, filling `result`, which is other memory.
  ///
  /// Sample i comes from row[2i], row[2i + 1] and row[2i + 2], of which the middle one is the
  /// even column; one more is read, so that the last three come as two pairs.
  static func averageColumns(_ row: Taps, into result: Taps, cosited: Bool) {
    let count = result.count
    precondition(row.count >= 2 * count + 2)
    let (pairs, result) = unsafe (UnsafeRawPointer(row.base), result.base)
    for i in 0..<count {
      let first = unsafe pairs.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self)
      let second = unsafe pairs.loadUnaligned(fromByteOffset: 4 &* i &+ 4, as: UInt32.self)
      let before = UInt16(truncatingIfNeeded: first)
      let even = UInt16(truncatingIfNeeded: first &>> 16)
      let odd = UInt16(truncatingIfNeeded: second)
      unsafe result[i] =
        cosited
        ? (before &>> 2) &+ (even &>> 1) &+ (odd &>> 2) : (even &>> 1) &+ (odd &>> 1)
    }
  }

  /// Adds the bytes of `pixels`, times `weight`, to the colours of a line of the same length.
  static func add(_ pixels: Row<UInt32>, times weight: Float, to line: Row<SIMD4<Float>>) {
    let count = 4 * min(pixels.count, line.count)
    let bytes = unsafe UnsafeRawPointer(pixels.base)
    let sums = unsafe UnsafeMutableRawPointer(line.base).assumingMemoryBound(to: Float.self)
    // One channel after the other: this way it is vectorised.
    for i in 0..<count {
      unsafe sums[i] += Float(bytes.load(fromByteOffset: i, as: UInt8.self)) * weight
    }
  }

  // MARK: Sampling

  /// Taps of pixels that need no mixing.
  static func part(_ pixels: Row<UInt32>, into taps: SpriteTaps) {
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

  static func part(_ words: Row<UInt32>, low: Taps, high: Taps) {
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
  static func mix(
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

  /// As `mix`, for places that follow no path: in 1/65536, each of them inside.
  ///
  /// What lies outside is moved to the nearest stored pixel first, so nothing else is ever read.
  static func mix(
    _ pixels: SpritePixels, _ us: Row<Int32>, _ vs: Row<Int32>, _ evens: Row<UInt32>,
    _ odds: Row<UInt32>
  ) {
    let count = us.count
    precondition(vs.count == count && (count + 1) & ~1 <= min(evens.count, odds.count))
    let (base, stride) = unsafe (UnsafePointer(pixels.base), pixels.width)
    let (us, vs) = unsafe (us.base, vs.base)
    let lastU = Int32((pixels.width &- 1) &<< 16 &- 1)
    let lastV = Int32((pixels.height &- 1) &<< 16 &- 1)
    for i in 0..<count {
      unsafe us[i] = max(0, min(us[i], lastU))
      unsafe vs[i] = max(0, min(vs[i], lastV))
    }
    let even = unsafe UnsafeMutableRawPointer(evens.base)
    let odd = unsafe UnsafeMutableRawPointer(odds.base)
    var i = 0
    while i < count {
      let next = min(i &+ 1, count &- 1)
      let (u0, v0) = unsafe (us[i], vs[i])
      let (u1, v1) = unsafe (us[next], vs[next])
      let first = Int(v0 &>> 16) &* stride &+ Int(u0 &>> 16)
      let second = Int(v1 &>> 16) &* stride &+ Int(u1 &>> 16)
      let weights = SpriteWeights(u0, u1, v0, v1)
      let mixed = unsafe mixed(base + first, base + second, stride, weights)
      unsafe even.storeBytes(of: mixed[0], toByteOffset: 4 &* i, as: UInt64.self)
      unsafe odd.storeBytes(of: mixed[1], toByteOffset: 4 &* i, as: UInt64.self)
      i = i &+ 2
    }
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

  /// The halves of words, the lower ones first.
  @inline(__always)
  static func halves(_ words: SIMD4<UInt32>) -> SIMD8<UInt16> {
    unsafe unsafeBitCast(words, to: SIMD8<UInt16>.self)
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
