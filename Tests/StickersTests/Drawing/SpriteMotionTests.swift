import Pixels
import Stickers
import Support
import Testing

/// How sprites behave when they move, shrink or leave the picture.
@Suite(.timeLimit(.minutes(20))) struct SpriteMotionTests {
  static let formats: [PixelFormat] = [.i420, .nv12, .rgba]

  /// Centre of what differs from the first sample, in samples of the component.
  private static func centre(_ owned: OwnedPicture, component index: Int) -> Point {
    owned.withPicture { picture in
      let component = picture.component(index)
      let ground = Double(component[0, 0])
      var sum = 0.0
      var place = Point(x: 0, y: 0)
      for (y, x) in product(0..<component.height, 0..<component.width) {
        let weight = abs(Double(component[x, y]) - ground)
        sum += weight
        place = place + Point(x: Double(x) + 0.5, y: Double(y) + 0.5) * weight
      }
      return place * (1 / sum)
    }
  }

  @Test(arguments: formats)
  func theCentreFollowsQuarterPixelStepsWithinATwentiethOfAPixel(format: PixelFormat) throws {
    // A soft red blob, 24 pixels wide.
    var pixels: [UInt8] = []
    for (y, x) in product(0..<24, 0..<24) {
      let r = (Double((2 * x - 23) * (2 * x - 23) + (2 * y - 23) * (2 * y - 23))).squareRoot()
      pixels += [250, 40, 40, UInt8(min(max((22 - r) * 30, 0), 255))]
    }
    let sprite = try #require(SpriteScene.sprite(pixels, width: 24, height: 24, for: format))
    let compositor = SpriteCompositor(width: 64)
    for (turn, step) in product(
      [SpriteCompositorTests.upright, SpriteCompositorTests.turned], 0..<9)
    {
      let shift = Double(step) * 0.25
      let middle = Point(x: 31 + shift, y: 32.5 + shift / 2)
      var map = SpriteScene.similarity(scale: 1, turn: turn, x: 0, y: 0)
      let lands = map(Point(x: 12, y: 12))
      map.tx = middle.x - lands.x
      map.ty = middle.y - lands.y
      let ground = SpriteScene.flat(format, width: 64, height: 64)
      ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
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

  @Test(arguments: formats)
  func aSpriteMinifiedEightTimesDoesNotShimmer(format: PixelFormat) throws {
    // Stripes and checks of one to three pixels, which shrink to an even grey.
    let size = 256
    var pixels: [UInt8] = []
    for (y, x) in product(0..<size, 0..<size) {
      let isLight = (x / 3 + y) % 2 == 0
      pixels += isLight ? [255, 255, 255, 255] : [0, 0, 0, 255]
    }
    let sprite = try #require(SpriteScene.sprite(pixels, width: size, height: size, for: format))
    let compositor = SpriteCompositor(width: 64)
    var last: [UInt8] = []
    var worst = 0
    for step in 0..<30 {
      let map = SpriteScene.similarity(
        scale: 0.125, turn: SpriteCompositorTests.upright, x: 8 + Double(step) * 0.1,
        y: 8 + Double(step) * 0.07)
      let ground = SpriteScene.flat(format, width: 64, height: 64)
      ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
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

  @Test(arguments: PixelFormat.eightBit)
  func alphaZeroKeepsBytesAndFullAlphaCopiesColoursExactly(format: PixelFormat) throws {
    let colorimetry = format.colorimetry(.bt709)
    let (r, g, b): (UInt8, UInt8, UInt8) = (201, 77, 33)
    for alpha: UInt8 in [0, 255] {
      let pixels = (0..<16 * 16).flatMap { _ in [r, g, b, alpha] }
      let sprite = try #require(SpriteScene.sprite(pixels, width: 16, height: 16, for: format))
      for turn in [SpriteCompositorTests.upright, SpriteCompositorTests.turned] {
        let ground = SpriteScene.ground(
          format, width: 40, height: 40, colorimetry: colorimetry)
        let before = ground.tightBytes
        let map = SpriteScene.similarity(scale: 1, turn: turn, x: 20, y: 10)
        let compositor = SpriteCompositor(width: 40)
        ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
        guard alpha == 255 else {
          #expect(ground.tightBytes == before)
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

  /// How many samples of a picture differ from those of a window of a larger one.
  private static func differences(
    _ small: OwnedPicture, in large: OwnedPicture, at corner: Int
  ) -> Int {
    var count = 0
    for (index, place) in small.format.layout.components.enumerated() {
      let (part, whole) = (small.rows(index), large.rows(index))
      for (y, row) in part.enumerated() {
        let left = corner >> place.hShift
        let there = whole[y + (corner >> place.vShift)][left..<left + row.count]
        count += zip(row, there).count { $0 != $1 }
      }
    }
    return count
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .y42b, .rgb, .rgba, .gray8, .a420])
  func aClippedSpriteEqualsThatPartOfTheWholeSprite(format: PixelFormat) throws {
    let pixels = SpriteScene.pixels(width: 25, height: 21)
    let sprite = try #require(SpriteScene.sprite(pixels, width: 25, height: 21, for: format))
    // The same drawing on a large picture, of which the small one is a window at (32, 32).
    for (x, y) in [(-9.5, -7.0), (12.0, -6.25), (13.5, 12.25), (-11.0, 11.5), (4.0, 3.0)] {
      for turn in [SpriteCompositorTests.upright, SpriteCompositorTests.turned] {
        let large = SpriteScene.flat(format, width: 96, height: 96)
        let small = SpriteScene.flat(format, width: 24, height: 22)
        var map = SpriteScene.similarity(scale: 1, turn: turn, x: x, y: y)
        let compositor = SpriteCompositor(width: 96)
        small.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
        map.tx += 32
        map.ty += 32
        large.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
        let differing = Self.differences(small, in: large, at: 32)
        #expect(differing == 0, "at \(x), \(y)")
      }
    }
  }
}
