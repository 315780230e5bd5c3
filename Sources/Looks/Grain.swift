import Pixels

/// Film grain: noise on luma, or equally on red, green and blue, as a function of position and
/// time.
///
/// Hashed white noise, averaged over 2 x 2 samples; strongest on mid-tones. It is stateless, so
/// that it is the same after a seek and for every number of threads.
struct Grain {
  private let seed: UInt32
  private let strength: Int32
  private let isRGB: Bool

  /// `amount` is 0...1, `time` in nanoseconds; any number if the frame has none.
  init(_ format: PixelFormat, amount: Double, time: UInt64) {
    // SplitMix64's last step.
    var bits = time &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    seed = UInt32(truncatingIfNeeded: bits ^ (bits >> 31))
    strength = Int32(amount * 256)
    isRGB = format.family == .rgb
  }

  /// Adds grain to a line; `upper` and `lower` are scratch, one element longer than it.
  func apply(_ line: PictureLine, _ upper: Row<UInt32>, _ lower: Row<UInt32>) {
    guard line.component == 0 || isRGB else { return }
    Self.writeNoise(upper, seed: seed, x: line.x, y: line.y)
    Self.writeNoise(lower, seed: seed, x: line.x, y: line.y + 1)
    Self.addGrain(line.samples, upper, lower, strength)
  }

  /// As above for a line of more than 8 bits, in 8-bit codes.
  func apply(
    _ samples: Row<Float>, _ line: LinePosition, _ upper: Row<UInt32>, _ lower: Row<UInt32>
  ) {
    guard line.component == 0 || isRGB else { return }
    Self.writeNoise(upper, seed: seed, x: line.x, y: line.y)
    Self.writeNoise(lower, seed: seed, x: line.x, y: line.y + 1)
    DeepLookKernels.addGrain(samples, upper, lower, Float(strength))
  }

  /// Writes noise: sums of two bytes, 0...510.
  @inline(never)
  private static func writeNoise(_ words: Row<UInt32>, seed: UInt32, x: Int, y: Int) {
    let n = words.count
    let row = seed &+ UInt32(truncatingIfNeeded: y) &* 0x9e37_79b1
    let first = UInt32(truncatingIfNeeded: x)
    for i in 0..<n {
      // Two rounds of a hash by multiplication (after Wellons' "lowbias32").
      var h = (first &+ UInt32(truncatingIfNeeded: i)) &* 0x85eb_ca6b ^ row
      h = (h ^ (h &>> 16)) &* 0x7feb_352d
      h = (h ^ (h &>> 15)) &* 0x846c_a68b
      words[i] = (h &>> 24) &+ (h &>> 16 & 0xff)
    }
  }

  @inline(never)
  private static func addGrain(
    _ samples: Row<UInt8>, _ upper: Row<UInt32>, _ lower: Row<UInt32>, _ strength: Int32
  ) {
    let n = samples.count
    let (a, b) = (upper[..<(n + 1)], lower[..<(n + 1)])
    for i in 0..<n {
      let sum = Int32(bitPattern: a[i] &+ a[i &+ 1] &+ b[i] &+ b[i &+ 1]) &- 1020
      let value = Int32(samples[i])
      // A parabola: 255 at mid-tones, a third of that at black and white.
      let tone = 85 &+ (value &* (255 &- value) &* 170) &>> 14
      let grain = (sum &* tone &* strength) &>> 9
      let changed = value &+ (grain &+ 1024) &>> 11
      samples[i] = UInt8(truncatingIfNeeded: max(0, min(255, changed)))
    }
  }
}
