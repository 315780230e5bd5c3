/// The matte of a `ChromaKeyScene` at twice its size.
///
/// Lengths are in pixels of a picture with 720 rows.
struct ChromaKeySceneMatte {
  let width: Int
  let height: Int
  /// The number of samples per pixel of a picture with 720 rows.
  let unit: Float
  /// The centre of the head.
  let head: SIMD2<Float>
  private(set) var shares: [Float]

  init(width: Int, height: Int, seed: UInt64) {
    self.width = width
    self.height = height
    unit = Float(height) / 720
    head = SIMD2(Float(width) * 0.42, Float(height) * 0.38)
    shares = Array(repeating: 0, count: width * height)
    drawShapes()
    drawHairs(seed: seed)
    // The blur of a lens, with a standard deviation of 0.8 pixels; each pass has a variance of 1/2.
    let passes = Int((2 * (0.8 * unit) * (0.8 * unit)).rounded())
    for _ in 0..<max(passes, 1) { blur() }
  }

  /// The approximate signed distance to an ellipse in samples, accurate near its edge.
  private func signedEllipseDistance(
    _ p: SIMD2<Float>, _ center: SIMD2<Float>, _ radii: SIMD2<Float>
  ) -> Float {
    let q = (p - center) / radii
    return ((q * q).sum().squareRoot() - 1) * radii.min()
  }

  private mutating func drawShapes() {
    let w = Float(width)
    let h = Float(height)
    for (y, x) in product(0..<height, 0..<width) {
      let p = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
      let face = signedEllipseDistance(p, head, SIMD2(120, 160) * unit)
      let body = signedEllipseDistance(p, SIMD2(head.x, h * 1.02), SIMD2(300, 240) * unit)
      var value = min(max(0.5 - min(face, body), 0), 1)
      // The arm: a bar a tenth of the width wide, with a motion blur of 24 pixels to either side.
      if p.y > 0.55 * h, p.y < 0.8 * h {
        let reach = 0.05 * w + 24 * unit - abs(p.x - 0.71 * w)
        value = max(value, min(max(reach / (48 * unit), 0), 1))
      }
      let veil = signedEllipseDistance(p, SIMD2(0.85 * w, 0.3 * h), SIMD2(90, 90) * unit)
      value = max(value, 0.5 * min(max(0.5 - veil, 0), 1))
      shares[y * width + x] = value
    }
  }

  /// Curved strands, 1.2 pixels wide, that start at the upper half of the head.
  private mutating func drawHairs(seed: UInt64) {
    var random = SplitMix(seed)
    for _ in 0..<260 {
      // A random point in a disc gives a direction without libm, whose results differ between
      // machines.
      var heading = SIMD2<Float>.zero
      repeat {
        heading = SIMD2(2 * random.uniform() - 1, -random.uniform())
      } while (heading * heading).sum() > 1 || (heading * heading).sum() < 0.01
      heading /= (heading * heading).sum().squareRoot()
      var place = head + heading * SIMD2(118, 158) * unit
      for _ in 0..<10 {
        heading += SIMD2(random.normal(), random.normal()) * 0.25
        heading /= max((heading * heading).sum().squareRoot(), 0.01)
        let next = place + heading * 6 * unit
        drawSegment(place, next)
        place = next
      }
    }
  }

  private mutating func drawSegment(_ a: SIMD2<Float>, _ b: SIMD2<Float>) {
    let reach = 0.6 * unit + 0.5
    let low = pointwiseMin(a, b) - reach
    let high = pointwiseMax(a, b) + reach
    let ab = b - a
    let length = max((ab * ab).sum(), 1e-6)
    let columns = max(Int(low.x), 0)..<max(0, min(Int(high.x) + 1, width))
    for (y, x) in product(max(Int(low.y), 0)..<max(0, min(Int(high.y) + 1, height)), columns)
    where columns.lowerBound < columns.upperBound {
      let p = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
      let along = min(max(((p - a) * ab).sum() / length, 0), 1)
      let off = p - a - ab * along
      let cover = min(max(reach - (off * off).sum().squareRoot(), 0), 1)
      let index = y * width + x
      shares[index] = max(shares[index], cover)
    }
  }

  /// The filter [1 2 1] / 4 in both directions.
  private mutating func blur() {
    for y in 0..<height {
      let start = y * width
      var before = shares[start]
      for x in 0..<width {
        let here = shares[start + x]
        let after = shares[start + min(x + 1, width - 1)]
        shares[start + x] = (before + 2 * here + after) / 4
        before = here
      }
    }
    var above = Array(shares[0..<width])
    for y in 0..<height {
      let start = y * width
      let below = min(y + 1, height - 1) * width
      for x in 0..<width {
        let here = shares[start + x]
        shares[start + x] = (above[x] + 2 * here + shares[below + x]) / 4
        above[x] = here
      }
    }
  }

  /// The spill at each sample: 1 beside the screen, less by a factor of e every 14 pixels.
  func spillStrength() -> [Float] {
    var near = shares.map { Float($0 <= 0.02 ? 1 : 0) }
    let step: Float = 1 - 1 / (14 * unit)
    let slant: Float = 1 - 1.4142 / (14 * unit)
    func spread(_ index: Int, _ x: Int, _ side: Int, _ line: Int) {
      var most = max(near[index], near[index + line] * step)
      if x > 0 { most = max(most, near[index + line - 1] * slant) }
      if x < width - 1 { most = max(most, near[index + line + 1] * slant) }
      let other = x + side
      if other >= 0, other < width { most = max(most, near[index + side] * step) }
      near[index] = most
    }
    for (y, x) in product(1..<max(height, 1), 0..<width) {
      spread(y * width + x, x, -1, -width)
    }
    for (y, x) in product(
      stride(from: height - 2, through: 0, by: -1), stride(from: width - 1, through: 0, by: -1))
    {
      spread(y * width + x, x, 1, width)
    }
    return near
  }
}
