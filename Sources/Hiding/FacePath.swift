import Faces
import Glibc
import Pixels

/// Where one face was, is, and will be: what the frames say in which it was seen.
final class FacePath {
  /// The face as it was in a frame in which the detector saw it.
  struct Sight {
    let frame: Int
    /// Seconds.
    let time: Double
    let region: Region
    /// Pixels a second, up to this frame.
    let velocity: Point
  }

  /// Where a face is taken to be in a frame.
  struct Guess {
    var region: Region
    /// Pixels by which that may be wrong.
    var slack: Double
    var cause: HiddenArea.Cause
  }

  /// Memory of the motion, in seconds.
  private static let inertia = 0.1
  /// A head that nobody sees goes on for about so long, in seconds.
  private static let momentum = 0.4
  /// How fast a place becomes uncertain, in face sizes a second; more so where nobody knows yet how
  /// the face moves.
  private static let spread = 0.4, wideSpread = 1.0
  /// The share of a motion that may not have been made, or twice.
  private static let doubt = 0.5
  /// Sights that say how a face moves when it is first seen, in seconds.
  private static let foresight = 0.25
  /// A lost face is held for as many frames, however far apart they are.
  private static let leastHold = 2

  private(set) var id: UInt32 = 0
  private(set) var source = Face.Source.mienFaces
  /// Oldest first.
  private var sights: [Sight] = []
  /// What blocks are made from: the face's size, changed only when it is far off.
  private(set) var size = 0.0

  /// Begins anew, as another face.
  func begin(_ id: UInt32, _ source: Face.Source) {
    (self.id, self.source) = (id, source)
    sights.removeAll(keepingCapacity: true)
    size = 0
  }

  /// The frame in which it was seen last.
  var lastFrame: Int { sights.last?.frame ?? -1 }

  /// Takes the face as it is in the newest frame.
  func see(_ region: Region, frame: Int, time: Double) {
    var velocity = Point.zero
    if let last = sights.last, time > last.time {
      let seconds = time - last.time
      let measured = (region.center - last.region.center) * (1 / seconds)
      let share = sights.count == 1 ? 1 : seconds / (seconds + Self.inertia)
      velocity = last.velocity + (measured - last.velocity) * share
    }
    sights.append(Sight(frame: frame, time: time, region: region, velocity: velocity))
  }

  /// Where it would be in the newest frame.
  func expected(time: Double) -> Region? {
    guard let last = sights.last else { return nil }
    var region = last.region
    region.center = region.center + Self.way(last.velocity, seconds: time - last.time)
    return region
  }

  /// Where it is in a frame, no earlier than any that was asked for before; nil where it is not.
  func guess(frame: Int, time: Double, hold: Double) -> Guess? {
    // What lies before the last sight up to this frame will not be asked for again.
    while sights.count > 1, sights[1].frame <= frame { sights.removeFirst() }
    guard let first = sights.first else { return nil }
    let found = guess(first, frame: frame, time: time, hold: hold)
    let current = (found?.region ?? first.region).size
    if size == 0 || abs(current - size) > 0.2 * size { size = current }
    return found
  }

  private func guess(_ first: Sight, frame: Int, time: Double, hold: Double) -> Guess? {
    if first.frame == frame { return Guess(region: first.region, slack: 0, cause: .seen) }
    if first.frame > frame { return backward(first, time: time) }
    if sights.count > 1 { return between(first, sights[1], time: time) }
    let isHeld = hold > 0 && (time - first.time <= hold || frame - first.frame <= Self.leastHold)
    return isHeld ? forward(first, time: time) : nil
  }

  /// Whether nothing more will come of it once a frame is gone.
  func isOver(frame: Int, time: Double, hold: Double) -> Bool {
    guard sights.count == 1, let last = sights.last else { return sights.isEmpty }
    return last.frame <= frame && time - last.time > hold && frame - last.frame >= Self.leastHold
  }

  /// Scales all places, when frames of another size follow.
  func scale(x: Double, y: Double) {
    for index in sights.indices {
      let old = sights[index]
      var region = old.region
      region.center = region.center.scaled(x: x, y: y)
      // Sides that are turned are scaled by the larger factor.
      region.width *= max(x, y)
      region.height *= max(x, y)
      sights[index] = Sight(
        frame: old.frame, time: old.time, region: region,
        velocity: old.velocity.scaled(x: x, y: y))
    }
    size *= max(x, y)
  }

  // MARK: Guesses

  private func forward(_ sight: Sight, time: Double) -> Guess {
    guessed(sight, velocity: sight.velocity, seconds: time - sight.time, .held)
  }

  /// Before it was seen it came the way it goes.
  private func backward(_ sight: Sight, time: Double) -> Guess {
    var velocity = Point.zero
    var latest = sight
    for other in sights where other.time - sight.time <= Self.foresight { latest = other }
    let seconds = latest.time - sight.time
    let spread = seconds >= Self.foresight / 2 ? Self.spread : Self.wideSpread
    if seconds > 0 { velocity = (latest.region.center - sight.region.center) * (1 / seconds) }
    return guessed(
      sight, velocity: velocity * -1, seconds: sight.time - time, spread: spread, .ahead)
  }

  private func guessed(
    _ sight: Sight, velocity: Point, seconds: Double, spread: Double = spread,
    _ cause: HiddenArea.Cause
  ) -> Guess {
    let seconds = max(0, seconds)
    let way = Self.way(velocity, seconds: seconds)
    var region = sight.region
    region.center = region.center + way
    return Guess(
      region: region,
      slack: spread * sight.region.size * min(seconds, 2) + Self.doubt * way.length,
      cause: cause)
  }

  private func between(_ a: Sight, _ b: Sight, time: Double) -> Guess {
    let whole = b.time - a.time
    let share = whole > 0 ? min(max((time - a.time) / whole, 0), 1) : 0
    func mix(_ a: Double, _ b: Double) -> Double { a + share * (b - a) }
    let turn = remainder(b.region.angle - a.region.angle, 2 * .pi)
    let region = Region(
      center: Point(
        x: mix(a.region.center.x, b.region.center.x), y: mix(a.region.center.y, b.region.center.y)),
      width: mix(a.region.width, b.region.width), height: mix(a.region.height, b.region.height),
      angle: a.region.angle + share * turn)
    let seconds = min(time - a.time, b.time - time)
    return Guess(
      region: region, slack: Self.spread * region.size * min(max(seconds, 0), 2), cause: .between)
  }

  private static func way(_ velocity: Point, seconds: Double) -> Point {
    velocity * (momentum * (1 - exp(-max(0, seconds) / momentum)))
  }
}
