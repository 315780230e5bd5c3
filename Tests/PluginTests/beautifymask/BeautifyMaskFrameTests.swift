import CGStreamer
import Faces
import Pixels
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct BeautifyMaskFrameTests {
  private static let strong = "intensity=1 brightness=1 even-skin=1 skin-adapt=0 detail=0"

  private static func photograph(
    _ format: PixelFormat, _ width: Int, _ height: Int, count: Int = 1
  ) -> String {
    Registered.photograph(format, width: width, height: height, count: count)
      + " ! facedetect accuracy=low updates=none"
  }

  /// The known face's box in a photograph of the given size, grown to hold the ellipse.
  private static func box(_ width: Int, _ height: Int) -> Rectangle {
    let tall = Double(width) / Double(height)
    let box = KnownFace.box.scaled(x: 1, y: tall)
    return Rectangle(
      x: box.x - box.width * 0.3, y: box.y - box.height * 0.5, width: box.width * 1.6,
      height: box.height * 1.9)
  }

  @Test(arguments: PixelFormat.eightBit)
  func onlyTheFaceChangesInEveryFormatAtAnOddSize(format: PixelFormat) throws {
    let (width, height) = (641, 481)
    let run = try Retouched(Self.photograph(format, width, height), Self.strong)
    let changes = run.changes(
      0, format, width: width, height: height, within: Self.box(width, height))
    #expect(changes.inside > 500)
    #expect(changes.outside == 0)
  }

  @Test(arguments: PixelFormat.eightBit)
  func everySizePassesWithAFaceOverAllOfIt(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 3), (3, 5), (17, 1), (1, 64), (129, 67)] {
      let run = try Retouched(
        Retouched.noise(format, width: width, height: height, count: 2), Self.strong
      ) { buffer, _ in
        AttachedFace.attach([AttachedFace(x: 0, y: 0, width: 1, height: 1)], to: buffer)
      }
      #expect(run.after.count == 2)
      #expect(run.change(1) > 0 || width < 100)
    }
  }

  @Test(arguments: ["", "intensity=0.7", "intensity=0 brightness=0 even-skin=0"])
  func framesThatNeedNothingPassWithTheirMemory(properties: String) throws {
    // Without a face, with one that cannot be, or with one and nothing to do to it.
    let faces =
      switch properties {
      case "": [AttachedFace]()
      case "intensity=0.7": [AttachedFace(x: .nan, y: 0.2, width: 0.5, height: 0.5)]
      default: [AttachedFace(x: 0.2, y: 0.2, width: 0.5, height: 0.5)]
      }
    let run = try Retouched(
      Retouched.noise(.nv12, width: 160, height: 120, count: 4), properties
    ) { buffer, _ in AttachedFace.attach(faces, to: buffer) }
    #expect(run.after.count == 4)
    for (before, after) in zip(run.before, run.after) {
      #expect(before.address == after.address && before.bytes == after.bytes)
    }
  }

  @Test(arguments: [PixelFormat.i420, .nv21, .uyvy, .bgr, .argb])
  func aFrameThatOthersHoldTooIsCopiedAndNotChanged(format: PixelFormat) throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      Self.photograph(format, 320, 240, count: 3)
        + " ! tee name=t ! queue ! fakesink name=other t. ! queue ! beautifymask"
        + " ! fakesink name=sink")
    var input: [CapturedFrame] = []
    var other: [CapturedFrame] = []
    var sink: [CapturedFrame] = []
    try pipeline.watch("t") { input.append(CapturedFrame($0)) }
    try pipeline.watch("other") { other.append(CapturedFrame($0)) }
    try pipeline.watch("sink") { sink.append(CapturedFrame($0)) }
    try pipeline.run()
    #expect(input.count == 3 && other.count == 3 && sink.count == 3)
    for index in 0..<3 {
      #expect(other[index].bytes == input[index].bytes)
      #expect(sink[index].bytes != input[index].bytes)
      #expect(sink[index].faces == input[index].faces)
    }
  }

  @Test func theBareRegionOfAnotherDetectorIsEnough() throws {
    // Pixels take their weights from cells of two by two: those next to the box change a little.
    let box = Rectangle(x: 76 / 320.0, y: 44 / 240.0, width: 128 / 320.0, height: 152 / 240.0)
    for (type, mask) in [("face", "face"), ("face", "rectangle"), ("car", "face")] {
      let run = try Retouched(
        Retouched.noise(.i420, width: 320, height: 240), "mask=\(mask) intensity=1"
      ) { buffer, _ in
        AttachedFace.attachRegion(type, x: 80, y: 48, width: 120, height: 144, to: buffer)
      }
      let changes = run.changes(0, .i420, width: 320, height: 240, within: box)
      #expect(changes.outside == 0)
      #expect(type == "face" ? changes.inside > 3000 : changes.inside == 0)
    }
  }

  @Test func widerMasksChangeMore() throws {
    var counts: [Int] = []
    for mask in ["face", "ellipse", "rectangle", "full"] {
      let run = try Retouched(
        Retouched.noise(.gray8, width: 320, height: 240), "mask=\(mask) skin-adapt=0 intensity=1"
      ) { buffer, _ in
        // Landmarks that fill the box's middle: the oval is smaller than the ellipse of the box.
        AttachedFace.attach([AttachedFace(x: 0.2, y: 0.1, width: 0.5, height: 0.8)], to: buffer)
      }
      let frame = Rectangle(x: 0, y: 0, width: 1, height: 1)
      counts.append(run.changes(0, .gray8, width: 320, height: 240, within: frame).inside)
    }
    // Without landmarks the face is an ellipse.
    #expect(counts[0] == counts[1])
    #expect(counts[1] < counts[2] && counts[2] * 2 < counts[3])
  }

  @Test(arguments: [PixelFormat.gray8, .i420, .rgb])
  func theMaskIsShownWhiteOnBlack(format: PixelFormat) throws {
    let run = try Retouched(Self.photograph(format, 320, 240), "show-mask=true skin-adapt=0")
    let bytes = run.after[0].bytes
    let luma = format == .rgb ? bytes : Array(bytes[0..<(320 * 240)])
    // GStreamer's grey uses all codes.
    let (black, white): (UInt8, UInt8) = format == .i420 ? (16, 235) : (0, 255)
    #expect(luma.filter { $0 == black }.count > luma.count * 8 / 10)
    #expect(luma.filter { $0 >= white - 1 }.count > luma.count / 300)
    #expect(luma.allSatisfy { $0 >= black && $0 <= white })
    let none = try Retouched(
      Retouched.noise(format, width: 64, height: 48), "show-mask=true"
    ) { buffer, _ in AttachedFace.attach([], to: buffer) }
    let dark = none.after[0].bytes[0..<(64 * 48)]
    #expect(dark.allSatisfy { $0 == black })
  }

  @Test(arguments: [PixelFormat.i420, .yuy2, .rgb])
  func everyNumberOfThreadsGivesTheSameFrames(format: PixelFormat) throws {
    let runs = try [1, 2, 5, 0].map { threads in
      try Retouched(Self.photograph(format, 320, 240, count: 3), "n-threads=\(threads)")
        .after.map(\.bytes)
    }
    #expect(runs[0].count == 3)
    #expect(runs.dropFirst().allSatisfy { $0 == runs[0] })
  }
}
