import Glibc
import Pixels

/// Real heads on drawn bodies.
extension PersonFilm {
  func standing(_ head: PortraitHead) -> PlacedPerson {
    let wide = 33 * head.face.width / head.face.height
    return place(head, width: wide, x: 0.46, y: 0.16, isMirrored: false)
  }

  func twoRows(_ heads: [PortraitHead]) -> [PlacedPerson] {
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

  /// A person in front, and one who stands left of the frame.
  func passing(_ heads: [PortraitHead]) -> (front: PlacedPerson, back: PlacedPerson) {
    (
      place(heads[4], width: 64, x: 0.55, y: 0.4, isMirrored: false),
      place(heads[1], width: 30, x: -0.06, y: 0.3, isMirrored: true)
    )
  }

  /// Lends a still scene as frames with noise.
  func play(
    _ scene: PlacedPeople, _ numbers: Range<Int>, _ body: (Int, Frame) throws -> Void
  ) throws {
    for number in numbers {
      var random = SplitMix(77 &+ UInt64(number))
      let seen = scene.colors.map {
        $0 + SIMD3(random.normal(), random.normal(), random.normal()) * 2
      }
      let picture = OwnedPicture(
        VideoFormat(
          format: .nv12, width: Self.width, height: Self.height, colorimetry: .bt709,
          chromaSite: .mpeg2))
      picture.encode(seen)
      try body(number, Frame(picture: picture, alpha: scene.alpha, faces: scene.faces))
    }
  }

  /// People drawn over a room.
  struct PlacedPeople {
    let colors: [SIMD3<Float>]
    let alpha: [Float]
    let faces: [Rectangle]

    init(_ people: [PlacedPerson], _ room: RoomPicture) {
      let (width, height) = (PersonFilm.width, PersonFilm.height)
      let still = room.filled(width: width, height: height)
      faces = still.withPicture { PlacedPerson.draw(people, on: $0) }.map {
        $0.box.scaled(x: 1 / Double(width), y: 1 / Double(height))
      }
      alpha = product(0..<height, 0..<width).map { y, x in
        1
          - people.reduce(Float(1)) {
            $0 * (1 - $1.alpha(Double(x) + 0.5, Double(y) + 0.5))
          }
      }
      colors = still.withPicture { picture in
        (0..<height).flatMap { y in
          let row = picture.plane(0).row(y)
          return (0..<width).map { x in
            SIMD3(Float(row[3 * x]), Float(row[3 * x + 1]), Float(row[3 * x + 2]))
          }
        }
      }
    }
  }
}
