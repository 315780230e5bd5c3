import Faces
import Pixels
import Retouch
import Support
import Testing
import Vision

/// The retouching on real portraits: high foreheads, hair, stubble, highlights.
///
/// Places are those of `RetouchedPortrait.pixels`: 1 is the top of the mesh's oval.
@Suite(.timeLimit(.minutes(20))) struct RetouchPortraitTests {
  /// A portrait and the height that its forehead's skin reaches at least, in the middle.
  private static let foreheads: [(Portrait, Double)] = [
    (.biden, 1.2), (.obama2, 1.18), (.obama3, 1.12),
  ]

  /// Hair, and nothing else.
  private static let hair: [(Portrait, ClosedRange<Double>, ClosedRange<Double>)] = [
    (.biden, -0.4...0.3, 1.6...1.78), (.obama2, -0.3...0.5, 1.38...1.6),
    (.obama2, 0.98...1.2, 0.6...1), (.obama3, -0.4...0.3, 1.4...1.52),
    (.single, -0.4...0.4, 1.5...1.85),
  ]

  private static let looks: [(String, RetouchSettings)] = [
    ("default", RetouchSettings()), ("natural", .natural), ("strong", .strong),
  ]

  @Test(arguments: foreheads)
  func theForeheadHasNoVisibleEdge(_ portrait: Portrait, _ top: Double) throws {
    let portrait = try RetouchedPortrait(portrait)
    let band = 0.12
    let places = stride(from: 0.8, through: top - band, by: 0.04).map {
      portrait.pixels(across: -0.25...0.25, up: $0...($0 + band))
    }
    let before = portrait.luma.texture()
    for (name, settings) in Self.looks {
      let after = portrait.treated(settings).texture()
      // Of what is below a line the share of what is above it.
      for (below, above) in zip(places, places.dropFirst(3)) {
        func ratio(_ samples: Samples) -> Float {
          samples.deviation(at: below) / samples.deviation(at: above)
        }
        #expect(ratio(after) >= 0.6 * ratio(before), "\(name) \(below[0] / portrait.picture.width)")
      }
    }
  }

  @Test(arguments: hair)
  func hairOverTheForeheadKeepsItsTexture(
    _ portrait: Portrait, _ across: ClosedRange<Double>, _ heights: ClosedRange<Double>
  ) throws {
    let portrait = try RetouchedPortrait(portrait)
    let hair = portrait.pixels(across: across, up: heights)
    let before = portrait.luma.texture().deviation(at: hair)
    #expect(hair.count > 500)
    for (name, settings) in Self.looks {
      #expect(
        portrait.treated(settings).texture().deviation(at: hair) >= 0.95 * before, "\(name)")
    }
  }

  // MARK: Stubble

  @Test(arguments: [Portrait.obama, .obama2, .obama3, .single])
  func stubbleIsExcludedEvenly(_ portrait: Portrait) throws {
    let portrait = try RetouchedPortrait(portrait)
    let shaded = portrait.unshaven()
    let before = Samples.luma(shaded).texture()
    let plain = portrait.luma.texture()
    let chin = portrait.pixels(across: -0.25...0.25, up: -0.9 ... -0.75)
    let jaw =
      portrait.pixels(across: -0.6 ... -0.5, up: -0.6 ... -0.4)
      + portrait.pixels(across: 0.5...0.6, up: -0.6 ... -0.4)
    for (settings, least) in [(RetouchSettings.natural, Float(0.85)), (.strong, 0.7)] {
      let after = portrait.treated(settings, shaded).texture()
      for part in [chin, jaw] {
        #expect(before.deviation(at: part) > 1.4 * plain.deviation(at: part))
        #expect(after.deviation(at: part) >= least * before.deviation(at: part))
      }
    }
  }

  @Test(arguments: [Portrait.biden, .obama, .obama3, .single])
  func shavenCheeksAreInTheMask(_ portrait: Portrait) throws {
    let portrait = try RetouchedPortrait(portrait)
    let mask = portrait.mask()
    // Under the eyes, beside the nose.
    let cheeks =
      portrait.pixels(across: -0.75 ... -0.6, up: -0.15...0.1)
      + portrait.pixels(across: 0.6...0.75, up: -0.15...0.1)
    #expect(mask.mean(at: cheeks) > 0.85 * 255)
  }

  // MARK: Speckles

  @Test(arguments: Portrait.allCases)
  func theMaskHasNoSpecklesInRedCheeksAndHighlights(_ portrait: Portrait) throws {
    // On the mesh of 478 points one portrait has 1.6 % of them.
    let portrait = try RetouchedPortrait(portrait, mesh: .points468)
    for picture in [portrait.picture, portrait.flushed()] {
      let speckles = portrait.speckles(in: picture)
      #expect(speckles < 0.01, "\(speckles)")
    }
  }

  // MARK: What stays

  @Test(arguments: [Portrait.biden, .obama2])
  func bytesOutsideTheMaskDoNotChange(_ portrait: Portrait) throws {
    let portrait = try RetouchedPortrait(portrait)
    let mask = portrait.mask(.strong)
    let after = portrait.picture.copy()
    SkinRetouch().treat(after, [portrait.face], .strong)
    var (wrong, changed) = (0, 0)
    for component in 0..<3 {
      let (old, new) = (Samples(portrait.picture, component), Samples(after, component))
      for place in old.values.indices where old.values[place] != new.values[place] {
        changed += 1
        if mask.values[place] == 0 { wrong += 1 }
      }
    }
    #expect(changed > 50_000 && wrong == 0)
  }
}

extension RetouchedPortrait {
  /// Share of the oval in holes of the mask that are joined neither to its edge nor to a feature,
  /// each under a hundredth of it: where a pixel that could be is not treated by half.
  func speckles(in picture: OwnedPicture) -> Float {
    var bare = RetouchSettings()
    bare.skinAdapt = 0
    let inside = mask(bare).values.map { $0 >= 250 }
    let mask = mask(RetouchSettings(), picture)
    let oval = Float(inside.count { $0 })
    var isHole = zip(inside, mask.values).map { $0 && $1 < 0.5 * 255 }
    var speckles: Float = 0
    for place in isHole.indices where isHole[place] {
      // All that is joined to this hole.
      var (open, size, isIsolated) = ([place], Float(0), true)
      isHole[place] = false
      while let here = open.popLast() {
        size += 1
        for next in [here - 1, here + 1, here - mask.width, here + mask.width] {
          if !inside[next] { isIsolated = false }
          if isHole[next] {
            isHole[next] = false
            open.append(next)
          }
        }
      }
      if isIsolated, size < 0.01 * oval { speckles += size }
    }
    return speckles / oval
  }

  /// The portrait with flushed patches and small highlights on cheeks and forehead.
  func flushed() -> OwnedPicture {
    let result = picture.copy()
    let spots: [(across: Double, up: Double, radius: Double, isRed: Bool)] = [
      (-0.5, -0.15, 0.05, true), (0.5, -0.2, 0.05, true), (-0.6, 0.05, 0.035, true),
      (0.6, 0.05, 0.03, false), (0, 0.85, 0.035, false), (-0.2, 0.8, 0.03, true),
      (0.25, 0.85, 0.03, false), (-0.45, -0.4, 0.03, false), (0.45, -0.45, 0.04, true),
    ]
    let colors = (0..<3).map { Samples(picture, $0) }
    var changed = colors
    for (y, x) in product(0..<picture.height, 0..<picture.width) {
      for spot in spots {
        let off =
          Point(x: Double(x), y: Double(y)) - (center + right * spot.across + up * spot.up)
        let distance = off.length / (spot.radius * width)
        guard distance < 1 else { continue }
        let share = Float(min(1, (1 - distance) * 3))
        let place = y * picture.width + x
        for component in 0..<3 {
          let value = colors[component].values[place]
          let target = spot.isRed ? value * [1.12, 0.78, 0.78][component] : 0.35 * value + 160
          changed[component].values[place] += (target - value) * share
        }
      }
    }
    for component in 0..<3 { changed[component].write(to: result, component) }
    return result
  }

  /// The portrait with a day's beard: short dark hairs all over the lower face.
  func unshaven() -> OwnedPicture {
    let result = picture.copy()
    var random = SplitMix(5)
    let length = 0.018 * width
    let count = Int(3200 * 1.0)
    var shade = [Float](repeating: 1, count: picture.width * picture.height)
    for _ in 0..<count {
      let u = Double(random.uniform()) * 2 - 1
      let v = -0.15 - 0.85 * Double(random.uniform())
      guard u * u + v * v < 0.97 else { continue }
      let at = center + right * u + up * v
      let lean = (Double(random.uniform()) - 0.5) * 1.6
      let way = Point(x: lean, y: 1) * (length / (1 + lean * lean).squareRoot())
      for step in 0..<12 {
        let place = at + way * (Double(step) / 12)
        let (x, y) = (Int(place.x), Int(place.y))
        guard x >= 0, y >= 0, x < picture.width, y < picture.height else { continue }
        shade[y * picture.width + x] = 0.62
      }
    }
    for component in 0..<3 {
      var samples = Samples(picture, component)
      for place in shade.indices { samples.values[place] *= shade[place] }
      samples.write(to: result, component)
    }
    return result
  }
}
