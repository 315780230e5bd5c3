import Glibc
import Pixels

/// A capsule whose ends have radii of their own, with a colour that darkens toward its sides.
struct Capsule {
  var a, b: Point
  var radiusA, radiusB: Double
  var color: SIMD3<Float>
  /// How much its sides are darker, 0...1.
  var roundness: Float = 0.35

  /// The distance from the surface, negative inside, and the position across, 0 on the axis and 1 at
  /// the side.
  func distance(_ p: Point) -> (distance: Double, across: Double) {
    let axis = b - a
    let squared = axis.x * axis.x + axis.y * axis.y
    let along = (p.x - a.x) * axis.x + (p.y - a.y) * axis.y
    let t = squared > 1e-9 ? min(max(along / squared, 0), 1) : 0
    let radius = radiusA + (radiusB - radiusA) * t
    let length = (p - (a + axis * t)).length
    return (length - radius, length / max(radius, 1e-9))
  }
}

/// What is drawn before a face in the scenes of which the truth is known.
package enum CoverKind: String, CaseIterable, Sendable {
  /// A forearm with a hand whose fingers bend, of the face's own skin colour.
  case hand
  case mug, microphone
  /// A lock of hair that falls over the forehead and a cheek.
  case hair
}

/// The shapes of a cover at one time, in pixels of the scene; later ones lie before earlier ones.
enum CoverShape {
  /// The shapes for a face at `center`, `size` pixels wide.
  ///
  /// `entry` is 0 while the cover is outside and 1 where it is before the face; `phase`, in radians,
  /// moves it about.
  static func shapes(
    _ kind: CoverKind, center: Point, size: Double, entry: Double, phase: Double,
    skin: SIMD3<Float>, hair: SIMD3<Float>
  ) -> [Capsule] {
    let away = 1 - entry
    func at(_ x: Double, _ y: Double) -> Point {
      Point(x: center.x + x * size, y: center.y + y * size)
    }
    switch kind {
    case .hand:
      let shift = Point(x: 1.5 * away + 0.12 * cos(phase), y: 1.1 * away + 0.1 * sin(phase))
      return hand(wrist: at(0.42 + shift.x, 0.78 + shift.y), size: size, phase: phase, skin: skin)
    case .mug:
      let (x, y) = (0.12 * cos(phase), 0.42 + 1.2 * away + 0.08 * sin(phase))
      let body = SIMD3<Float>(196, 60, 52)
      return [
        Capsule(
          a: at(x + 0.34, y + 0.05), b: at(x + 0.34, y + 0.2), radiusA: 0.13 * size,
          radiusB: 0.13 * size, color: body * 0.9),
        Capsule(
          a: at(x - 0.16, y), b: at(x - 0.16, y + 0.4), radiusA: 0.14 * size,
          radiusB: 0.14 * size, color: body, roundness: 0.2),
        Capsule(
          a: at(x + 0.16, y), b: at(x + 0.16, y + 0.4), radiusA: 0.14 * size,
          radiusB: 0.14 * size, color: body, roundness: 0.2),
        Capsule(
          a: at(x, y), b: at(x, y + 0.4), radiusA: 0.15 * size, radiusB: 0.15 * size, color: body,
          roundness: 0.1),
        Capsule(
          a: at(x - 0.2, y - 0.02), b: at(x + 0.2, y - 0.02), radiusA: 0.03 * size,
          radiusB: 0.03 * size, color: SIMD3(236, 232, 220)),
      ]
    case .microphone:
      let (x, y) = (-0.05 + 0.1 * cos(phase), 0.34 + 1.1 * away + 0.06 * sin(phase))
      return [
        Capsule(
          a: at(x - 0.3, y + 0.9), b: at(x, y + 0.1), radiusA: 0.09 * size, radiusB: 0.08 * size,
          color: SIMD3(34, 34, 38)),
        Capsule(
          a: at(x, y), b: at(x + 0.02, y - 0.03), radiusA: 0.19 * size, radiusB: 0.19 * size,
          color: SIMD3(118, 120, 126), roundness: 0.6),
      ]
    case .hair:
      var strands: [Capsule] = []
      for number in 0..<14 {
        let part = Double(number) / 13
        let sway = 0.05 * sin(phase + 2 * part)
        let end = entry * (0.7 + 0.25 * sin(7 * part))
        var last = at(-0.12 + 0.1 * part, -0.85)
        for step in 1...6 {
          let t = Double(step) / 6 * end
          let next = at(
            -0.12 + 0.1 * part + 0.3 * t * t * (0.6 + part * 0.5) + sway * t, -0.85 + 1.35 * t)
          strands.append(
            Capsule(
              a: last, b: next, radiusA: 0.022 * size, radiusB: 0.02 * size,
              color: hair * Float(0.8 + 0.4 * abs(sin(9 * part)))))
          last = next
        }
      }
      return strands
    }
  }

  /// A forearm, a palm and fingers, seen from the back of the hand.
  private static func hand(
    wrist: Point, size: Double, phase: Double, skin: SIMD3<Float>
  ) -> [Capsule] {
    // Toward the upper left, as an arm that comes from the right.
    let up = Point(x: -0.62, y: -0.78)
    let right = Point(x: -up.y, y: up.x)
    let unit = 0.95 * size
    func at(_ across: Double, _ along: Double) -> Point {
      wrist + right * (across * unit) + up * (along * unit)
    }
    func capsule(
      _ a: Point, _ b: Point, _ radiusA: Double, _ radiusB: Double, _ shade: Float = 1
    ) -> Capsule {
      Capsule(
        a: a, b: b, radiusA: radiusA * unit, radiusB: radiusB * unit, color: skin * shade)
    }
    var shapes = [
      capsule(at(0.02, -1.4), at(0, 0), 0.2, 0.15, 0.96),
      capsule(at(-0.1, 0.06), at(-0.13, 0.42), 0.13, 0.12),
      capsule(at(0.1, 0.06), at(0.13, 0.42), 0.13, 0.12),
      capsule(at(0, 0.06), at(0, 0.42), 0.16, 0.15, 1.02),
    ]
    for finger in 0..<4 {
      let bend = 0.5 + 0.45 * sin(phase * 1.3 + Double(finger))
      let length = [0.36, 0.42, 0.4, 0.31][finger]
      var joint = at(-0.19 + 0.125 * Double(finger), 0.5)
      var angle = -0.16 + 0.1 * Double(finger)
      var radius = 0.062
      for (index, part) in [0.46, 0.32, 0.22].enumerated() {
        // A finger that bends toward the face is seen shorter.
        let shown = length * part * (1 - 0.45 * bend * Double(index) / 2)
        let next =
          joint + right * (sin(angle) * shown * unit) + up * (cos(angle) * shown * unit)
        shapes.append(capsule(joint, next, radius, radius * 0.92, 1.03 - 0.05 * Float(index)))
        (joint, radius) = (next, radius * 0.92)
        angle += 0.05
      }
    }
    let knuckle = at(-0.3, 0.32 + 0.03 * sin(phase))
    shapes.append(capsule(at(-0.14, 0.12), knuckle, 0.09, 0.07))
    shapes.append(capsule(knuckle, at(-0.36, 0.5 + 0.03 * sin(phase)), 0.068, 0.056, 1.03))
    return shapes
  }
}
