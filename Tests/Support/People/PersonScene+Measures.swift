import Glibc

/// The errors of a matte.
extension PersonScene {
  package struct Measures: Sendable {
    package init() {}

    /// The intersection over union at an alpha of one half, in percent.
    package var iou = 0.0
    /// The boundary F-score: the harmonic mean of the fractions of either boundary near the other
    /// one, in percent.
    package var boundary = 0.0
    /// Mean error in percent: everywhere, and within 10 pixels of the true edge.
    package var sad = 0.0
    package var edgeSad = 0.0
    /// Squared difference of the lengths of the gradients (Rhemann and others, 2009), mean x 10^4.
    package var gradient = 0.0
    /// Decibels of the composite over (90, 150, 120): everywhere, and near the edge.
    package var psnr = 0.0
    package var edgePsnr = 0.0
  }

  /// Compares a matte, 0...1 for each pixel, and its composite over (90, 150, 120), with the truth.
  package func measures(_ matte: [Float], _ composite: [SIMD3<Float>]?) -> Measures {
    var result = Measures()
    let truth = alpha
    var (common, either) = (0, 0)
    for index in matte.indices {
      let (a, b) = (matte[index] > 0.5, truth[index] > 0.5)
      common += a && b ? 1 : 0
      either += a || b ? 1 : 0
    }
    result.iou = 100 * Double(common) / Double(max(either, 1))
    let trueEdge = boundaryMask(truth)
    let foundEdge = boundaryMask(matte)
    let near = dilated(trueEdge, 10)
    result.boundary = boundaryFScore(foundEdge, trueEdge, tolerance: 6)
    let behind = SIMD3<Float>(90, 150, 120)
    var (all, edge, squares, edgeSquares, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in matte.indices {
      let error = Double(abs(matte[index] - truth[index]))
      all += error
      var square = 0.0
      if let composite {
        let wanted = subject[index] + behind * (1 - truth[index])
        let off = composite[index] - wanted
        square = Double((off * off).sum()) / 3
        squares += square
      }
      guard near[index] else { continue }
      edge += error
      edgeSquares += square
      count += 1
    }
    let area = Double(matte.count)
    result.sad = 100 * all / area
    result.edgeSad = 100 * edge / max(count, 1)
    result.psnr = 10 * log10(65025 / max(squares / area, 1e-9))
    result.edgePsnr = 10 * log10(65025 / max(edgeSquares / max(count, 1), 1e-9))
    let (g, h) = (gradientMagnitude(matte), gradientMagnitude(truth))
    var sum = 0.0
    for index in g.indices {
      let d = Double(g[index] - h[index])
      sum += d * d
    }
    result.gradient = 1e4 * sum / area
    return result
  }

  /// 100 times the root of the mean squared error of the change from one frame to the next.
  package static func flicker(
    _ mattes: ([Float], [Float]), _ truths: ([Float], [Float])
  ) -> Double {
    var sum = 0.0
    for index in mattes.0.indices {
      let d = Double(
        (mattes.1[index] - mattes.0[index]) - (truths.1[index] - truths.0[index]))
      sum += d * d
    }
    return 100 * (sum / Double(mattes.0.count)).squareRoot()
  }

  /// Pixels of a person next to one that is not.
  private func boundaryMask(_ matte: [Float]) -> [Bool] {
    var result = [Bool](repeating: false, count: matte.count)
    for (y, x) in product(0..<height, 0..<width) where matte[y * width + x] > 0.5 {
      let index = y * width + x
      result[index] =
        (x > 0 && matte[index - 1] <= 0.5) || (x < width - 1 && matte[index + 1] <= 0.5)
        || (y > 0 && matte[index - width] <= 0.5)
        || (y < height - 1 && matte[index + width] <= 0.5)
    }
    return result
  }

  /// Pixels at most `radius` rows and columns from one that is set.
  private func dilated(_ set: [Bool], _ radius: Int) -> [Bool] {
    var across = set
    var result = set
    for (y, x) in product(0..<height, 0..<width) where set[y * width + x] {
      for u in max(x - radius, 0)...min(x + radius, width - 1) { across[y * width + u] = true }
    }
    for (y, x) in product(0..<height, 0..<width) where across[y * width + x] {
      for v in max(y - radius, 0)...min(y + radius, height - 1) { result[v * width + x] = true }
    }
    return result
  }

  private func boundaryFScore(_ a: [Bool], _ b: [Bool], tolerance: Int) -> Double {
    let (nearA, nearB) = (dilated(a, tolerance), dilated(b, tolerance))
    var (inA, hitA, inB, hitB) = (0.0, 0.0, 0.0, 0.0)
    for index in a.indices {
      if a[index] {
        inA += 1
        hitA += nearB[index] ? 1 : 0
      }
      if b[index] {
        inB += 1
        hitB += nearA[index] ? 1 : 0
      }
    }
    let (precision, recall) = (hitA / max(inA, 1), hitB / max(inB, 1))
    return precision + recall > 0 ? 200 * precision * recall / (precision + recall) : 0
  }

  /// The length of the gradient (Sobel / 8) of the matte after a Gaussian blur of 1.4 pixels.
  private func gradientMagnitude(_ matte: [Float]) -> [Float] {
    let taps: [Float] = (-4...4).map { Float(exp(-Double($0 * $0) / (2 * 1.4 * 1.4))) }
    let total = taps.reduce(0, +)
    var across = matte
    var soft = matte
    for (y, x) in product(0..<height, 0..<width) {
      var sum: Float = 0
      for (tap, weight) in taps.enumerated() {
        sum += weight * matte[y * width + max(0, min(x + tap - 4, width - 1))]
      }
      across[y * width + x] = sum / total
    }
    for (y, x) in product(0..<height, 0..<width) {
      var sum: Float = 0
      for (tap, weight) in taps.enumerated() {
        sum += weight * across[max(0, min(y + tap - 4, height - 1)) * width + x]
      }
      soft[y * width + x] = sum / total
    }
    var result = matte
    for (y, x) in product(0..<height, 0..<width) {
      func at(_ dx: Int, _ dy: Int) -> Float {
        soft[max(0, min(y + dy, height - 1)) * width + max(0, min(x + dx, width - 1))]
      }
      let gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
      let gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
      result[y * width + x] = (gx * gx + gy * gy).squareRoot() / 8
    }
    return result
  }
}
