import Faces
import Pixels
import Support
import Testing
import Vision

/// People in the first frames of a scene, and the frames that need no run of the network.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FirstFrameTests {
  /// The mattes of a film's first frames, behind a detector, and its alpha.
  private func mattes(
    _ film: PersonFilm, frames: Int, on pipeline: PersonKeyPipeline? = nil
  ) throws -> (mattes: [[Float]], truth: [Float]) {
    let cutout = try PersonCutout.load()
    let heads = try PortraitHead.load()
    var result: (mattes: [[Float]], truth: [Float]) = ([], [])
    var used = pipeline
    try film.forEachFrame(atMost: frames, cutout, heads) { _, frame in
      let pipeline = try used ?? PersonKeyPipeline(frame.picture.video)
      used = pipeline
      result.mattes.append(try pipeline.run(frame.picture, faces: frame.faces).opacity)
      result.truth = frame.alpha
    }
    return result
  }

  private func area(_ matte: [Float]) -> Float { matte.reduce(0, +) }

  private func film(_ room: RealRoom) throws -> PersonFilm {
    try #require(PersonFilm.standing.first { $0.room == room })
  }

  @Test func aPersonBehindADetectorIsWholeFromTheFirstFrameOn() throws {
    let (mattes, truth) = try mattes(film(.curtains), frames: 8)
    #expect(area(mattes[0]) >= 0.93 * area(mattes[7]))
    #expect(area(mattes[0]) >= 0.75 * area(truth))
  }

  @Test func theFirstFrameAfterACutIsAsGoodAsTheFirstOfAll() throws {
    let cutout = try PersonCutout.load()
    var pipeline: PersonKeyPipeline?
    try film(.curtains).forEachFrame(atMost: 3, cutout, PortraitHead.load()) { _, frame in
      let used = try pipeline ?? PersonKeyPipeline(frame.picture.video)
      pipeline = used
      _ = try used.run(frame.picture, faces: frame.faces)
    }
    let cut = try mattes(film(.cup), frames: 1, on: pipeline)
    let first = try mattes(film(.cup), frames: 1)
    #expect(cut.mattes[0] == first.mattes[0])
  }

  @Test(arguments: [DrawnRoom.bricks, .study, .wall])
  func theFirstMatteOfAStillIsTheSettledOne(_ room: DrawnRoom) throws {
    let scene = PersonScene(
      try PersonCutout.load(), room, [.init(height: 0.9)], width: 640, height: 360)
    let picture = scene.picture()
    let faces = try FaceFinder.faces(in: picture).map(\.box)
    #expect(faces.count == 1)
    let pipeline = try PersonKeyPipeline(picture.video)
    let mattes = try (0..<20).map { _ in try pipeline.run(picture, faces: faces).opacity }
    let change = zip(mattes[0], mattes[19]).map { abs($0 - $1) }.reduce(0, +)
    #expect(change <= 0.001 * area(mattes[19]))
  }

  @Test func theNetworkRestsWhileNothingMoves() throws {
    let cutout = try PersonCutout.load()
    let scene = PersonScene(cutout, .wall, [.init(height: 0.9)], width: 640, height: 360)
    let pipeline = try PersonKeyPipeline(scene.picture().video)
    func runs(of frames: Range<UInt64>) throws -> Int {
      let before = pipeline.segmenter.runCount
      for frame in frames { _ = try pipeline.run(scene.picture(frame: frame)) }
      return pipeline.segmenter.runCount - before
    }
    _ = try runs(of: 0..<8)
    #expect(try runs(of: 8..<28) <= 3)
    pipeline.settings.skipsStillFrames = false
    #expect(try runs(of: 28..<32) >= 4)
  }
}
