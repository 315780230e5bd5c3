import Effects
import Pixels
import Testing

/// How near the matte and the subject's colours come to the truth, at default settings.
///
/// The gates are a little wider than what is reached, and narrower than what keyers that know
/// nothing of an uneven screen can reach.
@Suite struct ChromaKeyQualityTests {
  private func measures(
    _ settings: ChromaKeyScene.Settings
  ) -> ChromaKeyScene.Measures {
    let scene = ChromaKeyScene(settings)
    let picture = scene.picture(.i420)
    return scene.measures(ChromaKey(for: picture).keyed(picture))
  }

  @Test func aScreenThatIsUnevenAndNoisyIsKeyedAtDefaults() {
    let found = measures(ChromaKeyScene.Settings())
    #expect(found.sad <= 1.1, "\(found)")
    #expect(found.edgeSad <= 11.5, "\(found)")
    // Chroma is coarser on this small frame than on the 720p one, where 0.01 is kept.
    #expect(found.residue <= 0.04, "\(found)")
    #expect(found.psnr >= 35, "\(found)")
    #expect(found.edgePsnr >= 27, "\(found)")
  }

  @Test func aBadlyLitScreenWithStrongNoiseIsKeyedAtDefaults() {
    let found = measures(ChromaKeyScene.Settings(unevenness: 0.45, noise: 4))
    #expect(found.psnr >= 33, "\(found)")
  }

  @Test(arguments: [(40, 70, 190), (30, 110, 50)] as [(Float, Float, Float)])
  func blueAndDarkScreensAreKeyedAtDefaults(_ screen: (Float, Float, Float)) {
    let found = measures(ChromaKeyScene.Settings(screen: screen))
    #expect(found.psnr >= 33, "\(found)")
    #expect(found.residue <= 0.06, "\(found)")
  }

  @Test func noiseDoesNotMakeTheMatteFlicker() {
    var settings = ChromaKeyScene.Settings()
    settings.width = 320
    settings.height = 180
    let first = ChromaKeyScene(settings)
    let keyer = ChromaKey(for: first.picture(.i420))
    let count = settings.width * settings.height
    var sums = [Float](repeating: 0, count: count)
    var squares = sums
    for frame in 0..<6 {
      settings.frame = UInt64(frame)
      let alpha = samples(keyer.keyed(ChromaKeyScene(settings).picture(.i420)))[3]
      for index in 0..<count {
        let value = Float(alpha[index]) / 2.55
        sums[index] += value
        squares[index] += value * value
      }
    }
    var screen: (sum: Float, count: Float) = (0, 0)
    var edge = screen
    for index in 0..<count {
      let variance = max(squares[index] / 6 - sums[index] * sums[index] / 36, 0)
      let truth = first.alpha[index]
      if truth < 0.002 {
        screen = (screen.sum + variance.squareRoot(), screen.count + 1)
      } else if truth > 0.02, truth < 0.98 {
        edge = (edge.sum + variance.squareRoot(), edge.count + 1)
      }
    }
    #expect(screen.sum / screen.count <= 0.015)
    #expect(edge.sum / edge.count <= 1.6)
  }

  @Test func anUnevenScreenIsWhatTheMapIsFor() {
    let scene = ChromaKeyScene(ChromaKeyScene.Settings(unevenness: 0.45))
    let picture = scene.picture(.i420)
    var flat = ChromaKeySettings()
    flat.screenAdapt = 0
    let followed = scene.measures(ChromaKey(for: picture).keyed(picture))
    let guessed = scene.measures(ChromaKey(flat, for: picture).keyed(picture))
    #expect(followed.residue < 0.05)
    #expect(guessed.residue > 1)
  }
}
