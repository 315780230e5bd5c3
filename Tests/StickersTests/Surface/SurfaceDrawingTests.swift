import Faces
import Pixels
import Stickers
import Support
import Testing

/// Textures on a mesh beside what they should look like.
@Suite(.timeLimit(.minutes(20))) struct SurfaceDrawingTests {
  struct Case: Sendable, CustomStringConvertible {
    let yaw: Double
    let face: Int
    var description: String { "yaw \(yaw), \(face) pixels" }
    /// Side of a picture that the face fills.
    var side: Int { face * 13 / 10 }
    var middle: Point { Point(x: Double(side) / 2 + 0.3, y: Double(side) / 2 - 0.2) }
  }

  static let cases = [0.0, 20, 40].flatMap { yaw in
    [120, 300, 480, 900].map { Case(yaw: yaw, face: $0) }
  }

  private func draw(
    _ texture: SurfaceTexture, _ points: [Point3], on picture: OwnedPicture,
    blend: SpriteBlend = .over
  ) -> Bool {
    let compositor = SpriteCompositor(width: picture.width)
    return picture.withPicture {
      compositor.draw(texture, on: points, blend: blend, picture: $0)
    }
  }

  private func reference(
    _ test: Case, _ points: [Point3], _ pixels: [UInt8], _ side: Int, isWhole: Bool = false
  ) -> SurfaceReference {
    var triangles = FaceTopology.triangles + (isWhole ? FaceTopology.mouthTriangles : [])
    for eye in [Set(MeshIndex.leftEye), Set(MeshIndex.rightEye)] where !isWhole {
      triangles.removeAll { eye.isSuperset(of: [$0.a, $0.b, $0.c]) }
    }
    return SurfaceReference(
      points, triangles, texture: pixels, side: side, width: test.side, height: test.side,
      samples: test.face > 600 ? 3 : test.face > 200 ? 4 : 8)
  }

  @Test(arguments: cases)
  func aTurnedFaceEqualsASupersampledReference(_ test: Case) throws {
    let points = try SkinScene.points(yaw: test.yaw, width: Double(test.face), middle: test.middle)
    let pixels = SkinScene.paint(side: 512)
    let expected = reference(test, points, pixels, 512)
    let picture = SpriteScene.flat(.rgb, width: test.side, height: test.side)
    #expect(draw(try SkinScene.texture(pixels, side: 512, for: .rgb), points, on: picture))
    let bytes = picture.tightBytes
    var (inside, count, edge, edges) = (0.0, 0.0, 0.0, 0.0)
    var strayed = 0
    for (index, coverage) in expected.coverage.enumerated() {
      let (isInside, isOutside) = (expected.isAround(index, 1), expected.isAround(index, 0))
      for c in 0..<3 {
        let ideal = expected.colors[index][c] * coverage + 30 * (1 - coverage)
        let error = Double(bytes[3 * index + c]) - ideal
        if isInside {
          inside += error * error
          count += 1
        } else if isOutside {
          strayed += bytes[3 * index + c] == 30 ? 0 : 1
        } else {
          edge += error * error
          edges += 1
        }
      }
    }
    #expect(strayed == 0)
    let rmse = (inside / count).squareRoot()
    #expect(rmse <= 3, "\(rmse) codes inside")
    let outline = (edge / edges).squareRoot()
    #expect(outline <= 8, "\(outline) codes along the outline")
  }

  @Test(arguments: cases)
  func everyPixelOfAFaceIsBlendedOnce(_ test: Case) throws {
    let points = try SkinScene.points(yaw: test.yaw, width: Double(test.face), middle: test.middle)
    let light = SkinScene.flat((10, 20, 40, 255))
    // Without eyes and mouth there is no hole so narrow that samples miss it.
    let expected = reference(test, points, light, 16, isWhole: true)
    let picture = SpriteScene.flat(.rgb, width: test.side, height: test.side)
    let texture = try SkinScene.texture(light, side: 16, for: .rgb, blend: .add, sparing: [])
    #expect(draw(texture, points, on: picture, blend: .add))
    let bytes = picture.tightBytes
    var wrong = 0
    var first = ""
    for (index, coverage) in expected.coverage.enumerated() {
      let added = (0..<3).map { Int(bytes[3 * index + $0]) - 30 }
      if expected.isAround(index, 1), added != [10, 20, 40] { wrong += 1 }
      if expected.isAround(index, 0), added != [0, 0, 0] { wrong += 1 }
      let most = Double(added[2]) / 40
      // Along the outline areas are added up: where the rim is folded, both sheets of it count.
      if most < coverage - 0.35 || most > 2 * coverage + 0.2 { wrong += 1 }
      if wrong == 1, first.isEmpty {
        first = "\(index % test.side), \(index / test.side): \(added) where \(coverage) is covered"
      }
    }
    #expect(wrong == 0, "\(wrong) pixels with gaps or with light of two triangles: \(first)")
  }

  /// A dot on the cheek, found again by the middle of its light.
  @Test func texturesFollowSubpixelMotionOfAFace() throws {
    let side = 512
    var pixels = SkinScene.flat((255, 255, 255, 0), side: side)
    let dot = FaceTopology.textureCoordinates[MeshIndex.cheeks.left]
    for (y, x) in product(0..<side, 0..<side) {
      let (dx, dy) = (Double(x) + 0.5 - dot.x * 512, Double(y) + 0.5 - dot.y * 512)
      if dx * dx + dy * dy < 144 { pixels[4 * (y * side + x) + 3] = 255 }
    }
    let texture = try SkinScene.texture(pixels, side: side, for: .gray8)
    var first: Point?
    for step in 0..<20 {
      let move = Point(x: Double(step) * 0.05, y: Double(step) * 0.11)
      let points = try SkinScene.points(
        yaw: 0, width: 300, middle: Point(x: 200 + move.x, y: 200 + move.y))
      let picture = SpriteScene.flat(.gray8, width: 400, height: 400)
      #expect(draw(texture, points, on: picture))
      var (sum, x, y) = (0.0, 0.0, 0.0)
      for (index, byte) in picture.tightBytes.enumerated() where byte > 30 {
        let light = Double(byte) - 30
        sum += light
        x += light * Double(index % 400)
        y += light * Double(index / 400)
      }
      let place = Point(x: x / sum, y: y / sum)
      if let first {
        let error = (place - first - move).length
        #expect(error < 0.06, "\(error) pixels off at \(move)")
      } else {
        first = place
      }
    }
  }

  @Test func transparentTexturesAndPartsOfTexturesChangeNothing() throws {
    let points = try SkinScene.points(yaw: 20, width: 150, middle: Point(x: 90, y: 90))
    for format in PixelFormat.eightBit {
      let picture = SpriteScene.ground(
        format, width: 181, height: 179, colorimetry: format.colorimetry(.bt709))
      let before = picture.tightBytes
      let clear = try SkinScene.texture(SkinScene.flat((9, 9, 9, 0)), side: 16, for: format)
      #expect(!draw(clear, points, on: picture))
      #expect(picture.tightBytes == before)
    }
  }
}
