import Keying
import Pixels
import Support
import Testing

/// How near the matte and the subject's colours come to the truth, at default settings.
///
/// `make bench BENCH=quality` prints the same figures beside those of other keyers.
@Suite struct ChromaKeyQualityTests {
  /// What a scene keyed at defaults measures; has to pass the gates that the bench prints too.
  private func measures(
    _ change: (inout ChromaKeyScene.Settings) -> Void
  ) throws -> ChromaKeyScene.Measures {
    var settings = ChromaKeyScene.Settings()
    change(&settings)
    let scene = try ChromaKeyScene(settings)
    let picture = scene.picture(.i420)
    let found = scene.measures(ChromaKey(for: picture).keyed(picture))
    let missed = scene.missed(by: found)
    #expect(missed.isEmpty, "\(missed)")
    return found
  }

  @Test(arguments: [7, 11, 23] as [UInt64])
  func aScreenThatIsUnevenAndNoisyIsKeyedAtDefaults(seed: UInt64) throws {
    _ = try measures { $0.seed = seed }
  }

  @Test func fullHighDefinitionIsKeyedAtDefaults() throws {
    _ = try measures {
      $0.width = 1920
      $0.height = 1080
    }
  }

  @Test func aBadlyLitScreenWithStrongNoiseIsKeyedAtDefaults() throws {
    _ = try measures {
      $0.unevenness = 0.45
      $0.noise = 4
    }
  }

  @Test(arguments: [(40, 70, 190), (30, 110, 50)] as [(Float, Float, Float)])
  func blueAndDarkScreensAreKeyedAtDefaults(_ screen: (Float, Float, Float)) throws {
    let found = try measures { $0.screen = screen }
    #expect(found.residue <= 0.01, "\(found)")
  }

  @Test(
    arguments: [
      ((62, 172, 84), 35.9), ((40, 70, 190), 36), ((120, 210, 60), 36), ((140, 205, 50), 35.5),
    ] as [((Float, Float, Float), Double)])
  func eachColourOfScreenHasTheAngleThatSuitsIt(
    _ screen: (Float, Float, Float), _ least: Double
  ) throws {
    let found = try measures { $0.screen = screen }
    #expect(found.psnr >= least, "\(found)")
  }

  /// Light-blue cloth in light and shade, before a blue screen.
  @Test(
    arguments: [(150, 180, 225), (120, 150, 205), (170, 195, 230), (105, 130, 185)]
      as [(Float, Float, Float)])
  func blueClothesStayWholeWithTheirPreset(_ cloth: (Float, Float, Float)) {
    let picture = plain(.i420, 256, 64, rgb: (40, 70, 190))
    paint(picture, rgb: cloth, columns: 176..<256)
    func alpha(_ change: (inout ChromaKeySettings) -> Void) -> (screen: UInt8, cloth: UInt8) {
      var settings = ChromaKeySettings()
      change(&settings)
      let found = samples(ChromaKey(settings, for: picture).keyed(picture))[3]
      return (found[32 * 256 + 60], found[32 * 256 + 220])
    }
    let kept = alpha {
      $0.angle = 35
      $0.clipWhite = 0.6
      $0.despill = 0.5
    }
    let usual = alpha { _ in }
    #expect(kept.screen == 0 && kept.cloth >= 250)
    #expect(usual.screen == 0 && usual.cloth < kept.cloth)
  }

  @Test func noiseDoesNotMakeTheMatteFlicker() throws {
    let scene = try ChromaKeyScene()
    let frames = (0..<6).map { scene.picture(.i420, noise: (luma: 2, chroma: 1), frame: $0) }
    let keyer = ChromaKey(for: frames[0])
    let missed = scene.missed(by: scene.flicker(frames.map { keyer.keyed($0) }))
    #expect(missed.isEmpty, "\(missed)")
  }

  @Test func anUnevenScreenIsWhatTheMapIsFor() throws {
    var settings = ChromaKeyScene.Settings()
    settings.unevenness = 0.45
    let scene = try ChromaKeyScene(settings)
    let picture = scene.picture(.i420)
    var flat = ChromaKeySettings()
    flat.screenAdapt = 0
    let followed = scene.measures(ChromaKey(for: picture).keyed(picture))
    let guessed = scene.measures(ChromaKey(flat, for: picture).keyed(picture))
    #expect(followed.residue < 0.05)
    #expect(guessed.residue > 1)
  }
}
