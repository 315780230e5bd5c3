import Compose
import PersonKey
import Pixels
import ScreenKey
import Support
import Testing
import Threads

/// Keying in the bits of 10-bit streams.
@Suite(.timeLimit(.minutes(20))) struct DeepKeyingTests {
  static let green: (Float, Float, Float) = (0, 255, 0)
  static let brown: (Float, Float, Float) = (150, 90, 60)
  static let sizes = [(1, 1), (2, 2), (3, 5), (65, 49)]

  private static func deep(
    _ format: PixelFormat, _ width: Int, _ height: Int, rgb: (Float, Float, Float),
    screen: Range<Int>? = nil, seed: UInt64? = nil
  ) -> OwnedPicture {
    let picture = plain(format.eightBitCounterpart, width, height, rgb: rgb)
    if let screen { paint(picture, rgb: (62, 172, 84), columns: screen) }
    return picture.deepened(format, seed: seed)
  }

  @Test(arguments: PixelFormat.deepKeyed) func pureGreenBecomesTransparent(_ format: PixelFormat) {
    for (width, height) in Self.sizes {
      let picture = Self.deep(format, width, height, rgb: Self.green)
      let keyed = ChromaKeyer(for: picture).keyed(picture).codes
      #expect(keyed[3].allSatisfy { $0 == 0 })
      #expect(keyed[0].allSatisfy { $0 == 64 } && keyed[1].allSatisfy { $0 == 512 })
    }
  }

  @Test(arguments: PixelFormat.deep)
  func aFrameWithoutAScreenKeepsEveryCode(_ format: PixelFormat) {
    for (width, height) in Self.sizes {
      let picture = Self.deep(format, width, height, rgb: Self.brown, seed: 3)
      let before = picture.codes
      let keyed = ChromaKeyer(for: picture).keyed(picture).codes
      #expect(Array(keyed[0..<3]) == Array(before[0..<3]))
      if keyed.count > 3 { #expect(keyed[3].allSatisfy { $0 == 1023 }) }
      let background = Background(color: 0xff20_40c0, for: picture.video)
      let composed = ChromaKeyer(for: picture).keyed(picture, background: background).codes
      #expect(composed == before)
    }
  }

  @Test(arguments: PixelFormat.deepOpaque)
  func aRampKeepsEveryCode(_ format: PixelFormat) {
    let picture = OwnedPicture.lumaRamp(format)
    let before = picture.codes
    #expect(picture.liveLumaCodes == 877)
    #expect(Array(ChromaKeyer(for: picture).keyed(picture).codes[0..<3]) == before)
  }

  @Test(arguments: PixelFormat.deepKeyed)
  func subjectAndScreenAreExactOnEitherSideOfAnEdge(_ format: PixelFormat) {
    let (width, height) = (129, 35)
    let picture = Self.deep(format, width, height, rgb: Self.brown, screen: 0..<64)
    let before = picture.codes
    let keyed = ChromaKeyer(for: picture).keyed(picture).codes
    for (y, x) in product(0..<height, 0..<width) where x < 60 || x > 68 {
      #expect(keyed[3][y * width + x] == (x < 64 ? 0 : 1023))
      if x > 68 { #expect(keyed[0][y * width + x] == before[0][y * width + x]) }
    }
    let background = Background(color: 0xff20_40c0, for: picture.video)
    let composed = ChromaKeyer(for: picture).keyed(picture, background: background).codes
    let ycc = picture.colorimetry.ycc(r: 0x20, g: 0x40, b: 0xc0)
    let target = [ycc.y, ycc.cb, ycc.cr].map { UInt16(($0 * 4).rounded()) }
    for index in 0..<3 {
      let place = format.layout[index]
      let columns = PixelLayout.subsampled(width, by: place.hShift)
      for (at, value) in composed[index].enumerated() {
        let x = (at % columns) << place.hShift
        if x < 60 { #expect(value == target[index]) }
        if x > 68 { #expect(value == before[index][at]) }
      }
    }
  }

  /// From the screen's chroma to the subject's, code by code.
  private func chromaRamp(_ format: PixelFormat) -> OwnedPicture {
    let (screen, subject) = (
      Colorimetry.bt709.ycc(r: 62, g: 172, b: 84), Colorimetry.bt709.ycc(r: 150, g: 90, b: 60)
    )
    let scale = Float(1 << (format.bitDepth - 8))
    let (width, height) = (1024, 48)
    let result = OwnedPicture(format: format, width: width, height: height, colorimetry: .bt709)
    func code(_ x: Int, _ from: Float, _ to: Float) -> Int {
      // Half of it screen, so that it is found.
      let share = max(0, Float(x) - 512) / 511
      return Int(((from + (to - from) * share) * scale).rounded())
    }
    result.withPicture { picture in
      for (y, x) in product(0..<height, 0..<width) {
        let codes = [
          code(x, screen.y, subject.y), code(x, screen.cb, subject.cb),
          code(x, screen.cr, subject.cr),
        ]
        for index in 0..<3 {
          if format.bitDepth == 8 {
            picture.component(index)[x, y] = UInt8(codes[index])
          } else {
            picture.deepComponent(index)[x, y] = UInt16(codes[index])
          }
        }
      }
    }
    return result
  }

  /// Alpha of an edge that rises slowly, and the foreground in it, against the same at 8 bits.
  @Test func alphaHasTheBitsOfTheStream() {
    let (small, large) = (chromaRamp(.y444), chromaRamp(.y444Ten))
    let eight = ChromaKeyer(for: small).keyed(small).codes
    let ten = ChromaKeyer(for: large).keyed(large).codes
    let (few, many) = (Set(eight[3]).count, Set(ten[3]).count)
    // As many as chroma has codes from one to the other.
    #expect(2 * many > 3 * few, "\(few), \(many)")
    // The same edge: within the rounding of chroma, one of whose codes is up to ten of alpha.
    let distances = zip(eight[3], ten[3]).map { abs(Int($0) * 1023 / 255 - Int($1)) }
    #expect(distances.max() ?? 0 < 48)
    // Alpha falls with every step toward the subject, and never rises.
    let row = ten[3][0..<1024]
    #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: [PixelFormat.p010, .y42bTen])
  func everyThreadCountGivesTheSameBits(_ format: PixelFormat) throws {
    var scene = ChromaKeyScene.Settings()
    (scene.width, scene.height) = (161, 91)
    let picture = try ChromaKeyScene(scene).picture(
      format.eightBitCounterpart, colorimetry: .bt709
    ).deepened(format, seed: 5)
    var look = ChromaKeySettings()
    (look.matte.shrink, look.matte.soften) = (1.5, 1)
    let alone = ChromaKeyer(look, for: picture).keyed(picture).codes
    #expect(Set(alone[3]).count > 100)
    for threads in [2, 7] {
      let runner = BackwardRunner(threads)
      #expect(ChromaKeyer(look, for: picture).keyed(picture, runner: runner).codes == alone)
    }
  }

  /// In place as into another frame, and whatever lies above the codes in their words.
  @Test(arguments: PixelFormat.deepOpaque)
  func neitherPlaceNorOtherBitsChangeAComposite(_ format: PixelFormat) throws {
    var scene = ChromaKeyScene.Settings()
    (scene.width, scene.height) = (163, 91)
    let picture = try ChromaKeyScene(scene).picture(
      format.eightBitCounterpart, colorimetry: .bt709
    ).deepened(format, seed: 5)
    let background = Background(color: 0xff20_40c0, for: picture.video)
    var settings = ChromaKeySettings()
    for inverts in [false, true] {
      settings.matte.invert = inverts
      func keyer() -> ChromaKeyer { ChromaKeyer(settings, for: picture) }
      let expected = keyer().keyed(picture, background: background).codes
      let transparent = keyer().keyed(picture).codes
      let other = picture.copy()
      other.setBitsAboveCodes(seed: 3)
      #expect(keyer().keyed(other).codes == transparent)
      #expect(keyer().keyed(other, background: background).codes == expected)
      for frame in [picture.copy(), other] {
        let key = keyer()
        frame.withPicture {
          key.process(
            source: $0, destination: $0, background: background, runner: SerialRunner())
        }
        #expect(frame.codes == expected)
      }
    }
  }

  /// Alpha is added to a frame whose colours stay in their memory.
  @Test(arguments: [PixelFormat.i420Ten, .y42bTen, .y444Ten])
  func coloursInPlaceAreThoseOfANewFrame(_ format: PixelFormat) throws {
    var scene = ChromaKeyScene.Settings()
    (scene.width, scene.height) = (163, 91)
    let picture = try ChromaKeyScene(scene).picture(
      format.eightBitCounterpart, colorimetry: .bt709
    ).deepened(format, seed: 5)
    let expected = ChromaKeyer(for: picture).keyed(picture).codes
    let output = try #require(FrameCompositor.formatWithAlpha(for: format))
    let target = OwnedPicture(
      format: output, width: picture.width, height: picture.height, colorimetry: .bt709)
    let (frame, key) = (picture.copy(), ChromaKeyer(for: picture))
    frame.withPicture { source in
      target.withPicture { other in
        let destination = Picture(
          other.video,
          planes: [source.plane(0), source.plane(1), source.plane(2), other.plane(3)])
        key.process(source: source, destination: destination, runner: SerialRunner())
      }
    }
    #expect(frame.codes == Array(expected[0..<3]))
    #expect(target.codes[3] == expected[3])
  }

  /// Alpha, colours and composites are those of 8 bits, but for what 8 bits round.
  @Test(arguments: PixelFormat.deepOpaque)
  func tenBitsAgreeWithEight(_ format: PixelFormat) throws {
    var scene = ChromaKeyScene.Settings()
    (scene.width, scene.height) = (161, 91)
    let small = try ChromaKeyScene(scene).picture(
      format.eightBitCounterpart, colorimetry: .bt709)
    let large = small.deepened(format)
    func compare(_ change: (inout ChromaKeySettings) -> Void) {
      var settings = ChromaKeySettings()
      change(&settings)
      let eight = ChromaKeyer(settings, for: small).keyed(
        small, background: Background(color: 0xff20_40c0, for: small.video))
      let ten = ChromaKeyer(settings, for: large).keyed(
        large, background: Background(color: 0xff20_40c0, for: large.video))
      var (sum, count) = (0, 0)
      for (a, b) in zip(ten.codes.joined(), eight.codes.joined()) {
        sum += abs(Int(a) - Int(b) * format.codesInByte)
        count += 1
      }
      let mean = Double(sum) / Double(count * format.codesInByte)
      #expect(mean < 0.3, "mean distance \(mean)")
    }
    compare { _ in }
    compare {
      $0.matte.shrink = 1
      $0.matte.soften = 1.5
      $0.matte.cropLeft = 0.2
    }
    compare { $0.matte.invert = true }
    compare { $0.matte.showMatte = true }
  }

  @Test(arguments: PixelFormat.deepKeyed)
  func peopleAndBackgroundsKeepTheirCodes(_ format: PixelFormat) {
    for ((width, height), probability) in product(
      [(64, 48), (37, 29), (2, 2)], [Float(0), 1])
    {
      let picture = Self.deep(format, width, height, rgb: Self.brown, seed: 9)
      let before = picture.codes
      let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
      let mask = PersonKeyer.Mask(
        step: 2, probability: Grid(width: columns, height: rows, of: probability),
        temporalWeight: Grid(width: columns, height: rows, of: 0),
        colors: OwnedPicture(
          format: .y444, width: columns, height: rows, colorimetry: .bt709))
      let key = PersonKeyer()
      key.configure(picture.video)
      let target = OwnedPicture(
        VideoFormat(
          format: FrameCompositor.formatWithAlpha(for: format)!, width: width, height: height,
          colorimetry: .bt709))
      picture.withPicture { from in
        target.withPicture {
          key.process(source: from, destination: $0, mask: mask, runner: SerialRunner())
        }
      }
      let after = target.codes
      #expect(after[3].allSatisfy { $0 == (probability == 1 ? 1023 : 0) })
      if probability == 1 { #expect(Array(after[0..<3]) == Array(before[0..<3])) }
    }
  }

  /// A shot of smooth shades before a screen, keyed onto a colour in 8, 10 and 12 bits: what 12 bits
  /// give is next to exact.
  @Test func tenBitsAreThreeDecibelsNearerToTheTruthThanEight() throws {
    let (width, height) = (320, 180)
    let screen = Colorimetry.bt709.ycc(r: 62, g: 172, b: 84)
    // In 8-bit codes, from screen to subject within eight columns.
    func value(_ index: Int, _ x: Int, _ y: Int) -> Float {
      let (across, down) = (Float(x) / Float(width), Float(y) / Float(height))
      let subject =
        index == 0 ? 60 + 90 * across + 20 * down : 128 + (index == 1 ? -14 : 22) * (1 - down)
      let under = index == 0 ? screen.y : index == 1 ? screen.cb : screen.cr
      return under + (subject - under) * min(max((Float(x) - 100) / 8, 0), 1)
    }
    /// The composite in 8-bit codes.
    func composite(_ format: PixelFormat) -> [Float] {
      let picture = OwnedPicture(
        format: format, width: width, height: height, colorimetry: .bt709)
      let unit = Float(format.codesInByte)
      for index in 0..<3 {
        func code(_ x: Int, _ y: Int) -> Int { Int((value(index, x, y) * unit).rounded()) }
        if format.bitDepth > 8 {
          picture.fillCodes(index, code)
        } else {
          picture.withPicture { $0.component(index).fill { UInt8(code($0, $1)) } }
        }
      }
      let background = Background(color: 0xff2b_4a91, for: picture.video)
      return ChromaKeyer(for: picture).keyed(picture, background: background).codes.joined().map {
        Float($0) / unit
      }
    }
    let truth = composite(.y444Twelve)
    func noise(_ format: PixelFormat) -> Double {
      zip(truth, composite(format)).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    }
    let (eight, ten) = (noise(.y444), noise(.y444Ten))
    #expect(ten * 2 <= eight, "\(eight / ten) times less noise")
  }
}
