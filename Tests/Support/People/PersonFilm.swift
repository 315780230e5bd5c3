package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Made films of people whose alpha is known in every frame, at 640x360; the same in every run.
package struct PersonFilm: Sendable {
  /// A frame as a camera would record it.
  package struct Frame {
    package let picture: OwnedPicture
    /// The true alpha, 0...1, by rows.
    package let alpha: [Float]
    /// The boxes of the faces in normalized coordinates.
    package let faces: [Rectangle]
  }

  /// What a film shows.
  package enum Subject: Sendable {
    /// One person from head to foot, who stands still.
    case standing(head: Int)
    /// Four people behind five, all still.
    case rows
    /// One person stands in front; another walks by behind from the left edge on.
    case passing
    /// The person of the test photograph as often as given, side by side and swaying.
    case several(count: Int)
    /// The person of the test photograph, who sways by `reach` of the width once in 24 frames.
    case swaying(height: Float, reach: Float)
    /// Her head fills the frame; it tilts away, and its face is lost after the eighth frame.
    case closeUp
    /// She talks: her head moves by a pixel or two, and her mouth all the time.
    case talking
  }

  package let name: String
  package let subject: Subject
  package let room: RealRoom
  package let frameCount: Int

  package static let (width, height) = (640, 360)

  /// People who stand still, before every real picture; each with another head.
  package static let standing = RealRoom.allCases.map {
    PersonFilm("standing, \($0)", .standing(head: 2 * $0.rawValue), $0, frames: 31)
  }
  package static let rows = [RealRoom.garage, .curtains, .sky].map {
    PersonFilm("two rows, \($0)", .rows, $0, frames: 31)
  }
  package static let passing = [RealRoom.garage, .curtains, .sky].map {
    PersonFilm("passing, \($0)", .passing, $0, frames: 61)
  }
  package static let several = [RealRoom.curtains, .garage].flatMap { room in
    (2...3).map { PersonFilm("\($0) people, \(room)", .several(count: $0), room, frames: 25) }
  }
  package static let moving = [RealRoom.curtains, .garage].flatMap { room in
    [
      PersonFilm("swaying, \(room)", .swaying(height: 0.9, reach: 0.04), room, frames: 25),
      PersonFilm("fast, \(room)", .swaying(height: 0.8, reach: 0.12), room, frames: 25),
    ]
  }
  package static let closeUps = [RealRoom.curtains, .sky].map {
    PersonFilm("close-up, \($0)", .closeUp, $0, frames: 31)
  }
  package static let talking = [RealRoom.curtains, .garage].map {
    PersonFilm("talking, \($0)", .talking, $0, frames: 31)
  }

  private init(_ name: String, _ subject: Subject, _ room: RealRoom, frames: Int) {
    (self.name, self.subject, self.room, frameCount) = (name, subject, room, frames)
  }

  /// Lends each frame in turn, at most `count`.
  package func forEachFrame(
    atMost count: Int = .max, _ cutout: PersonCutout, _ heads: [PortraitHead],
    _ body: (Int, Frame) throws -> Void
  ) throws {
    let ground = try room.load()
    let numbers = 0..<min(count, frameCount)
    switch subject {
    case .standing(let head):
      let people = [standing(heads[head % heads.count])]
      try play(PlacedPeople(people, ground), numbers, body)
    case .rows: try play(PlacedPeople(twoRows(heads), ground), numbers, body)
    case .passing:
      let (front, back) = passing(heads)
      for number in numbers {
        let walker = PlacedPerson(
          back.sprite, at: back.center + Point(x: 8 * Double(number), y: 0))
        try play(PlacedPeople([walker, front], ground), number..<(number + 1), body)
      }
    case .swaying, .closeUp, .talking, .several:
      for number in numbers { try body(number, frame(number, cutout, ground)) }
    }
  }

  // MARK: The person of the test photograph

  private func frame(_ number: Int, _ cutout: PersonCutout, _ ground: RoomPicture) -> Frame {
    let phase = Float(number) / 24 * 2 * .pi
    var poses = [PersonScene.Pose()]
    var hasFace = true
    switch subject {
    case .swaying(let height, let reach):
      poses[0] = .init(
        height: height, center: 0.5 + reach * Float(sin(Double(phase))),
        angle: 40 * reach * Float(sin(Double(phase))))
    case .several(let count):
      poses = (0..<count).map { index in
        let sway = 0.015 * Float(sin(Double(phase + Float(index))))
        return PersonScene.Pose(
          height: 0.62 - 0.06 * Float(index), center: (Float(index) + 0.5) / Float(count) + sway,
          isMirrored: index % 2 == 1, angle: 40 * sway)
      }
    case .closeUp:
      let turn = max(0, min(Float(number - 4) / 12, 1))
      poses[0] = .init(height: 2.1, center: 0.5 - 0.1 * turn, bottom: 2.16, angle: 12 * turn)
      hasFace = number < 8
    default:
      poses[0] = .init(
        height: 0.88, center: 0.5 + 0.002 * Float(sin(Double(phase))),
        angle: 0.7 * Float(sin(Double(phase) * 0.7)))
    }
    let size = (Self.width, Self.height)
    let scene = PersonScene(cutout, ground, poses, width: size.0, height: size.1)
    let faces = poses.map { $0.face(aspect: Float(size.0) / Float(size.1)) }
    return Frame(
      picture: scene.picture(frame: UInt64(number)), alpha: scene.alpha,
      faces: hasFace ? faces : [])
  }
}
