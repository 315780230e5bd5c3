import Pixels
import Support
import Testing
import Vision

/// Films of groups, passers-by and close-ups whose alpha is known.
@Suite(.serialized, .timeLimit(.minutes(20))) struct PersonFilmTests {
  private struct Played {
    var overlap: Double
    var faces: Int
    var runs: Int
    var matte: [Float]
  }

  /// The mattes of a film's frames, behind a detector; `order` may change its faces, or be without one.
  private func play(
    _ film: PersonFilm, frames: Int, faces order: (Int, [Rectangle]) -> [Rectangle]? = { $1 }
  ) throws -> [Played] {
    let (cutout, heads) = (try PersonCutout.load(), try PortraitHead.load())
    var pipeline: PersonKeyPipeline?
    var result: [Played] = []
    try film.forEachFrame(atMost: frames, cutout, heads) { number, frame in
      let used = try pipeline ?? PersonKeyPipeline(frame.picture.video)
      pipeline = used
      let before = used.segmenter.runCount
      let matte = try used.run(frame.picture, faces: order(number, frame.faces)).opacity
      result.append(
        Played(
          overlap: overlap(matte, frame.alpha), faces: frame.faces.count,
          runs: used.segmenter.runCount - before, matte: matte))
    }
    return result
  }

  /// Intersection over union at one half.
  private func overlap(_ a: [Float], _ b: [Float]) -> Double {
    var (common, either) = (0, 0)
    for (a, b) in zip(a, b) {
      common += a > 0.5 && b > 0.5 ? 1 : 0
      either += a > 0.5 || b > 0.5 ? 1 : 0
    }
    return Double(common) / Double(max(either, 1))
  }

  private func film(_ films: [PersonFilm], _ room: RealRoom) throws -> PersonFilm {
    try #require(films.first { $0.room == room })
  }

  @Test(arguments: [RealRoom.curtains, .sky])
  func twoRowsAreWholeFromTheFirstFrameOn(_ room: RealRoom) throws {
    for frame in try play(film(PersonFilm.rows, room), frames: 8) {
      #expect(frame.overlap >= 0.9)
    }
  }

  @Test func theNetworkRestsInAStillGroup() throws {
    let frames = try play(film(PersonFilm.rows, .sky), frames: 31)
    #expect(frames[12...].reduce(0) { $0 + $1.runs } <= 4)
  }

  @Test func mattesDoNotDependOnTheOrderOfFaces() throws {
    let film = try film(PersonFilm.rows, .sky)
    let usual = try play(film, frames: 4)
    let turned = try play(film, frames: 4) { $0 % 2 == 1 ? $1.reversed() : $1 }
    for (a, b) in zip(usual, turned) { #expect(a.matte == b.matte) }
  }

  @Test func aPersonWhoWalksByIsShownWhileTheFaceIsHidden() throws {
    let frames = try play(film(PersonFilm.passing, .sky), frames: 56)
    let first = try #require(frames.firstIndex { $0.faces == 2 })
    #expect(frames[first...].contains { $0.faces == 1 })
    for frame in frames[first...] { #expect(frame.overlap >= 0.87) }
  }

  /// In one region for all the network takes a motorcycle's tank for a part of the suits before it.
  @Test(arguments: PersonFilm.several.map(\.name))
  func peopleSideBySideHaveRegionsOfTheirOwn(name: String) throws {
    let film = try #require(PersonFilm.several.first { $0.name == name })
    let frames = try play(film, frames: 13)
    for frame in frames { #expect(frame.overlap >= (film.room == .garage ? 0.89 : 0.98)) }
  }

  @Test func peopleStayInTheMatteWithoutADetector() throws {
    let film = try #require(PersonFilm.several.first { $0.name == "3 people, garage" })
    let frames = try play(film, frames: 13) { _, _ in nil }
    for frame in frames[5...] { #expect(frame.overlap >= 0.75) }
  }

  @Test func aCloseUpStaysWholeWhenItsFaceIsLost() throws {
    let frames = try play(film(PersonFilm.closeUps, .curtains), frames: 20)
    #expect(frames[19].faces == 0)
    for frame in frames { #expect(frame.overlap >= 0.92) }
  }

  @Test func facesOfAnySizeAndNumberAreNoFault() throws {
    let scene = PersonScene(
      try PersonCutout.load(), .wall, [.init(height: 0.9)], width: 162, height: 90)
    let pipeline = try PersonKeyPipeline(scene.picture().video)
    var random = SplitMix(9)
    func number(_ size: Double) -> Double {
      let special = [0, -1, 1e-9, 15.9, 1e9, .nan, .infinity]
      let index = Int(random.uniform() * 40)
      return index < special.count ? special[index] : size * Double(random.uniform())
    }
    for frame in 0..<120 {
      let faces = (0..<Int(random.uniform() * 70)).map { _ in
        Rectangle(x: number(1), y: number(1), width: number(0.2), height: number(0.3))
      }
      let matte = try pipeline.run(scene.picture(frame: UInt64(frame)), faces: faces).opacity
      #expect(matte.count == 162 * 90)
    }
  }
}
