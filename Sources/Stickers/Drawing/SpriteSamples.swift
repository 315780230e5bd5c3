/// Bilinear sampling of a short run of pixels: fetched, weighed and mixed two at a time, then
/// parted into components.
///
/// The scratch between the two passes is small enough to stay in the first cache.
@safe final class SpriteSamples {
  /// Pixels of one run.
  static let capacity = 256

  /// Even components of every pixel, two to a word, then the odd ones.
  private let words: UnsafeMutablePointer<UInt32>

  init() {
    unsafe words = .allocate(capacity: 2 * Self.capacity)
    unsafe words.initialize(repeating: 0, count: 2 * Self.capacity)
  }

  deinit { unsafe words.deallocate() }

  /// Mixes the four neighbours of `count` places, which is at most `capacity`.
  ///
  /// All places, fixed point with 32 fractional bits, and the pixels right of and below them,
  /// must lie in the sprite. Weights are in 1/256 and sum to 256, so that a flat colour comes
  /// out as it went in.
  func mix(
    _ base: UnsafePointer<UInt32>, stride: Int, u: Int, v: Int, stepU: Int, stepV: Int,
    count: Int
  ) {
    let count = min(count, Self.capacity)
    var (u, v) = (u, v)
    var weights = SpriteWeights(u: u, v: v, stepU: stepU, stepV: stepV)
    var i = 0
    while i &+ 1 < count {
      let first = (v &>> 32) &* stride &+ (u &>> 32)
      let second = ((v &+ stepV) &>> 32) &* stride &+ ((u &+ stepU) &>> 32)
      unsafe mixPair(base, stride, first, second, weights, i)
      weights.advance()
      u = u &+ 2 &* stepU
      v = v &+ 2 &* stepV
      i = i &+ 2
    }
    guard i < count else { return }
    // There is room in the scratch for one that nobody wants.
    let last = (v &>> 32) &* stride &+ (u &>> 32)
    unsafe mixPair(base, stride, last, last, weights, i)
  }

  /// Mixes the neighbours of the pixels at `first` and `second`.
  @inline(__always)
  private func mixPair(
    _ base: UnsafePointer<UInt32>, _ stride: Int, _ first: Int, _ second: Int,
    _ weights: SpriteWeights, _ i: Int
  ) {
    let (first, second) = (unsafe base + first, unsafe base + second)
    let top = unsafe Self.neighbours(first, second)
    let bottom = unsafe Self.neighbours(first + stride, second + stride)
    let (above, below) = weights.rows
    let low = SIMD8<UInt16>(repeating: 255)
    let byte = SIMD8<UInt16>(repeating: 8)
    let evens = (top & low) &* above &+ (bottom & low) &* below
    let odds = (top &>> byte) &* above &+ (bottom &>> byte) &* below
    let e = unsafe unsafeBitCast(evens, to: SIMD4<UInt32>.self)
    let o = unsafe unsafeBitCast(odds, to: SIMD4<UInt32>.self)
    // Halves of words sum up to less than 65536: nothing carries from one to the other.
    let sum = SIMD4(e[0], e[2], o[0], o[2]) &+ SIMD4(e[1], e[3], o[1], o[3])
    let out = unsafe unsafeBitCast(sum, to: SIMD2<UInt64>.self)
    let even = UnsafeMutableRawPointer(unsafe words + i)
    unsafe even.storeBytes(of: out[0], as: UInt64.self)
    unsafe even.storeBytes(of: out[1], toByteOffset: 4 * Self.capacity, as: UInt64.self)
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

  /// Parts what was mixed into a row for each component.
  func store(
    _ c0: UnsafeMutablePointer<UInt16>, _ c1: UnsafeMutablePointer<UInt16>,
    _ c2: UnsafeMutablePointer<UInt16>, _ c3: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let count = min(count, Self.capacity)
    unsafe Self.part(words, c0, c2, count)
    unsafe Self.part(words + Self.capacity, c1, c3, count)
  }

  private static func part(
    _ words: UnsafeMutablePointer<UInt32>, _ low: UnsafeMutablePointer<UInt16>,
    _ high: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    for i in 0..<count {
      let word = unsafe words[i]
      unsafe low[i] = UInt16(truncatingIfNeeded: word)
      unsafe high[i] = UInt16(truncatingIfNeeded: word &>> 16)
    }
  }
}

/// Weights of the neighbours of two places, in 1/256, as they move on by two places at a time.
private struct SpriteWeights {
  /// 255 - x for the left neighbour and x for the right one, of each place, with 24 more bits.
  private var across: SIMD4<UInt32>
  private var down: SIMD4<UInt32>
  private let jumpAcross: SIMD4<UInt32>
  private let jumpDown: SIMD4<UInt32>

  init(u: Int, v: Int, stepU: Int, stepV: Int) {
    func low(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value) }
    let (u0, u1) = (low(u), low(u &+ stepU))
    let (v0, v1) = (low(v), low(v &+ stepV))
    let (jumpU, jumpV) = (low(2 &* stepU), low(2 &* stepV))
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
