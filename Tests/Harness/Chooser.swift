package import Support

/// Makes decisions: at random, or as the bytes of an input say.
package protocol Chooser {
  /// 0 up to, not including, `limit`.
  mutating func below(_ limit: Int) -> Int
}

extension SplitMix: Chooser {}

/// Decides by bytes, one after another; once there are no more, by chance, which is the same for the
/// same bytes.
package struct Choices: Chooser {
  private let bytes: [UInt8]
  private var place = 0
  private var chance: SplitMix

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    chance = SplitMix(
      bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
  }

  package mutating func below(_ limit: Int) -> Int {
    guard place < bytes.count else { return chance.below(max(limit, 1)) }
    var value: UInt64 = 0
    var span = 1
    // As few bytes as the choice needs, so that a change of one byte changes one decision.
    while span < limit, place < bytes.count {
      value = value << 8 | UInt64(bytes[place])
      place += 1
      guard span < 1 << 48 else { break }
      span <<= 8
    }
    return Int(value % UInt64(max(limit, 1)))
  }
}

extension Chooser {
  package mutating func chance(_ count: Int, in all: Int) -> Bool { below(all) >= all - count }

  package mutating func one<T>(of items: [T]) -> T { items[below(items.count)] }

  /// Any 64 bits, often those at the ends of what integers and times can be.
  package mutating func bits() -> UInt64 {
    switch below(6) {
    case 0: UInt64(below(256))
    case 1: UInt64(below(100)) &* 1_000_000_000
    case 2: .max - UInt64(below(3))
    case 3: 1 << UInt64(below(64))
    case 4: UInt64(bitPattern: Int64.max) &+ UInt64(below(3))
    default: UInt64(below(1 << 32)) << 32 | UInt64(below(1 << 32))
    }
  }

  /// Any number, often one that arithmetic stumbles over.
  package mutating func number() -> Double {
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
    case 5: Double(bitPattern: bits())
    case 6: 0.4 + Double(below(256)) / 1280
    default: 0.5
    }
  }
}
