import Compose
import Pixels
import ScreenKey
import Support
import Testing
import Threads

/// What each setting does, at its ends and beyond them.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeySettingsTests {
  private static let green: (Float, Float, Float) = (62, 172, 84)
  private static let brown: (Float, Float, Float) = (150, 90, 60)

  /// Screen on the left, subject from column 64 on.
  private func halves(
    _ format: PixelFormat = .i420, screen: (Float, Float, Float) = green
  ) -> OwnedPicture {
    let picture = plain(format, 128, 64, rgb: Self.brown)
    paint(picture, rgb: screen, columns: 0..<64)
    return picture
  }

  private func alpha(_ change: (inout ChromaKeySettings) -> Void = { _ in }) -> [UInt8] {
    var settings = ChromaKeySettings()
    change(&settings)
    let picture = halves()
    return ChromaKeyer(settings, for: picture).keyed(picture).samples[3]
  }

  /// The middle row's column where alpha first reaches half.
  private func edge(_ alpha: [UInt8]) -> Int {
    (0..<128).first { alpha[32 * 128 + $0] >= 128 } ?? 128
  }

  @Test func numbersAreClampedToTheirRanges() {
    var settings = ChromaKeySettings()
    settings.angle = .nan
    settings.clipBlack = -.infinity
    settings.clipWhite = .infinity
    settings.screenAdapt = 1e300
    settings.despill = .nan
    settings.matte.shrink = -1e300
    settings.matte.soften = .infinity
    settings.matte.cropTop = .nan
    let clamped = settings.clamped
    #expect(clamped.angle == 70)
    #expect(clamped.clipBlack == 0)
    #expect(clamped.clipWhite == 1)
    #expect(clamped.screenAdapt == 1)
    #expect(clamped.despill == 1)
    #expect(clamped.matte.shrink == -2)
    #expect(clamped.matte.soften == 4)
    #expect(clamped.matte.cropTop == 0)
    #expect(clamped.clamped == clamped)
  }

  @Test func settingsAtAndBeyondTheirLimitsDoNotTrap() {
    let picture = halves()
    let keyer = ChromaKeyer(for: picture)
    let paths: [WritableKeyPath<ChromaKeySettings, Double>] = [
      \.angle, \.clipBlack, \.clipWhite, \.screenAdapt, \.despill, \.spillLuma, \.matte.shrink,
      \.matte.soften, \.matte.cropLeft, \.matte.cropRight, \.matte.cropTop, \.matte.cropBottom,
    ]
    for path in paths {
      for value in [-Double.infinity, -1, 0, 0.5, 1, 20, 85, 1e9, .infinity, .nan] {
        keyer.settings[keyPath: path] = value
        #expect(keyer.keyed(picture).samples[3].count == 128 * 64)
      }
      keyer.settings = ChromaKeySettings()
    }
    for color: UInt32 in [0, 0xffff_ffff, 0x8080_8080, 0xff00_00ff] {
      keyer.settings.method = .custom
      keyer.settings.color = color
      #expect(keyer.keyed(picture).samples[3].count == 128 * 64)
    }
  }

  @Test func greyIsRejectedAsAScreen() {
    let opaque = alpha {
      $0.method = .custom
      $0.color = 0xff80_8080
    }
    #expect(opaque.allSatisfy { $0 == 255 })
  }

  @Test func equalClipsMakeTheMatteHard() {
    let hard = alpha {
      $0.clipBlack = 0.5
      $0.clipWhite = 0.5
    }
    #expect(hard[32 * 128 + 20] == 0)
    #expect(hard[32 * 128 + 100] == 255)
  }

  @Test func shrinkMovesTheEdgeByItsPixels() {
    let plainEdge = edge(alpha())
    #expect(abs(plainEdge - 64) <= 1)
    #expect(abs(edge(alpha { $0.matte.shrink = 4 }) - plainEdge - 4) <= 1)
    #expect(abs(edge(alpha { $0.matte.shrink = 8 }) - plainEdge - 8) <= 1)
    #expect(abs(edge(alpha { $0.matte.shrink = -2 }) - plainEdge + 2) <= 1)
  }

  @Test func softenWidensTheEdgeWithoutMovingIt() {
    func width(_ alpha: [UInt8]) -> Int {
      (0..<128).filter { alpha[32 * 128 + $0] > 12 && alpha[32 * 128 + $0] < 243 }.count
    }
    let sharp = alpha()
    let soft = alpha { $0.matte.soften = 4 }
    #expect(width(sharp) <= 3)
    #expect(width(soft) >= 8)
    #expect(abs(edge(soft) - edge(sharp)) <= 1)
  }

  @Test func cropsCutAtTheirPixels() {
    var settings = ChromaKeySettings()
    settings.matte.cropLeft = 0.25
    settings.matte.cropRight = 0.125
    settings.matte.cropTop = 0.25
    settings.matte.cropBottom = 0.5
    let picture = plain(.i420, 64, 64, rgb: Self.brown)
    let keyed = ChromaKeyer(settings, for: picture).keyed(picture).samples[3]
    for (y, x) in product(0..<64, 0..<64) {
      let isKept = x >= 16 && x < 56 && y >= 16 && y < 32
      #expect(keyed[y * 64 + x] == (isKept ? 255 : 0))
    }
  }

  @Test func cropsThatMeetLeaveAnEmptyMatte() {
    #expect(
      alpha {
        $0.matte.cropLeft = 1
        $0.matte.cropRight = 1
      }.allSatisfy { $0 == 0 })
  }

  @Test func invertKeepsTheScreenAndItsSamples() {
    var settings = ChromaKeySettings()
    settings.matte.invert = true
    let picture = halves()
    let before = picture.samples
    let keyed = ChromaKeyer(settings, for: picture).keyed(picture).samples
    for x in 0..<60 {
      #expect(keyed[3][32 * 128 + x] == 255)
      #expect(keyed[0][32 * 128 + x] == before[0][32 * 128 + x])
    }
    #expect(keyed[3][32 * 128 + 100] == 0)
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .rgbx])
  func showMatteIsAnOpaqueGreyPicture(_ format: PixelFormat) {
    var settings = ChromaKeySettings()
    settings.matte.showMatte = true
    let picture = plain(
      format, 128, 64, rgb: Self.brown, colorimetry: format.colorimetry(.bt709))
    paint(picture, rgb: Self.green, columns: 0..<64)
    let keyed = ChromaKeyer(settings, for: picture).keyed(picture).samples
    let black: UInt8 = format.family == .rgb ? 0 : 16
    let white: UInt8 = format.family == .rgb ? 255 : 235
    #expect(keyed[0][32 * 128 + 20] == black)
    #expect(keyed[0][32 * 128 + 100] == white)
    #expect(keyed[3].allSatisfy { $0 == 255 })
    if format.family != .rgb { #expect((keyed[1] + keyed[2]).allSatisfy { $0 == 128 }) }
  }

  @Test(
    arguments: [
      (ChromaKeySettings.Method.green, (0, 190, 0)), (.blue, (0, 0, 190)),
      (.magenta, (190, 0, 190)),
    ] as [(ChromaKeySettings.Method, (Float, Float, Float))])
  func aNamedHueIsFoundEvenWhereItIsSmall(
    _ method: ChromaKeySettings.Method, _ color: (Float, Float, Float)
  ) {
    var settings = ChromaKeySettings()
    settings.method = method
    let picture = plain(.i420, 128, 64, rgb: Self.brown)
    paint(picture, rgb: color, columns: 0..<8)
    let keyed = ChromaKeyer(settings, for: picture).keyed(picture).samples[3]
    #expect(keyed[32 * 128 + 2] == 0)
    #expect(keyed[32 * 128 + 64] == 255)
  }

  @Test func autoDoesNotKeyTheBarsOfATestPicture() {
    let picture = plain(.i420, 140, 60, rgb: (190, 190, 190))
    let bars: [(Float, Float, Float)] = [
      (190, 190, 190), (190, 190, 0), (0, 190, 190), (0, 190, 0), (190, 0, 190), (190, 0, 0),
    ]
    for (index, bar) in bars.enumerated() {
      paint(picture, rgb: bar, columns: index * 20..<index * 20 + 20)
    }
    // A seventh of the width, over two thirds of the height.
    picture.withPicture { frame in
      for y in 40..<60 { frame.plane(0).row(y).fill(16) }
      for plane in 1...2 { for y in 20..<30 { frame.plane(plane).row(y).fill(128) } }
    }
    let before = picture.samples
    let keyer = ChromaKeyer(for: picture)
    let keyed = keyer.keyed(picture).samples
    #expect(keyed[3].allSatisfy { $0 == 255 })
    #expect(Array(keyed[0..<3]) == before)
    #expect(keyer.screenColor == nil)
  }

  @Test func autoKeepsItsColourUntilReset() throws {
    let green = halves()
    let blue = halves(screen: (40, 70, 190))
    let keyer = ChromaKeyer(for: green)
    for _ in 0..<10 { _ = keyer.keyed(green) }
    let found = try #require(keyer.screenColor)
    _ = keyer.keyed(blue)
    #expect(keyer.screenColor == found)
    keyer.reset()
    _ = keyer.keyed(blue)
    #expect(keyer.screenColor != found)
  }

  @Test func aSceneCutToDarkerLightIsFollowedAtOnce() {
    let bright = halves()
    let dark = halves(screen: (47, 130, 63))
    let keyer = ChromaKeyer(for: bright)
    for _ in 0..<12 { _ = keyer.keyed(bright) }
    let keyed = keyer.keyed(dark).samples[3]
    #expect(keyed[32 * 128 + 20] == 0)
  }

  @Test func subjectsNearTheScreensHueKeepTheirColour() {
    let subjects: [(String, (Float, Float, Float))] = [
      ("skin", (198, 134, 98)), ("pale skin", (246, 214, 192)), ("dark skin", (58, 36, 28)),
      ("pink", (255, 170, 190)), ("olive", (96, 104, 64)), ("muted teal", (80, 120, 130)),
      ("yellow", (220, 190, 40)),
    ]
    for (name, color) in subjects {
      let picture = plain(.i420, 128, 64, rgb: color)
      paint(picture, rgb: Self.green, columns: 0..<64)
      let before = picture.samples
      let keyed = ChromaKeyer(for: picture).keyed(picture).samples
      #expect(keyed[3][32 * 128 + 100] == 255, "\(name)")
      for (component, at) in [(0, 32 * 128 + 100), (1, 16 * 64 + 50), (2, 16 * 64 + 50)] {
        #expect(abs(Int(keyed[component][at]) - Int(before[component][at])) <= 2, "\(name)")
      }
    }
  }

  @Test func despillRemovesTheScreensLightFromGrey() {
    func excess(_ despill: Double) -> Float {
      var settings = ChromaKeySettings()
      settings.despill = despill
      let picture = plain(.i420, 128, 64, rgb: (185, 202, 188))
      paint(picture, rgb: Self.green, columns: 0..<64)
      let keyed = ChromaKeyer(settings, for: picture).keyed(picture).samples
      let rgb = Colorimetry.bt709.rgb(
        y: Float(keyed[0][32 * 128 + 100]), cb: Float(keyed[1][16 * 64 + 50]),
        cr: Float(keyed[2][16 * 64 + 50]))
      return rgb.g - max(rgb.r, rgb.b)
    }
    #expect(excess(0) >= 12)
    #expect(excess(1) < 5)
    #expect(excess(0.5) < excess(0))
    #expect(excess(0.5) > excess(1))
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .bgrx, .ayuv])
  func pickColorReadsTheColourAtAPosition(_ format: PixelFormat) {
    let colors = format.colorimetry(.bt709)
    let picture = plain(format, 64, 64, rgb: Self.brown, colorimetry: colors)
    paint(picture, rgb: Self.green, columns: 0..<32)
    picture.withPicture { picture in
      for (x, y) in [(5.0, 5.0), (-40, 1e9), (.nan, 3)] {
        let color = ChromaKeyer.pickColor(picture, x: x, y: y)
        #expect(color >> 24 == 255)
        #expect(abs(Int(color >> 16 & 255) - 62) <= 2)
        #expect(abs(Int(color >> 8 & 255) - 172) <= 2)
        #expect(abs(Int(color & 255) - 84) <= 2)
      }
    }
  }

  @Test func picturesOfAnotherConfigurationDoNotChange() {
    let picture = halves()
    let small = plain(.i420, 16, 16, rgb: Self.green)
    let before = small.samples
    let keyer = ChromaKeyer(for: picture)
    small.withPicture { from in
      small.withPicture { to in
        keyer.process(source: from, destination: to, runner: SerialRunner())
      }
    }
    #expect(small.samples == before)
  }

  @Test func theSourcesAlphaIsMultiplied() {
    let picture = halves(.a420)
    picture.withPicture { frame in
      for y in 0..<64 { frame.plane(3).row(y).fill(128) }
    }
    let keyed = ChromaKeyer(for: picture).keyed(picture).samples[3]
    #expect(keyed[32 * 128 + 20] == 0)
    #expect(keyed[32 * 128 + 100] == 128)
  }
}
