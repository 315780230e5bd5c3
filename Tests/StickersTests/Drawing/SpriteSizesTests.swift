import Pixels
import Stickers
import Support
import Testing

/// What a sprite keeps of its picture, and how its smaller sizes come to be.
@Suite(.timeLimit(.minutes(20))) struct SpriteSizesTests {
  private static func sprite(_ pixels: [UInt8], _ width: Int, _ height: Int) -> Sprite? {
    Sprite.make(
      from: SpriteScene.picture(rgba: pixels, width: width, height: height), space: .ycc(.bt709))
  }

  private static func drawn(_ sprite: Sprite, _ map: Affine) -> [UInt8] {
    let ground = SpriteScene.ground(.nv12, width: 90, height: 80, colorimetry: .bt709)
    let compositor = SpriteCompositor(width: 90)
    ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
    return ground.tightBytes
  }

  @Test func aClearMarginChangesNothing() throws {
    let (width, height) = (40, 32)
    // What is seen begins off every grid, at column 13 and row 7.
    let (left, top) = (13, 7)
    var inner: [UInt8] = []
    for (y, x) in product(0..<height, 0..<width) {
      inner += [UInt8(4 * x), UInt8(6 * y), UInt8(x ^ y), UInt8(255 - 3 * abs(x - y))]
    }
    let (wide, high) = (width + 30, height + 21)
    var outer = [UInt8](repeating: 0, count: 4 * wide * high)
    // Colours that are not seen, as some programs leave them behind.
    for at in stride(from: 0, to: outer.count, by: 4) { outer[at] = 200 }
    for (y, x) in product(0..<height, 0..<4 * width) {
      outer[4 * ((y + top) * wide + left) + x] = inner[4 * y * width + x]
    }
    let plain = try #require(Self.sprite(inner, width, height))
    let framed = try #require(Self.sprite(outer, wide, high))
    #expect(framed.width == wide && framed.height == high)
    for (scale, turn) in product(
      [1, 1.5, 0.8, 0.5, 0.3], [SpriteCompositorTests.upright, SpriteCompositorTests.turned])
    {
      let map = SpriteScene.similarity(scale: scale, turn: turn, x: 28.25, y: 6.5)
      var moved = map
      let corner = map(Point(x: -Double(left), y: -Double(top)))
      (moved.tx, moved.ty) = (corner.x, corner.y)
      let (a, b) = (Self.drawn(plain, map), Self.drawn(framed, moved))
      let differences = zip(a, b).map { abs(Int($0) - Int($1)) }
      // The maps are the same but for the last bits of a double.
      #expect((differences.max() ?? 255) <= 1 && differences.count { $0 > 0 } < 20)
    }
  }

  @Test func aTransparentSpriteDrawsNothing() throws {
    let sprite = try #require(Self.sprite([UInt8](repeating: 0, count: 4 * 30 * 20), 30, 20))
    let map = SpriteScene.similarity(
      scale: 1, turn: SpriteCompositorTests.upright, x: 3, y: 3)
    let ground = SpriteScene.ground(.nv12, width: 90, height: 80, colorimetry: .bt709)
    #expect(Self.drawn(sprite, map) == ground.tightBytes)
  }

  @Test func levelsDoNotDependOnTheOrderOfRequests() throws {
    let pixels = SpriteScene.pixels(width: 61, height: 53)
    let scales = [1, 0.6, 0.43, 0.3, 0.21, 0.15, 0.1, 0.05]
    func drawings(_ order: [Double]) throws -> [Double: [UInt8]] {
      let sprite = try #require(Self.sprite(pixels, 61, 53))
      var result: [Double: [UInt8]] = [:]
      for scale in order {
        result[scale] = Self.drawn(
          sprite,
          SpriteScene.similarity(
            scale: scale, turn: SpriteCompositorTests.turned, x: 45, y: 12))
      }
      return result
    }
    #expect(try drawings(scales) == drawings(scales.reversed()))
  }

  @Test func concurrentRequestsForALevelDrawTheSame() async throws {
    let pixels = SpriteScene.pixels(width: 201, height: 173)
    for scale in [0.6, 0.3, 0.15] {
      let sprite = try #require(Self.sprite(pixels, 201, 173))
      let drawings = await withTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<4 {
          group.addTask {
            Self.drawn(
              sprite,
              SpriteScene.similarity(
                scale: scale, turn: SpriteCompositorTests.turned, x: 45, y: 2))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(drawings.count == 4 && drawings.allSatisfy { $0 == drawings[0] })
    }
  }
}
