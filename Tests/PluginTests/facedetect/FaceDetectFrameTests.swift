import CGStreamer
import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaceDetectFrameTests {
  @Test(arguments: [PixelFormat.i420, .nv12, .rgb, .yuy2])
  func framesThatOthersHoldTooAreNeitherCopiedNorChanged(format: PixelFormat) throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(format, width: 320, height: 240, count: 4)
        + " ! tee name=t ! queue ! fakesink name=other"
        + " t. ! queue ! facedetect ! fakesink name=sink")
    var before: [CapturedFrame] = []
    try pipeline.watch("other") { before.append(CapturedFrame($0)) }
    let after = try pipeline.frames()
    #expect(before.count == 4 && after.count == 4)
    for (a, b) in zip(before, after) {
      #expect(a.address == b.address)
      #expect(a.bytes == b.bytes)
      #expect(a.measuredOn == nil && b.faces.count == 1)
    }
  }

  @Test func displayDrawsIntoACopyWhereTheFrameIsShared() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(width: 320, height: 240)
        + " ! tee name=t ! queue ! fakesink name=other"
        + " t. ! queue ! facedetect display=true ! fakesink name=sink")
    var before: [CapturedFrame] = []
    try pipeline.watch("other") { before.append(CapturedFrame($0)) }
    let after = try pipeline.frames()
    let (a, b) = (try #require(before.first), try #require(after.first))
    #expect(a.address != b.address)
    let changed = zip(a.bytes, b.bytes).filter { $0 != $1 }.count
    #expect(changed > 200 && changed < a.bytes.count / 10)
  }

  @Test(arguments: PixelFormat.eightBit)
  func displayDrawsTheBoxInEveryFormat(format: PixelFormat) throws {
    let source = Registered.photograph(format, width: 321, height: 321)
    let tail = " ! videoconvert ! video/x-raw,format=RGB ! fakesink name=sink"
    let plain = try Registered.frames(
      source + " ! facedetect" + tail)
    let drawn = try Registered.frames(
      source + " ! facedetect display=true" + tail)
    let (a, b) = (try #require(plain.first), try #require(drawn.first))
    let stride = 964  // 321 RGB pixels, rounded up to four bytes
    let face = try #require(b.faces.first)
    let box = face.box.scaled(x: 321, y: 321)
    // On the left edge of the box the picture changed; away from it, it did not.
    let y = Int(box.center.y)
    let onEdge = y * stride + Int(box.x.rounded()) * 3
    #expect(abs(Int(a.bytes[onEdge + 1]) - Int(b.bytes[onEdge + 1])) > 20 || format == .gray8)
    #expect(a.bytes[0..<960] == b.bytes[0..<960])
    #expect(a.bytes != b.bytes)
  }

  @Test func capsThatChangeInMidStreamAreFollowed() throws {
    let frames = try Registered.frames(
      "concat name=c ! facedetect ! fakesink name=sink"
        + " videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=320,height=240 ! c."
        + " videotestsrc num-buffers=2 ! video/x-raw,format=RGB,width=64,height=48 ! c."
        + " videotestsrc num-buffers=2 ! video/x-raw,format=GRAY8,width=641,height=3 ! c.")
    #expect(frames.map { $0.measuredOn?.width } == [320, 320, 64, 64, 641, 641])
  }

  @Test func propertiesMayChangeWhileFramesPass() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=200 ! video/x-raw,width=160,height=120"
        + " ! facedetect name=f ! fakesink")
    var random = SplitMix(5)
    try pipeline.play(changing: "f", rounds: 400, &random) { round, random in
      [
        ("accuracy", ["low", "high"][round % 2]), ("display", "\(round % 3 == 0)"),
        ("min-confidence", "\(Double.random(in: 0.2...1, using: &random))"),
        ("max-faces", "\(1 + round % 64)"), ("video-direction", "\(round % 9)"),
        ("min-face-size", "\(Double(round % 10) / 10)"),
      ]
    }
  }

  @Test func aHundredRoundsThroughTheStatesEndWhereTheyBegan() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc ! video/x-raw,width=64,height=64 ! facedetect accuracy=low ! fakesink")
    #expect(pipeline.countFailedStateChanges(rounds: 25) == 0)
  }
}
