import Files
import Programs

/// One of several shares of a folder's films, as "3/8".
///
/// A film's share depends on its name alone, so that shares agree although files are added meanwhile.
struct Shard {
  /// From 1 on.
  let number: Int
  let count: Int

  /// Throws where the text is no share.
  init(_ text: FilePath) throws(ProgramError) {
    let parts = text.description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      count > 0, (1...count).contains(number)
    else {
      throw .usage(
        "--shard=\(Terminal.printable(text)) is no share; write it as 3/8, from 1/8 to 8/8")
    }
    (self.number, self.count) = (number, count)
  }

  /// Whether the film with this path in the folder belongs to the share.
  func contains(_ film: FilePath) -> Bool {
    NameHash.value(film) % UInt64(count) == UInt64(number - 1)
  }
}

/// The hash FNV-1a of 64 bits, with its bits mixed: equal on all machines.
///
/// Source: G. Fowler, L. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm"; the mixing is that
/// of the last step of MurmurHash3 (A. Appleby), since the low bits of FNV depend on few bits of a name.
enum NameHash {
  static func value(_ name: FilePath) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }

  /// 16 hexadecimal digits.
  static func text(_ name: FilePath) -> String {
    let digits = String(value(name), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
