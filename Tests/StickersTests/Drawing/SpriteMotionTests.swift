import Pixels
import Stickers
import Testing
import Threads

/// How sprites behave when they move, shrink, leave the picture, or cannot be drawn at all.
@Suite struct SpriteMotionTests {
  static let formats: [PixelFormat] = [.i420, .nv12, .rgba]

  private static func colorimetry(_ format: PixelFormat) -> Colorimetry {
    format.family == .rgb ? .rgb : .bt709
  }

  private static func sprite(
    _ pixels: [UInt8], width: Int, height: Int, for format: PixelFormat,
    blend: SpriteBlend = .over
  ) -> Sprite? {
    Sprite.make(
      from: SpriteScene.picture(rgba: pixels, width: width, height: height),
      space: SpriteSpace(format: format, colorimetry: colorimetry(format), blend: blend))
  }

  /// A picture of one colour.
  private static func flat(_ format: PixelFormat, width: Int, height: Int) -> OwnedPicture {
    let owned = OwnedPicture(
      format: format, width: width, height: height, colorimetry: colorimetry(format))
    owned.withPicture { picture in
      for index in format.layout.components.indices {
        let component = picture.component(index)
        let value: UInt8 = index == 3 ? 255 : format.family == .ycc && index > 0 ? 128 : 30
        for y in 0..<component.height {
          for x in 0..<component.width { component[x, y] = value }
        }
      }
    }
    return owned
  }

  /// Centre of what differs from the first sample, in samples of the component.
  private static func centre(_ owned: OwnedPicture, component index: Int) -> Point {
    owned.withPicture { picture in
      let component = picture.component(index)
      let ground = Double(component[0, 0])
      var sum = 0.0
      var place = Point(x: 0, y: 0)
      for y in 0..<component.height {
        for x in 0..<component.width {
          let weight = abs(Double(component[x, y]) - ground)
          sum += weight
          place = place + Point(x: Double(x) + 0.5, y: Double(y) + 0.5) * weight
        }
      }
      return place * (1 / sum)
    }
  }

  @Test(arguments: formats)
  func theCentreFollowsQuarterPixelStepsWithinATwentiethOfAPixel(format: PixelFormat) throws {
    // A soft red blob, 24 pixels wide.
    var pixels: [UInt8] = []
    for y in 0..<24 {
      for x in 0..<24 {
        let r = (Double((2 * x - 23) * (2 * x - 23) + (2 * y - 23) * (2 * y - 23))).squareRoot()
        pixels += [250, 40, 40, UInt8(min(max((22 - r) * 30, 0), 255))]
      }
    }
    let sprite = try #require(Self.sprite(pixels, width: 24, height: 24, for: format))
    let compositor = SpriteCompositor(width: 64, threadCount: 1)
    for turn in [SpriteCompositorTests.upright, SpriteCompositorTests.turned] {
      for step in 0..<9 {
        let shift = Double(step) * 0.25
        let middle = Point(x: 31 + shift, y: 32.5 + shift / 2)
        var map = SpriteScene.similarity(scale: 1, turn: turn, x: 0, y: 0)
        let lands = map(Point(x: 12, y: 12))
        map.tx = middle.x - lands.x
        map.ty = middle.y - lands.y
        let ground = Self.flat(format, width: 64, height: 64)
        ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
        let found = Self.centre(ground, component: 0)
        #expect((found - middle).length < 0.05, "step \(step): \(found)")
        if format.family == .ycc {
          // Chroma lies on even columns, between rows.
          let red = Self.centre(ground, component: 2)
          let place = Point(x: (red.x - 0.5) * 2 + 0.5, y: red.y * 2)
          #expect((place - middle).length < 0.1, "chroma, step \(step): \(place)")
        }
      }
    }
  }

  @Test(arguments: formats)
  func aSpriteMinifiedEightTimesDoesNotShimmer(format: PixelFormat) throws {
    // Stripes and checks of one to three pixels, which shrink to an even grey.
    let size = 256
    var pixels: [UInt8] = []
    for y in 0..<size {
      for x in 0..<size {
        let isLight = (x / 3 + y) % 2 == 0
        pixels += isLight ? [255, 255, 255, 255] : [0, 0, 0, 255]
      }
    }
    let sprite = try #require(Self.sprite(pixels, width: size, height: size, for: format))
    let compositor = SpriteCompositor(width: 64, threadCount: 1)
    var last: [UInt8] = []
    var worst = 0
    for step in 0..<30 {
      let map = SpriteScene.similarity(
        scale: 0.125, turn: SpriteCompositorTests.upright, x: 8 + Double(step) * 0.1,
        y: 8 + Double(step) * 0.07)
      let ground = Self.flat(format, width: 64, height: 64)
      ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
      // Inside, where it always covers.
      let inside = ground.withPicture { picture in
        (16..<36).flatMap { y in (16..<36).map { x in picture.component(0)[x, y] } }
      }
      if !last.isEmpty {
        for (a, b) in zip(inside, last) { worst = max(worst, abs(Int(a) - Int(b))) }
      }
      last = inside
    }
    #expect(worst <= 2)
    #expect(last.allSatisfy { (100...150).contains($0) })
  }

  @Test(arguments: PixelFormat.allCases)
  func alphaNothingLeavesBytesAndAlphaFullCopiesColourExactly(format: PixelFormat) throws {
    let colorimetry = Self.colorimetry(format)
    let (r, g, b): (UInt8, UInt8, UInt8) = (201, 77, 33)
    for alpha: UInt8 in [0, 255] {
      let pixels = (0..<16 * 16).flatMap { _ in [r, g, b, alpha] }
      let sprite = try #require(Self.sprite(pixels, width: 16, height: 16, for: format))
      for turn in [SpriteCompositorTests.upright, SpriteCompositorTests.turned] {
        let ground = SpriteScene.ground(
          format, width: 40, height: 40, colorimetry: colorimetry)
        let before = SpriteScene.bytes(ground)
        let map = SpriteScene.similarity(scale: 1, turn: turn, x: 20, y: 10)
        let compositor = SpriteCompositor(width: 40, threadCount: 1)
        ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
        guard alpha == 255 else {
          #expect(SpriteScene.bytes(ground) == before)
          continue
        }
        let code = colorimetry.ycc(r: Float(r), g: Float(g), b: Float(b))
        let codes =
          format.family == .rgb
          ? [r, g, b, 255]
          : [code.y, code.cb, code.cr].map { UInt8($0.rounded()) } + [255]
        // The middle of the sprite.
        let middle = map(Point(x: 8, y: 8))
        ground.withPicture { picture in
          for (index, place) in format.layout.components.enumerated() {
            let found = picture.component(index)[
              Int(middle.x) >> place.hShift, Int(middle.y) >> place.vShift]
            #expect(found == codes[index], "component \(index)")
          }
        }
      }
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func anyNumberOfThreadsGivesTheSameBits(format: PixelFormat) throws {
    let pixels = SpriteScene.pixels(width: 31, height: 29)
    let map = SpriteScene.similarity(
      scale: 1.3, turn: SpriteCompositorTests.turned, x: 31.3, y: -3.2)
    for blend in [SpriteBlend.over, .screen] {
      let sprite = try #require(
        Self.sprite(pixels, width: 31, height: 29, for: format, blend: blend))
      var results: [[UInt8]] = []
      for threads in [1, 2, 3, 7] {
        let ground = SpriteScene.ground(
          format, width: 61, height: 53, colorimetry: Self.colorimetry(format),
          site: ChromaSite(isCositedHorizontally: true, isCositedVertically: true))
        let compositor = SpriteCompositor(width: 61, threadCount: threads)
        ground.withPicture {
          _ = compositor.draw(
            sprite, by: map, alpha: 0.9, blend: blend, on: $0, runner: ReversedRunner(threads))
        }
        results.append(SpriteScene.bytes(ground))
      }
      #expect(results.allSatisfy { $0 == results[0] })
    }
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .y42b, .rgb, .rgba, .gray8, .a420])
  func aSpriteCutByABorderIsThePartOfTheWholeOne(format: PixelFormat) throws {
    let pixels = SpriteScene.pixels(width: 25, height: 21)
    let sprite = try #require(Self.sprite(pixels, width: 25, height: 21, for: format))
    // The same drawing on a large picture, of which the small one is a window at (32, 32).
    for (x, y) in [(-9.5, -7.0), (12.0, -6.25), (13.5, 12.25), (-11.0, 11.5), (4.0, 3.0)] {
      for turn in [SpriteCompositorTests.upright, SpriteCompositorTests.turned] {
        let large = Self.flat(format, width: 96, height: 96)
        let small = Self.flat(format, width: 24, height: 22)
        var map = SpriteScene.similarity(scale: 1, turn: turn, x: x, y: y)
        let compositor = SpriteCompositor(width: 96, threadCount: 1)
        small.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
        map.tx += 32
        map.ty += 32
        large.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
        var differing = 0
        small.withPicture { window in
          large.withPicture { whole in
            for (index, place) in format.layout.components.enumerated() {
              let part = window.component(index)
              for row in 0..<part.height {
                for column in 0..<part.width {
                  let there = whole.component(index)[
                    column + 32 >> place.hShift, row + 32 >> place.vShift]
                  if part[column, row] != there { differing += 1 }
                }
              }
            }
          }
        }
        #expect(differing == 0, "at \(x), \(y)")
      }
    }
  }

  @Test func mapsOfNoUseDrawNothingAndDoNoHarm() throws {
    let pixels = SpriteScene.pixels(width: 9, height: 9)
    let sprite = try #require(Self.sprite(pixels, width: 9, height: 9, for: .nv12))
    let compositor = SpriteCompositor(width: 32, threadCount: 1)
    let ground = SpriteScene.ground(.nv12, width: 32, height: 31, colorimetry: .bt709)
    let before = SpriteScene.bytes(ground)
    let wild = [
      0, -0.0, 1, -1, 1e-12, 1e-5, 1e5, 1e12, 1e300, -1e300, .nan, .infinity, -.infinity,
    ]
    var state: UInt64 = 3
    func pick() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return wild[Int(state >> 33) % wild.count]
    }
    for _ in 0..<5000 {
      let map = Affine(a: pick(), b: pick(), c: pick(), d: pick(), tx: pick(), ty: pick())
      ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
    }
    let still = SpriteScene.ground(.nv12, width: 32, height: 31, colorimetry: .bt709)
    let far = [
      Affine(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0), Affine(a: 0, b: 0, c: 0, d: 0, tx: 4, ty: 4),
      Affine(a: 1, b: 0, c: 0, d: 1, tx: 1e9, ty: 0),
      Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: -10),
      Affine(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0),
    ]
    for map in far {
      still.withPicture { _ = compositor.draw(sprite, by: map, on: $0, runner: SerialRunner()) }
    }
    let middle = Affine(a: 1, b: 0, c: 0, d: 1, tx: 4, ty: 4)
    for alpha in [0, -1, Double.nan] {
      still.withPicture {
        _ = compositor.draw(sprite, by: middle, alpha: alpha, on: $0, runner: SerialRunner())
      }
    }
    let wrongSpace = try #require(Self.sprite(pixels, width: 9, height: 9, for: .rgba))
    let isDrawn = still.withPicture {
      compositor.draw(wrongSpace, by: middle, on: $0, runner: SerialRunner())
    }
    #expect(!isDrawn)
    #expect(SpriteScene.bytes(still) == before)
  }

  @Test func picturesOfOnePixelAreDrawnOnAndFrom() throws {
    for format in PixelFormat.allCases {
      let sprite = try #require(
        Self.sprite([255, 255, 255, 255], width: 1, height: 1, for: format))
      for (width, height) in [(1, 1), (1, 5), (2, 1), (3, 3)] {
        let ground = Self.flat(format, width: width, height: height)
        let compositor = SpriteCompositor(width: width, threadCount: 2)
        ground.withPicture {
          _ = compositor.draw(
            sprite, by: Affine(a: 8, b: 0, c: 0, d: 8, tx: -3, ty: -3), on: $0,
            runner: ReversedRunner(2))
        }
        let first = ground.withPicture { $0.component(0)[0, 0] }
        #expect(first > 200, "\(format)")
      }
    }
  }

  @Test func aWhiteSpriteOfAnySizeStaysWhiteInsideHoweverSmallItIsDrawn() throws {
    let compositor = SpriteCompositor(width: 24, threadCount: 1)
    for width in 1...17 {
      for height in [1, 2, 5, 16, 33] {
        let white = [UInt8](repeating: 255, count: 4 * width * height)
        let sprite = try #require(Self.sprite(white, width: width, height: height, for: .gray8))
        for scale in [0.07, 0.3, 0.61, 4] {
          let ground = Self.flat(.gray8, width: 24, height: 24)
          ground.withPicture {
            _ = compositor.draw(
              sprite, by: Affine(a: scale, b: 0, c: 0, d: scale, tx: 2, ty: 2), on: $0,
              runner: SerialRunner())
          }
          let bytes = SpriteScene.bytes(ground)
          #expect(bytes.allSatisfy { (30...235).contains($0) })
          // Its light is that of its area, give or take the roundings of small sizes.
          let light = bytes.reduce(0.0) { $0 + (Double($1) - 30) / 205 }
          let area = min(Double(width) * scale, 22) * min(Double(height) * scale, 22)
          if scale < 1, area > 1 { #expect(abs(light - area) < 0.12 * area + 0.3) }
        }
      }
    }
  }

  @Test func picturesThatAreNoSpritesAreRefused() {
    let wrong = OwnedPicture(format: .bgra, width: 4, height: 4, colorimetry: .rgb)
    #expect(Sprite.make(from: wrong, space: .rgb) == nil)
    let long = OwnedPicture(
      format: .rgba, width: Sprite.maximumSide + 1, height: 1, colorimetry: .rgb)
    #expect(Sprite.make(from: long, space: .rgb) == nil)
  }
}
