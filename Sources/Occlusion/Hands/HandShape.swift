import Faces
import Pixels

/// The outline of a hand: cones between its joints, the convex hull of its palm, and the beginning of
/// its arm.
///
/// The cones' half widths were fitted to keyed hands of adults.
struct HandShape {
  /// A cone between two points, with a radius at each.
  struct Cone {
    var a, b: SIMD2<Float>
    var radiusA, radiusB: Float
  }

  private static let fingers: [(joints: [Int], radii: [Float])] = [
    ([0, 1, 2, 3, 4], [0.016, 0.015, 0.0125, 0.0105, 0.0085]),
    ([5, 6, 7, 8], [0.0115, 0.0095, 0.0085, 0.0075]),
    ([9, 10, 11, 12], [0.0115, 0.0097, 0.0087, 0.0077]),
    ([13, 14, 15, 16], [0.011, 0.0092, 0.0082, 0.0072]),
    ([17, 18, 19, 20], [0.0105, 0.0082, 0.0073, 0.0063]),
  ]
  private static let palm = [
    (0, 5), (0, 9), (0, 13), (0, 17), (5, 9), (9, 13), (13, 17), (1, 5), (2, 5),
  ]
  private static let palmRadius: Float = 0.0125
  /// The arm's length and its radii at its ends, in metres.
  private static let arm: (length: Float, near: Float, far: Float) = (0.16, 0.026, 0.032)
  private static let hullPoints = [0, 1, 5, 9, 13, 17]

  private(set) var cones: [Cone] = []
  /// The corners of the palm's convex hull, clockwise on the screen.
  private(set) var hull: [SIMD2<Float>] = []
  /// Cells for each metre at the hand.
  private(set) var cellsPerMetre: Float = 1
  private var sorted: [SIMD2<Float>] = []

  /// Sets the shape of a hand in the cells of a crop; keeps its memory.
  mutating func set(_ hand: Hand, _ crop: FaceCrop) {
    cones.removeAll(keepingCapacity: true)
    cellsPerMetre = Float(hand.pixelsPerMetre) / Float(crop.step)
    func point(_ index: Int) -> SIMD2<Float> {
      let cell = crop.cell(hand.points[index])
      return SIMD2(Float(cell.x), Float(cell.y))
    }
    let unit = cellsPerMetre
    for finger in Self.fingers {
      for index in 1..<finger.joints.count {
        cones.append(
          Cone(
            a: point(finger.joints[index - 1]), b: point(finger.joints[index]),
            radiusA: finger.radii[index - 1] * unit, radiusB: finger.radii[index] * unit))
      }
    }
    for (from, to) in Self.palm {
      cones.append(
        Cone(
          a: point(from), b: point(to), radiusA: Self.palmRadius * unit,
          radiusB: Self.palmRadius * unit))
    }
    // The arm goes on from the palm.
    let away = point(0) - (point(9) + point(13)) / 2
    let length = (away * away).sum().squareRoot()
    if length > 1e-3 {
      let direction = away / length
      cones.append(
        Cone(
          a: point(0) + direction * (0.005 * unit),
          b: point(0) + direction * (Self.arm.length * unit), radiusA: Self.arm.near * unit,
          radiusB: Self.arm.far * unit))
    }
    sorted.removeAll(keepingCapacity: true)
    for index in Self.hullPoints { sorted.append(point(index)) }
    setHull()
  }

  /// The depth inside the hull, in metres.
  static let hullDepth: Float = palmRadius

  /// Sets the hull by the monotone chains of Andrew, "Another efficient algorithm for convex hulls in two
  /// dimensions", 1979.
  private mutating func setHull() {
    sorted.sort { ($0.x, $0.y) < ($1.x, $1.y) }
    hull.removeAll(keepingCapacity: true)
    func turn(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>) -> Float {
      (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
    for isBack in [false, true] {
      let start = hull.count
      for number in sorted.indices {
        let next = sorted[isBack ? sorted.count - 1 - number : number]
        while hull.count >= start + 2, turn(hull[hull.count - 2], hull[hull.count - 1], next) <= 0 {
          hull.removeLast()
        }
        hull.append(next)
      }
      hull.removeLast()
    }
  }
}
