import CGStreamer
import Faces
import Pixels
import Support
import Testing

/// `facereshape` in streams.
@Suite(.timeLimit(.minutes(20))) struct FaceReshapeTests {
  private static func photograph(
    _ format: PixelFormat, width: Int = 512, height: Int = 512, count: Int = 1
  ) -> String {
    Registered.photograph(format, width: width, height: height, count: count)
      + " ! facedetect updates=none"
  }

  private static func run(
    _ properties: String, _ source: String,
    attach: ((UnsafeMutablePointer<GstBuffer>, Int) -> Void)? = nil
  ) throws -> Retouched {
    try Retouched(source, properties, by: "facereshape", attach: attach)
  }

  @Test(arguments: ["", "effect=bulge", "amount=1"])
  func settingsOfZeroPassFramesWithTheirMemory(properties: String) throws {
    let run = try Self.run(properties, Self.photograph(.nv12, count: 3))
    #expect(run.after.count == 3)
    for (before, after) in zip(run.before, run.after) {
      #expect(before.address == after.address && before.bytes == after.bytes)
      #expect(before.faces == after.faces && !after.faces.isEmpty)
    }
  }

  @Test func framesWithoutFacesPassWithTheirMemory() throws {
    let run = try Self.run(
      "slim=1", "videotestsrc num-buffers=3 ! video/x-raw,format=I420 ! facedetect updates=none")
    for (before, after) in zip(run.before, run.after) {
      #expect(before.address == after.address && before.bytes == after.bytes)
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func everyFormatAndSizeIsTaken(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (2, 3), (17, 1), (1, 64), (333, 211)] {
      let run = try Self.run(
        "slim=1 effect=twirl amount=0.5 n-threads=2",
        Retouched.noise(format, width: width, height: height, count: 2)
      ) { buffer, _ in
        AttachedFace.attach([AttachedFace(x: 0.2, y: 0.1, width: 0.6, height: 0.8)], to: buffer)
      }
      #expect(run.after.count == 2)
      #expect(run.change(1) > 0 || width < 64)
    }
  }

  @Test func theMetadataMovesAlong() throws {
    let run = try Self.run("slim=1 chin=-1", Self.photograph(.nv12, count: 2))
    let old = try #require(run.before.last?.faces.first)
    let new = try #require(run.after.last?.faces.first)
    #expect(old.id == new.id && old.confidence == new.confidence)
    try #require(old.landmarks.count == 478 && new.landmarks.count == 478)
    func jaw(_ face: CapturedFrame.FaceMeta) -> Double {
      (face.landmarks[397] - face.landmarks[172]).length
    }
    #expect((0.7...0.85).contains(jaw(new) / jaw(old)))
    // Eyes stay, the box follows the mesh, and the region the box.
    #expect((new.keypoints[1] - old.keypoints[1]).length < 0.03 * old.box.width)
    let (before, after) = (old.landmarks.boundingCorners, new.landmarks.boundingCorners)
    #expect(new.box.maxY < old.box.maxY - 0.02 * old.box.height)
    #expect(abs((new.box.maxY - old.box.maxY) - (after.high.y - before.high.y)) < 1e-5)
    let region = try #require(run.after.last?.regions.first)
    #expect(abs(region.box.maxY - new.box.maxY * 512) <= 1.01)
    #expect(abs(region.box.x - new.box.x * 512) <= 1.01)
    #expect(region.parameters == run.before.last?.regions.first?.parameters)
    // What came before is as it was: others may hold it.
    #expect(run.before[0].faces[0].landmarks[152] != run.after[0].faces[0].landmarks[152])
  }

  @Test func aRegionOfAStrangersDetectorIsEnoughForAMirror() throws {
    let run = try Self.run(
      "effect=pinch amount=1 eyes=1", Retouched.noise(.i420, width: 400, height: 300, count: 1)
    ) { buffer, _ in
      AttachedFace.attachRegion(x: 160, y: 60, width: 120, height: 140, to: buffer)
    }
    #expect(run.change(0) > 0)
    let box = try #require(run.after[0].regions.first).box
    // Drawn together about the same middle.
    #expect(box.width < 110 && box.height < 130)
    #expect(abs(box.x + box.width / 2 - 220) <= 1.5 && abs(box.y + box.height / 2 - 130) <= 1.5)
  }

  @Test func metadataThatCannotBeTrueHarmsNobody() throws {
    let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, 0, 3e38]
    let run = try Self.run(
      "slim=1 eyes=1 effect=bulge amount=1",
      Retouched.noise(.nv12, width: 64, height: 48, count: 40)
    ) { buffer, number in
      let value = odd[number % odd.count]
      let mesh = [Float](repeating: value, count: [1404, 1403, 3, 0][number % 4])
      AttachedFace.attach(
        [
          AttachedFace(
            x: Double(value), y: 0, width: 0.5, height: Double(value), keypoints: [value],
            landmarks: mesh),
          AttachedFace(
            x: 0.2, y: 0.2, width: 0.6, height: 0.6,
            keypoints: [Float](repeating: value, count: 12), landmarks: mesh),
        ], to: buffer)
    }
    #expect(run.after.count == 40 && run.warnings.isEmpty)
  }

  @Test func aFaceChangesShapeWhilePlayingWithoutAFrameBeingLost() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Self.photograph(.i420, count: 30)) ! facereshape name=r ! fakesink name=sink")
    var frames: [[UInt8]] = []
    try pipeline.watch("sink") { [unowned pipeline] buffer in
      frames.append(CapturedFrame(buffer).bytes)
      if frames.count == 10 { pipeline.set("r", "slim", "0.5") }
      if frames.count == 20 { pipeline.set("r", "slim", "0") }
    }
    try pipeline.run()
    #expect(frames.count == 30)
    #expect(frames[9] != frames[10] && frames[19] != frames[20] && frames[29] == frames[0])
  }
}
