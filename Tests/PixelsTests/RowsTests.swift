import Pixels
import Support
import Testing

/// Bulk access to samples against access one by one, in pictures between guard pages.
@Suite(.timeLimit(.minutes(20))) struct RowsTests {
  private func noise(_ count: Int) -> Grid<UInt8> {
    var random = SplitMix(UInt64(count))
    let grid = Grid<UInt8>(width: count, height: 4, of: 0)
    for (y, x) in product(0..<4, 0..<count) {
      grid.row(y)[x] = UInt8(truncatingIfNeeded: random.next())
    }
    return grid
  }

  @Test(arguments: PixelFormat.eightBit, [true, false])
  func gatherReadsTheRequestedSamplesOnly(format: PixelFormat, atEnd: Bool) {
    for (width, height) in [(1, 1), (3, 5), (67, 3)] {
      FencedPicture(format, width, height, atEnd: atEnd).withPicture { picture in
        for index in format.layout.components.indices {
          let component = picture.component(index)
          for y in 0..<component.height { checkGathering(component, row: y) }
        }
      }
    }
  }

  private func checkGathering(_ component: Component, row y: Int) {
    for (start, interval) in product(0...min(component.width, 2), 1...3) {
      let count = (component.width - start + interval - 1) / interval
      let scratch = noise(count + 1)
      let last = scratch.row(0)[count]
      let row = scratch.row(0)[0..<count]
      component.gather(row: y, from: start, every: interval, into: row)
      let expected = (0..<count).map { component[start + $0 * interval, y] }
      #expect(Array(row) == expected)
      #expect(scratch.row(0)[count] == last)
    }
    let sums = Grid<UInt16>(width: component.width + 2, height: 1, of: 5)
    component.addSamples(row: y, from: 1, every: 2, to: sums.row(0))
    let last = component.width - 1
    let expected = (0..<sums.width).map { 5 + UInt16(component[min(1 + 2 * $0, last), y]) }
    #expect(Array(sums.row(0)) == expected)
  }

  @Test(arguments: PixelFormat.eightBit, [true, false])
  func scatterWritesTheRequestedSamplesOnly(format: PixelFormat, atEnd: Bool) {
    for (width, height) in [(1, 1), (3, 5), (67, 3)] {
      FencedPicture(format, width, height, atEnd: atEnd).withPicture { picture in
        for index in format.layout.components.indices {
          let component = picture.component(index)
          var expected = picture.samples
          let values = noise(component.width)
          for y in 0..<component.height {
            let source = values.row(1)[0..<component.width - y % 2]
            component.scatter(row: y, from: y % 2, source)
            let place = y * component.width + y % 2
            expected[index].replaceSubrange(place..<place + source.count, with: Array(source))
          }
          #expect(picture.samples == expected)
        }
      }
    }
  }

  @Test(arguments: PixelFormat.eightBit, [true, false])
  func packedPixelsAreDeinterleavedAndInterleaved(format: PixelFormat, atEnd: Bool) {
    for (width, height) in [(1, 1), (3, 2), (67, 2)] {
      FencedPicture(format, width, height, atEnd: atEnd).withPicture { picture in
        let layout = format.layout
        let isPacked = layout.planeCount == 1 && layout.chromaShifts == (0, 0) && format != .gray8
        let pixels = PackedPixels(picture)
        #expect((pixels != nil) == isPacked)
        guard let pixels else { return }
        #expect(pixels.hasAlpha == format.hasAlpha)
        let rows = noise(width)
        let colors = (rows.row(0), rows.row(1), rows.row(2))
        let before = picture.samples
        pixels.deinterleave(row: 0, into: colors)
        for index in 0..<3 { #expect(Array(rows.row(index)) == Array(before[index][0..<width])) }
        pixels.interleave(row: height - 1, colors)
        var expected = before
        for index in 0..<3 {
          expected[index].replaceSubrange(
            (height - 1) * width..<height * width, with: before[index][0..<width])
        }
        #expect(picture.samples == expected)
        if format.hasAlpha {
          pixels.interleave(row: 0, colors, alpha: rows.row(3))
          expected[3].replaceSubrange(0..<width, with: Array(rows.row(3)))
          #expect(picture.samples == expected)
        }
        pixels.fill(row: 0, from: width / 2, count: 1, (1, 2, 3), alpha: 4)
        for index in expected.indices { expected[index][width / 2] = UInt8(1 + index) }
        #expect(picture.samples == expected)
        pixels.fillAlpha(row: 0, from: 0, count: width, 9)
        if format.hasAlpha { for x in 0..<width { expected[3][x] = 9 } }
        #expect(picture.samples == expected)
      }
    }
  }

  @Test func paddingBytesKeepTheirValues() {
    OwnedPicture(format: .xrgb, width: 5, height: 1, colorimetry: .rgb).withPicture { picture in
      guard let pixels = PackedPixels(picture) else { return }
      let bytes = picture.plane(0).row(0)
      bytes.fill(77)
      let rows = noise(5)
      pixels.interleave(row: 0, (rows.row(0), rows.row(1), rows.row(2)))
      pixels.fill(row: 0, from: 3, count: 2, (1, 2, 3), alpha: 0)
      #expect((0..<5).allSatisfy { bytes[4 * $0] == 77 })
    }
  }

  @Test func onlyContiguousSamplesAreAccessedInPlace() {
    OwnedPicture(format: .nv12, width: 4, height: 2, colorimetry: .bt601).withPicture { picture in
      picture.component(0).row(1, from: 2, count: 2)?[1] = 9
      #expect(picture.component(0)[3, 1] == 9)
      #expect(picture.component(1).row(0, count: 1) == nil)
      let scratch = noise(2)
      picture.component(2)[1, 0] = 8
      #expect(Array(picture.component(2).samples(row: 0, scratch: scratch.row(0))) == [0, 8])
      #expect(picture.component(1).isSameMemory(as: picture.component(1)))
      #expect(!picture.component(1).isSameMemory(as: picture.component(2)))
    }
  }

  @Test func aRowOutsideItsBoundsTraps() async {
    await #expect(processExitsWith: .failure) {
      let grid = Grid<UInt8>(width: 4, height: 1, of: 0)
      grid.row(0)[4] = 1
    }
    await #expect(processExitsWith: .failure) {
      _ = Grid<UInt8>(width: 4, height: 1, of: 0).row(0)[2..<5]
    }
    await #expect(processExitsWith: .failure) { _ = Grid<UInt8>(width: 4, height: 1, of: 0).row(1) }
  }

  @Test func aGridKeepsItsMemoryWhenResizedWithinItsCapacity() {
    let grid = Grid<Int32>(width: 8, height: 8, of: 3)
    #expect(grid.row(7)[7] == 3)
    grid.row(0)[0] = 5
    grid.resize(width: 2, height: 2)
    grid.resize(width: 16, height: 4)
    #expect(grid.row(0)[0] == 5)
  }

  @Test func nearestRoundsTiesToEven() {
    for value in stride(from: Float(-1000), through: 1000, by: 0.125) {
      #expect(nearest(value) == Int32(value.rounded(.toNearestOrEven)))
    }
  }
}
