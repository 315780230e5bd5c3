import Faces
import Pixels
import Stickers
import Support
import Testing

/// Meshes that are none, and textures that hardly are.
@Suite(.timeLimit(.minutes(20))) struct SurfaceExtremesTests {
  @Test func invalidMeshesDrawNothingOutsideThePictureAndNeverStall() throws {
    let good = try SkinScene.points(yaw: 0, width: 50, middle: Point(x: 32, y: 32))
    var random = SplitMix(5)
    func wild() -> Double {
      [0, 1, -1, 31.5, 1e5, -1e5, 1e30, -1e30, .nan, .infinity, -.infinity, 1e-30][
        random.below(12)]
    }
    var meshes: [[Point3]] = [
      [], Array(good.dropLast()), good.map { _ in Point3(x: 3, y: 3, z: 0) },
      good.map { _ in Point3(x: 1e30, y: 1e30, z: 1e30) },
      good.map { _ in Point3(x: .nan, y: .nan, z: .nan) },
      good.map { Point3(x: $0.x * 1000, y: $0.y * 1000, z: $0.z * 1000) },
      good.map { Point3(x: $0.x, y: 32, z: $0.z) },
      good.map { Point3(x: -$0.x, y: $0.y, z: $0.z) },
    ]
    for _ in 0..<200 {
      meshes.append(good.map { random.below(8) == 0 ? Point3(x: wild(), y: $0.y, z: $0.z) : $0 })
      meshes.append(good.map { random.below(8) == 0 ? Point3(x: $0.x, y: $0.y, z: wild()) : $0 })
      meshes.append(
        good.map { _ in
          Point3(
            x: Double(random.uniform()) * 64, y: Double(random.uniform()) * 64,
            z: Double(random.uniform()) * 64)
        })
    }
    for format in [PixelFormat.i420, .yuy2, .rgba, .nv21] {
      let texture = try SkinScene.texture(SkinScene.paint(side: 32), side: 32, for: format)
      let compositor = SpriteCompositor(width: 63)
      for atEnd in [true, false] {
        let fenced = FencedPicture(format, 63, 61, atEnd: atEnd)
        for mesh in meshes {
          fenced.withPicture {
            _ = compositor.draw(texture, on: mesh, picture: $0)
          }
        }
      }
    }
  }

  @Test func facesPartlyOutsideThePictureAreClipped() throws {
    let texture = try SkinScene.texture(SkinScene.paint(side: 64), side: 64, for: .rgb)
    let compositor = SpriteCompositor(width: 200)
    func drawn(_ width: Int, _ height: Int, _ middle: Point) throws -> [UInt8] {
      let points = try SkinScene.points(yaw: 15, width: 120, middle: middle)
      let picture = SpriteScene.flat(.rgb, width: width, height: height)
      picture.withPicture {
        _ = compositor.draw(texture, on: points, picture: $0)
      }
      return picture.tightBytes
    }
    // The same camera, as both are as wide.
    let whole = try drawn(200, 200, Point(x: 100, y: 100))
    let half = try drawn(200, 100, Point(x: 100, y: 100))
    #expect(Array(whole.prefix(half.count)) == half)
    for middle in [Point(x: 0, y: 50), Point(x: 199, y: 0), Point(x: 100, y: 199)] {
      #expect(try drawn(200, 200, middle).contains { $0 != 30 })
    }
  }

  @Test func texturesOfOnePixelAndOfTheLargestAreDrawn() throws {
    let points = try SkinScene.points(yaw: 0, width: 100, middle: Point(x: 64, y: 64))
    let compositor = SpriteCompositor(width: 128)
    for (width, height) in [(1, 1), (8192, 1), (1, 8192), (3, 2), (2048, 2048)] {
      let pixels = [UInt8](repeating: 255, count: 4 * width * height)
      let sprite = try #require(
        SpriteScene.sprite(pixels, width: width, height: height, for: .gray8))
      let picture = SpriteScene.flat(.gray8, width: 128, height: 128)
      let isDrawn = picture.withPicture {
        compositor.draw(
          SurfaceTexture(sprite, on: .face(without: [])), on: points, picture: $0)
      }
      let nose = picture.tightBytes[64 * 128 + 64]
      #expect(isDrawn && nose > 200, "\(width) x \(height): \(nose)")
    }
  }
}
