import Faces
import Glibc
import Pixels
import Support
import Testing

@testable import Stickers

/// Solids and bent sheets in the head's space.
@Suite(.timeLimit(.minutes(20))) struct BodyTests {
  private static let (width, height) = (512, 512)
  private static let ball: [Point] = (0...14).map { k in
    Point(x: sin(.pi * Double(k) / 14), y: cos(.pi * Double(k) / 14))
  }

  private static let faces = Result { try TurnedHeadTests.faces() }

  /// The photograph's face, turned, in the middle of the picture with pupils 60 pixels apart.
  private func face(yaw: Double = 0, pitch: Double = 0) throws -> Face {
    var face = try Self.faces.get()(yaw, pitch)
    let frame = try #require(HeadFrame(face, width: Self.width, height: Self.height))
    let scale = Float(60 / frame.unit)
    let (x, y) = (Float(frame.origin.x) / 512, Float(frame.origin.y) / 512)
    for index in face.landmarks.indices {
      let p = face.landmarks[index]
      face.landmarks[index] = Landmark(
        x: (p.x - x) * scale + 0.5, y: (p.y - y) * scale + 0.55, z: p.z * scale)
    }
    return face
  }

  private func item(_ body: StickerBody) -> StickerItem {
    StickerItem(attachment: .body(body), scaleWidth: 1, width: 2, height: 1)
  }

  /// A grey picture with white items on it, row by row.
  private func drawn(
    _ items: [StickerItem], _ face: Face, light: BodyLight = .standard, shade: Double = 0
  ) throws -> [UInt8] {
    let scene = StickerScene(
      items: items, timelines: items.map { _ in StickerTimeline(count: 1, frameDuration: 1) })
    scene.advance(to: 0, faces: [face], width: Self.width, height: Self.height, .init())
    let white = SkinScene.flat((200, 200, 200, 255), side: 32)
    let sprite = try #require(SpriteScene.sprite(white, width: 32, height: 32, for: .gray8))
    let picture = SpriteScene.flat(.gray8, width: Self.width, height: Self.height)
    let compositor = SpriteCompositor(width: Self.width)
    for draw in scene.draws {
      let body = try #require(items[draw.item].body)
      let mesh = try #require(items[draw.item].mesh)
      let place = try #require(draw.placement.body)
      let head = body.isOccluded ? scene.head(of: draw) : nil
      picture.withPicture {
        _ = compositor.draw(
          SurfaceTexture(sprite, on: mesh), body: place, light: light, shade: shade,
          behind: head.map {
            .init(head: $0, vertices: scene.meshVertices(of: draw), offset: draw.offset)
          }, picture: $0)
      }
    }
    return picture.tightBytes
  }

  /// The number of bright pixels, and that of connected regions of at least 20 of them.
  private func regions(_ bytes: [UInt8]) -> (pixels: Int, regions: Int) {
    var isBright = bytes.map { $0 > 115 }
    var (pixels, regions) = (0, 0)
    for start in isBright.indices where isBright[start] {
      var (stack, count) = ([start], 0)
      isBright[start] = false
      while let at = stack.popLast() {
        count += 1
        for next in [at - 1, at + 1, at - Self.width, at + Self.width]
        where isBright.indices.contains(next) && isBright[next] {
          isBright[next] = false
          stack.append(next)
        }
      }
      pixels += count
      if count >= 20 { regions += 1 }
    }
    return (pixels, regions)
  }

  private func pack(_ name: String) throws -> [StickerItem] { try TurnedHeadTests.pack(name) }

  @Test func theHatIsOnePieceOnEveryHead() throws {
    let hat = try pack("hat")
    for (yaw, pitch) in TurnedHeadTests.angles {
      let (pixels, regions) = try regions(drawn(hat, try face(yaw: yaw, pitch: pitch)))
      #expect(regions == 1 && pixels > 9000, "\(regions), \(pixels) at \(yaw), \(pitch)")
    }
  }

  @Test func theHaloIsVisibleFromItsEdge() throws {
    let halo = try pack("halo")
    for pitch in stride(from: -30.0, through: 30, by: 2.5) {
      let (pixels, _) = try regions(drawn(halo, try face(pitch: pitch)))
      #expect(pixels > 1500, "\(pixels) pixels at \(pitch)")
    }
  }

  @Test func aBallIsAsLargeFromEverySide() throws {
    var ball = StickerBody(
      .lathe(Self.ball), from: Point3(x: -1, y: 0, z: 0), to: Point3(x: 1, y: 0, z: 0))
    ball.isOccluded = false
    for (yaw, pitch) in [(0.0, 0.0), (40, 0), (-25, 30), (10, -30)] {
      let face = try face(yaw: yaw, pitch: pitch)
      let frame = try #require(HeadFrame(face, width: Self.width, height: Self.height))
      let radius = Point(x: frame.relativeBreadth, y: frame.relativeHeight) * 60
      let bytes = try drawn([item(ball)], face)
      // A polygon of 40 corners across and one of 28 upright, inside the ball.
      let area = Double(bytes.reduce(0) { $0 + Int($1) - 30 }) / (Double(bytes.max() ?? 0) - 30)
      let ideal = Double.pi * radius.x * radius.y
      #expect(abs(area / ideal - 0.98) < 0.08, "\(area) of \(ideal) at \(yaw), \(pitch)")
    }
  }

  @Test func aSheetIsVisibleFromBothSides() throws {
    var sheet = StickerBody(
      .sheet(Point(x: 0.3, y: 0.1)), from: Point3(x: -1, y: 0, z: 0),
      to: Point3(x: 1, y: 0, z: 0))
    sheet.isOccluded = false
    let front = try regions(drawn([item(sheet)], try face()))
    (sheet.from, sheet.to) = (sheet.to, sheet.from)
    let back = try regions(drawn([item(sheet)], try face()))
    #expect(front.regions == 1 && back.regions == 1)
    #expect(abs(front.pixels - back.pixels) < front.pixels / 20)
    #expect(front.pixels > 5000)
  }

  @Test func theHeadOccludesWhatIsInsideOrBehindIt() throws {
    var ball = StickerBody(
      .lathe(Self.ball), from: Point3(x: -0.6, y: 0.4, z: -1), to: Point3(x: 0.6, y: 0.4, z: -1))
    let seen = try regions(drawn([item(ball)], try face()))
    #expect(seen.pixels == 0)
    ball.isOccluded = false
    #expect(try regions(drawn([item(ball)], try face())).pixels > 3000)
  }

  @Test func theLightOfTheFaceFallsOnBodies() throws {
    let points = try SkinScene.points(yaw: 0, width: 240, middle: Point(x: 256, y: 280))
    let picture = SpriteScene.flat(.gray8, width: Self.width, height: Self.height)
    picture.withPicture { picture in
      picture.component(0).fill { x, _ in UInt8(max(40, min(220, 130 - (x - 256) / 2))) }
    }
    let measured = picture.withPicture { BodyLight(points, offset: .zero, picture: $0) }
    let light = try #require(measured)
    let (left, right) = (Point3(x: -1, y: 0, z: 0), Point3(x: 1, y: 0, z: 0))
    #expect(light.gain(left) > light.gain(right) + 0.2)
    var ball = StickerBody(
      .lathe(Self.ball), from: Point3(x: -1, y: 0, z: 0), to: Point3(x: 1, y: 0, z: 0))
    ball.isOccluded = false
    let bytes = try drawn([item(ball)], try face(), light: light, shade: 1)
    let row = 281 * Self.width
    #expect(Int(bytes[row + 216]) > Int(bytes[row + 296]) + 15)
  }

  @Test func aFaceOutsideThePictureLightsNothing() {
    let picture = SpriteScene.flat(.gray8, width: Self.width, height: Self.height)
    let points = [Point3](repeating: Point3(x: .nan, y: 0, z: 0), count: Face.landmarkCount)
    picture.withPicture {
      #expect(BodyLight(points, offset: .zero, picture: $0) == nil)
      #expect(BodyLight([], offset: .zero, picture: $0) == nil)
    }
  }

  @Test func placementsThatAreMovedMoveTheirBodies() throws {
    let hat = try #require(try pack("hat").first)
    let frame = try #require(HeadFrame(try face(), width: Self.width, height: Self.height))
    let placement = try #require(StickerPlacement.onFace(hat, frame, .init()))
    let (body, moved) = (try #require(placement.body), placement.moved(by: Point(x: 3, y: -4)))
    let shifted = try #require(moved.body)
    let p = Point3(x: 0.3, y: 1, z: -1)
    let way = shifted.project(p).position - body.project(p).position
    #expect(abs(way.x - 3) < 1e-9 && abs(way.y + 4) < 1e-9 && way.z == 0)
    let turned = body.transformed(
      turn: Point(x: 0, y: 1), scale: 2, about: Point(x: 240, y: 280), offset: Point(x: 1, y: 0))
    let (from, to) = (body.project(p).position, turned.project(p).position)
    #expect(abs(to.x - (241 - 2 * (from.y - 280))) < 1e-9)
    #expect(abs(to.y - (280 + 2 * (from.x - 240))) < 1e-9)
  }
}
