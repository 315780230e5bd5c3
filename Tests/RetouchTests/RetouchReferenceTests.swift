import Faces
import Pixels
import Retouch
import Support
import Testing

/// What `SkinRetouch` does where the mask is full, in plain double precision.
private struct Reference {
  var luma: [[Double]]
  var step: Int
  var radius: Int
  var wideRadius: Int
  var settings: RetouchSettings
  var offset: Double
  var scale: Double

  private var width: Int { luma[0].count }
  private var height: Int { luma.count }

  private func mean(_ cells: [[Double]], _ radius: Int) -> [[Double]] {
    let h = cells.count
    let w = cells[0].count
    return (0..<h).map { y in
      (0..<w).map { x in
        var sum = 0.0
        var count = 0.0
        for (v, u) in product(
          max(0, y - radius)...min(h - 1, y + radius), max(0, x - radius)...min(w - 1, x + radius))
        {
          sum += cells[v][u]
          count += 1
        }
        return sum / count
      }
    }
  }

  private func map(
    _ a: [[Double]], _ b: [[Double]], _ body: (Double, Double) -> Double
  ) -> [[Double]] {
    zip(a, b).map { zip($0, $1).map(body) }
  }

  /// Values per cell, interpolated to a pixel: linear down, by repeated halving across.
  private func spread(_ cells: [[Double]]) -> [[Double]] {
    let wide = cells.map { row in
      var row = row
      var size = 1
      while size < step {
        var next: [Double] = []
        for x in row.indices {
          next.append(0.75 * row[x] + 0.25 * row[max(x - 1, 0)])
          next.append(0.75 * row[x] + 0.25 * row[min(x + 1, row.count - 1)])
        }
        row = next
        size *= 2
      }
      return row
    }
    return (0..<height).map { y in
      let place = (Double(y) + 0.5) / Double(step) - 0.5
      let upper = Int(place.rounded(.down))
      let part = place - Double(upper)
      let a = wide[max(upper, 0)]
      let b = wide[min(upper + 1, cells.count - 1)]
      return (0..<width).map { a[$0] * (1 - part) + b[$0] * part }
    }
  }

  func result() -> [[Double]] {
    let rows = (height + step - 1) / step
    let columns = (width + step - 1) / step
    let cells: [[Double]] = (0..<rows).map { y in
      (0..<columns).map { x in
        var sum = 0.0
        for (v, u) in product(0..<step, 0..<step) {
          sum += luma[min(y * step + v, height - 1)][min(x * step + u, width - 1)]
        }
        return sum / Double(step * step)
      }
    }
    let levels = cells.flatMap { $0 }.sorted()
    let lightness = (levels[levels.count / 2] - offset) / scale
    let relative = min(max(lightness / 0.68, 0.2), 1.4)
    let noise = (18 + 28 * settings.intensity) * (0.15 + 0.85 * relative)
    let mu = mean(cells, radius)
    let squares = mean(map(cells, cells) { $0 * $1 }, radius)
    let a = map(squares, mu) { square, mu in
      let variance = max(square - mu * mu, 0)
      return variance / (variance + noise * noise)
    }
    let b = map(mu, a) { $0 * (1 - $1) }
    let meanA = mean(a, radius)
    let meanB = mean(b, radius)
    let taken = map(map(cells, meanA) { $0 - $0 * $1 }, meanB) { $0 - $1 }
    let low = mean(taken, wideRadius)
    let plain = mean(cells, (radius + 1) / 2)
    let share = 1.2 * settings.intensity / (0.2 + settings.intensity)
    let own = spread(meanA.map { $0.map { 1 - $0 } })
    let instead = spread(map(meanB, low) { $0 + $1 })
    let smooth = spread(plain)
    let around = spread(cells)
    return (0..<height).map { y in
      (0..<width).map { x in
        let value = luma[y][x]
        let change =
          own[y][x] * value - instead[y][x]
          - settings.detail * own[y][x] * (value - smooth[y][x])
        // The curve's tangent at the mean luma about the pixel.
        let light = (around[y][x] - offset) / scale
        let height = light * (0.43 + light * (-0.6 + light * 0.17))
        let slope = 0.43 + light * (-1.2 + light * 0.51)
        let lift = height * scale + slope * (value - around[y][x])
        return min(max(value - share * change + settings.brightness * lift, 0), 255)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct RetouchReferenceTests {
  private struct Case: Sendable {
    var faceWidth: Double
    var radius: Double
    var step: Int
    var intensity: Double
    var detail: Double
    var brightness: Double
  }

  private static let cases = [
    Case(faceWidth: 300, radius: 0, step: 2, intensity: 1, detail: 0, brightness: 0),
    Case(faceWidth: 300, radius: 5, step: 2, intensity: 0.6, detail: 0.25, brightness: 0.15),
    Case(faceWidth: 480, radius: 0, step: 4, intensity: 0.8, detail: 0.5, brightness: 0.3),
    Case(faceWidth: 1000, radius: 0, step: 8, intensity: 1, detail: 0, brightness: 0.5),
    Case(faceWidth: 1400, radius: 16, step: 16, intensity: 1, detail: 0.25, brightness: 0),
  ]

  /// A face whose rectangle reaches far over the frame (but under 16 times its size), so that all
  /// of it is treated in full.
  private static func face(_ faceWidth: Double, _ width: Int, _ height: Int) -> Face {
    // A rectangle as large as an ellipse of the ordinary face's proportions.
    let w = faceWidth * 1.01
    let h = w
    return Face(
      id: 1, confidence: 1,
      box: Rectangle(
        x: 0.5 - w / 2 / Double(width), y: 0.5 - h / 2 / Double(height),
        width: w / Double(width), height: h / Double(height)))
  }

  @Test(arguments: 0..<5) func lumaAgreesWithDoublePrecision(_ index: Int) {
    let test = Self.cases[index]
    let width = 121
    let height = 97
    for format in [[.gray8], [.nv21, .uyvy], [.gray8], [.i420], [.gray8]][index] as [PixelFormat] {
      let picture = OwnedPicture(
        format: format, width: width, height: height, colorimetry: .bt709)
      picture.draw { x, y in
        // Flat, textured and with edges, from black to white.
        let shade = x > 70 && y > 20 && y < 60 ? 225.0 : 90 + Double(x) + 20 * grain(x, y)
        let level = x < 12 ? 6.0 : shade
        return (level, level, level)
      }
      var settings = RetouchSettings()
      settings.mask = .rectangle
      settings.skinAdapt = 0
      settings.feather = 0
      settings.intensity = test.intensity
      settings.detail = test.detail
      settings.brightness = test.brightness
      settings.radius = test.radius
      let radius = test.radius > 0 ? test.radius : test.faceWidth / 40
      let reference = Reference(
        luma: picture.rows(0).map { $0.map(Double.init) }, step: test.step,
        radius: max(1, Int((radius / Double(test.step)).rounded())),
        wideRadius: max(1, Int((radius * 1.2 / Double(test.step)).rounded())),
        settings: settings, offset: 16, scale: 219)
      let expected = reference.result()
      SkinRetouch().treat(picture, [Self.face(test.faceWidth, width, height)], settings)
      let found = picture.rows(0)
      var worst = 0.0
      var changed = 0.0
      for (y, x) in product(0..<height, 0..<width) {
        worst = max(worst, abs(Double(found[y][x]) - expected[y][x]))
        changed = max(changed, abs(Double(found[y][x]) - reference.luma[y][x]))
      }
      #expect(worst <= 2)
      #expect(changed >= 5)
    }
  }

  @Test func redGreenAndBlueChangeWithTheirLuma() {
    let width = 64
    let height = 48
    let rgb = OwnedPicture(format: .bgra, width: width, height: height, colorimetry: .rgb)
    let grey = OwnedPicture(
      format: .gray8, width: width, height: height,
      colorimetry: Colorimetry(matrix: .bt709, isFullRange: true))
    rgb.draw(skin((180, 140, 120), grain: 8))
    rgb.withPicture { source in
      grey.withPicture { target in
        let parts = (0..<3).map { source.component($0) }
        let luma = target.component(0)
        for (y, x) in product(0..<height, 0..<width) {
          let value =
            0.2126 * Double(parts[0][x, y]) + 0.7152 * Double(parts[1][x, y])
            + 0.0722 * Double(parts[2][x, y])
          luma[x, y] = UInt8(value.rounded())
        }
      }
    }
    var settings = RetouchSettings()
    settings.mask = .rectangle
    settings.skinAdapt = 0
    settings.brightness = 0
    settings.intensity = 1
    let old = (0..<3).map(rgb.rows)
    let oldLuma = grey.rows(0)
    let face = Self.face(300, width, height)
    SkinRetouch().treat(rgb, [face], settings)
    SkinRetouch().treat(grey, [face], settings)
    let new = (0..<3).map(rgb.rows)
    let newLuma = grey.rows(0)
    var worst = 0
    for component in 0..<3 {
      for (y, x) in product(0..<height, 0..<width) {
        let change = Int(new[component][y][x]) - Int(old[component][y][x])
        worst = max(worst, abs(change - Int(newLuma[y][x]) + Int(oldLuma[y][x])))
      }
    }
    #expect(worst <= 1)
  }
}
