import Glibc
import Pixels

/// Filters the jitter of the points of one face or hand, and keeps their motion.
///
/// It applies the One Euro filter twice (Casiez, Roussel, Vogel, "1 Euro filter: a simple
/// speed-based low-pass filter for noisy input in interactive systems", CHI 2012). First the
/// smoothed points are moved by the common motion of all points, ``SimilarityMotion``, which is
/// estimated from 468 points and is less noisy than one of them. Then each point approaches its
/// measurement. Both steps have a higher cut-off the faster the face, and the point on it, move.
/// Speeds are in face sizes a second, so that near and far faces are filtered alike.
struct PointSmoother {
  /// The cut-off of the filters of the points' speeds and of the face's speed, in Hz.
  private static let speedCutoff = 1.0
  private static let faceSpeedCutoff = 3.0

  private var smoothed: [Point3] = []
  private var raw: [Point3] = []
  private var speeds: [Point] = []
  private var faceSpeed = SimilarityMotion.Speed.zero

  /// Drops the state: the next points are returned unchanged.
  mutating func reset() { smoothed.removeAll(keepingCapacity: true) }

  /// Smooths `points` in place, `seconds` after the last ones, on a face of `size` pixels.
  ///
  /// `amount` is 0 for raw points and 1 for the smoothest. A different number of points, or a time
  /// that is not positive, restarts the filter.
  mutating func smooth(_ points: inout [Point3], size: Double, seconds: Double, amount: Double) {
    guard amount > 0, size > 1e-6, size.isFinite else {
      reset()
      return
    }
    guard smoothed.count == points.count, seconds > 0, seconds.isFinite else {
      smoothed = points
      raw = points
      speeds = Array(repeating: Point.zero, count: points.count)
      faceSpeed = .zero
      return
    }
    let k = (1 - min(amount, 0.98)) / min(amount, 0.98)
    let perSpeed = 1 / (size * seconds)
    let speedWeight = Self.weight(Self.speedCutoff, seconds)
    let motion = SimilarityMotion(from: raw, to: points)
    faceSpeed.approach(
      motion.speed(size: size, seconds: seconds), by: Self.weight(Self.faceSpeedCutoff, seconds))
    let speed = max(0, faceSpeed.length - Self.faceSpeedNoise)
    let predictionWeight = Self.weight(
      (Self.restCutoff + Self.predictionFactor * speed) * k, seconds)
    let base = (Self.restCutoff + Self.faceSpeedFactor * speed) * k
    for index in points.indices {
      let new = points[index]
      let pointVelocity = (new.xy - motion.moved(raw[index]).xy) * perSpeed
      speeds[index] = speeds[index] + (pointVelocity - speeds[index]) * speedWeight
      let excess = max(0, speeds[index].length - Self.pointSpeedNoise)
      let weight = Self.weight(base + Self.pointSpeedFactor * k * excess, seconds)
      let old = smoothed[index]
      let expected = old + (motion.moved(old) - old) * predictionWeight
      smoothed[index] = expected + (new - expected) * weight
      raw[index] = new
      points[index] = smoothed[index]
    }
  }

  // Tuned on two films against optical flow of the skin (PaintFlowTests): the minimum difference in
  // motion, at two thirds of the lag that a filter without prediction needs for it.

  /// The cut-off for a face at rest at amount 0.5, in Hz.
  private static let restCutoff = 0.5
  /// The cut-offs, in Hz, of the prediction and of the correction for a face that moves its size in
  /// a second.
  private static let predictionFactor = 60.0
  private static let faceSpeedFactor = 14.0
  /// The cut-off, in Hz, for a point that moves a face's size in a second relative to the face.
  private static let pointSpeedFactor = 20.0
  /// The speeds, in face sizes a second, that a face at rest and its points appear to have.
  private static let faceSpeedNoise = 0.02
  private static let pointSpeedNoise = 0.02

  /// The weight of a new value in a first-order low-pass filter.
  private static func weight(_ cutoff: Double, _ seconds: Double) -> Double {
    let turn = 2 * Double.pi * cutoff * seconds
    return turn / (turn + 1)
  }
}
