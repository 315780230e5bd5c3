package import Faces
package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Synthetic faces from a few known points of the mesh.
package enum HeadMesh {
  /// Positions on a head, [right, up, out of the face], in pupil distances.
  package static let points: [Int: (Double, Double, Double)] = {
    var all: [Int: (Double, Double, Double)] = [
      10: (0, 0.86, 0.111), 152: (0, -1.72, 0.111), 168: (0, 0.02, 0.25), 5: (0, -0.43, 0.55),
      4: (0, -0.6, 0.75), 13: (0, -0.95, 0.5), 14: (0, -0.96, 0.5), 151: (0, 0.6, 0.4),
      61: (-0.42, -0.98, 0.35), 291: (0.42, -0.98, 0.35), 78: (-0.36, -0.97, 0.36),
      308: (0.36, -0.97, 0.36), 33: (-0.74, 0, 0), 263: (0.74, 0, 0), 133: (-0.26, 0, 0),
      362: (0.26, 0, 0), 209: (-0.28, -0.44, 0.3), 429: (0.28, -0.44, 0.3),
      105: (-0.5, 0.42, 0.2), 334: (0.5, 0.42, 0.2), 55: (-0.18, 0.28, 0.3),
      285: (0.18, 0.28, 0.3), 234: (-1.1, -0.2, -0.8), 454: (1.1, -0.2, -0.8),
      50: (-0.55, -0.5, 0.2), 280: (0.55, -0.5, 0.2),
    ]
    // Open eyes around the pupils: the points of the lids are evenly spaced above and below them.
    for (side, contour) in [
      (-0.5, [7, 163, 144, 145, 153, 154, 155, 246, 161, 160, 159, 158, 157, 173]),
      (0.5, [249, 390, 373, 374, 380, 381, 382, 466, 388, 387, 386, 385, 384, 398]),
    ] {
      for (k, index) in contour.enumerated() {
        let upper = k >= 7
        all[index] = (side, (upper ? 0.07 : -0.07) + 0.0028571428571428, 0.01)
      }
    }
    return all
  }()

  /// A face in a frame of `width` x `height`, with a pupil distance of `unit` pixels around
  /// `middle`, rotated about its own axes (degrees; see `HeadPose`), optionally mirrored.
  package static func make(
    id: UInt32 = 1, middle: Point, unit: Double, roll: Double = 0, yaw: Double = 0,
    pitch: Double = 0, mirrored: Bool = false, width: Int = 1000, height: Int = 800,
    moving moved: [Int: (Double, Double, Double)] = [:]
  ) -> Face {
    var landmarks = Array(repeating: Landmark(x: 0, y: 0, z: 0), count: Face.landmarkCount)
    for (index, place) in points {
      let p = moved[index] ?? place
      let q = turned(p, roll: roll, yaw: yaw, pitch: pitch)
      let x = middle.x + q.0 * unit
      landmarks[index] = Landmark(
        x: Float((mirrored ? Double(width) - x : x) / Double(width)),
        y: Float((middle.y + q.1 * unit) / Double(height)), z: Float(q.2 * unit / Double(width)))
    }
    if mirrored {
      // The mesh's indices follow the sides of the image, so a mirror image swaps them.
      var swapped = landmarks
      for (a, b) in pairs {
        swapped[a] = landmarks[b]
        swapped[b] = landmarks[a]
      }
      landmarks = swapped
    }
    return Face(
      id: id, confidence: 1,
      box: Rectangle(x: 0.2, y: 0.2, width: 0.3, height: 0.4), landmarks: landmarks)
  }

  /// Transforms head coordinates to picture coordinates (x right, y down, z away), in pupil
  /// distances.
  package static func turned(
    _ p: (Double, Double, Double), roll: Double, yaw: Double, pitch: Double
  ) -> (Double, Double, Double) {
    let (r, w, t) = (roll * .pi / 180, yaw * .pi / 180, pitch * .pi / 180)
    // Pitch about the right axis, positive down; then yaw, positive to the right; then roll.
    var (x, y, z) = (p.0, -p.1, -p.2)
    (y, z) = (y * cos(t) - z * sin(t), y * sin(t) + z * cos(t))
    (x, z) = (x * cos(w) - z * sin(w), x * sin(w) + z * cos(w))
    (x, y) = (x * cos(r) - y * sin(r), x * sin(r) + y * cos(r))
    return (x, y, z)
  }

  /// An ellipse of the mesh: the indices of its points in order, its centre, and its semi-axes.
  package typealias Ellipse = (indices: [Int], place: Point, x: Double, y: Double)

  /// The oval, eyes, brows and lips, in face widths from the centre of the face.
  package static let ellipses: [Ellipse] = [
    (MeshIndex.oval, Point(x: 0, y: 0), 0.5, 0.65),
    (MeshIndex.leftEye, Point(x: -0.21, y: -0.12), 0.1, 0.045),
    (MeshIndex.rightEye, Point(x: 0.21, y: -0.12), 0.1, 0.045),
    (MeshIndex.leftBrow, Point(x: -0.21, y: -0.26), 0.13, 0.03),
    (MeshIndex.rightBrow, Point(x: 0.21, y: -0.26), 0.13, 0.03),
    (MeshIndex.lips, Point(x: 0, y: 0.34), 0.19, 0.07),
  ]

  /// A mesh whose points lie on `ellipses`, scaled by `unit` around `center`; all other points are
  /// at `center`.
  package static func points(around center: Point, unit: Point) -> [Point] {
    var points = [Point](repeating: center, count: Face.landmarkCount)
    for ellipse in ellipses {
      for (number, index) in ellipse.indices.enumerated() {
        // Points of the unit circle by its rational parametrisation, which is exact.
        let turn = 4 * Double(number) / Double(ellipse.indices.count)
        let t = turn < 2 ? turn - 1 : turn - 3
        let side = turn < 2 ? 1.0 : -1.0
        let x = side * (1 - t * t) / (1 + t * t)
        let y = side * 2 * t / (1 + t * t)
        points[index] = Point(
          x: center.x + (ellipse.place.x + x * ellipse.x) * unit.x,
          y: center.y + (ellipse.place.y + y * ellipse.y) * unit.y)
      }
    }
    return points
  }

  private static let pairs = [
    (33, 263), (133, 362), (61, 291), (78, 308), (209, 429), (105, 334), (55, 285), (234, 454),
    (50, 280), (7, 249), (163, 390), (144, 373), (145, 374), (153, 380), (154, 381), (155, 382),
    (246, 466), (161, 388), (160, 387), (159, 386), (158, 385), (157, 384), (173, 398),
  ]
}
