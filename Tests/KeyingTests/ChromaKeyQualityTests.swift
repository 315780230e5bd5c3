import Keying
import Pixels
import Support
import Testing

/// How near the matte and the subject's colours come to the truth, at default settings.
///
/// `make bench BENCH=quality` prints the same figures beside those of other keyers.
@Suite struct ChromaKeyQualityTests {
  private func measures(
    _ change: (inout ChromaKeyScene.Settings) -> Void
  ) throws -> ChromaKeyScene.Measures {
    var settings = ChromaKeyScene.Settings()
    change(&settings)
    let scene = try ChromaKeyScene(settings)
    let picture = scene.picture(.i420)
    return scene.measures(ChromaKey(for: picture).keyed(picture))
  }

  @Test(arguments: [7, 11, 23] as [UInt64])
  func aScreenThatIsUnevenAndNoisyIsKeyedAtDefaults(seed: UInt64) throws {
    let found = try measures { $0.seed = seed }
    #expect(found.sad <= 1.1, "\(found)")
    #expect(found.edgeSad <= 11.5, "\(found)")
    #expect(found.residue <= 0.01, "\(found)")
    #expect(found.psnr >= 35, "\(found)")
    #expect(found.edgePsnr >= 27, "\(found)")
  }

  @Test func fullHighDefinitionIsKeyedAtDefaults() throws {
    let found = try measures {
      $0.width = 1920
      $0.height = 1080
    }
    #expect(found.sad <= 1.1, "\(found)")
    #expect(found.edgeSad <= 11.5, "\(found)")
    #expect(found.residue <= 0.01, "\(found)")
    #expect(found.psnr >= 35, "\(found)")
    #expect(found.edgePsnr >= 27, "\(found)")
  }

  @Test func aBadlyLitScreenWithStrongNoiseIsKeyedAtDefaults() throws {
    let found = try measures {
      $0.unevenness = 0.45
      $0.noise = 4
    }
    #expect(found.psnr >= 33, "\(found)")
  }

  @Test(arguments: [(40, 70, 190), (30, 110, 50)] as [(Float, Float, Float)])
  func blueAndDarkScreensAreKeyedAtDefaults(_ screen: (Float, Float, Float)) throws {
    let found = try measures { $0.screen = screen }
    #expect(found.psnr >= 33, "\(found)")
    #expect(found.residue <= 0.01, "\(found)")
  }

  @Test func noiseDoesNotMakeTheMatteFlicker() throws {
    let scene = try ChromaKeyScene()
    let frames = (0..<6).map { scene.picture(.i420, noise: (luma: 2, chroma: 1), frame: $0) }
    let keyer = ChromaKey(for: frames[0])
    let found = scene.flicker(frames.map { keyer.keyed($0) })
    #expect(found.screen <= 0.01, "\(found)")
    #expect(found.subject <= 0.1, "\(found)")
    #expect(found.edge <= 1.5, "\(found)")
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
