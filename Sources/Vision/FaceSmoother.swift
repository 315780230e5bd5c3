import Glibc
import Pixels

/// Takes the jitter out of one face's points and leaves its motion.
///
/// The One Euro filter (Casiez, Roussel, Vogel, "1 Euro filter: a simple speed-based low-pass
/// filter for noisy input in interactive systems", CHI 2012) twice. What all points do together,
/// ``SimilarityMotion``, is known much better than what one of them does: the smoothed points are taken
/// predictionWeight with it first, the more, the faster it is. Then each comes nearer to where it was measured,
/// the more, the faster the whole face and the point on it move. Speeds are in face sizes a second,
/// so that near and far faces are treated alike.
struct FaceSmoother {
  /// Cut-off of the filters for the speeds of points and of faces, Hz.
  private static let speedCutoff = 1.0
  private static let faceSpeedCutoff = 3.0

  private var smoothed: [Point3] = []
  private var raw: [Point3] = []
  private var speeds: [Point] = []
  private var faceSpeed = SimilarityMotion.Speed.zero

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
      let pointVelocity = (new.flat - motion.moved(raw[index]).flat) * perSpeed
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

  // Measured on two films against optical flow of the skin (PaintFlowTests): the least difference
  // in motion at two thirds of the lag that a filter without `predictionWeight` needs for it.

  /// Hz for a face at rest, at amount 0.5.
  private static let restCutoff = 0.5
  /// Hz for a face that moves its size in a second: of going predictionWeight, of coming nearer.
  private static let predictionFactor = 60.0
  private static let faceSpeedFactor = 14.0
  /// Hz for a point that moves a face's size in a second on its face.
  private static let pointSpeedFactor = 20.0
  /// Speeds, in face sizes a second, that a face at rest, and a point on it, appear to have.
  private static let faceSpeedNoise = 0.02
  private static let pointSpeedNoise = 0.02

  /// The weight of a new value in a low-pass filter's output.
  private static func weight(_ cutoff: Double, _ seconds: Double) -> Double {
    let turn = 2 * Double.pi * cutoff * seconds
    return turn / (turn + 1)
  }
}
