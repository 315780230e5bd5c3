import Glibc
import Pixels

/// The pixels of one size of a sprite, its border included: c0 | c1 << 8 | c2 << 16 | alpha << 24.
///
/// Larger ones are mapped: a pack is allocated by one thread and released by another, and the heap arena
/// of the first would keep the memory. Not written after it is shared.
@safe final class SpritePixels: @unchecked Sendable {
  /// Bytes from which on memory is mapped, in whole pages.
  private static let mappedFrom = 32 << 10

  let width, height: Int
  /// The address of the first; the others are at `y * width + x`.
  @unsafe let base: UnsafeMutablePointer<UInt32>
  private let isMapped: Bool

  /// Allocates pixels that all have the value `pixel`.
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
      // Mapped memory is zero, and untouched pages take no memory.
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

/// The vectorised loops over rows of taps, bytes and pixels, and the only unsafe code of the drawing:
/// each checks its sizes first.
enum SpriteKernels {
  typealias Taps = Row<UInt16>
  typealias Bytes = Row<UInt8>

  /// bytes = tap + bytes (1 - alpha) for one component of an opaque picture, rounded.
  ///
  /// 257/65536 is 1/255 within 2^-16; the error is under 1/100 code. Chroma is centred at 128, and so
  /// is its tap: 128 (1 - alpha) is subtracted.
  @inline(never)
  static func compositeOver(_ bytes: Bytes, _ tap: Taps, _ alpha: Taps, isChroma: Bool) {
    let count = bytes.count
    precondition(tap.count >= count && alpha.count >= count)
    let (bytes, tap, alpha) = unsafe (bytes.base, tap.base, alpha.base)
    // With a bias that is not a constant the loop would use wider integers.
    @inline(__always)
    func composite(bias: UInt16) {
      for i in 0..<count {
        let rest = unsafe 65280 &- alpha[i]
        let below = unsafe multiplyHigh(rest, UInt16(bytes[i]) &* 257)
        let sum = unsafe tap[i] &+ below &- multiplyHigh(rest, bias) &+ 128
        unsafe bytes[i] = UInt8(truncatingIfNeeded: sum &>> 8)
      }
    }
    if isChroma { composite(bias: 128 * 257) } else { composite(bias: 0) }
  }

  /// As `compositeOver`, for interleaved chroma: Cb and Cr, or Cr and Cb.
  @inline(never)
  static func compositeOverPairs(_ pairs: Bytes, _ first: Taps, _ second: Taps, _ alpha: Taps) {
    let count = pairs.count / 2
    precondition(first.count >= count && second.count >= count && alpha.count >= count)
    let (first, second, alpha) = unsafe (first.base, second.base, alpha.base)
    let raw = unsafe UnsafeMutableRawPointer(pairs.base)
    let bias: UInt16 = 128 * 257
    for i in 0..<count {
      let rest = unsafe 65280 &- alpha[i]
      let pair = unsafe raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let share = 128 &- multiplyHigh(rest, bias)
      let one = unsafe first[i] &+ multiplyHigh(rest, (pair & 255) &* 257) &+ share
      let other = unsafe second[i] &+ multiplyHigh(rest, (pair &>> 8) &* 257) &+ share
      let sum = (one &>> 8) | (other & 0xFF00)
      unsafe raw.storeBytes(of: sum, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Downsamples a row to the chroma's sites; `result` is other memory.
  ///
  /// Sample i comes from row[2i], row[2i + 1] and row[2i + 2], of which the middle one is the
  /// even column; one more is read, so that the last three come as two pairs.
  static func downsampleChromaHorizontally(_ row: Taps, into result: Taps, cosited: Bool) {
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

  // MARK: Places

  /// Elements written at once; rows of texture coordinates are longer by as many.
  static let rampPadding = 8

  /// Writes `count` coordinates that start with `start` and rise by `step`, from element `at` on.
  ///
  /// What lies beyond, up to a whole vector, is read and written as it was: stretches are short, and
  /// element by element their ends would take longer than the rest.
  @inline(__always)
  static func writeRamp(
    _ us: Row<Int32>, _ vs: Row<Int32>, at: Int, count: Int, from start: SIMD2<Int32>,
    _ step: SIMD2<Int32>
  ) {
    typealias Lanes = SIMD8<Int32>
    let end = at &+ count &+ rampPadding
    precondition(at >= 0 && count >= 0 && end <= min(us.count, vs.count))
    let (us, vs) = unsafe (
      UnsafeMutableRawPointer(us.base + at), UnsafeMutableRawPointer(vs.base + at)
    )
    let lanes = Lanes(0, 1, 2, 3, 4, 5, 6, 7)
    var u = Lanes(repeating: start.x) &+ lanes &* Lanes(repeating: step.x)
    var v = Lanes(repeating: start.y) &+ lanes &* Lanes(repeating: step.y)
    let (nextU, nextV) = (Lanes(repeating: 8 &* step.x), Lanes(repeating: 8 &* step.y))
    var done = 0
    while done &+ 8 <= count {
      unsafe us.storeBytes(of: u, toByteOffset: 4 &* done, as: Lanes.self)
      unsafe vs.storeBytes(of: v, toByteOffset: 4 &* done, as: Lanes.self)
      (u, v) = (u &+ nextU, v &+ nextV)
      done = done &+ 8
    }
    let wanted = lanes .< Lanes(repeating: Int32(truncatingIfNeeded: count &- done))
    let oldU = unsafe us.loadUnaligned(fromByteOffset: 4 &* done, as: Lanes.self)
    let oldV = unsafe vs.loadUnaligned(fromByteOffset: 4 &* done, as: Lanes.self)
    unsafe us.storeBytes(
      of: oldU.replacing(with: u, where: wanted), toByteOffset: 4 &* done, as: Lanes.self)
    unsafe vs.storeBytes(
      of: oldV.replacing(with: v, where: wanted), toByteOffset: 4 &* done, as: Lanes.self)
  }

  // MARK: Sampling

  /// Mixes the neighbours of `count` places, which `sample` has checked: even components of every
  /// pixel, two to a word, then the odd ones.
  static func interpolate(
    _ pixels: SpritePixels, _ path: SpritePath, _ evens: Row<UInt32>, _ odds: Row<UInt32>,
    _ count: Int
  ) {
    precondition((count + 3) & ~3 <= min(evens.count, odds.count))
    let row = SIMD4(repeating: UInt32(truncatingIfNeeded: pixels.width))
    typealias Lanes = SIMD4<UInt64>  // Unsigned: signed ones of this width are shifted slowly.
    func lanes(_ start: Int, _ step: Int) -> Lanes {
      Lanes(truncatingIfNeeded: SIMD4(0, 1, 2, 3) &* step &+ start)
    }
    var (u, v) = (lanes(path.u, path.stepU), lanes(path.v, path.stepV))
    let (nextU, nextV) = (lanes(4 &* path.stepU, 0), lanes(4 &* path.stepV, 0))
    func part(_ lanes: Lanes, _ shift: UInt64) -> SIMD4<UInt32> {
      SIMD4(truncatingIfNeeded: lanes &>> Lanes(repeating: shift))
    }
    for i in stride(from: 0, to: count, by: 4) {
      var place = part(v, 32) &* row &+ part(u, 32)
      // Lanes beyond the end repeat the first one.
      if i &+ 4 > count {
        let wanted = SIMD4<UInt32>(0, 1, 2, 3) .< UInt32(truncatingIfNeeded: count &- i)
        place = SIMD4(repeating: place[0]).replacing(with: place, where: wanted)
      }
      let weight = part(u, 24) & 255 | (part(v, 24) & 255) &<< 16
      unsafe interpolateFour(pixels, place, weight, evens.base + i, odds.base + i)
      (u, v) = (u &+ nextU, v &+ nextV)
    }
  }

  /// As `interpolate`, for places that follow no path: in 1/65536, which it changes.
  ///
  /// What lies outside is moved to the nearest stored pixel first, so nothing else is ever read.
  static func interpolate(
    _ pixels: SpritePixels, _ us: Row<Int32>, _ vs: Row<Int32>, _ evens: Row<UInt32>,
    _ odds: Row<UInt32>
  ) {
    let count = us.count
    precondition(vs.count == count && (count + 3) & ~3 <= min(evens.count, odds.count))
    let row = Int32(truncatingIfNeeded: pixels.width)
    let lastU = Int32((pixels.width &- 1) &<< 16 &- 1)
    let lastV = Int32((pixels.height &- 1) &<< 16 &- 1)
    let (us, vs) = unsafe (us.base, vs.base)
    // From here on these are numbers of pixels, and weights as `interpolateFour` takes them.
    for i in 0..<count {
      let u = unsafe max(0, min(us[i], lastU))
      let v = unsafe max(0, min(vs[i], lastV))
      unsafe us[i] = (v &>> 16) &* row &+ (u &>> 16)
      unsafe vs[i] = (u &>> 8) & 255 | (v &<< 8) & 0xFF0000
    }
    let (places, weights) = (UnsafeRawPointer(us), UnsafeRawPointer(vs))
    for i in stride(from: 0, to: count, by: 4) {
      let place, weight: SIMD4<UInt32>
      if i &+ 4 <= count {
        place = unsafe places.loadUnaligned(fromByteOffset: 4 &* i, as: SIMD4<UInt32>.self)
        weight = unsafe weights.loadUnaligned(fromByteOffset: 4 &* i, as: SIMD4<UInt32>.self)
      } else {
        let (a, b, c) = (i, min(i &+ 1, count &- 1), min(i &+ 2, count &- 1))
        place = unsafe SIMD4(truncatingIfNeeded: SIMD4(us[a], us[b], us[c], us[c]))
        weight = unsafe SIMD4(truncatingIfNeeded: SIMD4(vs[a], vs[b], vs[c], vs[c]))
      }
      unsafe interpolateFour(pixels, place, weight, evens.base + i, odds.base + i)
    }
  }

  /// Mixes at four pixels, those right of and those below them; weights in 1/256 are those of what is
  /// to the right, in the lower half, and below.
  @inline(__always)
  private static func interpolateFour(
    _ pixels: SpritePixels, _ places: SIMD4<UInt32>, _ weights: SIMD4<UInt32>,
    _ even: UnsafeMutablePointer<UInt32>, _ odd: UnsafeMutablePointer<UInt32>
  ) {
    let base = unsafe UnsafeRawPointer(pixels.base)
    let top = unsafe neighbours(base, places)
    let bottom = unsafe neighbours(base + 4 &* pixels.width, places)
    let (above, below) = bilinearWeights(weights)
    let low = SIMD16<UInt16>(repeating: 255)
    let byte = SIMD16<UInt16>(repeating: 8)
    let evens = (top & low) &* above &+ (bottom & low) &* below
    let odds = (top &>> byte) &* above &+ (bottom &>> byte) &* below
    unsafe UnsafeMutableRawPointer(even).storeBytes(of: sum(evens), as: SIMD4<UInt32>.self)
    unsafe UnsafeMutableRawPointer(odd).storeBytes(of: sum(odds), as: SIMD4<UInt32>.self)
  }

  /// Of the upper neighbours and of the lower ones, in 1/256: twice the left one's, twice the right
  /// one's, of each of four places.
  @inline(__always)
  private static func bilinearWeights(
    _ packed: SIMD4<UInt32>
  ) -> (above: SIMD16<UInt16>, below: SIMD16<UInt16>) {
    typealias Lanes = SIMD4<UInt64>
    let all = Lanes(truncatingIfNeeded: packed)
    let right = all & Lanes(repeating: 255)
    let left = Lanes(repeating: 256) &- right
    let pairs = left | right &<< Lanes(repeating: 32)
    let down = all &>> Lanes(repeating: 16)
    let downs = down | down &<< Lanes(repeating: 32)
    func halves(_ lanes: Lanes) -> SIMD16<UInt16> {
      unsafe unsafeBitCast(lanes | lanes &<< Lanes(repeating: 16), to: SIMD16<UInt16>.self)
    }
    let across = halves(pairs)
    let below =
      (across &* halves(downs) &+ SIMD16(repeating: 128)) &>> SIMD16(repeating: 8)
    return (across &- below, below)
  }

  /// What the left and the right neighbours of four places come to; no half of a word overflows.
  @inline(__always)
  private static func sum(_ halves: SIMD16<UInt16>) -> SIMD4<UInt32> {
    let lanes = unsafe unsafeBitCast(halves, to: SIMD4<UInt64>.self)
    return SIMD4(truncatingIfNeeded: lanes &+ lanes &>> SIMD4(repeating: 32))
  }

  /// The pixels at four places, each with the one right of it.
  ///
  /// As doubles, for those are loaded straight into parts of a vector; nothing is done to them.
  @inline(__always)
  private static func neighbours(
    _ base: UnsafeRawPointer, _ places: SIMD4<UInt32>
  ) -> SIMD16<UInt16> {
    func pair(_ index: Int) -> Double {
      unsafe base.loadUnaligned(fromByteOffset: 4 &* Int(places[index]), as: Double.self)
    }
    let pairs = SIMD4(pair(0), pair(1), pair(2), pair(3))
    return unsafe unsafeBitCast(pairs, to: SIMD16<UInt16>.self)
  }
}
