import CGStreamer
import Pixels
import Support
import Testing

/// `photoeffect` in streams.
@Suite struct PhotoEffectTests {
  private static func photograph(
    _ format: PixelFormat, width: Int = 320, height: Int = 240, count: Int = 1
  ) -> String {
    Registered.photograph(format, width: width, height: height, count: count)
  }

  private static func run(
    _ properties: String, _ format: PixelFormat = .nv12, width: Int = 320, height: Int = 240,
    count: Int = 1
  ) throws -> Retouched {
    try Retouched(
      photograph(format, width: width, height: height, count: count), properties,
      by: "photoeffect")
  }

  @Test(arguments: ["", "look=noir intensity=0"])
  func framesThatNeedNothingPassWithTheirMemory(properties: String) throws {
    let run = try Self.run(properties, count: 3)
    #expect(run.after.count == 3)
    for (before, after) in zip(run.before, run.after) {
      #expect(before.address == after.address && before.bytes == after.bytes)
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func everyFormatAndSizeIsTaken(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 3), (3, 5), (17, 1), (1, 64), (2051, 7)] {
      let run = try Retouched(
        Retouched.noise(format, width: width, height: height, count: 2), "look=transfer",
        by: "photoeffect")
      #expect(run.after.count == 2)
      #expect(run.change(1) > 0 || width < 10)
    }
  }
}
