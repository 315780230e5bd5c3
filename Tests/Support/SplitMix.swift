/// A small deterministic random number generator, SplitMix64 (Steele, Lea, Flood 2014).
///
/// All tests use it with fixed seeds, so that failures repeat.
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 0 up to, not including, `limit`.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// 0 up to 1.
  package mutating func uniform() -> Float { Float(next() >> 40) / 16_777_216 }

  /// Mean 0, standard deviation 1: the sum of four uniform numbers, which is nearly normal.
  package mutating func normal() -> Float {
    let bits = next()
    let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48)
    return (Float(sum) / 65536 - 2) * 1.732
  }
}
