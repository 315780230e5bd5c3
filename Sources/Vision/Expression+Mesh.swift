package import Faces
import Pixels

extension Mesh {
  /// Height over width of an eye's opening (Soukupova and Cech, "Real-time eye blink detection
  /// using facial landmarks", 2016), of the image's left or right eye.
  package func eyeAspect(isLeft: Bool) -> Double {
    let n = isLeft ? (160, 144, 158, 153, 33, 133) : (385, 380, 387, 373, 362, 263)
    return ratio(
      self[n.0].distance(to: self[n.1]) + self[n.2].distance(to: self[n.3]),
      2 * self[n.4].distance(to: self[n.5]))
  }

  /// Height over width of the opening between the lips.
  package var mouthAspect: Double {
    ratio(self[13].distance(to: self[14]), self[78].distance(to: self[308]))
  }

  /// 0 for closed lips, 1 for a mouth as wide open as in a shout.
  ///
  /// Closed lips measure up to 0.05, shouts over 0.5; a toothy smile stays under 0.5 here.
  package var mouthOpen: Double { clamp((mouthAspect - 0.05) / 0.6) }

  /// 0 for a neutral mouth, 1 for a clear smile: how wide the mouth is and how high its corners
  /// are, in distances between the outer corners of the eyes.
  package var smile: Double {
    let (left, right) = (self[33], self[263])
    let span = left.distance(to: right)
    guard span > 1e-9, span.isFinite else { return 0 }
    let width = self[61].distance(to: self[291]) / span
    let ex = scaled(difference(right, left), 1 / span)
    let axis = difference(self[10], self[152])
    let up = difference(axis, scaled(ex, dot(axis, ex)))
    let length = dot(up, up).squareRoot()
    guard length > 1e-9 else { return 0 }
    let corners = scaled(sum(self[61], self[291]), 0.5)
    let middle = scaled(sum(self[13], self[14]), 0.5)
    let lift = dot(difference(corners, middle), up) / (length * span)
    return clamp(0.5 * (width - 0.57) / 0.15 + 0.5 * lift / 0.05)
  }
}

/// What the eyes of one face look like when they are open: the measure they are compared with.
struct EyeBaseline {
  /// How the measure of openness was made; closed eyes keep more of the mesh's than of the iris
  /// model's.
  enum Source { case lids, mesh }

  /// Height over width of the open eye.
  private(set) var aspect = 0.28
  /// How open the eye was when it was last looked at; nil before that.
  private(set) var openness: Double?

  /// Takes a new measure of the eye.
  ///
  /// What counts as open follows wider eyes within 0.2 s and narrower ones over 5 s, so that a
  /// blink hardly counts.
  mutating func learn(_ measured: Double, _ source: Source, seconds: Double) {
    defer { openness = openness(measured, source) }
    guard measured.isFinite, seconds > 0 else { return }
    let share = seconds / (seconds + (measured > aspect ? 0.2 : 5))
    aspect = max(0.22, min(aspect + share * (measured - aspect), 0.38))
  }

  /// 0 for a shut eye, 1 for an open one; closed is below `Expression.eyeClosed` and open above
  /// `Expression.eyeOpen`.
  func openness(_ measured: Double, _ source: Source) -> Double {
    // 0.70 and 0.82 of the open eye's measure for the iris model, 0.80 and 0.90 for the mesh.
    let (closed, open) = source == .lids ? (0.70, 0.82) : (0.80, 0.90)
    let low = Expression.eyeClosed
    let slope = (Expression.eyeOpen - low) / (open - closed)
    return clamp(low + (measured / aspect - closed) * slope)
  }
}

extension Expression {
  /// Where an eye counts as closed, and as open again.
  package static let eyeClosed = 0.3
  package static let eyeOpen = 0.7
  /// Where a mouth counts as open, and as closed again: 0.35 and 0.28 of its width.
  package static let mouthOpened = 0.5
  package static let mouthClosed = 0.38
  /// Where a smile starts, and where it ends.
  package static let smileStarted = 0.55
  package static let smileFinished = 0.40
}

private func clamp(_ value: Double) -> Double { value.isNaN ? 0 : max(0, min(value, 1)) }
private func ratio(_ a: Double, _ b: Double) -> Double { b > 1e-9 ? a / b : 0 }
private func dot(_ a: Point3, _ b: Point3) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }
private func sum(_ a: Point3, _ b: Point3) -> Point3 {
  Point3(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
}
private func scaled(_ a: Point3, _ k: Double) -> Point3 {
  Point3(x: a.x * k, y: a.y * k, z: a.z * k)
}
private func difference(_ a: Point3, _ b: Point3) -> Point3 {
  Point3(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
}
