import Faces
import Glibc
import Pixels
import Support

/// A measured head, rotated about its vertical axis and then nodding, in another frame.
struct TurnedHead {
  /// The mesh, in pixels of the frame; z points away from the camera.
  let points: [Point3]
  private let middle: Point
  private let unit: Double
  private let turn: (cosine: Double, sine: Double)
  private let nod: (cosine: Double, sine: Double)

  /// Rotates `points` of the head `frame` to a yaw and a pitch in degrees, which is positive down.
  ///
  /// Before the rotation the pupils are `unit` pixels apart around `middle`.
  init(
    _ frame: HeadFrame, _ points: [Point3], by yaw: Double, pitch: Double, unit: Double,
    at middle: Point
  ) {
    (self.middle, self.unit) = (middle, unit)
    let turn = (cosine: cos(yaw * .pi / 180), sine: sin(yaw * .pi / 180))
    let nod = (cosine: cos(pitch * .pi / 180), sine: sin(pitch * .pi / 180))
    (self.turn, self.nod) = (turn, nod)
    let scale = unit / frame.unit
    self.points = points.map { point in
      let p = (point - frame.origin) * scale
      let (right, up, forward) = (p.dot(frame.right), p.dot(frame.up), p.dot(frame.forward))
      // Heads rotate about an axis through the neck, and nod about one between the ears.
      let depth = forward + unit
      let high = up + 0.4 * unit
      let (y, z) = (high * nod.cosine - depth * nod.sine, high * nod.sine + depth * nod.cosine)
      return Point3(
        x: middle.x + right * turn.cosine + z * turn.sine, y: middle.y + 0.4 * unit - y,
        z: right * turn.sine - z * turn.cosine)
    }
  }

  /// Draws a bald grey head on a grey background, for the parts that the mesh does not cover.
  func drawSkull(on picture: borrowing Picture) {
    // An ellipsoid behind the face: its semi-axes in pupil distances.
    let (wide, high, deep) = (1.22 * unit, 1.72 * unit, 1.42 * unit)
    // Its middle lies over the axis of nods.
    let lift = 0.52 * unit
    let center = Point(
      x: middle.x + lift * nod.sine * turn.sine, y: middle.y + 0.4 * unit - lift * nod.cosine)
    let across = (wide * turn.cosine * wide * turn.cosine + deep * turn.sine * deep * turn.sine)
      .squareRoot()
    let tall = (high * nod.cosine * high * nod.cosine + deep * nod.sine * deep * nod.sine)
      .squareRoot()
    for y in 0..<picture.height {
      let row = picture.plane(0).row(y)
      for x in 0..<picture.width {
        let (u, v) = ((Double(x) - center.x) / across, (Double(y) - center.y) / tall)
        let rest = 1 - u * u - v * v
        let code = rest > 0 ? 70 + 50 * rest.squareRoot() - 12 * u - 18 * v : 196 - Double(y) * 0.08
        for channel in 0..<3 { row[3 * x + channel] = UInt8(code) }
      }
    }
  }

  /// The face as metadata for the frame.
  func attached(id: UInt32, _ width: Int, _ height: Int) -> AttachedFace {
    let (low, high) = points.map(\.xy).boundingCorners
    return AttachedFace(
      id: id, x: low.x / Double(width), y: low.y / Double(height),
      width: (high.x - low.x) / Double(width), height: (high.y - low.y) / Double(height),
      landmarks: points.flatMap { point in
        [
          Float(point.x / Double(width)), Float(point.y / Double(height)),
          Float(point.z / Double(width)),
        ]
      })
  }
}
