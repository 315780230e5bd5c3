import Pixels
import Support
import Testing

/// Rows of samples with more than 8 bits.
@Suite(.timeLimit(.minutes(20))) struct DeepComponentTests {
  static let sizes = [(1, 1), (2, 2), (3, 5), (41, 17)]

  @Test(arguments: PixelFormat.deep)
  func rowsAreTheCodesOfTheirSamples(_ format: PixelFormat) {
    for (width, height) in Self.sizes {
      let picture = OwnedPicture.noise(
        VideoFormat(format: format, width: width, height: height, colorimetry: .bt709))
      let codes = picture.codes
      picture.withPicture { picture in
        for index in format.layout.components.indices {
          let component = picture.deepComponent(index)
          let grid = Grid<UInt16>(width: component.width, height: 1, of: 0)
          for y in 0..<component.height {
            let row = grid.row(0)
            component.gather(row: y, into: row)
            let own = codes[index][(y * component.width)..<((y + 1) * component.width)]
            #expect(Array(row) == Array(own))
            #expect(Array(row).allSatisfy { $0 <= component.maximum })
          }
          extendLifetime(grid)
        }
      }
    }
  }

  @Test(arguments: PixelFormat.deep)
  func writingARowChangesNothingElse(_ format: PixelFormat) {
    for ((width, height), index) in product(
      Self.sizes, 0..<format.layout.componentCount)
    {
      let picture = OwnedPicture.noise(
        VideoFormat(format: format, width: width, height: height, colorimetry: .bt709))
      var wanted = picture.codes
      picture.withPicture { picture in
        let component = picture.deepComponent(index)
        let y = component.height - 1
        let start = min(1, component.width - 1)
        let grid = Grid<UInt16>(width: component.width - start, height: 1, of: 0)
        let row = grid.row(0)
        for x in 0..<row.count {
          row[x] = UInt16(x * 97 % 1024)
          wanted[index][y * component.width + start + x] = row[x]
        }
        component.scatter(row: y, from: start, row)
        extendLifetime(grid)
      }
      #expect(picture.codes == wanted)
    }
  }

  /// Rows in place are those of planes of words; nothing else has some.
  @Test(arguments: PixelFormat.deep)
  func rowsInPlaceHoldTheCodes(_ format: PixelFormat) {
    let picture = OwnedPicture.noise(
      VideoFormat(format: format, width: 41, height: 3, colorimetry: .bt709))
    let codes = picture.codes
    picture.setBitsAboveCodes(seed: 7)
    #expect(picture.codes == codes)
    let isPlanar = format.layout.planeCount >= 3
    picture.withPicture { picture in
      for index in format.layout.components.indices {
        let component = picture.deepComponent(index)
        #expect((component.row(1) != nil) == isPlanar)
        guard let row = component.row(1) else { continue }
        let own = codes[index][component.width..<(2 * component.width)]
        #expect(row.count == component.width)
        #expect(Array(row).map { $0 & component.maximum } == Array(own))
        row[0] = 5
        #expect(component[0, 1] == 5)
      }
    }
  }

  /// Words at odd addresses are copied.
  @Test func anOddAddressHasNoRowInPlace() {
    let memory = Grid<UInt8>(width: 64, height: 6, of: 0)
    for y in 0..<6 { for x in 0..<64 { memory.row(y)[x] = UInt8(7 * x & 255) } }
    let planes = InlineArray<4, Plane?> {
      $0 < 3
        ? unsafe Plane(base: memory.row(2 * $0).base + 1, rowBytes: 16, height: 2, stride: 32)
        : nil
    }
    let picture = Picture(
      VideoFormat(format: .y444Ten, width: 8, height: 2, colorimetry: .bt709), planes: planes)
    for index in 0..<3 {
      let component = picture.deepComponent(index)
      #expect(component.row(0) == nil)
      let row = Grid<UInt16>(width: 8, height: 1, of: 0)
      #expect(
        Array(component.samples(row: 0, scratch: row.row(0))) == (0..<8).map { component[$0, 0] })
    }
    extendLifetime(memory)
  }

  @Test func threeCodesOfV210ShareAWord() {
    let picture = OwnedPicture(format: .v210, width: 7, height: 1, colorimetry: .bt709)
    picture.fillCodes(0) { x, _ in 1 + x }
    picture.fillCodes(1) { x, _ in 512 + x }
    picture.fillCodes(2) { x, _ in 768 + x }
    picture.withPicture { picture in
      let row = picture.plane(0).row(0)
      #expect(row.count == 32)
      func codes(_ word: Int) -> [UInt32] {
        let bits = row.word(at: 4 * word, as: UInt32.self)
        return [bits & 1023, bits >> 10 & 1023, bits >> 20]
      }
      #expect(codes(0) == [512, 1, 768] && codes(1) == [2, 513, 3])
      #expect(codes(2) == [769, 4, 514] && codes(3) == [5, 770, 6])
      #expect(codes(4) == [515, 7, 771])
    }
  }

  @Test func codesOfY210LieInTheHighBits() {
    let picture = OwnedPicture(format: .y210, width: 2, height: 1, colorimetry: .bt709)
    picture.fillCodes(0) { x, _ in 1 + x }
    picture.fillCodes(1) { _, _ in 512 }
    picture.fillCodes(2) { _, _ in 768 }
    picture.withPicture { picture in
      #expect(Array(picture.plane(0).row(0)) == [64, 0, 0, 128, 128, 0, 0, 192])
    }
  }

  @Test func codesOfP010LieInTheHighBits() {
    let picture = OwnedPicture(format: .p010, width: 3, height: 1, colorimetry: .bt709)
    picture.fillCodes(0) { x, _ in 1 + x }
    picture.fillCodes(1) { x, _ in 512 + x }
    picture.fillCodes(2) { x, _ in 768 + x }
    picture.withPicture { picture in
      let (luma, chroma) = (picture.plane(0).row(0), picture.plane(1).row(0))
      #expect(Array(luma[..<6]) == [64, 0, 128, 0, 192, 0])
      #expect(Array(chroma[..<8]) == [0, 128, 0, 192, 64, 128, 64, 192])
    }
  }
}
