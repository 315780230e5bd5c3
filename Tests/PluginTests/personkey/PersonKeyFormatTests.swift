import CGStreamer
import Compose
import Pixels
import Support
import Testing

/// Every format at odd sizes, and what must not make a difference.
@Suite(.timeLimit(.minutes(20))) struct PersonKeyFormatTests {
  static let formats = PixelFormat.eightBit.filter { $0 != .gray8 }

  /// The width itself; of 4:2:2 in pairs an even one, because GStreamer leaves the last Cr of an
  /// odd row unwritten, and exchanges the last pair of NV61.
  private func made(_ width: Int, _ format: PixelFormat) -> Int {
    [.yuy2, .uyvy, .yvyu, .vyuy, .nv61].contains(format) ? width + width % 2 : width
  }

  @Test(arguments: formats)
  func aPersonIsFoundInEveryFormat(format: PixelFormat) throws {
    let output = try #require(FrameCompositor.formatWithAlpha(for: format))
    let reference = try #require(try PersonKeyTests.keyed("", .rgb, .rgba).first)
    let keyed = try #require(try PersonKeyTests.keyed("", format, output).first)
    #expect(keyed.alpha.count == reference.alpha.count)
    var difference = 0.0
    for (a, b) in zip(keyed.alpha, reference.alpha) { difference += abs(Double(a) - Double(b)) }
    difference /= 255 * Double(keyed.alpha.count)
    #expect(difference < 0.01, "\(difference)")
  }

  @Test(arguments: formats)
  func nobodyIsTransparentAtEverySize(format: PixelFormat) throws {
    let output = try #require(FrameCompositor.formatWithAlpha(for: format))
    for (width, height) in [(1, 1), (2, 2), (3, 5), (641, 481), (17, 300)] {
      let width = made(width, format)
      let frames = try VideoSamples.frames(
        "videotestsrc pattern=blue num-buffers=2 ! video/x-raw,format=\(format.rawValue),"
          + "width=\(width),height=\(height) ! personkey"
          + " ! video/x-raw,format=\(output.rawValue) ! fakesink name=sink",
        output, width, height)
      #expect(frames.count == 2)
      let isClear = frames.allSatisfy { $0.isTransparent && $0.alpha.count == width * height }
      #expect(isClear, "\(width)x\(height)")
    }
  }

  @Test(arguments: [PixelFormat.nv12, .yv12, .yuy2, .y444, .rgb, .bgra, .ayuv])
  func threadsChangeNothing(format: PixelFormat) throws {
    for properties in ["", "blur=4 light-wrap=0.5 soften=1 shrink=1"] {
      let output =
        properties == "" ? try #require(FrameCompositor.formatWithAlpha(for: format)) : format
      let results = try [1, 2, 5].map { threads in
        try PersonKeyTests.keyed("\(properties) n-threads=\(threads)", format, output, frames: 2)
      }
      #expect(results[0].count == 2)
      for other in results.dropFirst() {
        for (a, b) in zip(results[0], other) {
          let isSame = VideoSamples.isSame(a.components, b.components)
          #expect(isSame, "\(properties)")
        }
      }
    }
  }
}
