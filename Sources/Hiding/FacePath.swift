import Faces
import Glibc
import Pixels

/// The observations of one face in a stream, and the positions that they imply in each frame.
final class FacePath {
  /// The face in a frame with a detection.
  struct Observation {
    let frame: Int
    /// Seconds.
    let time: Double
    let region: Region
    /// Factor of the margin.
    let marginScale: Double
    /// Velocity in pixels per second, up to this frame.
    let velocity: Point
  }

  /// The estimated position of the face in a frame.
  struct Estimate {
    var region: Region
    var marginScale: Double
    /// Bound of its error, in pixels.
    var errorBound: Double
    var cause: HiddenArea.Cause
  }

  /// Time constant of the velocity filter, in seconds.
  private static let inertia = 0.1
  /// Time constant in seconds of the decay of a missing face's velocity.
  private static let velocityDecayTime = 0.4
  /// Growth of the error bound, in face sizes per second; the second value is for an unknown
  /// velocity.
  private static let errorGrowth = 0.4, initialErrorGrowth = 1.0
  /// Error bound of an extrapolated displacement, as a fraction of its length.
  private static let extrapolationError = 0.5
  /// Seconds of observations that determine the velocity before the first one.
  private static let initialSpan = 0.25
  /// Minimum number of frames for which a lost face is held.
  private static let minimumHold = 2

  private(set) var id: UInt32 = 0
  /// Oldest first.
  private var observations: [Observation] = []
  /// The face's size in pixels, which scales blocks; updated only when it is 20 % off.
  private(set) var size = 0.0

  /// Resets the path for another face.
  func reset(id: UInt32) {
    self.id = id
    observations.removeAll(keepingCapacity: true)
    size = 0
  }

  /// Adds the face's region in the newest frame, and the factor of its margin.
  func add(_ region: Region, marginScale: Double, frame: Int, time: Double) {
    var velocity = Point.zero
    if let last = observations.last, time > last.time {
      velocity = FaceMotion.smoothedVelocity(
        last.velocity, displacement: region.center - last.region.center, seconds: time - last.time,
        inertia: observations.count == 1 ? 0 : Self.inertia)
    }
    observations.append(
      Observation(
        frame: frame, time: time, region: region, marginScale: marginScale, velocity: velocity))
  }

  /// The predicted region in the newest frame.
  func predicted(time: Double) -> Region? {
    guard let last = observations.last else { return nil }
    var region = last.region
    region.center = region.center + Self.displacement(last.velocity, seconds: time - last.time)
    return region
  }

  /// The estimate for a frame; nil if the face is not in it.
  ///
  /// Frames must be requested in order.
  func estimate(frame: Int, time: Double, hold: Double) -> Estimate? {
    // Observations before the last one up to this frame are no longer needed.
    while observations.count > 1, observations[1].frame <= frame { observations.removeFirst() }
    guard let first = observations.first else { return nil }
    let found = estimate(first, frame: frame, time: time, hold: hold)
    let current = (found?.region ?? first.region).size
    if size == 0 || abs(current - size) > 0.2 * size { size = current }
    return found
  }

  private func estimate(
    _ first: Observation, frame: Int, time: Double, hold: Double
  ) -> Estimate? {
    if first.frame == frame {
      return Estimate(
        region: first.region, marginScale: first.marginScale, errorBound: 0, cause: .seen)
    }
    if first.frame > frame { return backward(first, time: time) }
    if observations.count > 1 { return interpolated(first, observations[1], time: time) }
    let isHeld = hold > 0 && (time - first.time <= hold || frame - first.frame <= Self.minimumHold)
    return isHeld ? forward(first, time: time) : nil
  }

  /// Whether no later frame has an estimate unless the face is detected again.
  func hasEnded(frame: Int, time: Double, hold: Double) -> Bool {
    guard observations.count == 1, let last = observations.last else {
      return observations.isEmpty
    }
    return last.frame <= frame && time - last.time > hold && frame - last.frame >= Self.minimumHold
  }

  /// Scales all observations, for frames of another size.
  func scale(x: Double, y: Double) {
    for index in observations.indices {
      let old = observations[index]
      var region = old.region
      region.center = region.center.scaled(x: x, y: y)
      // The sides of a rotated region are scaled by the larger factor.
      region.width *= max(x, y)
      region.height *= max(x, y)
      observations[index] = Observation(
        frame: old.frame, time: old.time, region: region, marginScale: old.marginScale,
        velocity: old.velocity.scaled(x: x, y: y))
    }
    size *= max(x, y)
  }

  // MARK: Estimates

  private func forward(_ observation: Observation, time: Double) -> Estimate {
    extrapolated(
      observation, velocity: observation.velocity, seconds: time - observation.time, .held)
  }

  /// Extrapolates before the first observation, with the velocity after it.
  private func backward(_ observation: Observation, time: Double) -> Estimate {
    var velocity = Point.zero
    var latest = observation
    for other in observations where other.time - observation.time <= Self.initialSpan {
      latest = other
    }
    let seconds = latest.time - observation.time
    let errorGrowth = seconds >= Self.initialSpan / 2 ? Self.errorGrowth : Self.initialErrorGrowth
    if seconds > 0 { velocity = (latest.region.center - observation.region.center) * (1 / seconds) }
    return extrapolated(
      observation, velocity: velocity * -1, seconds: observation.time - time,
      errorGrowth: errorGrowth, .ahead
    )
  }

  private func extrapolated(
    _ observation: Observation, velocity: Point, seconds: Double, errorGrowth: Double = errorGrowth,
    _ cause: HiddenArea.Cause
  ) -> Estimate {
    let seconds = max(0, seconds)
    let displacement = Self.displacement(velocity, seconds: seconds)
    var region = observation.region
    region.center = region.center + displacement
    return Estimate(
      region: region, marginScale: observation.marginScale,
      errorBound: errorGrowth * observation.region.size * min(seconds, 2) + Self.extrapolationError
        * displacement.length,
      cause: cause)
  }

  private func interpolated(_ a: Observation, _ b: Observation, time: Double) -> Estimate {
    let duration = b.time - a.time
    let fraction = duration > 0 ? min(max((time - a.time) / duration, 0), 1) : 0
    func mix(_ a: Double, _ b: Double) -> Double { a + fraction * (b - a) }
    let turn = remainder(b.region.angle - a.region.angle, 2 * .pi)
    let region = Region(
      center: Point(
        x: mix(a.region.center.x, b.region.center.x), y: mix(a.region.center.y, b.region.center.y)),
      width: mix(a.region.width, b.region.width), height: mix(a.region.height, b.region.height),
      angle: a.region.angle + fraction * turn)
    let seconds = min(time - a.time, b.time - time)
    return Estimate(
      region: region, marginScale: max(a.marginScale, b.marginScale),
      errorBound: Self.errorGrowth * region.size * min(max(seconds, 0), 2), cause: .between)
  }

  /// The integral of a velocity that decays exponentially.
  private static func displacement(_ velocity: Point, seconds: Double) -> Point {
    velocity * (velocityDecayTime * (1 - exp(-max(0, seconds) / velocityDecayTime)))
  }
}
