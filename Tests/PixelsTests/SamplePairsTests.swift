import Pixels
import Support
import Testing

/// Access to interleaved pairs against samples read one by one, in pictures between guard pages.
@Suite(.timeLimit(.minutes(20))) struct SamplePairsTests {
  @Test(arguments: PixelFormat.eightBit, [true, false])
  func chromaPairsEqualTheirComponents(format: PixelFormat, atEnd: Bool) {
    for (width, height) in [(1, 1), (3, 5), (67, 3), (131, 2)] {
      FencedPicture(format, width, height, atEnd: atEnd).withPicture { picture in
        let pairs = ChromaPairs(picture)
        #expect((pairs != nil) == [.nv12, .nv21, .av12, .nv16, .nv61, .nv24].contains(format))
        guard let pairs else { return }
        let (cb, cr) = (picture.component(1), picture.component(2))
        for y in 0..<cb.height {
          for start in 0...min(2, cb.width - 1) { check(pairs, (cb, cr), row: y, from: start) }
        }
      }
    }
  }

  /// Both ways to read a row of pairs from a column on.
  private func check(
    _ pairs: ChromaPairs, _ chroma: (cb: Component, cr: Component), row y: Int, from start: Int
  ) {
    let count = chroma.cb.width - start
    let bytes = Grid<UInt8>(width: count, height: 2, of: 0)
    let sums = Grid<UInt16>(width: count, height: 2, of: 7)
    pairs.deinterleave(row: y, from: start, into: (bytes.row(0), bytes.row(1)))
    pairs.addSamples(row: y, from: start, to: (sums.row(0), sums.row(1)))
    for x in 0..<count {
      let own = [chroma.cb[start + x, y], chroma.cr[start + x, y]]
      #expect([bytes.row(0)[x], bytes.row(1)[x]] == own)
      #expect([sums.row(0)[x], sums.row(1)[x]] == own.map { 7 + UInt16($0) })
    }
  }

  @Test func neighboursAreAddedInPairsAndAnOddLastAlone() {
    for count in [1, 2, 3, 63, 64, 65, 200] {
      let bytes = Grid<UInt8>(width: count, height: 1, of: 0)
      for x in 0..<count { bytes.row(0)[x] = UInt8(truncatingIfNeeded: 255 - x * 37) }
      let sums = Grid<UInt16>(width: (count + 1) / 2, height: 1, of: 1000)
      sums.row(0).addPairs(of: bytes.row(0))
      for x in 0..<sums.width {
        let second = 2 * x + 1 < count ? UInt16(bytes.row(0)[2 * x + 1]) : 0
        #expect(sums.row(0)[x] == 1000 + UInt16(bytes.row(0)[2 * x]) + second)
      }
    }
  }

  @Test func blocksCoverExactlyTheRange() {
    for range in [0..<0, 3..<10, 3..<11, 3..<12, 0..<8, 5..<37] {
      var starts: [Int] = []
      forBlocks(of: 8, range) { starts.append($0) }
      let covered = Set(starts.flatMap { $0..<$0 + 8 })
      #expect(covered == (range.count < 8 ? [] : Set(range)))
    }
  }
}
