import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct PlayablePrefixTests {
  private func box(_ kind: String, _ count: Int) -> [UInt8] {
    let size = count + 8
    return [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(kind.utf8)
      + [UInt8](repeating: 7, count: count)
  }

  private func length(_ bytes: [UInt8]) -> Int? {
    PlayablePrefix.length(size: bytes.count) { place, count in
      place < bytes.count ? Array(bytes[place..<min(bytes.count, place + count)]) : []
    }
  }

  /// Fragments whose `mdat` precedes the `moof`; the first fragment has the `moov` in its place.
  private var fragments: [[UInt8]] {
    let first = [box("ftyp", 24), box("free", 0), box("mdat", 900), box("moov", 300)].flatMap { $0 }
    let next = [box("free", 0), box("mdat", 500), box("moof", 90)].flatMap { $0 }
    return [first, next, next]
  }

  @Test func completeFragmentsOfATruncatedFilmAreKept() {
    let bytes = fragments.flatMap { $0 }
    let ends = [fragments[0].count, fragments[0].count + fragments[1].count, bytes.count]
    for cut in 0...bytes.count {
      #expect(length(Array(bytes[..<cut])) == ends.last { $0 <= cut }, "cut at \(cut)")
    }
  }

  @Test func fragmentsWithLeadingMoofAreKept() {
    let head = box("ftyp", 24) + box("moov", 300)
    let piece = box("moof", 90) + box("mdat", 500)
    let bytes = head + piece + piece
    let ends = [head.count + piece.count, bytes.count]
    for cut in 0...bytes.count {
      #expect(length(Array(bytes[..<cut])) == ends.last { $0 <= cut }, "cut at \(cut)")
    }
  }

  @Test func aBoxOfUnknownSizeIsIncomplete() {
    let open: [UInt8] = [0, 0, 0, 0] + Array("mdat".utf8) + [UInt8](repeating: 1, count: 99)
    #expect(length(fragments[0] + open) == fragments[0].count)
    #expect(length(box("ftyp", 24) + open) == nil)
  }

  @Test func sizesOf64BitsAreRead() {
    let size = [UInt8](repeating: 0, count: 6) + [1, 0]
    let long: [UInt8] =
      [0, 0, 0, 1] + Array("mdat".utf8) + size + [UInt8](repeating: 1, count: 240)
    let bytes = box("ftyp", 24) + long + box("moov", 40)
    #expect(length(bytes) == bytes.count)
    let tooLong: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [UInt8](repeating: 255, count: 8)
    #expect(length(fragments[0] + tooLong) == fragments[0].count)
  }

  /// An EBML element; its size is unknown if `isOpen`.
  private func item(_ id: [UInt8], _ inside: [UInt8], isOpen: Bool = false) -> [UInt8] {
    let size: [UInt8] =
      isOpen
      ? [1] + [UInt8](repeating: 255, count: 7)
      : [0x40 | UInt8(inside.count >> 8), UInt8(inside.count & 255)]
    return id + size + inside
  }

  @Test func completeBlocksOfATruncatedFilmAreKept() {
    let head =
      item([0x1A, 0x45, 0xDF, 0xA3], [1, 2, 3, 4])
      + item([0x18, 0x53, 0x80, 0x67], item([0x16, 0x54, 0xAE, 0x6B], [9, 9, 9]), isOpen: true)
    let block = item([0xA3], [UInt8](repeating: 5, count: 300))
    let whole = item([0x1F, 0x43, 0xB6, 0x75], item([0xE7], [0]) + block)
    let open = item([0x1F, 0x43, 0xB6, 0x75], item([0xE7], [1]) + block + block, isOpen: true)
    let bytes = head + whole + open
    let ends = [head.count + whole.count, bytes.count - block.count, bytes.count]
    for cut in 0...bytes.count {
      #expect(length(Array(bytes[..<cut])) == ends.last { $0 <= cut }, "cut at \(cut)")
    }
  }

  @Test func noiseIsNotPlayable() {
    var generator = SystemRandomNumberGenerator()
    for head: [UInt8] in [[], box("ftyp", 8), [0x1A, 0x45, 0xDF, 0xA3, 0x80]] {
      for _ in 0..<2000 {
        let noise = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let found = length(head + noise)
        #expect(found.map { (1...head.count + 64).contains($0) } ?? true)
      }
    }
  }
}
