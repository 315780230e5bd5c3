import Effects
import Pixels
import Testing

/// What has to hold to the last bit.
@Suite struct ChromaKeyExactnessTests {
  @Test func pureGreenBecomesTransparentAndOtherColoursStay() {
    let source = OwnedPicture(format: .i420, width: 64, height: 48, colorimetry: .bt709)
    let green = Colorimetry.bt709.ycc(r: 0, g: 255, b: 0)
    source.withPicture { picture in
      for (index, value) in [green.y, green.cb, green.cr].enumerated() {
        for y in 0..<picture.plane(index).height {
          picture.plane(index).row(y).fill(UInt8(value.rounded()))
        }
      }
    }
    let output = OwnedPicture(format: .a420, width: 64, height: 48, colorimetry: .bt709)
    let keyer = ChromaKey()
    keyer.configure(
      format: .i420, width: 64, height: 48, colorimetry: .bt709, chromaSite: .mpeg2)
    source.withPicture { from in
      output.withPicture { to in
        keyer.process(source: from, destination: to, runner: SerialRunner())
        #expect((0..<48).allSatisfy { y in (0..<64).allSatisfy { to.component(3)[$0, y] == 0 } })
      }
    }
  }
}
