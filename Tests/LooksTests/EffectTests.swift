import Faces
import Looks
import Pixels
import Support
import Testing
import Threads

/// Vignette, grain, masks and cartoons.
@Suite(.timeLimit(.minutes(20))) struct EffectTests {
  private static func plain(
    _ value: UInt8, _ format: PixelFormat = .gray8, width: Int = 640, height: Int = 360
  ) -> OwnedPicture {
    let picture = OwnedPicture(
      format: format, width: width, height: height,
      colorimetry: format.family == .ycc ? .bt709 : .rgb)
    picture.withPicture { picture in
      for index in 0..<min(3, format.layout.componentCount) {
        let isChroma = format.family == .ycc && index > 0
        picture.component(index).fill { _, _ in isChroma ? 128 : value }
      }
    }
    return picture
  }

  private static func luma(_ picture: OwnedPicture) -> [[UInt8]] { Samples3(picture).planes[0] }

  // MARK: Vignette

  @Test func aVignetteDarkensAllCornersAndNotTheCentre() {
    let picture = Self.plain(180)
    Looked.change(picture) { $0.vignette = 0.8 }
    let rows = Self.luma(picture)
    #expect(rows[180][320] == 180 && rows[150][280] == 180)
    #expect(rows[0][0] < 80 && rows[180][10] < 170)
    for (x, y) in [(0, 0), (40, 90), (100, 3), (319, 0)] {
      let mirrored = [rows[y][639 - x], rows[359 - y][x], rows[359 - y][639 - x]]
      // The dither is not mirrored.
      #expect(mirrored.allSatisfy { abs(Int($0) - Int(rows[y][x])) <= 1 })
    }
  }

  /// Without a dither a slope so gentle has bands tens of pixels wide.
  @Test func aVignetteHasNoBands() {
    let picture = Self.plain(60, width: 1280, height: 720)
    Looked.change(picture) { $0.vignette = 0.3 }
    let row = Self.luma(picture)[360]
    var (longest, run) = (0, 0)
    for x in 1..<row.count {
      run = row[x] == row[x - 1] ? run + 1 : 0
      if row[x] != 60 { longest = max(longest, run) }
    }
    #expect(Int(row[0]) < 58 && longest < 24, "\(row[0]), \(longest)")
  }

  @Test(arguments: [PixelFormat.i420, .yuy2, .rgb, .xbgr, .ayuv])
  func aVignetteKeepsGreyGreyAndAlpha(format: PixelFormat) {
    let picture = Self.plain(150, format, width: 160, height: 90)
    let before = Samples3(picture)
    Looked.change(picture) { $0.vignette = 1 }
    let after = Samples3(picture)
    #expect(after.planes[0][0][0] < 60 && after.planes[0][45][80] == before.planes[0][45][80])
    if format.family == .ycc {
      #expect(after.planes[1...].allSatisfy { $0.allSatisfy { $0.allSatisfy { $0 == 128 } } })
    }
  }

  // MARK: Grain

  @Test func grainIsAFunctionOfTime() {
    func grained(_ time: UInt64) -> [[UInt8]] {
      let picture = Self.plain(120, width: 320, height: 180)
      Looked.change(picture, time: time) { $0.grain = 0.5 }
      return Self.luma(picture)
    }
    let (first, again, later) = (grained(40_000_000), grained(40_000_000), grained(80_000_000))
    #expect(first == again)
    let values = first.joined().map { Double($0) - 120 }
    let mean = values.reduce(0, +) / Double(values.count)
    let deviation = (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    #expect(abs(mean) < 0.2 && deviation > 4 && deviation < 10, "\(mean), \(deviation)")
    let product = zip(values, later.joined()).reduce(0) { $0 + $1.0 * (Double($1.1) - 120) }
    #expect(abs(product / Double(values.count)) < 0.05 * deviation * deviation)
  }

  @Test func grainIsWeakerOnBlackAndWhiteThanBetween() {
    func deviation(_ value: UInt8) -> Double {
      let picture = Self.plain(value, width: 320, height: 180)
      Looked.change(picture) { $0.grain = 1 }
      let values = Self.luma(picture).joined().map { Double($0) - Double(value) }
      return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }
    #expect(deviation(120) > 1.5 * deviation(20) && deviation(120) > 1.5 * deviation(240))
  }

  // MARK: Places

  @Test(arguments: PixelFormat.eightBit)
  func pixelsOutsideTheMaskDoNotChange(format: PixelFormat) throws {
    let face = Face(
      id: 1, confidence: 1, box: Rectangle(x: 0.4, y: 0.3, width: 0.2, height: 0.3))
    for inverted in [false, true] {
      let picture = TestColors.picture(
        format, format.colorimetry(.bt709), width: 162, height: 121)
      let before = Samples3(picture)
      let mask = EffectMask()
      mask.setFaces([face], width: 162, height: 121, inverted: inverted)
      Looked.change(picture, mask: mask) { settings in
        settings.look = .noir
        settings.grain = 0.4
        settings.vignette = 0.4
      }
      let after = Samples3(picture)
      // The corners are no face; the middle is.
      let (corner, middle) = (before.planes[0][5][5], before.planes[0][54][81])
      let (newCorner, newMiddle) = (after.planes[0][5][5], after.planes[0][54][81])
      #expect(inverted ? corner != newCorner : corner == newCorner)
      #expect(inverted ? middle == newMiddle : middle != newMiddle)
    }
  }

  @Test func invalidFacesAreIgnored() {
    for value in [Double.nan, .infinity, -1e300, 1e9, -3, 0] {
      let picture = Self.plain(90, width: 64, height: 48)
      let mask = EffectMask()
      let faces = [
        Face(confidence: 1, box: Rectangle(x: value, y: 0.1, width: 0.3, height: value)),
        Face(
          confidence: 1, box: Rectangle(x: 0.1, y: 0.1, width: 0.3, height: 0.3),
          pose: HeadPose(roll: value, yaw: 0, pitch: 0)),
      ]
      mask.setFaces(faces, width: 64, height: 48, inverted: false)
      Looked.change(picture, mask: mask) { $0.look = .noir }
      #expect(Self.luma(picture)[47][63] == 90)
    }
  }

  @Test func invalidMaskRegionsDoNotTrap() {
    let values = Grid<UInt8>(width: 7, height: 5, of: 255)
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, -3, 0] {
      for other in [0.5, value] {
        let picture = Self.plain(90, .i420, width: 64, height: 48)
        let mask = EffectMask()
        mask.setMask(
          values, region: Rectangle(x: value, y: other, width: other, height: value), width: 64,
          height: 48, inverted: false)
        Looked.change(picture, mask: mask) { $0.look = .noir }
        #expect(Self.luma(picture)[20][20] != 90)
      }
    }
  }

  // MARK: Threads

  @Test(arguments: [PixelFormat.i420, .uyvy, .bgr, .rgba, .gray8], [Look.cartoon, .chrome])
  func resultsDoNotDependOnTheNumberOfThreads(format: PixelFormat, look: Look) {
    func frame(_ threads: Int) -> [UInt8] {
      let picture = TestColors.picture(
        format, format.colorimetry(.bt601), width: 201, height: 133)
      let mask = EffectMask()
      mask.setFaces(
        [Face(confidence: 1, box: Rectangle(x: 0.2, y: 0.2, width: 0.5, height: 0.5))],
        width: 201, height: 133, inverted: false)
      Looked.change(picture, mask: mask, time: 7, runner: ThreadPool(exactly: threads)) {
        ($0.look, $0.vignette, $0.grain) = (look, 0.5, 0.5)
      }
      return picture.tightBytes
    }
    #expect(frame(1) == frame(2) && frame(1) == frame(5))
  }
}
