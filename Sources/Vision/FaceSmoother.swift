import Glibc
import Pixels

/// Takes the jitter out of one face's points and leaves its motion.
///
/// The One Euro filter (Casiez, Roussel, Vogel, "1 Euro filter: a simple speed-based low-pass
/// filter for noisy input in interactive systems", CHI 2012), one for every point: a point at rest
/// is smoothed much, a fast one hardly. Speeds are in face sizes a second, so that near and far
/// faces are treated alike. Of a point's speed the part it shares with the whole face is known
/// much better than its own; both open the filter, each by its own factor.
struct FaceSmoother {
  /// Cut-off of the filter for speeds, Hz.
  private static let speedCutoff = 1.0

  private var smoothed: [Point3] = []
  private var raw: [Point3] = []
  private var speeds: [Point] = []
  private var drift = Point.zero

  /// Forgets the face: the next points are taken as they are.
  mutating func reset() { smoothed.removeAll(keepingCapacity: true) }

  /// Smooths `points` in place, `seconds` after the last ones, on a face `size` pixels large.
  ///
  /// `amount` is 0 for raw points, 1 for the smoothest. A different number of points, or no time
  /// passed, starts anew.
  mutating func smooth(_ points: inout [Point3], size: Double, seconds: Double, amount: Double) {
    guard amount > 0, size > 1e-6, size.isFinite else {
      reset()
      return
    }
    guard smoothed.count == points.count, seconds > 0, seconds.isFinite else {
      smoothed = points
      raw = points
      speeds = Array(repeating: Point.zero, count: points.count)
      drift = Point.zero
      return
    }
    let k = (1 - min(amount, 0.98)) / min(amount, 0.98)
    let lowest = Self.restCutoff * k
    let perSpeed = 1 / (size * seconds)
    let trust = Self.share(Self.speedCutoff, seconds)
    var shared = Point.zero
    for index in points.indices {
      shared = shared + (points[index] - raw[index]).flat
    }
    shared = shared * (perSpeed / Double(points.count))
    drift = drift + (shared - drift) * Self.share(Self.driftCutoff, seconds)
    let base = lowest + Self.driftFactor * k * drift.length
    for index in points.indices {
      let new = points[index]
      let own = (new - raw[index]).flat * perSpeed - shared
      speeds[index] = speeds[index] + (own - speeds[index]) * trust
      let excess = max(0, speeds[index].length - Self.ownSlack)
      let share = Self.share(base + Self.ownFactor * k * excess, seconds)
      let old = smoothed[index]
      smoothed[index] = old + (new - old) * share
      raw[index] = new
      points[index] = smoothed[index]
    }
  }

  /// Hz for a face at rest, and Hz for a speed of one face size a second, at amount 0.5.
  private static let restCutoff = 0.6
  private static let driftFactor = 20.0
  private static let driftCutoff = 3.0
  private static let ownFactor = 20.0
  /// Speed, in face sizes a second, that a point at rest appears to have.
  private static let ownSlack = 0.02

  /// The share of a new value in a low-pass filter's output.
  private static func share(_ cutoff: Double, _ seconds: Double) -> Double {
    let turn = 2 * Double.pi * cutoff * seconds
    return turn / (turn + 1)
  }
}
