import Filters
import Pixels
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct EightBitCopyTests {
  @Test(arguments: PixelFormat.deep)
  func theCopyInEightBitsIsRounded(_ format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (41, 37)] {
      let picture = OwnedPicture.noise(
        VideoFormat(format: format, width: width, height: height, colorimetry: .bt709))
      let unit = UInt16(format.codesInByte)
      let copy = try #require(EightBitCopy(picture.video))
      let runner = ThreadPool(threads: 2)
      picture.withPicture { copy.update($0, runner: runner) }
      #expect(copy.picture.format == format.eightBitCounterpart)
      for (own, small) in zip(picture.codes, copy.picture.codes) {
        #expect(zip(own, small).allSatisfy { min(($0 + unit / 2) / unit, 255) == $1 })
      }
    }
  }

  @Test(arguments: PixelFormat.eightBit) func formatsOfEightBitsNeedNoCopy(_ format: PixelFormat) {
    let video = VideoFormat(format: format, width: 2, height: 2, colorimetry: .bt709)
    #expect(EightBitCopy(video) == nil)
    #expect(format.eightBitCounterpart == format)
  }
}
