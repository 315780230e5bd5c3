import Effects
import Pixels
import Support
import Testing

/// The retouching on the photograph's face, enlarged, in other skin tones.
@Suite struct BeautifyPhotographTests {
  private static let crop = (left: 160, top: 50, right: 290, bottom: 200)
  private static let size = (width: 260, height: 300)

  private static let face: Face = {
    // Genuine mediapipe's full-range model on the whole photograph; in pixels.
    let points = [
      (202.8, 103.5), (248.0, 105.9), (225.9, 127.2), (225.4, 147.7), (180.6, 111.9),
      (275.3, 116.3),
    ]
    func share(_ x: Double, _ y: Double) -> Point {
      Point(x: (x - 160) / 130, y: (y - 50) / 150)
    }
    let corner = share(173.7, 67.8)
    return Face(
      id: 1, confidence: 1,
      box: Rectangle(x: corner.x, y: corner.y, width: 103.9 / 130, height: 103.9 / 150),
      keypoints: points.map { share($0.0, $0.1) })
  }()

  /// Pixels, every third of every third row, in the middle of the mask.
  private static func inner() -> [(x: Int, y: Int)] {
    let mask = OwnedPicture(
      format: .gray8, width: size.width, height: size.height,
      colorimetry: Colorimetry(matrix: .bt709, isFullRange: true))
    var settings = BeautifySettings()
    settings.showsMask = true
    settings.skinAdapt = 0
    Beautify().treat(mask, [face], settings)
    let rows = mask.samples(0)
    var result: [(x: Int, y: Int)] = []
    for y in stride(from: 3, to: size.height - 3, by: 3) {
      for x in stride(from: 3, to: size.width - 3, by: 3) where rows[y][x] >= 254 {
        result.append((x, y))
      }
    }
    return result
  }

  private static func luma(_ parts: [[[UInt8]]], _ x: Int, _ y: Int) -> Double {
    0.2126 * Double(parts[0][y][x]) + 0.7152 * Double(parts[1][y][x])
      + 0.0722 * Double(parts[2][y][x])
  }

  /// Root mean square of what a 7 x 7 cross takes off the luma of `places`, in shares of it.
  private static func texture(_ parts: [[[UInt8]]], _ places: [(x: Int, y: Int)]) -> Double {
    var sum = 0.0
    var light = 0.0
    for (x, y) in places {
      var mean = 0.0
      for d in [-3, -2, -1, 1, 2, 3] { mean += luma(parts, x + d, y) + luma(parts, x, y + d) }
      let rest = luma(parts, x, y) - mean / 12
      sum += rest * rest
      light += mean / 12
    }
    let count = Double(places.count)
    return (sum / count).squareRoot() / (light / count)
  }

  private struct Result {
    var reduction = 0.0
    var clipped = 0.0
  }

  private static func treat(
    _ tone: (Double, Double, Double), _ skin: (Double, Double, Double), _ source: [[[UInt8]]],
    _ places: [(x: Int, y: Int)], _ settings: BeautifySettings
  ) -> Result {
    let picture = OwnedPicture(
      format: .rgb, width: size.width, height: size.height, colorimetry: .rgb)
    let gains = (tone.0 / skin.0, tone.1 / skin.1, tone.2 / skin.2)
    picture.draw { x, y in
      // Pores about two pixels wide, as strong against the tone on dark skin as on light.
      let pores = 1 + 0.02 * (grain(x / 2, y / 2) + grain((x + 1) / 2, (y + 1) / 2, 1))
      return (
        Double(source[0][y][x]) * gains.0 * pores, Double(source[1][y][x]) * gains.1 * pores,
        Double(source[2][y][x]) * gains.2 * pores
      )
    }
    let before = (0..<3).map(picture.samples)
    Beautify().treat(picture, [face], settings)
    let after = (0..<3).map(picture.samples)
    var clipped = 0
    for (x, y) in places {
      let isNew = (0..<3).contains { before[$0][y][x] < 255 && after[$0][y][x] == 255 }
      clipped += isNew ? 1 : 0
    }
    return Result(
      reduction: 1 - texture(after, places) / texture(before, places),
      clipped: Double(clipped) / Double(places.count))
  }

  @Test func allSkinTonesInAllLightsAreTreatedAlikeAndDoNotClip() throws {
    let photograph = try Photograph.load(
      .rgb, crop: Self.crop, width: Self.size.width, height: Self.size.height)
    let source = (0..<3).map(photograph.samples)
    let places = Self.inner()
    #expect(places.count > 1000)
    var means = [0.0, 0.0, 0.0]
    for (x, y) in places { for c in 0..<3 { means[c] += Double(source[c][y][x]) } }
    for c in 0..<3 { means[c] /= Double(places.count) }
    var settings = BeautifySettings()
    var reductions: [Double] = []
    for (index, tone) in monkSkinTones.enumerated() {
      let light = testLights[index % testLights.count]
      var clipped: [Double] = []
      for brightness in [0, 0.15, 1] {
        settings.brightness = brightness
        let result = Self.treat(
          (tone.0 * light.0, tone.1 * light.1, tone.2 * light.2), (means[0], means[1], means[2]),
          source, places, settings)
        clipped.append(result.clipped)
        if brightness == 0.15 { reductions.append(result.reduction) }
      }
      // Smoothing fills pores among pixels that are clipped already; brightness adds no more.
      #expect(clipped[1] <= clipped[0] + 0.002 && clipped[2] <= clipped[0] + 0.005)
    }
    let mean = reductions.reduce(0, +) / Double(reductions.count)
    #expect(mean > 0.25)
    // Where pores on the darkest skin are a code or two, rounding is part of what is left.
    #expect(reductions.allSatisfy { abs($0 - mean) < 0.1 })
  }
}
