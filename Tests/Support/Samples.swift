package import Pixels

/// One component of a picture as floating-point samples, with the measures that the literature
/// uses.
package struct Samples {
  package let width: Int
  package let height: Int
  package var values: [Float]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = [Float](repeating: 0, count: width * height)
  }

  /// A component with a sample for every pixel.
  package init(_ picture: OwnedPicture, _ component: Int) {
    self.init(width: picture.width, height: picture.height)
    picture.withPicture { picture in
      let source = picture.component(component)
      for y in 0..<height {
        for x in 0..<width { values[y &* width &+ x] = Float(source[x, y]) }
      }
    }
  }

  /// Luma: the first component, or the weighted sum of BT.709 for RGB.
  package static func luma(_ picture: OwnedPicture) -> Samples {
    var result = Samples(picture, 0)
    guard picture.format.family == .rgb else { return result }
    let green = Samples(picture, 1)
    let blue = Samples(picture, 2)
    for index in result.values.indices {
      result.values[index] =
        0.2126 * result.values[index] + 0.7152 * green.values[index]
        + 0.0722 * blue.values[index]
    }
    return result
  }

  /// Synthetic skin texture: Gaussian noise of standard deviation 1 and a width of about 1.2
  /// pixels, identical in every run.
  package static func pores(width: Int, height: Int, seed: UInt64 = 7) -> Samples {
    var random = SplitMix(seed)
    var result = Samples(width: width, height: height)
    for index in result.values.indices {
      // The sum of twelve uniform numbers is nearly normal.
      var sum: Float = -6
      for _ in 0..<12 { sum += random.uniform() }
      result.values[index] = sum
    }
    // Three passes of [1 2 1] / 4 are a low-pass filter with a standard deviation of 1.2.
    for _ in 0..<3 { result = result.binomialFiltered() }
    let deviation = result.deviation(at: Array(result.values.indices))
    for index in result.values.indices { result.values[index] /= deviation }
    return result
  }

  /// Multiplies by `gain` and by 1 + `depth` x `texture`.
  package mutating func scale(by gain: Float, _ texture: Samples, depth: Float) {
    for index in values.indices { values[index] *= gain * (1 + depth * texture.values[index]) }
  }

  /// Writes the rounded and clipped values into a component.
  package func write(to picture: OwnedPicture, _ component: Int) {
    picture.withPicture { picture in
      let target = picture.component(component)
      for y in 0..<height {
        for x in 0..<width {
          target[x, y] = UInt8(max(0, min(255, values[y &* width &+ x].rounded())))
        }
      }
    }
  }

  private subscript(x: Int, y: Int) -> Float {
    values[min(max(y, 0), height - 1) &* width &+ min(max(x, 0), width - 1)]
  }

  private func binomialFiltered() -> Samples {
    var across = self
    var down = self
    for y in 0..<height {
      for x in 0..<width {
        across.values[y &* width &+ x] = (self[x - 1, y] + 2 * self[x, y] + self[x + 1, y]) / 4
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        down.values[y &* width &+ x] =
          (across[x, y - 1] + 2 * across[x, y] + across[x, y + 1]) / 4
      }
    }
    return down
  }

  /// The box mean over 2 `radius` + 1 samples in each direction.
  private func boxBlurred(_ radius: Int) -> Samples {
    var across = self
    var result = self
    let share = 1 / Float(2 * radius + 1)
    for y in 0..<height {
      var sum: Float = 0
      for x in -radius...radius { sum += self[x, y] }
      for x in 0..<width {
        across.values[y &* width &+ x] = sum * share
        sum += self[x + radius + 1, y] - self[x - radius, y]
      }
    }
    for x in 0..<width {
      var sum: Float = 0
      for y in -radius...radius { sum += across[x, y] }
      for y in 0..<height {
        result.values[y &* width &+ x] = sum * share
        sum += across[x, y + radius + 1] - across[x, y - radius]
      }
    }
    return result
  }

  /// The high-pass component: the samples minus their local mean with a standard deviation of about
  /// 4.
  package func texture() -> Samples {
    let mean = boxBlurred(4).boxBlurred(3).boxBlurred(4)
    var result = self
    for index in result.values.indices { result.values[index] -= mean.values[index] }
    return result
  }

  // MARK: Measures over positions, given as indices into `values`

  package func mean(at places: [Int]) -> Float {
    Float(places.reduce(0.0) { $0 + Double(values[$1]) } / Double(max(places.count, 1)))
  }

  /// Root mean square.
  package func deviation(at places: [Int]) -> Float {
    let sum = places.reduce(0.0) { $0 + Double(values[$1] * values[$1]) }
    return Float((sum / Double(max(places.count, 1))).squareRoot())
  }

  /// The root mean square of the difference from other samples.
  package func distance(to other: Samples, at places: [Int]) -> Float {
    let sum = places.reduce(0.0) {
      let difference = Double(values[$1] - other.values[$1])
      return $0 + difference * difference
    }
    return Float((sum / Double(max(places.count, 1))).squareRoot())
  }

  /// The mean length of the gradient; positions on the border are not allowed.
  package func gradient(at places: [Int]) -> Float {
    let sum = places.reduce(0.0) {
      let x = Double(values[$1 + 1] - values[$1 - 1])
      let y = Double(values[$1 + width] - values[$1 - width])
      return $0 + (x * x + y * y).squareRoot()
    }
    return Float(sum / Double(max(places.count, 1)) / 2)
  }

  /// Mean structural similarity over windows of 7 x 7.
  ///
  /// Z. Wang and others, "Image quality assessment: from error visibility to structural
  /// similarity" (2004).
  package func similarity(to other: Samples, at places: [Int]) -> Double {
    func product(_ a: Samples, _ b: Samples) -> Samples {
      var result = a
      for index in result.values.indices { result.values[index] *= b.values[index] }
      return result
    }
    let (ma, mb) = (boxBlurred(3), other.boxBlurred(3))
    let (aa, bb) = (product(self, self).boxBlurred(3), product(other, other).boxBlurred(3))
    let ab = product(self, other).boxBlurred(3)
    // (0.01 x 255)^2 and (0.03 x 255)^2.
    let (c1, c2) = (6.5025, 58.5225)
    let sum = places.reduce(0.0) {
      let (a, b) = (Double(ma.values[$1]), Double(mb.values[$1]))
      let va = Double(aa.values[$1]) - a * a
      let vb = Double(bb.values[$1]) - b * b
      let shared = Double(ab.values[$1]) - a * b
      return $0 + (2 * a * b + c1) * (2 * shared + c2)
        / ((a * a + b * b + c1) * (va + vb + c2))
    }
    return sum / Double(max(places.count, 1))
  }
}

extension OwnedPicture {
  /// Converts an RGB picture to Y'CbCr 4:4:4 with full range.
  package func y444(_ matrix: Colorimetry) -> OwnedPicture {
    let result = OwnedPicture(
      format: .y444, width: width, height: height, colorimetry: matrix)
    withPicture { source in
      result.withPicture { target in
        let (r, g, b) = (source.component(0), source.component(1), source.component(2))
        let (y, cb, cr) = (target.component(0), target.component(1), target.component(2))
        for v in 0..<height {
          for u in 0..<width {
            let codes = matrix.ycc(r: Float(r[u, v]), g: Float(g[u, v]), b: Float(b[u, v]))
            y[u, v] = UInt8(max(0, min(255, codes.y.rounded())))
            cb[u, v] = UInt8(max(0, min(255, codes.cb.rounded())))
            cr[u, v] = UInt8(max(0, min(255, codes.cr.rounded())))
          }
        }
      }
    }
    return result
  }
}
