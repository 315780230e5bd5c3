import Faces
import Pixels
import Retouch
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct SkinRetouchTests {
  private static let tone = (r: 198.0, g: 150.0, b: 128.0)

  private static var strong: RetouchSettings {
    var settings = RetouchSettings()
    settings.intensity = 1
    settings.brightness = 1
    settings.evenSkin = 1
    settings.detail = 0
    settings.skinAdapt = 0
    return settings
  }

  /// The mask of a face as a grey picture whose black is 0.
  private static func mask(
    _ faces: [Face], _ settings: RetouchSettings, width: Int, height: Int
  ) -> [[UInt8]] {
    let picture = OwnedPicture(
      format: .gray8, width: width, height: height,
      colorimetry: Colorimetry(matrix: .bt709, isFullRange: true))
    var settings = settings
    settings.showsMask = true
    SkinRetouch().treat(picture, faces, settings)
    return picture.rows(0)
  }

  @Test(arguments: PixelFormat.eightBit)
  func bytesOutsideTheMaskDoNotChangeInAnyFormat(_ format: PixelFormat) {
    for (width, height) in [(97, 83), (80, 96)] {
      let made = MadeFace(
        center: Point(x: 47, y: 44), size: 58, width: width, height: height)
      let mask = Self.mask([made.face()], Self.strong, width: width, height: height)
      let picture = OwnedPicture(
        format: format, width: width, height: height, colorimetry: format.colorimetry(.bt709))
      picture.draw(skin(Self.tone, grain: 6))
      let before = (0..<format.layout.components.count).map(picture.rows)
      let all = picture.tightBytes
      SkinRetouch().treat(picture, [made.face()], Self.strong)
      var changed = 0
      var wrong = 0
      for (component, old) in before.enumerated() {
        let isAlpha = format.hasAlpha && component == before.count - 1
        let isChroma = format.family == .ycc && (component == 1 || component == 2)
        let h = isChroma ? format.layout.chromaShifts.h : 0
        let v = isChroma ? format.layout.chromaShifts.v : 0
        let new = picture.rows(component)
        for (y, x) in product(old.indices, old[0].indices) where new[y][x] != old[y][x] {
          changed += 1
          let pixels = product(
            (y << v)..<min((y + 1) << v, height), (x << h)..<min((x + 1) << h, width))
          let isMasked = pixels.contains { mask[$0][$1] > 0 }
          let isFeature = pixels.allSatisfy { made.isFeature($1, $0) }
          if !isMasked || isFeature || isAlpha { wrong += 1 }
        }
      }
      #expect(changed > 1000)
      #expect(wrong == 0)
      // Bytes that belong to no component.
      let unused = [.rgbx, .bgrx].contains(format) ? 3 : [.xrgb, .xbgr].contains(format) ? 0 : nil
      if let unused {
        let after = picture.tightBytes
        #expect(stride(from: unused, to: after.count, by: 4).allSatisfy { after[$0] == all[$0] })
      }
    }
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .rgb, .bgra, .gray8])
  func everyNumberOfThreadsGivesTheSameBits(_ format: PixelFormat) {
    let made = MadeFace(center: Point(x: 70, y: 62), size: 90, width: 141, height: 127)
    var results: [[UInt8]] = []
    for threads in [1, 2, 3, 7] {
      let picture = OwnedPicture(
        format: format, width: 141, height: 127, colorimetry: format.colorimetry(.bt709))
      let retouch = SkinRetouch()
      var settings = Self.strong
      settings.skinAdapt = 0.65
      for frame in 0..<2 {
        picture.draw(skin(Self.tone, grain: 5, seed: frame))
        retouch.treat(picture, [made.face()], settings, runner: BackwardRunner(threads))
      }
      results.append(picture.tightBytes)
    }
    #expect(results.dropFirst().allSatisfy { $0 == results[0] })
  }

  @Test(arguments: PixelFormat.eightBit)
  func settingsThatDoNothingChangeNothing(_ format: PixelFormat) {
    let made = MadeFace(center: Point(x: 30, y: 32), size: 40, width: 61, height: 63)
    let picture = OwnedPicture(
      format: format, width: 61, height: 63, colorimetry: format.colorimetry(.bt709))
    picture.draw(skin(Self.tone, grain: 6))
    let before = picture.tightBytes
    var settings = RetouchSettings()
    settings.intensity = 0
    settings.brightness = 0
    settings.evenSkin = 0
    let retouch = SkinRetouch()
    #expect(retouch.passes([made.face()], settings))
    retouch.treat(picture, [made.face()], settings)
    #expect(picture.tightBytes == before)
    // Nor do strong ones where there is no face.
    retouch.configure(format: format, width: 61, height: 63)
    #expect(retouch.passes([], Self.strong))
    retouch.treat(picture, [], Self.strong)
    #expect(picture.tightBytes == before)
  }

  @Test func meshKeypointsOrBoxSufficeForRetouching() {
    let made = MadeFace(center: Point(x: 80, y: 80), size: 100, width: 160, height: 160)
    var settings = RetouchSettings()
    settings.feather = 0
    func area(_ face: Face, _ mask: RetouchSettings.Mask) -> Double {
      settings.mask = mask
      settings.skinAdapt = 0
      let rows = Self.mask([face], settings, width: 160, height: 160)
      return rows.reduce(0) { $0 + $1.reduce(0) { $0 + Double($1) / 255 } } / (100 * 100)
    }
    let bare = made.face(mesh: false, keypoints: false)
    // An ellipse 0.96 wide and 1.25 high has the area 0.94; the features take some of it.
    #expect(abs(area(bare, .face) - 0.941) < 0.02)
    #expect(abs(area(bare, .rectangle) - 1.3) < 0.03)
    let points = area(made.face(mesh: false), .face)
    #expect(points > 0.33 && points < 0.75)
    let mesh = area(made.face(), .face)
    #expect(mesh > 0.5 && mesh < 0.8)
    #expect(abs(area(made.face(), .full) - 2.56) < 0.01)
    for mask in RetouchSettings.Mask.allCases where mask != .full {
      settings.mask = mask
      settings.skinAdapt = 0
      for face in [made.face(), made.face(mesh: false)] {
        let rows = Self.mask([face], settings, width: 160, height: 160)
        // The eyes' centres are spared whichever way they are known.
        #expect(rows[68][59] == 0 && rows[68][101] == 0 && rows[114][80] == 0)
      }
    }
  }

  @Test func theMaskIsFullInsideAndNothingOutsideItsEdge() {
    var settings = RetouchSettings()
    settings.skinAdapt = 0
    let made = MadeFace(center: Point(x: 70, y: 80), size: 100, width: 150, height: 170)
    let rows = Self.mask(
      [made.face(mesh: false, keypoints: false)], settings, width: 150, height: 170)
    var wrong = 0
    for (y, x) in product(0..<170, 0..<150) {
      if made.isInside(x, y, shrink: 0.8), rows[y][x] < 254 { wrong += 1 }
      if !made.isInside(x, y, shrink: 1.06), rows[y][x] > 0 { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func overlappingFacesKeepTheirFeaturesAndAreRetouchedOnce() {
    let one = MadeFace(center: Point(x: 70, y: 80), size: 90, width: 200, height: 160)
    let two = MadeFace(center: Point(x: 125, y: 84), size: 90, width: 200, height: 160)
    let picture = OwnedPicture(
      format: .gray8, width: 200, height: 160, colorimetry: .bt709)
    picture.draw(skin(Self.tone, grain: 8))
    let before = picture.rows(0)
    SkinRetouch().treat(picture, [one.face(id: 1), two.face(id: 2)], Self.strong)
    let after = picture.rows(0)
    var wrong = 0
    for (y, x) in product(0..<160, 0..<200) where after[y][x] != before[y][x] {
      if one.isFeature(x, y) || two.isFeature(x, y) { wrong += 1 }
    }
    #expect(wrong == 0)
    // The same face twice is the face once.
    let once = OwnedPicture(format: .gray8, width: 200, height: 160, colorimetry: .bt709)
    let twice = OwnedPicture(format: .gray8, width: 200, height: 160, colorimetry: .bt709)
    once.draw(skin(Self.tone, grain: 8))
    twice.draw(skin(Self.tone, grain: 8))
    SkinRetouch().treat(once, [one.face(id: 1)], Self.strong)
    SkinRetouch().treat(twice, [one.face(id: 1), one.face(id: 2)], Self.strong)
    #expect(once.tightBytes == twice.tightBytes)
  }

  @Test func distantPixelsHaveNoInfluence() {
    let made = MadeFace(center: Point(x: 60, y: 60), size: 60, width: 200, height: 120)
    var results: [[[UInt8]]] = []
    for seed in [1, 2] {
      let picture = OwnedPicture(format: .gray8, width: 200, height: 120, colorimetry: .bt709)
      let inside = skin(Self.tone, grain: 6)
      picture.draw { x, y in
        let noise = 128 + 120 * grain(x, y, seed)
        return x < 130 ? inside(x, y) : (noise, noise, noise)
      }
      SkinRetouch().treat(picture, [made.face()], Self.strong)
      results.append(picture.rows(0).map { Array($0[0..<120]) })
    }
    #expect(results[0] == results[1])
  }

  @Test func facesAtAndOverEveryBorderAreClipped() {
    for format in PixelFormat.eightBit {
      for (x, y) in [(0, 0), (47, 0), (95, 70), (0, 35), (47, 71), (-20, -30), (200, 200)] {
        let made = MadeFace(
          center: Point(x: Double(x), y: Double(y)), size: 60, width: 95, height: 71)
        let picture = OwnedPicture(
          format: format, width: 95, height: 71, colorimetry: format.colorimetry(.bt709))
        picture.draw(skin(Self.tone, grain: 6))
        let before = picture.rows(0)
        SkinRetouch().treat(picture, [made.face()], Self.strong)
        let after = picture.rows(0)
        var wrong = 0
        for (py, px) in product(0..<71, 0..<95) where after[py][px] != before[py][px] {
          if !made.isInside(px, py, shrink: 1.15) { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect((after != before) == (x > -20 && x < 200))
      }
    }
  }
}
