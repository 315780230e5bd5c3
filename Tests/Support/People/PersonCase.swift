/// Scenes of which the truth is known: one person in front of every room.
package struct PersonCase: Sendable {
  package let name: String
  package let room: DrawnRoom
  package let pose: PersonScene.Pose
  /// Thin strands drawn round her head.
  package var hairs = 0

  package func scene(_ cutout: PersonCutout) -> PersonScene {
    PersonScene(cutout, room, [pose], hairs: hairs)
  }

  /// The person 85 to 110 % of the picture's height.
  package static let large: [PersonCase] = {
    let poses: [PersonScene.Pose] = [
      .init(height: 0.85, center: 0.5), .init(height: 0.95, center: 0.38, isMirrored: true),
      .init(height: 1.1, center: 0.6, bottom: 1.2),
    ]
    return DrawnRoom.allCases.flatMap { room in
      poses.enumerated().compactMap { index, pose in
        // 17, a third of them with hair.
        room == .wall && index == 2
          ? nil
          : PersonCase(
            name: "\(room) \(index)", room: room, pose: pose,
            hairs: (room.rawValue + index) % 3 == 0 ? 220 : 0)
      }
    }
  }()

  /// The person 40 to 45 % of it.
  package static let small: [PersonCase] = [
    PersonCase(name: "small, study", room: .study, pose: .init(height: 0.42, center: 0.3)),
    PersonCase(name: "small, garage", room: .garage, pose: .init(height: 0.45, center: 0.65)),
    PersonCase(
      name: "small, bricks", room: .bricks,
      pose: .init(height: 0.4, center: 0.5, isMirrored: true)),
    PersonCase(name: "small, night", room: .night, pose: .init(height: 0.43, center: 0.75)),
  ]
}
