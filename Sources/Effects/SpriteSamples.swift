/// Bilinear sampling in three passes over a short run of pixels: fetch, weigh and mix, part.
///
/// Only fetching jumps about in memory; the other passes are vectorised. The scratch is small
/// enough to stay in the first cache.
@safe final class SpriteSamples {
  /// Pixels of one run.
  static let capacity = 256

  /// Eight tables of `capacity` words: the four neighbours of every pixel, then their weights.
  private let words: UnsafeMutablePointer<UInt32>

  init() {
    unsafe words = .allocate(capacity: 8 * Self.capacity)
    unsafe words.initialize(repeating: 0, count: 8 * Self.capacity)
  }

  deinit { unsafe words.deallocate() }

  /// Fetches the neighbours of `count` places and works out their weights.
  ///
  /// All places, fixed point with 32 fractional bits, and the pixels right of and below them,
  /// must lie in the sprite. Weights are in 1/256 and sum to 256; each is stored twice, for two
  /// components.
  func gather(
    _ base: UnsafePointer<UInt32>, stride: Int, u: Int, v: Int, stepU: Int, stepV: Int,
    count: Int
  ) {
    let size = Self.capacity
    let count = min(count, size)
    let words = unsafe self.words
    var u = u
    var v = v
    let startU = UInt32(truncatingIfNeeded: u)
    let startV = UInt32(truncatingIfNeeded: v)
    for i in 0..<count {
      let place: Int = (v &>> 32) &* stride &+ (u &>> 32)
      let source = unsafe base + place
      unsafe words[i] = source[0]
      unsafe words[i &+ size] = source[1]
      unsafe words[i &+ 2 &* size] = source[stride]
      unsafe words[i &+ 3 &* size] = source[stride &+ 1]
      u = u &+ stepU
      v = v &+ stepV
    }
    let weights = unsafe words + 4 * size
    let smallU = UInt32(truncatingIfNeeded: stepU)
    let smallV = UInt32(truncatingIfNeeded: stepV)
    var fineU = startU
    var fineV = startV
    for i in 0..<count {
      let fx = fineU &>> 24
      let fy = fineV &>> 24
      let corner = (fx &* fy &+ 128) &>> 8
      let right = fx &- corner
      let below = fy &- corner
      let here = 256 &- fx &- below
      unsafe weights[i] = here | (here &<< 16)
      unsafe weights[i &+ size] = right | (right &<< 16)
      unsafe weights[i &+ 2 &* size] = below | (below &<< 16)
      unsafe weights[i &+ 3 &* size] = corner | (corner &<< 16)
      fineU = fineU &+ smallU
      fineV = fineV &+ smallV
    }
  }

  /// Mixes each pixel's neighbours: even components into the first table, odd into the second.
  func mix(count: Int) {
    let size = 2 * Self.capacity
    let count = min(2 * count, size)
    let halves = unsafe UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt16.self)
    for k in 0..<count {
      let a = unsafe halves[k]
      let b = unsafe halves[k &+ size]
      let c = unsafe halves[k &+ 2 &* size]
      let d = unsafe halves[k &+ 3 &* size]
      let wa = unsafe halves[k &+ 4 &* size]
      let wb = unsafe halves[k &+ 5 &* size]
      let wc = unsafe halves[k &+ 6 &* size]
      let wd = unsafe halves[k &+ 7 &* size]
      let even = (a & 255) &* wa &+ (b & 255) &* wb
      let odd = (a &>> 8) &* wa &+ (b &>> 8) &* wb
      unsafe halves[k] = even &+ (c & 255) &* wc &+ (d & 255) &* wd
      unsafe halves[k &+ size] = odd &+ (c &>> 8) &* wc &+ (d &>> 8) &* wd
    }
  }

  /// Parts what was mixed into a row for each component.
  func store(
    _ c0: UnsafeMutablePointer<UInt16>, _ c1: UnsafeMutablePointer<UInt16>,
    _ c2: UnsafeMutablePointer<UInt16>, _ c3: UnsafeMutablePointer<UInt16>, count: Int
  ) {
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
