import Glibc
import Pixels

/// The pixels of one level of a sprite, with its border: c0 | c1 << 8 | c2 << 16 | alpha << 24.
///
/// Large buffers are mapped: packs are allocated and released on different threads, and the heap
/// arena of the allocating thread would keep the memory. Not written once shared.
@safe final class SpritePixels: @unchecked Sendable {
  /// Buffers of at least this many bytes are mapped, in whole pages.
  private static let minimumMappedBytes = 32 << 10

  let width, height: Int
  /// Address of the first pixel; pixel (x, y) is at index `y * width + x`.
  @unsafe let base: UnsafeMutablePointer<UInt32>
  private let isMapped: Bool

  /// Allocates pixels of value `pixel`.
  init(width: Int, height: Int, of pixel: UInt32) {
    precondition(width > 0 && height > 0)
    (self.width, self.height) = (width, height)
    let count = width * height
    if 4 * count >= Self.minimumMappedBytes,
      let memory = unsafe mmap(
        nil, 4 * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      unsafe memory != MAP_FAILED
    {
      unsafe base = memory.bindMemory(to: UInt32.self, capacity: count)
      isMapped = true
      // Mapped memory is zero; untouched pages take no memory.
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

  /// Row `y` from the top; valid as long as this object.
  @inline(__always)
  func row(_ y: Int) -> Row<UInt32> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    return unsafe Row(base: base + y &* width, count: width)
  }
}

/// The vectorised loops and the only unsafe code of drawing; each checks its sizes first.
enum SpriteKernels {
  typealias Taps = Row<UInt16>
  typealias Bytes = Row<UInt8>

  /// bytes = tap + bytes (1 - alpha), rounded, for one component of an opaque picture.
  ///
  /// 257/65536 is 1/255 within 2^-16; the error is below 1/100 code. Chroma and its taps are
  /// centred at 128, so 128 (1 - alpha) is subtracted.
  @inline(never)
  static func compositeOver(_ bytes: Bytes, _ tap: Taps, _ alpha: Taps, isChroma: Bool) {
    let count = bytes.count
    precondition(tap.count >= count && alpha.count >= count)
    let (bytes, tap, alpha) = unsafe (bytes.base, tap.base, alpha.base)
    // With a variable bias the loop would use wider integers.
    @inline(__always)
    func composite(bias: UInt16) {
      for i in 0..<count {
        let inverseAlpha = unsafe 65280 &- alpha[i]
        let below = unsafe multiplyHigh(inverseAlpha, UInt16(bytes[i]) &* 257)
        let sum = unsafe tap[i] &+ below &- multiplyHigh(inverseAlpha, bias) &+ 128
        unsafe bytes[i] = UInt8(truncatingIfNeeded: sum &>> 8)
      }
    }
    if isChroma { composite(bias: 128 * 257) } else { composite(bias: 0) }
  }

  /// `compositeOver` for interleaved chroma, CbCr or CrCb.
  @inline(never)
  static func compositeOverPairs(_ pairs: Bytes, _ first: Taps, _ second: Taps, _ alpha: Taps) {
    let count = pairs.count / 2
    precondition(first.count >= count && second.count >= count && alpha.count >= count)
    let (first, second, alpha) = unsafe (first.base, second.base, alpha.base)
    let raw = unsafe UnsafeMutableRawPointer(pairs.base)
    let bias: UInt16 = 128 * 257
    for i in 0..<count {
      let inverseAlpha = unsafe 65280 &- alpha[i]
      let pair = unsafe raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let chromaOffset = 128 &- multiplyHigh(inverseAlpha, bias)
      let one = unsafe first[i] &+ multiplyHigh(inverseAlpha, (pair & 255) &* 257) &+ chromaOffset
      let other =
        unsafe second[i] &+ multiplyHigh(inverseAlpha, (pair &>> 8) &* 257) &+ chromaOffset
      let sum = (one &>> 8) | (other & 0xFF00)
      unsafe raw.storeBytes(of: sum, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Downsamples a row horizontally to chroma's sites; `result` must not overlap it.
  ///
  /// Sample i comes from row[2i], row[2i + 1] (the even column) and row[2i + 2]; row[2i + 3] is
  /// read too, as part of a pair.
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

  /// line += pixels * weight, by component, for rows of the same length.
  static func accumulate(_ pixels: Row<UInt32>, times weight: Float, to line: Row<SIMD4<Float>>) {
    let count = 4 * min(pixels.count, line.count)
    let bytes = unsafe UnsafeRawPointer(pixels.base)
    let sums = unsafe UnsafeMutableRawPointer(line.base).assumingMemoryBound(to: Float.self)
    // A flat loop over components is vectorised.
    for i in 0..<count {
      unsafe sums[i] += Float(bytes.load(fromByteOffset: i, as: UInt8.self)) * weight
    }
  }

  // MARK: Texture coordinates

  /// Padding elements of rows of texture coordinates, which `writeRamp` accesses.
  static let rampPadding = 8

  /// Writes `count` coordinates from element `at` on: `start`, `start + step`, ...
  ///
  /// Up to `rampPadding` elements beyond are read and written back unchanged: spans are short, and
  /// scalar code for their ends would take longer than the rest.
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

  /// Interpolates `count` pixels along a path that `sample` has checked.
  ///
  /// Writes a pixel's even components, two to a word, to `evens`, the odd ones to `odds`.
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
    func upperBits(_ lanes: Lanes, _ shift: UInt64) -> SIMD4<UInt32> {
      SIMD4(truncatingIfNeeded: lanes &>> Lanes(repeating: shift))
    }
    for i in stride(from: 0, to: count, by: 4) {
      var index = upperBits(v, 32) &* row &+ upperBits(u, 32)
      // Lanes beyond the end repeat lane 0.
      if i &+ 4 > count {
        let wanted = SIMD4<UInt32>(0, 1, 2, 3) .< UInt32(truncatingIfNeeded: count &- i)
        index = SIMD4(repeating: index[0]).replacing(with: index, where: wanted)
      }
      let weight = upperBits(u, 24) & 255 | (upperBits(v, 24) & 255) &<< 16
      unsafe interpolateFour(pixels, index, weight, evens.base + i, odds.base + i)
      (u, v) = (u &+ nextU, v &+ nextV)
    }
  }

  /// Interpolates at arbitrary coordinates in 1/65536 pixel, whose rows serve as scratch.
  ///
  /// Coordinates are clamped to the stored pixels, so nothing else is read.
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
    // From here on `us` holds pixel indices and `vs` weights in the format of `interpolateFour`.
    for i in 0..<count {
      let u = unsafe max(0, min(us[i], lastU))
      let v = unsafe max(0, min(vs[i], lastV))
      unsafe us[i] = (v &>> 16) &* row &+ (u &>> 16)
      unsafe vs[i] = (u &>> 8) & 255 | (v &<< 8) & 0xFF0000
    }
    let (indices, weights) = (UnsafeRawPointer(us), UnsafeRawPointer(vs))
    for i in stride(from: 0, to: count, by: 4) {
      let index, weight: SIMD4<UInt32>
      if i &+ 4 <= count {
        index = unsafe indices.loadUnaligned(fromByteOffset: 4 &* i, as: SIMD4<UInt32>.self)
        weight = unsafe weights.loadUnaligned(fromByteOffset: 4 &* i, as: SIMD4<UInt32>.self)
      } else {
        let (a, b, c) = (i, min(i &+ 1, count &- 1), min(i &+ 2, count &- 1))
        index = unsafe SIMD4(truncatingIfNeeded: SIMD4(us[a], us[b], us[c], us[c]))
        weight = unsafe SIMD4(truncatingIfNeeded: SIMD4(vs[a], vs[b], vs[c], vs[c]))
      }
      unsafe interpolateFour(pixels, index, weight, evens.base + i, odds.base + i)
    }
  }

  /// Interpolates four samples; weights in 1/256 are horizontal in the lower half, else vertical.
  @inline(__always)
  private static func interpolateFour(
    _ pixels: SpritePixels, _ indices: SIMD4<UInt32>, _ weights: SIMD4<UInt32>,
    _ even: UnsafeMutablePointer<UInt32>, _ odd: UnsafeMutablePointer<UInt32>
  ) {
    let base = unsafe UnsafeRawPointer(pixels.base)
    let top = unsafe loadNeighbours(base, indices)
    let bottom = unsafe loadNeighbours(base + 4 &* pixels.width, indices)
    let (above, below) = bilinearWeights(weights)
    let low = SIMD16<UInt16>(repeating: 255)
    let byte = SIMD16<UInt16>(repeating: 8)
    let evens = (top & low) &* above &+ (bottom & low) &* below
    let odds = (top &>> byte) &* above &+ (bottom &>> byte) &* below
    unsafe UnsafeMutableRawPointer(even).storeBytes(
      of: addNeighbours(evens), as: SIMD4<UInt32>.self)
    unsafe UnsafeMutableRawPointer(odd).storeBytes(of: addNeighbours(odds), as: SIMD4<UInt32>.self)
  }

  /// The weights in 1/256 of the upper and lower neighbours of four samples, each left one and each
  /// right one repeated for two components.
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

  /// Adds the products of the left and right neighbours of four samples; no 16-bit half overflows.
  @inline(__always)
  private static func addNeighbours(_ halves: SIMD16<UInt16>) -> SIMD4<UInt32> {
    let lanes = unsafe unsafeBitCast(halves, to: SIMD4<UInt64>.self)
    return SIMD4(truncatingIfNeeded: lanes &+ lanes &>> SIMD4(repeating: 32))
  }

  /// The pixels at four indices, each with its right neighbour; doubles load directly to lanes.
  @inline(__always)
  private static func loadNeighbours(
    _ base: UnsafeRawPointer, _ indices: SIMD4<UInt32>
  ) -> SIMD16<UInt16> {
    func pair(_ index: Int) -> Double {
      unsafe base.loadUnaligned(fromByteOffset: 4 &* Int(indices[index]), as: Double.self)
    }
    let pairs = SIMD4(pair(0), pair(1), pair(2), pair(3))
    return unsafe unsafeBitCast(pairs, to: SIMD16<UInt16>.self)
  }
}
