/// Scenes with known alpha: one person over each background.
package struct PersonCase: Sendable {
  package enum Room: Sendable {
    case drawn(DrawnRoom)
    case real(RealRoom)
  }

  package let name: String
  package let room: Room
  package let pose: PersonScene.Pose
  /// Thin strands drawn round her head.
  package var hairs = 0

  package func scene(_ cutout: PersonCutout) throws -> PersonScene {
    switch room {
    case .drawn(let room): PersonScene(cutout, room, [pose], hairs: hairs)
    case .real(let room): PersonScene(cutout, try room.load(), [pose], hairs: hairs)
    }
  }

  /// Drawn rooms; the person has 85 to 110 % of the picture's height: 17 cases, a third of them
  /// with hair.
  package static let large = DrawnRoom.allCases.flatMap { room in
    large(.drawn(room), "\(room)", room.rawValue).prefix(room == .wall ? 2 : 3)
  }

  /// The same before real pictures: 18 cases.
  package static let largeBeforePictures = RealRoom.allCases.flatMap { room in
    large(.real(room), "\(room)", room.rawValue)
  }

  private static func large(_ room: Room, _ name: String, _ number: Int) -> [PersonCase] {
    let poses: [PersonScene.Pose] = [
      .init(height: 0.85, center: 0.5), .init(height: 0.95, center: 0.38, isMirrored: true),
      .init(height: 1.1, center: 0.6, bottom: 1.2),
    ]
    return poses.enumerated().map { index, pose in
      PersonCase(
        name: "\(name) \(index)", room: room, pose: pose,
        hairs: (number + index) % 3 == 0 ? 220 : 0)
    }
  }

  /// Drawn rooms; the person has 40 to 45 % of the picture's height.
  package static let small: [PersonCase] = zip(
    [DrawnRoom.study, .garage, .bricks, .night], smallPoses
  ).map { room, pose in
    PersonCase(name: "small, \(room)", room: .drawn(room), pose: pose)
  }

  /// The same before real pictures; each case has the next of the four poses.
  package static let smallBeforePictures: [PersonCase] = RealRoom.allCases.map { room in
    PersonCase(
      name: "small, \(room)", room: .real(room), pose: smallPoses[room.rawValue % smallPoses.count])
  }

  private static let smallPoses: [PersonScene.Pose] = [
    .init(height: 0.42, center: 0.3), .init(height: 0.45, center: 0.65),
    .init(height: 0.4, center: 0.5, isMirrored: true), .init(height: 0.43, center: 0.75),
  ]
}
