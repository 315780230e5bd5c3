package import Pixels

/// The points of a face's mesh, all coordinates in one unit.
package protocol MeshPoints {
  /// Whether the mesh has the ten points of the irises, 478 in all: it is then measured by another
  /// network, whose lids close further and whose mouth opens wider.
  var hasIrises: Bool { get }
  /// The point with this index in `MeshIndex`.
  subscript(index: Int) -> Point3 { get }
}

extension MeshPoints {
  /// The mean of some of the points.
  package func mean(_ indices: [Int]) -> Point3 {
    var sum = Point3.zero
    for index in indices { sum = sum + self[index] }
    return sum * (1 / Double(max(1, indices.count)))
  }

  /// Unit vectors of the head: to the image's right along the outer corners of the eyes, and
  /// perpendicular to that from the chin up to the hairline; nil for a degenerate mesh.
  package var axes: (right: Point3, up: Point3)? {
    let corners = MeshIndex.outerEyeCorners
    let height = self[MeshIndex.hairline] - self[MeshIndex.chin]
    guard let right = (self[corners.right] - self[corners.left]).unit,
      let up = (height - right * height.dot(right)).unit
    else { return nil }
    return (right, up)
  }

  // MARK: Measures of expression

  /// The aspect ratio of the image's left or right eye.
  package func eyeAspect(isLeft: Bool) -> Double {
    (isLeft ? MeshIndex.leftOpening : MeshIndex.rightOpening).aspectRatio { self[$0] } ?? 0
  }

  /// The aspect ratio of the opening between the lips, as a mesh without irises has it.
  package var mouthAspect: Double {
    let (lips, corners) = (MeshIndex.innerLips, MeshIndex.innerMouthCorners)
    let width = (self[corners.left] - self[corners.right]).length
    guard width > 1e-9 else { return 0 }
    let aspect = (self[lips.upper] - self[lips.lower]).length / width
    // With irises it is 1.1 times that without, less 0.01 (on 1286 frames of films).
    return hasIrises ? (aspect + 0.01) / 1.1 : aspect
  }

  /// 0 for closed lips, 1 for a mouth as wide open as in a shout.
  ///
  /// Closed lips have an aspect ratio of up to 0.05, shouts over 0.5; a toothy smile stays under
  /// 0.5 here.
  package var mouthOpen: Double { clamp01((mouthAspect - 0.05) / 0.6) }

  /// 0 for a neutral mouth, 1 for a clear smile: the width of the mouth and the height of its
  /// corners, relative to the distance between the outer corners of the eyes.
  ///
  /// The height is relative to the upper lip, because a dropping jaw lifts the corners relative to
  /// the middle of the mouth. Parted lips also raise the upper lip: half of the gap is added back,
  /// up to that of smiles on portraits. A shout is not a smile for any shape. The networks draw the mouths
  /// of turned heads nearer to a neutral one, so smiles grow with the yaw: uncorrected, two portraits that
  /// are drawn as turned heads lose a fifth to two thirds of their smiles at 40 degrees, of which the meshes
  /// measure 31.
  package var smile: Double {
    guard let (right, up) = axes else { return 0 }
    let eyes = MeshIndex.outerEyeCorners
    let (lips, mouth) = (MeshIndex.innerLips, MeshIndex.mouthCorners)
    let span = (self[eyes.right] - self[eyes.left]).length
    let width = (self[mouth.left] - self[mouth.right]).length / span
    let corners = (self[mouth.left] + self[mouth.right]) * 0.5
    let gap = (self[lips.upper] - self[lips.lower]).dot(up) / span
    let lift = (corners - self[lips.upper]).dot(up) / span + min(0.5 * gap, 0.05)
    // The square of the sine of the yaw, 1 at 31 degrees.
    let turn = min(right.z * right.z / 0.265, 1.25)
    return clamp01((0.5 * (width - 0.57) / 0.15 + 0.5 * lift / 0.05) * (1 + 0.9 * turn))
      * (1 - clamp01((mouthOpen - 0.5) / 0.3))
  }

  private func clamp01(_ value: Double) -> Double { value.isNaN ? 0 : max(0, min(value, 1)) }
}

/// The mesh of a face in pixels of its frame.
package struct PixelMesh: MeshPoints, Sendable {
  private let landmarks: [Landmark]
  private let width, height: Double

  /// Nil for a face without a full mesh.
  package init?(_ face: Face, width: Int, height: Int) {
    guard face.landmarks.count >= Face.landmarkCount else { return nil }
    landmarks = face.landmarks
    self.width = Double(width)
    self.height = Double(height)
  }

  package var hasIrises: Bool { landmarks.count >= Face.landmarkCountWithIrises }

  package subscript(index: Int) -> Point3 {
    let point = landmarks[index]
    return Point3(
      x: Double(point.x) * width, y: Double(point.y) * height, z: Double(point.z) * width)
  }
}
