import Testing

/// LiteRT's outputs for a synthetic input.
struct Reference: CustomTestStringConvertible, Sendable {
  struct Output: Sendable {
    var shape: [Int]
    var sum: Double
    var magnitude: Double
    var samples: [Int: Float]
  }

  var model: String
  var input: [Int]
  /// In the order of the model file.
  var outputs: [Output]

  var testDescription: String { model }

  /// The input: red, green and blue of each pixel together.
  var values: [Float] {
    if model.hasPrefix("selfie") { return silhouette(height: input[1], width: input[2]) }
    return (0..<input.reduce(1, *)).map { scatteredValue($0) }
  }
}

/// Pseudo-random numbers, the same on every machine.
///
/// Value i is `((i * 2654435761 mod 2^32) >> 8) / 2^23 - 1`, exact in a Float.
func scatteredValue(_ index: Int) -> Float {
  let product = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
  return Float(product >> 8) / 8_388_608 - 1
}

/// A dark head and shoulders before a bright wall, which both segmentation models classify as a
/// person; for noise their masks are 0 everywhere.
func silhouette(height: Int, width: Int) -> [Float] {
  var values = [Float](repeating: 0, count: height * width * 3)
  let tall = Double(height)
  let middle = Double(width) / 2
  let person: [Float] = [0.3, 0.35, 0.4]
  let wall: [Float] = [0.8, 0.6, 0.5]
  for y in 0..<height {
    for x in 0..<width {
      let headX = (Double(x) - middle) / (tall * 0.18)
      let headY = (Double(y) - tall * 0.38) / (tall * 0.24)
      let bodyX = (Double(x) - middle) / (tall * 0.45)
      let bodyY = (Double(y) - tall * 1.1) / (tall * 0.5)
      let inside =
        headX * headX + headY * headY < 1 || bodyX * bodyX + bodyY * bodyY < 1
      for channel in 0..<3 {
        values[(y * width + x) * 3 + channel] = inside ? person[channel] : wall[channel]
      }
    }
  }
  return values
}

/// Made with ai-edge-litert 2.3.0 (one thread, its XNNPACK delegate) on x86-64 from the models of
/// the mediapipe 0.10.14 wheel and of face_landmarker.task: every output's sum and sum of magnitudes in double precision, and
/// a few samples.
let references: [Reference] = [
  Reference(
    model: "face_detection_short_range", input: [1, 128, 128, 3],
    outputs: [
      .init(
        shape: [1, 896, 16], sum: 69152.99486504722,
        magnitude: 183134.6562934041,
        samples: [0: 0.65142286, 4778: -0.60420877, 7168: -1.2542168, 14335: -9.052068]),
      .init(
        shape: [1, 896, 1], sum: -4169.843576908112,
        magnitude: 4169.843576908112,
        samples: [0: -4.203249, 298: -3.6959887, 448: -5.045174, 895: -43.67988]),
    ]),
  Reference(
    model: "face_detection_full_range_sparse", input: [1, 192, 192, 3],
    outputs: [
      .init(
        shape: [1, 2304, 16], sum: 56901.89142541841,
        magnitude: 249149.06862888768,
        samples: [0: -5.632747, 12288: -6.4056573, 18432: -7.075707, 36863: 8.604826]),
      .init(
        shape: [1, 2304, 1], sum: -30726.540055513382,
        magnitude: 30726.540055513382,
        samples: [0: -11.03031, 768: -12.164747, 1152: -15.78241, 2303: -177.88255]),
    ]),
  Reference(
    model: "face_landmark", input: [1, 192, 192, 3],
    outputs: [
      .init(
        shape: [1, 1, 1, 1404], sum: 97493.47893691063,
        magnitude: 102082.39872930944,
        samples: [0: 111.98713, 468: 53.756813, 702: 38.708122, 1403: 15.103578]),
      .init(
        shape: [1, 1, 1, 1], sum: -9.615401268005371,
        magnitude: 9.615401268005371,
        samples: [0: -9.615401]),
    ]),
  Reference(
    model: "face_landmarks_detector", input: [1, 256, 256, 3],
    outputs: [
      .init(
        shape: [1, 1, 1, 1434], sum: 121138.52768051624,
        magnitude: 127463.25288304687,
        samples: [0: 105.424255, 478: 112.67324, 717: 98.73712, 1433: 13.168561]),
      .init(
        shape: [1, 1, 1, 1], sum: -10.779104232788086,
        magnitude: 10.779104232788086,
        samples: [0: -10.779104]),
      .init(shape: [1, 1], sum: 0, magnitude: 0, samples: [0: 0]),
    ]),
  Reference(
    model: "iris_landmark", input: [1, 64, 64, 3],
    outputs: [
      .init(
        shape: [1, 213], sum: 4664.688035672996,
        magnitude: 4955.062540279236,
        samples: [0: 24.107023, 71: -0.63106585, 106: 45.77094, 212: -9.4679985]),
      .init(
        shape: [1, 15], sum: 366.02918767929077,
        magnitude: 366.02918767929077,
        samples: [0: 34.055237, 5: 2.8332925, 7: 32.74378, 14: 2.820738]),
    ]),
  Reference(
    model: "selfie_segmentation", input: [1, 256, 256, 3],
    outputs: [
      .init(
        shape: [1, 256, 256, 1], sum: 16283.814634160997,
        magnitude: 16283.814634160997,
        samples: [9848: 0.2786255, 47283: 0.40500763, 52641: 0.51003706, 65521: 0.27085343])
    ]),
  Reference(
    model: "selfie_segmentation_landscape", input: [1, 144, 256, 3],
    outputs: [
      .init(
        shape: [1, 144, 256, 1], sum: 8246.595152799971,
        magnitude: 8246.595152799971,
        samples: [5497: 0.2065064, 17255: 0.18050674, 22131: 0.291624, 36800: 0.47754285])
    ]),
  Reference(
    model: "palm_detection_lite", input: [1, 192, 192, 3],
    outputs: [
      .init(
        shape: [1, 2016, 18], sum: 2429428.8826551125,
        magnitude: 6594570.019751819,
        samples: [0: 3.2903352, 12096: -37.263126, 18144: -18.736368, 36287: 61.061417]),
      .init(
        shape: [1, 2016, 1], sum: -249568.67562389374,
        magnitude: 249568.67562389374,
        samples: [0: -27.717743, 672: -43.077435, 1008: -27.82392, 2015: -50.095955]),
    ]),
  Reference(
    model: "hand_landmark_lite", input: [1, 224, 224, 3],
    outputs: [
      .init(
        shape: [1, 63], sum: 4073.6276665214723,
        magnitude: 4128.5334182496845,
        samples: [0: 121.34738, 21: 108.67564, 31: 77.58644, 62: -0.5613535]),
      .init(
        shape: [1, 1], sum: 0.004937211982905865,
        magnitude: 0.004937211982905865,
        samples: [0: 0.004937212]),
      .init(
        shape: [1, 1], sum: 0.1673251986503601,
        magnitude: 0.1673251986503601,
        samples: [0: 0.1673252]),
      .init(
        shape: [1, 63], sum: -0.3012776979339833,
        magnitude: 0.7598068026454712,
        samples: [0: 0.008071785, 21: -0.0028022714, 31: -0.015613977, 62: -0.0025281585]),
    ]),
  Reference(
    model: "hand_landmarks_detector", input: [1, 224, 224, 3],
    outputs: [
      .init(
        shape: [1, 63], sum: 4422.986950885243,
        magnitude: 4422.986950885243,
        samples: [0: 113.911095, 21: 107.13895, 31: 76.348854, 62: 9.532216]),
      .init(
        shape: [1, 1], sum: 0.005550005938857794,
        magnitude: 0.005550005938857794,
        samples: [0: 0.005550006]),
      .init(
        shape: [1, 1], sum: 0.5154832601547241,
        magnitude: 0.5154832601547241,
        samples: [0: 0.51548326]),
      .init(
        shape: [1, 63], sum: -0.2552407562325243,
        magnitude: 1.1832033130631316,
        samples: [0: 0.0063198563, 21: -0.0007261299, 31: -0.046602797, 62: 0.015329575]),
    ]),
]
