package import Support

/// A source of decisions: pseudorandom numbers, or the bytes of an input.
package protocol RandomSource {
  /// 0 up to, not including, `limit`.
  mutating func below(_ limit: Int) -> Int
}

extension SplitMix: RandomSource {}

/// Takes decisions from an input's bytes in order, then from a generator seeded with their hash.
///
/// The same bytes always give the same decisions. libFuzzer has a class of this name and purpose.
package struct FuzzedDataProvider: RandomSource {
  private let bytes: [UInt8]
  private var offset = 0
  private var fallback: SplitMix

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    fallback = SplitMix(
      bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
  }

  package mutating func below(_ limit: Int) -> Int {
    guard offset < bytes.count else { return fallback.below(max(limit, 1)) }
    var value: UInt64 = 0
    var span = 1
    // Uses as few bytes as the range needs, so that changing one byte changes one decision.
    while span < limit, offset < bytes.count {
      value = value << 8 | UInt64(bytes[offset])
      offset += 1
      guard span < 1 << 48 else { break }
      span <<= 8
    }
    return Int(value % UInt64(max(limit, 1)))
  }
}

extension RandomSource {
  package mutating func chance(_ count: Int, in all: Int) -> Bool { below(all) >= all - count }

  package mutating func one<T>(of items: [T]) -> T { items[below(items.count)] }

  /// Any 64 bits, often at the limits of integers and timestamps.
  package mutating func edgeCaseBits() -> UInt64 {
    switch below(6) {
    case 0: UInt64(below(256))
    case 1: UInt64(below(100)) &* 1_000_000_000
    case 2: .max - UInt64(below(3))
    case 3: 1 << UInt64(below(64))
    case 4: UInt64(bitPattern: Int64.max) &+ UInt64(below(3))
    default: UInt64(below(1 << 32)) << 32 | UInt64(below(1 << 32))
    }
  }

  /// Any number, often an edge case: not finite, negative, denormal or huge.
  package mutating func edgeCaseNumber() -> Double {
    switch below(8) {
    case 0: Double(below(1000)) / 1000
    case 1: Double(below(1000)) / 1000
    case 2: -Double(below(1000)) / 100
    case 3: Double(below(100_000))
    case 4:
      one(of: [
        .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, 9.3e18, -9.3e18, 4.3e9, 1e-30,
      ])
    case 5: Double(bitPattern: edgeCaseBits())
    case 6: 0.4 + Double(below(256)) / 1280
    default: 0.5
    }
  }
}
