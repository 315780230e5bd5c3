import Faces
import Pixels
import Retouch
import Support
import Testing

/// The retouching on the photograph's face, enlarged three times.
@Suite(.timeLimit(.minutes(20))) struct RetouchPhotographTests {
  private let enlarged: EnlargedFace
  private var face: Face { enlarged.face }
  private var skin: [Int] { enlarged.skin }

  init() throws { enlarged = try EnlargedFace.shared.get() }

  private func treated(
    _ picture: OwnedPicture, _ change: (inout RetouchSettings) -> Void = { _ in }
  ) -> OwnedPicture {
    var settings = RetouchSettings()
    change(&settings)
    let result = picture.copy()
    SkinRetouch().treat(result, [face], settings)
    return result
  }

  @Test func textureFallsWithIntensityTowardTheCleanPicture() {
    let blemished = enlarged.blemished()
    let clean = Samples.luma(enlarged.picture)
    let before = Samples.luma(blemished)
    let texture = before.texture().deviation(at: skin)
    #expect(skin.count > 20_000 && texture > 5)
    var reductions: [Float] = []
    for intensity in [0.25, 0.4, 0.6, 0.8, 1] {
      let after = Samples.luma(treated(blemished) { $0.intensity = intensity })
      reductions.append(1 - after.texture().deviation(at: skin) / texture)
      #expect(after.similarity(to: before, at: enlarged.band) >= 0.99)
      #expect(after.gradient(at: enlarged.band) >= 0.95 * before.gradient(at: enlarged.band))
      #expect(after.distance(to: clean, at: skin) < before.distance(to: clean, at: skin))
    }
    for (less, more) in zip(reductions, reductions.dropFirst()) { #expect(more > less) }
    #expect(reductions.allSatisfy { $0 >= 0.25 && $0 <= 0.6 }, "r \(reductions)")
  }

  @Test(arguments: PixelFormat.eightBit)
  func eyesBrowsAndLipsAreBitExactInEveryFormat(_ format: PixelFormat) throws {
    let picture = try EnlargedFace.load(format)
    let after = treated(picture) {
      $0.intensity = 1
      $0.brightness = 1
      $0.evenSkin = 1
      $0.skinAdapt = 0
    }
    let isPlain = format.family != .ycc
    let shifts = format.layout.chromaShifts
    var changed = 0
    var wrong = 0
    for component in 0..<(format.family == .gray ? 1 : 3) {
      let isChroma = !isPlain && component > 0
      let (h, v) = isChroma ? shifts : (0, 0)
      let (old, new) = (picture.rows(component), after.rows(component))
      for y in old.indices {
        for x in old[y].indices where old[y][x] != new[y][x] {
          changed += 1
          // Every pixel that the sample colours.
          let place = min(y << v, EnlargedFace.height - 1) * EnlargedFace.width + x << h
          if enlarged.features[min(place, enlarged.features.count - 1)] { wrong += 1 }
        }
      }
    }
    #expect(changed > 5000)
    #expect(wrong == 0)
  }

  // MARK: Skin tones

  /// The face in another tone: reflectance and pores scaled, then clipped as a camera would.
  private func tinted(_ tone: (Double, Double, Double), _ pores: Samples) -> OwnedPicture {
    let result = OwnedPicture(
      format: .rgb, width: EnlargedFace.width, height: EnlargedFace.height, colorimetry: .rgb)
    for (component, target) in [tone.0, tone.1, tone.2].enumerated() {
      var samples = Samples(enlarged.picture, component)
      let gain = Float(target) / samples.mean(at: skin)
      samples.scale(by: gain, pores, depth: 0.024)
      samples.write(to: result, component)
    }
    return result
  }

  private struct Change {
    /// Share of the texture that went.
    var reduction: Float
    /// Tangent of the angle by which the mean colour turned about grey.
    var turn: Float
    /// Pixels of RGB with a colour that is white now and was not.
    var clipped: Int
  }

  private func change(_ before: OwnedPicture, _ brightness: Double) -> Change {
    let after = treated(before) { $0.brightness = brightness }
    let (old, new) = ((0..<3).map { Samples(before, $0) }, (0..<3).map { Samples(after, $0) })
    let isRGB = before.format.family == .rgb
    func chroma(_ parts: [Samples], _ luma: Samples) -> (Float, Float) {
      guard isRGB else { return (parts[1].mean(at: skin) - 128, parts[2].mean(at: skin) - 128) }
      let y = luma.mean(at: skin)
      return ((parts[2].mean(at: skin) - y) / 1.8556, (parts[0].mean(at: skin) - y) / 1.5748)
    }
    let (oldLuma, newLuma) = (Samples.luma(before), Samples.luma(after))
    let (a, b) = (chroma(old, oldLuma), chroma(new, newLuma))
    return Change(
      reduction: 1
        - newLuma.texture().deviation(at: skin) / oldLuma.texture().deviation(at: skin),
      turn: abs(a.0 * b.1 - a.1 * b.0) / max(a.0 * b.0 + a.1 * b.1, 1e-6),
      clipped: !isRGB
        ? 0
        : skin.count { place in
          (0..<3).contains { old[$0].values[place] < 255 && new[$0].values[place] == 255 }
        })
  }

  @Test(arguments: [PixelFormat.rgb, .y444])
  func tenSkinTonesInThreeLightsAreTreatedAlikeAndDoNotClip(_ format: PixelFormat) {
    let pores = Samples.pores(width: EnlargedFace.width, height: EnlargedFace.height)
    let full = Colorimetry(matrix: .bt709, isFullRange: true)
    var reductions: [Float] = []
    for (tone, light) in product(monkSkinTones, testLights) {
      let colors = tinted((tone.0 * light.0, tone.1 * light.1, tone.2 * light.2), pores)
      let before = format == .rgb ? colors : colors.y444(full)
      let usual = change(before, 0.15)
      reductions.append(usual.reduction)
      // The tangent of one degree.
      #expect(usual.turn < 0.01746)
      #expect(usual.clipped == 0)
      if format == .rgb { #expect(change(before, 1).clipped == 0) }
    }
    let mean = reductions.reduce(0, +) / Float(reductions.count)
    #expect(reductions.count == 30 && mean > 0.3)
    #expect(reductions.allSatisfy { abs($0 - mean) < 0.05 }, "r \(reductions)")
  }

  // MARK: Without a mesh

  @Test func aFaceWithOnlyABoxKeepsEyesLipsAndHair() {
    var box = face
    box.landmarks = []
    box.keypoints = []
    var settings = RetouchSettings()
    settings.intensity = 1
    settings.detail = 0
    let after = enlarged.picture.copy()
    SkinRetouch().treat(after, [box], settings)
    let (old, new) = (Samples.luma(enlarged.picture), Samples.luma(after))
    let features = enlarged.features.indices.filter { enlarged.features[$0] }
    #expect(features.count > 5000)
    #expect(new.gradient(at: features) > 0.7 * old.gradient(at: features))
    // The fringe, at the forehead's upper edge.
    let hair = (96..<116).flatMap { y in (180..<290).map { y * EnlargedFace.width + $0 } }
    #expect(new.gradient(at: hair) > 0.6 * old.gradient(at: hair))
    #expect(new.texture().deviation(at: skin) < 0.7 * old.texture().deviation(at: skin))
  }
}
