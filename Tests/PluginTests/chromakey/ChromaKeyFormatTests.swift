import CGStreamer
import Compose
import Pixels
import ScreenKey
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct ChromaKeyFormatTests {
  static let formats = PixelFormat.eightBit.filter { $0 != .gray8 }
  static let sizes = [(1, 1), (2, 2), (3, 5), (641, 481)]

  /// The width itself; of 4:2:2 in pairs an even one, because GStreamer leaves the last Cr of an
  /// odd row unwritten, and exchanges the last pair of NV61.
  private func made(_ width: Int, _ format: PixelFormat) -> Int {
    [.yuy2, .uyvy, .yvyu, .vyuy, .nv61].contains(format) ? width + width % 2 : width
  }

  private func source(
    _ pattern: String, _ format: PixelFormat, _ width: Int, _ height: Int, _ more: String = ""
  ) -> String {
    "videotestsrc name=source pattern=\(pattern) num-buffers=2"
      + " ! video/x-raw,format=\(format.rawValue),width=\(width),height=\(height)\(more)"
  }

  @Test(arguments: formats)
  func pureGreenBecomesTransparentInEveryFormatAndSize(format: PixelFormat) throws {
    let output = try #require(FrameCompositor.formatWithAlpha(for: format))
    for (width, height) in Self.sizes.map({ (made($0.0, format), $0.1) }) {
      for method in ["auto", "green"] {
        let frames = try VideoSamples.frames(
          source("green", format, width, height) + " ! chromakey method=\(method)"
            + " ! video/x-raw,format=\(output.rawValue) ! fakesink name=sink",
          output, width, height)
        #expect(frames.count == 2)
        let isRight = frames.allSatisfy { $0.alpha.count == width * height && $0.isTransparent }
        #expect(isRight, "\(width)x\(height) \(method)")
      }
    }
  }

  @Test(arguments: formats)
  func barsStayOpaqueAndIdentical(format: PixelFormat) throws {
    let output = try #require(FrameCompositor.formatWithAlpha(for: format))
    // 4:2:2 is interpolated to AYUV's 4:4:4, and NV21's chroma changes places; see ChromaKeyer.
    let keepsChroma = format.layout.chromaShifts.h == output.layout.chromaShifts.h
    // The colours of a frame of few pixels are no bars.
    for (width, height) in [(320, 240), (made(641, format), 481)] {
      let text = source("smpte", format, width, height)
      let sources = try VideoSamples.frames(
        text + " ! fakesink name=sink", format, width, height)
      let keyed = try VideoSamples.frames(
        text + " ! chromakey ! video/x-raw,format=\(output.rawValue) ! fakesink name=sink", output,
        width, height)
      #expect(keyed.count == 2 && sources.count == 2)
      for (a, b) in zip(sources, keyed) {
        let isOpaque = b.isOpaque
        #expect(isOpaque, "\(width)x\(height)")
        let isSame = VideoSamples.isSame(
          Array(a.color.prefix(keepsChroma ? 3 : 1)), Array(b.color.prefix(keepsChroma ? 3 : 1)))
        #expect(isSame, "\(width)x\(height)")
      }
    }
  }

  @Test(arguments: formats)
  func aBackgroundKeepsTheFormat(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (81, 61)].map({ (made($0.0, format), $0.1) }) {
      let frames = try VideoSamples.frames(
        source("green", format, width, height) + " ! chromakey background-color=0xffff0000"
          + " ! video/x-raw,format=\(format.rawValue) ! fakesink name=sink",
        format, width, height)
      let red = try VideoSamples.frames(
        source("red", format, width, height) + " ! fakesink name=sink", format, width, height)
      #expect(frames.count == 2)
      for frame in frames {
        for (a, b) in zip(frame.components, red[0].components) {
          let isNear = zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
          #expect(isNear, "\(width)x\(height)")
        }
      }
    }
  }

  @Test(arguments: formats)
  func threadsChangeNothing(format: PixelFormat) throws {
    let output = try #require(FrameCompositor.formatWithAlpha(for: format))
    let width = made(321, format)
    let results = try [1, 2, 5].map { threads in
      try VideoSamples.frames(
        source("colors", format, width, 243)
          + " ! chromakey method=green soften=1 shrink=1 n-threads=\(threads)"
          + " ! fakesink name=sink",
        output, width, 243)
    }
    #expect(results[0].count == 2)
    for other in results.dropFirst() {
      for (a, b) in zip(results[0], other) {
        let isSame = VideoSamples.isSame(a.components, b.components)
        #expect(isSame)
      }
    }
  }

  @Test(arguments: ["bt601", "bt709", "bt2020", "1:4:5:1", "1:3:5:1", "1:6:13:7"])
  func everyMatrixAndRangeKeysItsOwnGreen(colorimetry: String) throws {
    for format in [PixelFormat.i420, .nv12, .y444] {
      let output = try #require(FrameCompositor.formatWithAlpha(for: format))
      for method in ["auto", "green", "custom"] {
        let frames = try VideoSamples.frames(
          // videotestsrc makes BT.601 codes whatever its caps say; videoconvert makes true ones.
          "videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=RGB,width=64,height=48"
            + " ! videoconvert ! video/x-raw,format=\(format.rawValue),colorimetry=\(colorimetry)"
            + " ! chromakey method=\(method) ! video/x-raw,colorimetry=\(colorimetry)"
            + " ! fakesink name=sink",
          output, 64, 48)
        #expect(frames.count == 2)
        let isClear = frames.allSatisfy { $0.isTransparent }
        #expect(isClear, "\(format) \(method)")
      }
    }
  }

  @Test(arguments: [PixelFormat.yuy2, .uyvy, .yvyu, .vyuy])
  func oddWidthsOfPairsPass(format: PixelFormat) throws {
    for (width, height) in Self.sizes {
      for properties in ["", "background-color=0xff00ffff"] {
        let frames = try Registered.frames(
          source("smpte", format, width, height) + " ! chromakey \(properties)"
            + " ! fakesink name=sink")
        #expect(frames.count == 2)
      }
    }
  }

  @Test func interlacedFramesAreKeyedAndStayInterlaced() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc pattern=green num-buffers=3 ! video/x-raw,format=I420,width=64,height=48"
        + " ! capssetter caps=video/x-raw,interlace-mode=interleaved,field-order=top-field-first"
        + " ! chromakey name=key ! video/x-raw,format=A420,interlace-mode=interleaved"
        + " ! fakesink name=sink")
    let frames = try pipeline.collect { VideoSamples($0, .a420, 64, 48)!.isTransparent }
    #expect(frames == [true, true, true])
  }

  @Test func framesWithOddStridesAndOffsetsAreKeyed() throws {
    // videocrop hands on the same memory with another offset where GstVideoMeta is understood.
    for format in [PixelFormat.nv12, .i420, .rgbx] {
      let output = try #require(FrameCompositor.formatWithAlpha(for: format))
      let text = source("smpte", format, 320, 240) + " ! videocrop left=42 top=18 right=6 bottom=2"
      let plain = try VideoSamples.frames(text + " ! fakesink name=sink", format, 272, 220)
      let keyed = try VideoSamples.frames(
        text + " ! chromakey ! fakesink name=sink", output, 272, 220)
      #expect(keyed.count == 2)
      for (a, b) in zip(plain, keyed) {
        let isSame = VideoSamples.isSame(a.color, b.color)
        let isOpaque = b.isOpaque
        #expect(isSame && isOpaque)
      }
    }
  }
}
