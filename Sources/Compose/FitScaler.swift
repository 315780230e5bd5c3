import Pixels

/// How a picture of another shape than the frame is brought to its size.
package enum BackgroundFit: String, Sendable, CaseIterable {
  /// Covers all of the frame; the excess is cut evenly at both sides.
  case cover
  /// Shows all of the picture, with the colour beside it.
  case contain
  /// Shows all of the picture in the frame's shape.
  case stretch
}

/// Scales a picture of the RGB family to a frame, row by row, in floats.
final class FitScaler {
  /// Source samples of one output sample: weights from `first` on.
  private struct Taps {
    var first: Int
    var weights: Range<Int>
  }

  private let width: Int
  private let columns: [Taps]
  private let lines: [Taps]
  private var weights: [Float] = []
  /// The colour behind the picture, 0...255; its alpha is 0.
  private let backing: SIMD4<Float>
  /// Red, green and blue times alpha, and alpha, of a row of the image's columns.
  private let sums: Grid<SIMD4<Float>>
  /// Red, green, blue and alpha of a row of the image.
  private let samples: Grid<UInt8>

  init(
    image: borrowing Picture, color: UInt32, width: Int, height: Int, fit: BackgroundFit = .cover
  ) {
    self.width = width
    backing = SIMD4(Float(color >> 16 & 255), Float(color >> 8 & 255), Float(color & 255), 0)
    sums = Grid(width: image.width, height: 1, of: .zero)
    samples = Grid(width: image.width, height: 4, of: 255)
    let ratios = (
      across: Double(width) / Double(image.width), down: Double(height) / Double(image.height)
    )
    let scales =
      switch fit {
      case .cover: (across: max(ratios.across, ratios.down), down: max(ratios.across, ratios.down))
      case .contain:
        (across: min(ratios.across, ratios.down), down: min(ratios.across, ratios.down))
      case .stretch: ratios
      }
    var weights: [Float] = []
    func taps(_ size: Int, from source: Int, _ scale: Double) -> [Taps] {
      let step = 1 / scale
      let start = (Double(source) - Double(size) * step) / 2
      let radius = max(step, 1)
      return (0..<size).map { index in
        let center = start + (Double(index) + 0.5) * step - 0.5
        if fit == .contain, center < -0.5 || center > Double(source) - 0.5 {
          return Taps(first: 0, weights: weights.count..<weights.count)
        }
        let low = min(max(Int((center - radius).rounded(.up)), 0), source - 1)
        let high = min(max(Int((center + radius).rounded(.down)), low), source - 1)
        var line = (low...high).map { max(0, 1 - abs(Double($0) - center) / radius) }
        let sum = line.reduce(0, +)
        if sum <= 0 {
          // Only at an edge: the nearest sample.
          line = line.indices.map { $0 == 0 ? 1 : 0 }
        } else {
          line = line.map { $0 / sum }
        }
        let begin = weights.count
        weights.append(contentsOf: line.map { Float($0) })
        return Taps(first: low, weights: begin..<weights.count)
      }
    }
    columns = taps(width, from: image.width, scales.across)
    lines = taps(height, from: image.height, scales.down)
    self.weights = weights
  }

  /// Red, green and blue, 0...255, of output row `y`, over the backing colour.
  func scaleRow(_ y: Int, of image: borrowing Picture, into out: Row<SIMD4<Float>>) {
    let sums = sums.row(0)
    sums.fill(.zero)
    let line = lines[y]
    for (offset, weight) in line.weights.enumerated() {
      accumulateRow(image, row: line.first + offset, weight: weights[weight])
    }
    for x in 0..<width {
      let taps = columns[x]
      var total = SIMD4<Float>.zero
      var source = taps.first
      for index in taps.weights {
        total += sums[source] * weights[index]
        source &+= 1
      }
      out[x] = total + backing * max(1 - total.w * (1 / 255), 0)
    }
  }

  /// Adds a row of the image, its colours times its alpha, to the sums.
  private func accumulateRow(_ image: borrowing Picture, row: Int, weight: Float) {
    let (r, g, b, alpha) = (samples.row(0), samples.row(1), samples.row(2), samples.row(3))
    PictureComponents(image).gatherComponents(row: row, into: (r, g, b))
    if image.format.hasAlpha { image.component(3).gather(row: row, into: alpha) }
    let sums = sums.row(0)
    for x in 0..<min(sums.count, r.count) {
      let opacity = Float(alpha[x]) * weight * (1 / 255)
      sums[x] += SIMD4(Float(r[x]), Float(g[x]), Float(b[x]), 255) * opacity
    }
  }
}
