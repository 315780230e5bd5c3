import Faces
import Pixels
import Reshaping
import Support
import Testing
import Threads

/// Reshaping in the bits of 10-bit streams.
@Suite(.timeLimit(.minutes(20))) struct DeepReshapingTests {
  /// What 8 bits give, but for their rounding; what does not move keeps every bit.
  @Test(arguments: PixelFormat.deep) func tenBitsAgreeWithEight(format: PixelFormat) {
    let (width, height) = (171, 157)
    let face = MadeFaces.face(90, 80, width: 60, in: (width, height), roll: 10)
    let settings = MadeFaces.limits[3]
    let small = OwnedPicture.noise(
      VideoFormat(
        format: format.eightBitCounterpart, width: width, height: height, colorimetry: .bt709))
    let large = small.deepened(format)
    let before = large.codes
    for picture in [small, large] {
      let reshaper = FaceReshaper.ready([face], settings, picture.video)
      picture.withPicture { reshaper.process($0, runner: SerialRunner()) }
    }
    // Where 8 bits clip above 255, more do not before their highest code.
    #expect(large.distance(toEightBit: small) < format.codesInByte)
    let after = large.codes
    #expect(zip(before[0], after[0]).filter { $0 != $1 }.count > 500)
    let noisy = small.deepened(format, seed: 5)
    let corner = noisy.codes[0][0..<8]
    let reshaper = FaceReshaper.ready([face], settings, noisy.video)
    noisy.withPicture { reshaper.process($0, runner: SerialRunner()) }
    #expect(noisy.codes[0][0..<8] == corner)
  }

  @Test(arguments: PixelFormat.deep) func everySizeIsTaken(format: PixelFormat) {
    for (width, height) in [(1, 1), (2, 2), (3, 5)] {
      let picture = OwnedPicture.noise(
        VideoFormat(format: format, width: width, height: height, colorimetry: .bt709))
      let face = MadeFaces.face(1, 1, width: 2, in: (width, height))
      let reshaper = FaceReshaper.ready([face], MadeFaces.limits[3], picture.video)
      picture.withPicture { reshaper.process($0, runner: SerialRunner()) }
      #expect(picture.codes[0].allSatisfy { $0 <= format.maximumCode })
    }
  }
}
