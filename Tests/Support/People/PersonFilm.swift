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
      try playSprites([standing(heads[head % heads.count])], ground, numbers, body)
    case .rows: try playSprites(twoRows(heads), ground, numbers, body)
    case .swaying, .closeUp, .talking:
      for number in numbers { try body(number, frame(number, cutout, ground)) }
    }
  }

  // MARK: The person of the test photograph

  private func frame(_ number: Int, _ cutout: PersonCutout, _ ground: RoomPicture) -> Frame {
    let phase = Float(number) / 24 * 2 * .pi
    var pose = PersonScene.Pose()
    var hasFace = true
    switch subject {
    case .swaying(let height, let reach):
      pose = .init(
        height: height, center: 0.5 + reach * Float(sin(Double(phase))),
        angle: 40 * reach * Float(sin(Double(phase))))
    case .closeUp:
      let turn = max(0, min(Float(number - 4) / 12, 1))
      pose = .init(height: 2.1, center: 0.5 - 0.1 * turn, bottom: 2.16, angle: 12 * turn)
      hasFace = number < 8
    default:
      pose = .init(
        height: 0.88, center: 0.5 + 0.002 * Float(sin(Double(phase))),
        angle: 0.7 * Float(sin(Double(phase) * 0.7)))
    }
    let size = (Self.width, Self.height)
    let scene = PersonScene(cutout, ground, [pose], width: size.0, height: size.1)
    let face = pose.face(aspect: Float(size.0) / Float(size.1))
    return Frame(
      picture: scene.picture(frame: UInt64(number)), alpha: scene.alpha,
      faces: hasFace ? [face] : [])
  }

  // MARK: Real heads on drawn bodies

  private func standing(_ head: PortraitHead) -> PlacedPerson {
    let wide = 33 * head.face.width / head.face.height
    return place(head, width: wide, x: 0.46, y: 0.16, isMirrored: false)
  }

  private func twoRows(_ heads: [PortraitHead]) -> [PlacedPerson] {
    let back = (0..<4).map {
      place(heads[$0], width: 19, x: 0.2 + 0.2 * Double($0), y: 0.2, isMirrored: $0 % 2 == 1)
    }
    let front = (0..<5).map {
      place(
        heads[5 + $0], width: 30, x: 0.1 + 0.2 * Double($0), y: 0.42, isMirrored: $0 % 2 == 0)
    }
    return back + front
  }

  private func place(
    _ head: PortraitHead, width: Double, x: Double, y: Double, isMirrored: Bool
  ) -> PlacedPerson {
    var look = PersonSprite.Look()
    look.isMirrored = isMirrored
    return PlacedPerson(
      PersonSprite(head, width: width, rows: Double(Self.height), look: look),
      at: Point(x: x * Double(Self.width), y: y * Double(Self.height)))
  }

  private func playSprites(
    _ people: [PlacedPerson], _ room: RoomPicture, _ numbers: Range<Int>,
    _ body: (Int, Frame) throws -> Void
  ) throws {
    let (width, height) = (Self.width, Self.height)
    let still = room.filled(width: width, height: height)
    let faces = still.withPicture { PlacedPerson.draw(people, on: $0) }.map {
      $0.box.scaled(x: 1 / Double(width), y: 1 / Double(height))
    }
    let alpha = product(0..<height, 0..<width).map { y, x in
      1
        - people.reduce(Float(1)) {
          $0 * (1 - $1.alpha(Double(x) + 0.5, Double(y) + 0.5))
        }
    }
    let colors = still.withPicture { picture in
      (0..<height).flatMap { y in
        let row = picture.plane(0).row(y)
        return (0..<width).map { x in
          SIMD3(Float(row[3 * x]), Float(row[3 * x + 1]), Float(row[3 * x + 2]))
        }
      }
    }
    for number in numbers {
      var random = SplitMix(77 &+ UInt64(number))
      let seen = colors.map {
        $0 + SIMD3(random.normal(), random.normal(), random.normal()) * 2
      }
      let picture = OwnedPicture(
        VideoFormat(
          format: .nv12, width: width, height: height, colorimetry: .bt709, chromaSite: .mpeg2))
      picture.encode(seen)
      try body(number, Frame(picture: picture, alpha: alpha, faces: faces))
    }
  }
}
