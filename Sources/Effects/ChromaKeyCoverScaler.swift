import Pixels

/// Scales a picture of the RGB family to cover a frame, row by row, in floats.
final class CoverScaler {
  /// Source samples of one output sample: weights from `first` on.
  private struct Taps {
    var first: Int
    var weights: Range<Int>
  }

  private let width: Int
  private let columns: [Taps]
  private let lines: [Taps]
  private var weights: [Float] = []
  /// The color put behind, 0...255.
  private let backing: (Float, Float, Float)
  private var sums: [Float]

  init(image: borrowing Picture, color: UInt32, width: Int, height: Int) {
    self.width = width
    backing = (Float(color >> 16 & 255), Float(color >> 8 & 255), Float(color & 255))
    sums = Array(repeating: 0, count: image.width * 4)
    let scale = max(Double(width) / Double(image.width), Double(height) / Double(image.height))
    var weights: [Float] = []
    func taps(_ size: Int, from source: Int) -> [Taps] {
      let step = 1 / scale
      let start = (Double(source) - Double(size) * step) / 2
      let radius = max(step, 1)
      return (0..<size).map { index in
        let center = start + (Double(index) + 0.5) * step - 0.5
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
    columns = taps(width, from: image.width)
    lines = taps(height, from: image.height)
    self.weights = weights
  }

  /// Red, green and blue, 0...255, of output row `y`, over the backing colour.
  func row(_ y: Int, of image: borrowing Picture, into out: inout [Float]) {
    for index in sums.indices { sums[index] = 0 }
    let line = lines[y]
    for (offset, weight) in line.weights.enumerated() {
      add(image, row: line.first + offset, weight: weights[weight])
    }
    for x in 0..<width {
      let taps = columns[x]
      var total = SIMD4<Float>.zero
      var source = taps.first * 4
      for index in taps.weights {
        let pixel = SIMD4(
          sums[source], sums[source + 1], sums[source + 2], sums[source + 3])
        total += pixel * weights[index]
        source += 4
      }
      let rest = max(1 - total.w / 255, 0)
      out[3 * x] = total.x + backing.0 * rest
      out[3 * x + 1] = total.y + backing.1 * rest
      out[3 * x + 2] = total.z + backing.2 * rest
    }
  }

  /// Adds a row of the image, its colours times its alpha, to the sums.
  private func add(_ image: borrowing Picture, row: Int, weight: Float) {
    let r = image.component(0)
    let g = image.component(1)
    let b = image.component(2)
    let alpha = image.format.hasAlpha ? image.component(3) : nil
    for x in 0..<image.width {
      let a = alpha.map { Float($0[x, row]) } ?? 255
      let share = a * weight * (1 / 255)
      sums[4 * x] += Float(r[x, row]) * share
      sums[4 * x + 1] += Float(g[x, row]) * share
      sums[4 * x + 2] += Float(b[x, row]) * share
      sums[4 * x + 3] += a * weight
    }
  }
}

/// Turns rows of red, green and blue into a background's components, subsampling chroma.
///
/// Chroma is filtered for its siting: 1 2 1 where it lies on a column or row, else the mean of
/// the two it lies between.
final class BackgroundWriter {
  private let grid: KeyGrid
  /// Weighted sums of Cb and Cr of the grid row in the making and the one below, and of weights.
  private var sums: [[SIMD2<Float>]]
  private var totals: [Float] = [0, 0]
  private var pair: [SIMD2<Float>]

  init(grid: KeyGrid) {
    self.grid = grid
    sums = Array(repeating: Array(repeating: .zero, count: grid.gridWidth), count: 2)
    pair = Array(repeating: .zero, count: grid.width)
  }

  /// Takes row `y`; rows come in order.
  func add(_ line: [Float], y: Int, to background: Background) {
    let width = grid.width
    if grid.isRGB {
      for x in 0..<width {
        for component in 0..<3 { background.set(component, x: x, y: y, line[3 * x + component]) }
      }
      return
    }
    for x in 0..<width {
      let code = grid.colorimetry.ycc(r: line[3 * x], g: line[3 * x + 1], b: line[3 * x + 2])
      background.set(0, x: x, y: y, code.y)
      pair[x] = SIMD2(code.cb, code.cr)
    }
    let isLast = y == grid.height - 1
    guard grid.vShift > 0 else {
      accumulate(0, 1)
      finish(y, background)
      return
    }
    if !grid.chromaSite.isCositedVertically {
      accumulate(0, 0.5)
      if y & 1 == 1 || isLast { finish(y >> 1, background) }
    } else if y & 1 == 0 {
      accumulate(0, 0.5)
      if isLast { finish(y >> 1, background) }
    } else {
      accumulate(0, 0.25)
      accumulate(1, 0.25)
      finish(y >> 1, background)
    }
  }

  private func accumulate(_ index: Int, _ weight: Float) {
    totals[index] += weight
    let last = grid.width - 1
    for x in 0..<grid.gridWidth {
      let value: SIMD2<Float>
      if grid.hShift == 0 {
        value = pair[x]
      } else if grid.chromaSite.isCositedHorizontally {
        let center = pair[2 * x] * 0.5
        value = center + (pair[max(2 * x - 1, 0)] + pair[min(2 * x + 1, last)]) * 0.25
      } else {
        value = (pair[2 * x] + pair[min(2 * x + 1, last)]) * 0.5
      }
      sums[index][x] += value * weight
    }
  }

  private func finish(_ row: Int, _ background: Background) {
    let scale = totals[0] > 0 ? 1 / totals[0] : 0
    for x in 0..<grid.gridWidth {
      background.set(1, x: x, y: row, sums[0][x].x * scale)
      background.set(2, x: x, y: row, sums[0][x].y * scale)
    }
    sums.swapAt(0, 1)
    totals.swapAt(0, 1)
    totals[1] = 0
    for x in 0..<grid.gridWidth { sums[1][x] = .zero }
  }
}
