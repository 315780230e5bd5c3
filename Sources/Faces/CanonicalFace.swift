/// The reference face of MediaPipe's head poses: the positions of 33 mesh points on a neutral head,
/// and their weights.
///
/// Positions are vertices of canonical_face_model.obj, weights those of
/// geometry_pipeline_metadata_landmarks.pbtxt (MediaPipe, modules/face_geometry/data). Centimetres;
/// x to the image's right, y up, z toward the camera. The face is symmetric: each pair is given by
/// its point at the image's left.
enum CanonicalFace {
  struct Anchor: Sendable {
    let index: Int
    let position: SIMD3<Double>
    let weight: Double
  }

  static let anchors: [Anchor] = pairs.flatMap { pair in
    let (left, right, weight, x, y, z) = pair
    let first = Anchor(index: left, position: SIMD3(x, y, z), weight: weight)
    guard left != right else { return [first] }
    return [first, Anchor(index: right, position: SIMD3(-x, y, z), weight: weight)]
  }

  private static let pairs: [(Int, Int, Double, Double, Double, Double)] = [
    (4, 4, 0.070909939706326, 0, -0.46317, 7.58658),
    (6, 6, 0.032100144773722, 0, 2.473255, 5.788627),
    (10, 10, 0.008446550928056, 0, 8.261778, 4.481535),
    (33, 263, 0.058724168688059, -4.445859, 2.663991, 3.173422),
    (54, 284, 0.007667080033571, -6.279331, 6.615427, 1.42585),
    (67, 297, 0.009078059345484, -3.523964, 8.005976, 3.729163),
    (117, 346, 0.009791937656701, -5.258659, 0.945811, 2.974312),
    (119, 348, 0.014565368182957, -3.300681, 0.861641, 3.872784),
    (121, 350, 0.018591361120343, -1.820731, 1.467954, 4.224124),
    (127, 356, 0.005197994410992, -7.743095, 2.364999, -2.005167),
    (129, 358, 0.120625205338001, -1.785794, -0.978284, 4.85047),
    (132, 361, 0.005560018587857, -7.270895, -2.890917, -2.252455),
    (133, 362, 0.05328618362546, -1.856432, 2.585245, 3.757904),
    (136, 365, 0.066890455782413, -5.085276, -7.17859, 0.714711),
    (143, 372, 0.014816547743976, -6.407571, 2.236021, 1.560843),
    (147, 376, 0.014262833632529, -6.234883, -1.94443, 1.663542),
    (198, 420, 0.025462191551924, -1.246815, 0.230297, 5.681036),
    (205, 425, 0.047252278774977, -3.832928, -1.537326, 4.137731),
  ]
}
