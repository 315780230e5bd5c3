package import Faces
package import Pixels

extension HeadFrame {
  /// Point `index` of Apple Vision's 76, in pixels of the frame; nil for other indices.
  package func visionPoint(_ index: Int) -> Point? {
    guard VisionPoints.mesh.indices.contains(index) else { return nil }
    switch index {
    case VisionPoints.leftPupil: return point(.leftEye)
    case VisionPoints.rightPupil: return point(.rightEye)
    default:
      let (x, y) = VisionPoints.averagePosition(index)
      return meshPoint(VisionPoints.mesh[index]) ?? project(x, y, 0)
    }
  }
}

/// Apple Vision's 76 face points, as version 1 packs number them, as points of the face mesh.
///
/// The mapping was found by detecting the mesh in published pictures of the numbered points; brow
/// ends and the spacing of the contour are the least certain.
enum VisionPoints {
  static let leftPupil = 6
  static let rightPupil = 13

  /// The mesh point of each; pupils are special cases.
  static let mesh = [
    // Eyes, from the outer corner: corners, lower lid, upper lid, pupil.
    33, 133, 144, 153, 159, 157, 159, 263, 362, 373, 380, 386, 384, 386,
    // Brows: lower edge inward, upper edge outward.
    46, 52, 55, 107, 105, 70, 276, 282, 285, 336, 334, 300,
    // Outer lips from the left corner over the top to the right, and back below.
    61, 40, 39, 37, 0, 267, 269, 270, 291, 321, 405, 17, 181, 91,
    // Inner lips: centres, upper, lower.
    13, 14, 81, 311, 178, 402,
    // Nose: ridge, tip, base from the right, sides, wings.
    168, 197, 5, 1, 327, 326, 2, 97, 98, 429, 209, 438, 218,
    // Contour from the right temple by the chin to the left one.
    356, 454, 361, 288, 397, 365, 378, 400, 152, 176, 149, 136, 172, 58, 132, 234, 127,
  ]

  /// The position of a point on an average face, in pupil distances to the right of and above the
  /// point between the pupils; `index` must be valid in `mesh`.
  static func averagePosition(_ index: Int) -> (x: Double, y: Double) {
    if let position = half[index] { return position }
    guard let (x, y) = half[mirrored(index)] else { return (0, 0) }
    return (-x, y)
  }

  /// The point that `index` becomes in a mirror.
  private static func mirrored(_ index: Int) -> Int {
    switch index {
    case 7...13: index - 7
    case 20...25: index - 6
    case 31...34: 60 - index
    case 35...36: 74 - index
    case 43, 45: index - 1
    case 50: 54
    case 51: 53
    case 55, 57: index + 1
    case 59...66: 134 - index
    default: index
    }
  }

  /// The points of the left half and the middle.
  private static let half: [Int: (x: Double, y: Double)] = [
    0: (-0.74, 0), 1: (-0.27, -0.02), 2: (-0.6, -0.06), 3: (-0.42, -0.07), 4: (-0.56, 0.09),
    5: (-0.42, 0.08), 6: (-0.5, 0), 14: (-0.85, 0.22), 15: (-0.52, 0.3), 16: (-0.2, 0.22),
    17: (-0.16, 0.32), 18: (-0.5, 0.42), 19: (-0.9, 0.3), 26: (-0.48, -1), 27: (-0.32, -0.92),
    28: (-0.18, -0.86), 29: (-0.07, -0.83), 30: (0, -0.86), 37: (0, -1.2), 38: (-0.18, -1.18),
    39: (-0.34, -1.1), 40: (0, -0.95), 41: (0, -1.01), 42: (-0.2, -0.96), 44: (-0.2, -1.03),
    46: (0, 0.03), 47: (0, -0.25), 48: (0, -0.42), 49: (0, -0.64), 52: (0, -0.74),
    53: (-0.12, -0.74), 54: (-0.26, -0.7), 56: (-0.28, -0.44), 58: (-0.22, -0.6),
    67: (0, -1.7), 68: (-0.2, -1.68), 69: (-0.4, -1.63), 70: (-0.6, -1.5), 71: (-0.8, -1.3),
    72: (-1, -0.95), 73: (-1.08, -0.6), 74: (-1.13, -0.15), 75: (-1.13, 0.1),
  ]
}
