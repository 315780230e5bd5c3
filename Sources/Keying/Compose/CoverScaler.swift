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
  /// The color put behind, 0...255, and nothing for alpha.
  private let backing: SIMD4<Float>
  /// Red, green and blue times alpha, and alpha, of a row of the image's columns.
  private let sums: Strip<SIMD4<Float>>

  init(image: borrowing Picture, color: UInt32, width: Int, height: Int) {
    self.width = width
    backing = SIMD4(Float(color >> 16 & 255), Float(color >> 8 & 255), Float(color & 255), 0)
    sums = Strip(image.width, of: .zero)
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
  func row(_ y: Int, of image: borrowing Picture, into out: Strip<SIMD4<Float>>) {
    precondition(out.count >= width)
    sums.clear()
    let line = lines[y]
    for (offset, weight) in line.weights.enumerated() {
      add(image, row: line.first + offset, weight: weights[weight])
    }
    let sums = unsafe sums.base
    let out = unsafe out.base
    for x in 0..<width {
      let taps = columns[x]
      var total = SIMD4<Float>.zero
      var source = taps.first
      for index in taps.weights {
        unsafe total += sums[source] * weights[index]
        source &+= 1
      }
      unsafe out[x] = total + backing * max(1 - total.w * (1 / 255), 0)
    }
  }

  /// Adds a row of the image, its colours times its alpha, to the sums.
  private func add(_ image: borrowing Picture, row: Int, weight: Float) {
    let r = KeyComponent(image, 0)
    let g = KeyComponent(image, 1)
    let b = KeyComponent(image, 2)
    let alpha = image.format.hasAlpha ? KeyComponent(image, 3) : nil
    let sums = unsafe sums.base
    for x in 0..<min(image.width, self.sums.count) {
      let a = if let alpha { unsafe Float(alpha.at(x, row)[0]) } else { Float(255) }
      let share = a * weight * (1 / 255)
      let color = unsafe SIMD4(
        Float(r.at(x, row)[0]), Float(g.at(x, row)[0]), Float(b.at(x, row)[0]), 255)
      unsafe sums[x] += color * share
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
  private var sums: (Strip<SIMD2<Float>>, Strip<SIMD2<Float>>)
  private var totals: (Float, Float) = (0, 0)
  /// Cb and Cr of a row's pixels.
  private let pair: Strip<SIMD2<Float>>
  /// Y, Cb, Cr of black, and what full red, green and blue add, each by 1/255.
  private let black: SIMD4<Float>
  private let red: SIMD4<Float>
  private let green: SIMD4<Float>
  private let blue: SIMD4<Float>

  init(grid: KeyGrid) {
    self.grid = grid
    sums = (Strip(grid.gridWidth, of: .zero), Strip(grid.gridWidth, of: .zero))
    pair = Strip(grid.width, of: .zero)
    func code(_ r: Float, _ g: Float, _ b: Float) -> SIMD4<Float> {
      let ycc = grid.colorimetry.ycc(r: r, g: g, b: b)
      return SIMD4(ycc.y, ycc.cb, ycc.cr, 0)
    }
    black = code(0, 0, 0)
    red = (code(255, 0, 0) - black) * (1 / 255)
    green = (code(0, 255, 0) - black) * (1 / 255)
    blue = (code(0, 0, 255) - black) * (1 / 255)
  }

  /// The nearest code to a value.
  @inline(__always)
  private func code(_ value: Float) -> UInt8 {
    // Adding 2^23 leaves the rounded integer in the low bits.
    UInt8(truncatingIfNeeded: (min(max(value, 0), 255) + 8_388_608).bitPattern)
  }

  /// Takes row `y`; rows come in order.
  func add(_ line: Strip<SIMD4<Float>>, y: Int, to background: Background) {
    let width = grid.width
    precondition(line.count >= width && y < grid.height)
    let line = unsafe line.base
    let rows = background.addresses
    if grid.isRGB {
      for component in 0..<3 {
        let out = unsafe rows.row(component, y)
        for x in 0..<width { unsafe out[x] = code(line[x][component]) }
      }
      return
    }
    let luma = unsafe rows.row(0, y)
    let pairs = unsafe pair.base
    for x in 0..<width {
      let rgb = unsafe line[x]
      let ycc = black + red * rgb.x + green * rgb.y + blue * rgb.z
      unsafe luma[x] = code(ycc.x)
      unsafe pairs[x] = SIMD2(ycc.y, ycc.z)
    }
    let isLast = y == grid.height - 1
    guard grid.vShift > 0 else {
      totals.0 += accumulate(sums.0, 1)
      finish(y, background)
      return
    }
    if !grid.chromaSite.isCositedVertically {
      totals.0 += accumulate(sums.0, 0.5)
      if y & 1 == 1 || isLast { finish(y >> 1, background) }
    } else if y & 1 == 0 {
      totals.0 += accumulate(sums.0, 0.5)
      if isLast { finish(y >> 1, background) }
    } else {
      totals.0 += accumulate(sums.0, 0.25)
      totals.1 += accumulate(sums.1, 0.25)
      finish(y >> 1, background)
    }
  }

  /// Adds the row's chroma, subsampled, to a grid row's; returns the weight it got.
  private func accumulate(_ row: Strip<SIMD2<Float>>, _ weight: Float) -> Float {
    let last = grid.width - 1
    let pair = unsafe pair.base
    let sums = unsafe row.base
    for x in 0..<grid.gridWidth {
      let value: SIMD2<Float>
      if grid.hShift == 0 {
        value = unsafe pair[x]
      } else if grid.chromaSite.isCositedHorizontally {
        let center = unsafe pair[2 &* x] * 0.5
        value = unsafe center + (pair[max(2 &* x &- 1, 0)] + pair[min(2 &* x &+ 1, last)]) * 0.25
      } else {
        value = unsafe (pair[2 &* x] + pair[min(2 &* x &+ 1, last)]) * 0.5
      }
      unsafe sums[x] += value * weight
    }
    return weight
  }

  private func finish(_ row: Int, _ background: Background) {
    precondition(row < grid.gridHeight)
    let scale = totals.0 > 0 ? 1 / totals.0 : 0
    let rows = background.addresses
    let cb = unsafe rows.row(1, row)
    let cr = unsafe rows.row(2, row)
    let done = unsafe sums.0.base
    for x in 0..<grid.gridWidth {
      let value = unsafe done[x] * scale
      unsafe cb[x] = code(value.x)
      unsafe cr[x] = code(value.y)
    }
    sums = (sums.1, sums.0)
    totals = (totals.1, 0)
    sums.1.clear()
  }
}
