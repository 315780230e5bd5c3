import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct PixelLayoutTests {
  @Test(arguments: PixelFormat.eightBit)
  func everyComponentFitsItsPlaneAtOddSizes(format: PixelFormat) {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (641, 481)] {
      OwnedPicture(format: format, width: width, height: height, colorimetry: .bt601)
        .withPicture { picture in
          for index in format.layout.components.indices {
            let component = picture.component(index)
            let place = format.layout.components[index]
            #expect(component.width == PixelLayout.subsampled(width, by: place.hShift))
            #expect(component.height == PixelLayout.subsampled(height, by: place.vShift))
            component[component.width - 1, component.height - 1] = 7
            #expect(component[component.width - 1, component.height - 1] == 7)
          }
        }
    }
  }

  @Test func packed422HasItsSamplesInOrder() {
    OwnedPicture(format: .uyvy, width: 3, height: 1, colorimetry: .bt601).withPicture { picture in
      for x in 0..<3 { picture.component(0)[x, 0] = UInt8(10 + x) }
      for x in 0..<2 { picture.component(1)[x, 0] = UInt8(20 + x) }
      for x in 0..<2 { picture.component(2)[x, 0] = UInt8(30 + x) }
      let row = picture.plane(0).row(0)
      #expect((0..<8).map { row[$0] } == [20, 10, 30, 11, 21, 12, 31, 0])
    }
  }
}
