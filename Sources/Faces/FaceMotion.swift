public import Pixels

/// The velocity of a face, from the positions of one of its points in successive frames.
@usableFromInline package struct FaceMotion: Sendable {
  /// Time constant of the filter, in seconds: it follows a turn of the head and suppresses noise.
  package static let inertia = 0.15
  /// Positions this many seconds apart say nothing about the velocity.
  private static let maximumInterval = 0.2

  /// Change of the position per second, in the unit of the positions.
  package private(set) var velocity = Point.zero
  private var position: Point?

  @usableFromInline package init() {}

  /// Adds the position of the face, `seconds` after the position before.
  @usableFromInline package mutating func update(_ position: Point, after seconds: Double) {
    defer { self.position = position }
    guard let last = self.position, seconds > 0, seconds < Self.maximumInterval else { return }
    velocity = Self.smoothedVelocity(velocity, displacement: position - last, seconds: seconds)
  }

  /// How far the face moves in so many nanoseconds, at the velocity it has.
  @usableFromInline package func offset(after nanoseconds: Int64) -> Point {
    nanoseconds > 0 ? velocity * (Double(nanoseconds) / 1e9) : .zero
  }

  /// The exponentially smoothed velocity: `velocity` updated by a displacement within `seconds`, over 0.
  package static func smoothedVelocity(
    _ velocity: Point, displacement: Point, seconds: Double, inertia: Double = inertia
  ) -> Point {
    let measured = displacement * (1 / seconds)
    return velocity + (measured - velocity) * (seconds / (seconds + inertia))
  }
}
