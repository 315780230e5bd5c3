package import Pixels

/// The errors of a keyed frame against the true matte.
extension ChromaKeyScene {
  package struct Measures {
    /// Mean error of alpha, in percent: everywhere, and on edges.
    package var sad = 0.0
    package var edgeSad = 0.0
    /// Mean alpha remaining on the screen, and missing on the subject, in percent.
    package var residue = 0.0
    package var hole = 0.0
    /// PSNR in decibels of the composite over a grey violet: everywhere, and on edges.
    package var psnr = 0.0
    package var edgePsnr = 0.0
  }

  /// The class of a pixel in the true matte: edge, screen or subject.
  private enum Region {
    case edge, screen, subject, other

    init(_ share: Float) {
      self =
        share > 0.02 && share < 0.98
        ? .edge
        : share < 0.002
          ? .screen
          : share > 0.998
            ? .subject
            : .other
    }
  }

  /// Accumulates a mean.
  private struct Mean {
    private var sum = 0.0
    private var count = 0.0

    mutating func add(_ value: Double) {
      sum += value
      count += 1
    }

    var value: Double { sum / max(count, 1) }
  }

  /// Compares a keyed picture, Y'CbCr of BT.709 with alpha, with the true matte.
  ///
  /// Its colours are straight, or premultiplied with alpha if `isPremultiplied`.
  package func measures(_ keyed: OwnedPicture, isPremultiplied: Bool = false) -> Measures {
    let behind = SIMD3<Float>(140, 110, 150)
    var errors = (all: Mean(), edge: Mean(), screen: Mean(), subject: Mean())
    var squares = (all: Mean(), edge: Mean())
    keyed.withPicture { picture in
      let colors = FullChroma(picture)
      let alpha = picture.component(3)
      for y in 0..<height {
        for x in 0..<width {
          let index = y * width + x
          let truth = self.alpha[index]
          let value = Float(alpha[x, y]) / 255
          let own = colors[x, y] * (isPremultiplied ? 1 : value)
          let off = own + behind * (1 - value) - subject[index] - behind * (1 - truth)
          let square = Double((off * off).sum()) / 3
          let error = Double(abs(value - truth)) * 100
          errors.all.add(error)
          squares.all.add(square)
          switch Region(truth) {
          case .edge:
            errors.edge.add(error)
            squares.edge.add(square)
          case .screen: errors.screen.add(Double(value) * 100)
          case .subject: errors.subject.add(Double(1 - value) * 100)
          case .other: break
          }
        }
      }
    }
    return Measures(
      sad: errors.all.value, edgeSad: errors.edge.value, residue: errors.screen.value,
      hole: errors.subject.value, psnr: peakSNR(squares.all.value),
      edgePsnr: peakSNR(squares.edge.value))
  }

  /// The standard deviation of alpha between frames of one scene, in percent, by region.
  package struct Flicker {
    package var screen = 0.0
    package var subject = 0.0
    package var edge = 0.0
  }

  /// The differences between the mattes of frames that differ only in noise.
  package func flicker(_ frames: [OwnedPicture]) -> Flicker {
    var sums = [Float](repeating: 0, count: width * height)
    var squares = sums
    for frame in frames {
      frame.withPicture { picture in
        let alpha = picture.component(3)
        for (y, x) in product(0..<height, 0..<width) {
          let value = Float(alpha[x, y]) / 2.55
          sums[y * width + x] += value
          squares[y * width + x] += value * value
        }
      }
    }
    var means = (screen: Mean(), subject: Mean(), edge: Mean())
    let count = Float(max(frames.count, 1))
    for index in sums.indices {
      let mean = sums[index] / count
      let deviation = Double(max(squares[index] / count - mean * mean, 0).squareRoot())
      switch Region(alpha[index]) {
      case .edge: means.edge.add(deviation)
      case .screen: means.screen.add(deviation)
      case .subject: means.subject.add(deviation)
      case .other: break
      }
    }
    return Flicker(
      screen: means.screen.value, subject: means.subject.value, edge: means.edge.value)
  }
}

/// Red, green and blue of a picture; 4:2:0 chroma is interpolated, sited left and between rows.
struct FullChroma {
  private let luma: Component
  private let cb: Component
  private let cr: Component
  private let rows: Int
  private let isHalf: Bool

  init(_ picture: borrowing Picture) {
    luma = picture.component(0)
    cb = picture.component(1)
    cr = picture.component(2)
    isHalf = cb.width < luma.width
    rows = isHalf ? (picture.height + 1) / 2 : picture.height
  }

  subscript(x: Int, y: Int) -> SIMD3<Float> {
    let rgb = Colorimetry.bt709.rgb(
      y: Float(luma[x, y]), cb: sampleChroma(cb, x, y), cr: sampleChroma(cr, x, y))
    return SIMD3(rgb.r, rgb.g, rgb.b).clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
  }

  private func sampleChroma(_ c: Component, _ x: Int, _ y: Int) -> Float {
    guard isHalf else { return Float(c[x, y]) }
    let column = x / 2
    let next = min(x % 2 == 0 ? column : column + 1, c.width - 1)
    let row = y / 2
    let other = max(0, min(y % 2 == 0 ? row - 1 : row + 1, rows - 1))
    let near = (Float(c[column, row]) + Float(c[next, row])) / 2
    let far = (Float(c[column, other]) + Float(c[next, other])) / 2
    return near * 0.75 + far * 0.25
  }
}

/// Peak signal-to-noise ratio for a mean square error in codes.
private func peakSNR(_ square: Double) -> Double {
  // log10 by halving, since the results of libm differ between machines.
  var ratio = 65025 / max(square, 1e-9)
  var bits = 0.0
  while ratio >= 2 {
    ratio /= 2
    bits += 1
  }
  var step = 0.5
  for _ in 0..<20 {
    ratio *= ratio
    if ratio >= 2 {
      ratio /= 2
      bits += step
    }
    step /= 2
  }
  return bits * 3.010299957
}
