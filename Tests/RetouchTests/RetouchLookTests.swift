import Pixels
import Retouch
import Support
import Testing

/// What the retouching does to skin, measured as a viewer would judge it.
@Suite(.timeLimit(.minutes(20))) struct RetouchLookTests {
  private static let made = MadeFace(
    center: Point(x: 64, y: 72), size: 100, width: 128, height: 144)

  /// Pixels well inside the mask of `made`: cheeks, nose and forehead.
  private static let inner: [(x: Int, y: Int)] = {
    var result: [(x: Int, y: Int)] = []
    for y in 66..<96 { for x in 30..<98 { result.append((x, y)) } }
    return result
  }()

  /// Root mean square of what a 5 x 5 mean takes off the pixels of `inner`.
  private static func texture(_ rows: [[UInt8]]) -> Double {
    var sum = 0.0
    for (x, y) in inner {
      var mean = 0.0
      for v in -2...2 { for u in -2...2 { mean += Double(rows[y + v][x + u]) } }
      let rest = Double(rows[y][x]) - mean / 25
      sum += rest * rest
    }
    return (sum / Double(inner.count)).squareRoot()
  }

  @Test func textureFallsSteadilyWithIntensityAndRisesWithDetail() {
    func remaining(_ intensity: Double, _ detail: Double) -> Double {
      let picture = OwnedPicture(
        format: .gray8, width: 128, height: 144, colorimetry: .bt709)
      picture.draw(skin((205, 160, 140), grain: 5))
      let before = Self.texture(picture.rows(0))
      var settings = RetouchSettings()
      settings.intensity = intensity
      settings.detail = detail
      settings.brightness = 0
      SkinRetouch().treat(picture, [Self.made.face()], settings)
      return Self.texture(picture.rows(0)) / before
    }
    let byIntensity = [0, 0.1, 0.25, 0.5, 0.6, 0.8, 1].map { remaining($0, 0.25) }
    #expect(byIntensity[0] == 1)
    for (less, more) in zip(byIntensity, byIntensity.dropFirst()) { #expect(more < less) }
    #expect(byIntensity[2] < 0.75)
    #expect(byIntensity[6] > 0.15 && byIntensity[6] < 0.55)
    let byDetail = [0, 0.25, 0.5, 1].map { remaining(0.8, $0) }
    for (less, more) in zip(byDetail, byDetail.dropFirst()) { #expect(more > less) }
  }

  @Test func allSkinTonesInAllLightsAreTreatedAlike() {
    var reductions: [Double] = []
    var worstHue = 0.0
    var clipped = 0
    for (r, g, b) in monkSkinTones {
      for light in testLights {
        let tone = (r: r * light.0, g: g * light.1, b: b * light.2)
        let picture = OwnedPicture(
          format: .y444, width: 128, height: 144,
          colorimetry: Colorimetry(matrix: .bt709, isFullRange: true))
        // The same pores and noise in codes on every tone, so that rounding weighs the same.
        picture.draw { x, y in
          let pores = 2.5 * (grain(x / 2, y / 2) + grain((x + 1) / 2, (y + 1) / 2, 1))
          return (
            tone.r + pores + 3 * grain(x, y, 2), tone.g + pores + 1.5 * grain(x, y, 3),
            tone.b + pores + 3 * grain(x, y, 4)
          )
        }
        let before = (0..<3).map(picture.rows)
        SkinRetouch().treat(picture, [Self.made.face()], RetouchSettings())
        let after = (0..<3).map(picture.rows)
        reductions.append(1 - Self.texture(after[0]) / Self.texture(before[0]))
        worstHue = max(worstHue, Self.turn(Self.meanChroma(before), Self.meanChroma(after)))
        for (x, y) in Self.inner {
          let color = picture.colorimetry.rgb(
            y: Float(after[0][y][x]), cb: Float(after[1][y][x]), cr: Float(after[2][y][x]))
          if max(color.r, color.g, color.b) > 255.5 || min(color.r, color.g, color.b) < -0.5 {
            clipped += 1
          }
        }
      }
    }
    let mean = reductions.reduce(0, +) / Double(reductions.count)
    #expect(mean > 0.3)
    #expect(reductions.allSatisfy { abs($0 - mean) < 0.05 })
    // The tangent of one degree.
    #expect(worstHue < 0.01746)
    #expect(clipped == 0)
  }

  private static func meanChroma(_ parts: [[[UInt8]]]) -> Point {
    var sum = Point(x: 0, y: 0)
    for (x, y) in inner {
      sum = sum + Point(x: Double(parts[1][y][x]) - 128, y: Double(parts[2][y][x]) - 128)
    }
    return sum * (1 / Double(inner.count))
  }

  /// Tangent of the angle between two colours seen from grey.
  private static func turn(_ a: Point, _ b: Point) -> Double {
    abs(a.x * b.y - a.y * b.x) / max(a.x * b.x + a.y * b.y, 1e-9)
  }

  @Test func skinGetsBrighterAndKeepsItsSaturation() {
    let picture = OwnedPicture(format: .i420, width: 128, height: 144, colorimetry: .bt601)
    picture.draw(skin((150, 105, 85), grain: 2))
    let before = (0..<3).map(picture.rows)
    var settings = RetouchSettings()
    settings.brightness = 1
    SkinRetouch().treat(picture, [Self.made.face()], settings)
    let after = (0..<3).map(picture.rows)
    let lumaBefore = Double(before[0][80][64]) - 16
    let lumaAfter = Double(after[0][80][64]) - 16
    #expect(lumaAfter > lumaBefore + 8)
    let growth = (Double(after[2][40][32]) - 128) / (Double(before[2][40][32]) - 128)
    #expect(abs(growth - min(lumaAfter / lumaBefore, 1.15)) < 0.06)
  }

  @Test func redPatchesAreEvened() {
    func spot(_ even: Double, _ format: PixelFormat) -> (before: Double, after: Double) {
      let picture = OwnedPicture(
        format: format, width: 128, height: 144,
        colorimetry: format.colorimetry(.bt709))
      picture.draw { x, y in
        let dx = Double(x) - 64
        let dy = Double(y) - 80
        return dx * dx + dy * dy < 60 ? (200, 132, 118) : (195, 150, 130)
      }
      func difference() -> Double {
        let parts = (0..<3).map(picture.rows)
        func redness(_ x: Int, _ y: Int) -> Double {
          format.family == .rgb
            ? Double(parts[0][y][x]) - Double(parts[1][y][x])
            : Double(parts[2][y / 2][x / 2])
        }
        return redness(64, 80) - redness(40, 80)
      }
      let before = difference()
      var settings = RetouchSettings()
      settings.evenSkin = even
      settings.brightness = 0
      settings.skinAdapt = 0
      SkinRetouch().treat(picture, [Self.made.face()], settings)
      return (before, difference())
    }
    for format in [PixelFormat.nv12, .rgbx] {
      let none = spot(0, format)
      #expect(none.after == none.before)
      let half = spot(0.5, format)
      let full = spot(1, format)
      #expect(half.after < half.before && full.after < half.after)
      #expect(full.after < full.before * 0.7 && full.after >= 0)
    }
  }

  @Test(arguments: [PixelFormat.y444, .rgb])
  func shadowsKeepTheirColour(_ format: PixelFormat) {
    let picture = OwnedPicture(
      format: format, width: 128, height: 144,
      colorimetry: format.family == .rgb
        ? .rgb : Colorimetry(matrix: .bt709, isFullRange: true))
    // Under the chin's line the same skin in a third less light.
    let face = skin((200, 152, 130), grain: 1)
    picture.draw { x, y in
      let (r, g, b) = face(x, y)
      return y < 100 ? (r, g, b) : (r * 0.65, g * 0.65, b * 0.65)
    }
    /// Redness of a place against its lightness.
    func redness(_ picture: OwnedPicture, _ x: Int, _ y: Int) -> Double {
      let parts = (0..<3).map { Double(picture.rows($0)[y][x]) }
      return format.family == .rgb
        ? (parts[0] - parts[1]) / parts[1] : (parts[2] - 128) / parts[0]
    }
    let before = redness(picture, 64, 104)
    var settings = RetouchSettings()
    settings.evenSkin = 1
    settings.intensity = 0
    settings.brightness = 0
    SkinRetouch().treat(picture, [Self.made.face(mesh: false, keypoints: false)], settings)
    #expect(abs(redness(picture, 64, 104) - before) < 0.15 * before)
  }

  @Test func theShownMaskIsComputedBeforeThePictureIsBlackened() {
    func shown(_ adapt: Double) -> [[UInt8]] {
      let picture = OwnedPicture(format: .gray8, width: 128, height: 144, colorimetry: .bt709)
      let face = skin((205, 160, 140), grain: 4)
      picture.draw { x, y in y < 40 ? (30, 30, 30) : face(x, y) }
      var settings = RetouchSettings()
      settings.showsMask = true
      settings.skinAdapt = adapt
      SkinRetouch().treat(picture, [Self.made.face()], settings)
      return picture.rows(0)
    }
    let (spared, all) = (shown(1), shown(0))
    #expect(all[24][64] > 200 && spared[24][64] == 16)
    #expect(all[80][40] > 200 && spared[80][40] > 200)
  }

  @Test func hairOverTheForeheadIsExcludedByItsLuma() {
    let picture = OwnedPicture(format: .gray8, width: 128, height: 144, colorimetry: .bt709)
    let face = skin((205, 160, 140), grain: 4)
    picture.draw { x, y in
      let strand = 40 + 12 * grain(x, 0)
      return y < 30 ? (strand, strand, strand) : face(x, y)
    }
    let before = picture.rows(0)
    SkinRetouch().treat(picture, [Self.made.face()], RetouchSettings())
    let after = picture.rows(0)
    var worst = 0
    for (y, x) in product(18..<25, 56..<72) {
      worst = max(worst, abs(Int(after[y][x]) - Int(before[y][x])))
    }
    #expect(worst <= 1)
    #expect(Self.texture(after) < Self.texture(before) * 0.75)
  }
}
