import Faces
import Glibc
package import Pixels

/// A hand that is drawn of capsules, seen from the palm, with a forearm: MediaPipe's networks find it, and
/// recognize its gesture.
package struct DrawnHand: Sendable {
  package enum Pose: CaseIterable, Sendable {
    case open, victory, pointing, iLoveYou, fist, thumbUp

    /// Which of the four fingers are stretched, index finger first.
    package var fingers: [Bool] {
      switch self {
      case .open: [true, true, true, true]
      case .victory: [true, true, false, false]
      case .pointing: [true, false, false, false]
      case .iLoveYou: [true, false, false, true]
      case .fist, .thumbUp: [false, false, false, false]
      }
    }

    var hasThumbOut: Bool { self == .open || self == .iLoveYou }

    /// MediaPipe's name.
    package var gesture: String {
      switch self {
      case .open: "Open_Palm"
      case .victory: "Victory"
      case .pointing: "Pointing_Up"
      case .iLoveYou: "ILoveYou"
      case .fist: "Closed_Fist"
      case .thumbUp: "Thumb_Up"
      }
    }
  }

  package var pose: Pose
  /// Where the wrist is, in pixels, and the length from there to the knuckles, twice.
  package var wrist: Point
  package var size: Double
  /// Whether it is a right hand.
  package var isRight: Bool
  /// Clockwise from upright.
  package var degrees = 0.0

  package init(_ pose: Pose, wrist: Point, size: Double, isRight: Bool = false) {
    (self.pose, self.wrist, self.size, self.isRight) = (pose, wrist, size, isRight)
  }

  private static let skin = SIMD3<Float>(196, 150, 124)

  /// A place in the hand's own coordinates: across, from the thumb to the little finger, and along.
  package func place(_ across: Double, _ along: Double) -> Point {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let x = (isRight ? -across : across) * size
    let y = -along * size
    return wrist + Point(x: c * x - s * y, y: s * x + c * y)
  }

  /// The tip of the index finger, if it is stretched.
  package var fingertip: Point { place(-0.19 + Self.reach(0).x, 0.5 + Self.reach(0).y) }

  private static let lengths = [0.40, 0.46, 0.43, 0.34]

  /// The angles of stretched fingers: those of the victory sign are spread.
  private var angles: [Double] {
    pose == .victory ? [-0.3, 0.24, 0, 0] : [-0.14, -0.03, 0.08, 0.22]
  }

  private static func reach(_ finger: Int) -> Point {
    Point(x: sin(-0.14) * lengths[finger], y: cos(-0.14) * lengths[finger])
  }

  /// The capsules, later ones in front of earlier ones.
  var shapes: [Capsule] {
    func capsule(
      _ a: Point, _ b: Point, _ radiusA: Double, _ radiusB: Double, _ shade: Float = 1,
      _ roundness: Float = 0.35
    ) -> Capsule {
      Capsule(
        a: a, b: b, radiusA: radiusA * size, radiusB: radiusB * size, color: Self.skin * shade,
        roundness: roundness)
    }
    var shapes = [
      capsule(place(0.02, -1.4), place(0, 0), 0.2, 0.15, 0.96),
      capsule(place(-0.1, 0.06), place(-0.13, 0.42), 0.13, 0.12),
      capsule(place(0.1, 0.06), place(0.13, 0.42), 0.13, 0.12),
      capsule(place(0, 0.06), place(0, 0.42), 0.16, 0.15, 1.02),
    ]
    for finger in 0..<4 where pose.fingers[finger] {
      var joint = (across: -0.19 + 0.125 * Double(finger), along: 0.5)
      var radius = 0.062
      for (index, part) in [0.46, 0.32, 0.22].enumerated() {
        let length = Self.lengths[finger] * part
        let next = (
          across: joint.across + sin(angles[finger]) * length,
          along: joint.along + cos(angles[finger]) * length
        )
        shapes.append(
          capsule(
            place(joint.across, joint.along), place(next.across, next.along), radius,
            radius * 0.92, 1.03 - 0.03 * Float(index)))
        (joint, radius) = (next, radius * 0.92)
      }
    }
    for finger in 0..<4 where !pose.fingers[finger] {
      // Folded over the palm.
      let x = Double(finger)
      let knuckle = place(-0.18 + 0.12 * x, 0.56)
      let bend = place(-0.17 + 0.115 * x, 0.4)
      shapes.append(capsule(place(-0.19 + 0.125 * x, 0.5), knuckle, 0.062, 0.062, 0.98))
      shapes.append(capsule(knuckle, bend, 0.066, 0.06, 1.06, 0.6))
      shapes.append(capsule(bend, place(-0.165 + 0.112 * x, 0.3), 0.058, 0.055, 0.9, 0.5))
    }
    if pose == .thumbUp {
      // Across the hand: up, if the hand is turned.
      shapes.append(capsule(place(-0.14, 0.12), place(-0.26, 0.34), 0.1, 0.075))
      shapes.append(capsule(place(-0.26, 0.34), place(-0.42, 0.36), 0.07, 0.062, 1.03))
      shapes.append(capsule(place(-0.42, 0.36), place(-0.6, 0.34), 0.06, 0.05, 1.03))
    } else if pose.hasThumbOut {
      shapes.append(capsule(place(-0.14, 0.12), place(-0.3, 0.3), 0.09, 0.07))
      shapes.append(capsule(place(-0.3, 0.3), place(-0.42, 0.48), 0.068, 0.056, 1.03))
    } else {
      shapes.append(capsule(place(-0.14, 0.12), place(-0.2, 0.3), 0.09, 0.07))
      shapes.append(capsule(place(-0.2, 0.3), place(-0.02, 0.36), 0.07, 0.056, 1.08, 0.6))
    }
    return shapes
  }

  /// Draws hands over an RGB picture, with smooth edges.
  package static func draw(_ hands: [DrawnHand], on target: OwnedPicture) {
    precondition(target.video.format == .rgb)
    target.withPicture { picture in
      for shape in hands.flatMap(\.shapes) { draw(shape, on: picture) }
    }
  }

  /// A picture of nothing but hands before a plain wall.
  package static func picture(_ hands: [DrawnHand], width: Int, height: Int) -> OwnedPicture {
    let picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    var random = SplitMix(5)
    picture.withPicture { picture in
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        for x in 0..<3 * width {
          row[x] = nearestByte([92, 104, 120][x % 3] + 2 * random.normal())
        }
      }
    }
    draw(hands, on: picture)
    return picture
  }

  private static func draw(_ shape: Capsule, on picture: borrowing Picture) {
    let reach = max(shape.radiusA, shape.radiusB) + 1
    func range(_ a: Double, _ b: Double, _ limit: Int) -> Range<Int> {
      let low = Int(min(max(min(a, b) - reach, 0), Double(limit)))
      return low..<max(low, Int(min(max(max(a, b) + reach + 1, 0), Double(limit))))
    }
    for y in range(shape.a.y, shape.b.y, picture.height) {
      let row = picture.plane(0).row(y)
      for x in range(shape.a.x, shape.b.x, picture.width) {
        let (distance, across) = shape.distance(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
        let own = Float(min(max(0.5 - distance, 0), 1))
        guard own > 0 else { continue }
        let side = Float(min(across, 1))
        let color = shape.color * (1 - shape.roundness * side * side)
        for channel in 0..<3 {
          let old = Float(row[3 * x + channel])
          row[3 * x + channel] = nearestByte(old + (color[channel] - old) * own)
        }
      }
    }
  }
}
