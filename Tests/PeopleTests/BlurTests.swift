import Compose
import Glibc
import PersonKey
import Pixels
import Support
import Testing

/// The blurred background contains nothing of the people.
@Suite(.timeLimit(.minutes(20))) struct BlurTests {
  private static let size = (width: 640, height: 360)

  /// A Gaussian of a picture whose edges are replicated.
  private func blurred(_ colors: [SIMD3<Float>], sigma: Double) -> [SIMD3<Float>] {
    let (width, height) = Self.size
    let radius = Int((3 * sigma).rounded())
    var taps = (-radius...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
    let sum = taps.reduce(0, +)
    for index in taps.indices { taps[index] /= sum }
    var across = colors
    var result = colors
    for (y, x) in product(0..<height, 0..<width) {
      var sum = SIMD3<Float>.zero
      for (index, tap) in taps.enumerated() {
        sum += colors[y * width + max(0, min(x + index - radius, width - 1))] * tap
      }
      across[y * width + x] = sum
    }
    for (y, x) in product(0..<height, 0..<width) {
      var sum = SIMD3<Float>.zero
      for (index, tap) in taps.enumerated() {
        sum += across[max(0, min(y + index - radius, height - 1)) * width + x] * tap
      }
      result[y * width + x] = sum
    }
    return result
  }

  private func decibels(
    _ a: [SIMD3<Float>], _ b: [SIMD3<Float>], where isIncluded: [Bool]
  ) -> Double {
    var (sum, count) = (0.0, 0.0)
    for index in a.indices where isIncluded[index] {
      let off = a[index] - b[index]
      sum += Double((off * off).sum()) / 3
      count += 1
    }
    return 10 * log10(65025 / (sum / max(count, 1)))
  }

  @Test func theBlurredBackgroundContainsNothingOfThePeople() throws {
    let cutout = try PersonCutout.load()
    let (width, height) = Self.size
    let scene = PersonScene(
      cutout, .wall, [.init(height: 0.85, center: 0.5)], width: width, height: height)
    let picture = scene.picture()
    let sigma = 0.03 * Double(height)
    let clean = blurred(scene.room, sigma: sigma)
    let truth = scene.alpha.indices.map { scene.subject[$0] + clean[$0] * (1 - scene.alpha[$0]) }
    // Outside the person, within two standard deviations.
    let spread = blurred(scene.alpha.map { SIMD3(repeating: $0 > 0.02 ? 1 : 0) }, sigma: sigma)
    let ring = scene.alpha.indices.map { scene.alpha[$0] < 0.02 && spread[$0].x > 0.03 }

    let matte = try PersonKeyPipeline(picture.video).run(picture).opacity
    let pipeline = try PersonKeyPipeline(picture.video)
    pipeline.key.settings.blur = 3
    let ours = try pipeline.run(picture, keepsFormat: true).rgbValues
    let seen = picture.rgbValues
    let all = blurred(seen, sigma: sigma)
    let naive = matte.indices.map { seen[$0] * matte[$0] + all[$0] * (1 - matte[$0]) }
    let (a, b) = (decibels(ours, truth, where: ring), decibels(naive, truth, where: ring))
    #expect(a >= b + 7, "\(a) \(b)")
  }
}
