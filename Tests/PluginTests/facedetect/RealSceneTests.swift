import Faces
import Pixels
import Support
import Testing

/// Films and portraits of people that nothing here was made for.
@Suite(.timeLimit(.minutes(20))) struct RealSceneTests {
  init() { #expect(Registered.now) }

  /// The faces of every frame.
  private func faces(
    of scene: RealScene, _ properties: String = ""
  ) throws -> [[CapturedFrame.FaceMeta]] {
    let pipeline = try Pipeline(
      "\(scene.source) ! video/x-raw,format=I420 ! facedetect \(properties) updates=none"
        + " ! fakesink name=sink")
    return try pipeline.collect { CapturedFrame($0).faces }
  }

  @Test(arguments: [(RealScene.man, 72), (.moods, 472)])
  func onePersonIsOneNumberInEveryFrame(scene: RealScene, count: Int) throws {
    let frames = try faces(of: scene)
    #expect(frames.count == count)
    #expect(frames.allSatisfy { $0.map(\.id) == [1] })
  }

  @Test func lettersAreNoFace() throws {
    let frames = try faces(of: .letters)
    #expect(frames.count > 90)
    #expect(frames.allSatisfy { $0.isEmpty })
  }

  @Test func aManWhoComesIsFoundWithinThreeFramesAndNobodyBefore() throws {
    let frames = try faces(of: .lettersThenMan)
    let first = try #require(frames.firstIndex { !$0.isEmpty })
    // He is there from frame 96 on.
    #expect((96...99).contains(first), "\(first)")
    // The last one is black.
    let numbers = frames[first...].dropLast().map { $0.map(\.id) }
    #expect(numbers.allSatisfy { $0 == [1] }, "\(numbers)")
  }

  @Test func aManWhoGoesIsGoneAtOnceAndNobodyComesAfter() throws {
    let frames = try faces(of: .manThenLetters)
    let last = try #require(frames.lastIndex { !$0.isEmpty })
    // The last frame with him is 71.
    #expect((71...82).contains(last), "\(last)")
    #expect(frames[...71].allSatisfy { $0.map(\.id) == [1] })
  }

  /// The mesh comes and goes with the property, the face stays.
  @Test(arguments: [RealScene.group, .hiker, .highForehead, .portrait, .smile, .man])
  func aFaceIsAsLargeWithoutItsMesh(scene: RealScene) throws {
    let with = try #require(faces(of: scene).first)
    let without = try #require(
      faces(of: scene, "landmarks=false expressions=false min-confidence=0.3").first)
    try #require(!with.isEmpty)
    for face in with {
      let other = try #require(
        without.first { $0.box.iou(face.box) > 0.5 }, "\(face.box) has no other")
      #expect(abs(other.box.width / face.box.width - 1) < 0.1, "\(other.box) \(face.box)")
      #expect(abs(other.box.height / face.box.height - 1) < 0.15, "\(other.box) \(face.box)")
    }
  }
}
