import Faces
import Glibc
import Pixels
import Stickers
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct StickerPlacementTests {
  struct View: Sendable, CustomStringConvertible {
    var roll = 0.0
    var mirrored = false
    var unit = 90.0
    var description: String { "roll \(roll), mirrored \(mirrored), unit \(unit)" }
  }

  static let views = [0.0, 30].flatMap { roll in
    [false, true].flatMap { mirrored in
      [40.0, 90, 200].map { View(roll: roll, mirrored: mirrored, unit: $0) }
    }
  }

  /// The halo and the blush of the manifest that version 1 packs are known by.
  static let halo: StickerItem = {
    var item = StickerItem(
      attachment: .points(first: 1, centre: 46, last: 8), scaleWidth: 3.5, width: 351, height: 159)
    item.offsetY = 2
    return item
  }()
  static let blush = StickerItem(
    attachment: .points(first: 56, centre: 48, last: 55), scaleWidth: 1.5, width: 182, height: 44)

  /// Draws an opaque rectangle there and measures its centre, width and direction by moments.
  private static func measured(
    _ placement: StickerPlacement, _ width: Int, _ height: Int
  ) throws -> (centre: Point, width: Double, degrees: Double) {
    let pixels = [UInt8](repeating: 255, count: 4 * 64 * 29)
    let sprite = try #require(
      Sprite.make(
        from: SpriteScene.picture(rgba: pixels, width: 64, height: 29), space: .ycc(.bt709)))
    let ground = OwnedPicture(format: .nv12, width: width, height: height, colorimetry: .bt709)
    let compositor = SpriteCompositor(width: width)
    return ground.withPicture { picture in
      compositor.draw(
        sprite, by: placement.transform(spriteWidth: 64, spriteHeight: 29), on: picture)
      let luma = picture.component(0)
      var sum = 0.0
      var (sx, sy, sxx, sxy, syy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for (y, x) in product(0..<height, 0..<width) where luma[x, y] > 0 {
        let w = Double(luma[x, y])
        sum += w
        sx += w * Double(x)
        sy += w * Double(y)
        sxx += w * Double(x) * Double(x)
        sxy += w * Double(x) * Double(y)
        syy += w * Double(y) * Double(y)
      }
      let (mx, my) = (sx / sum, sy / sum)
      let (a, b, c) = (sxx / sum - mx * mx, sxy / sum - mx * my, syy / sum - my * my)
      let long = (a + c) / 2 + ((a - c) * (a - c) / 4 + b * b).squareRoot()
      return (
        Point(x: mx + 0.5, y: my + 0.5), (12 * long).squareRoot(),
        atan2(2 * b, a - c) / 2 * 180 / .pi
      )
    }
  }

  @Test(arguments: views)
  func version1ItemsArePlacedByTheirRules(view: View) throws {
    let (width, height) = (1400, 1200)
    let middle = Point(x: 640, y: 660)
    let face = HeadMesh.make(
      middle: middle, unit: view.unit, roll: view.roll, mirrored: view.mirrored, width: width,
      height: height)
    // A mirror turns a clockwise roll the other way.
    let roll = (view.mirrored ? -view.roll : view.roll) * .pi / 180
    let centre = view.mirrored ? Point(x: Double(width) - middle.x, y: middle.y) : middle
    func place(_ x: Double, _ y: Double) -> Point {
      Point(
        x: centre.x + (x * cos(roll) + y * sin(roll)) * view.unit,
        y: centre.y + (x * sin(roll) - y * cos(roll)) * view.unit)
    }
    let frame = try #require(HeadFrame(face, width: width, height: height))
    for (item, carrier, span) in [
      (Self.halo, (0.0, 0.02), 0.52), (Self.blush, (0.0, -0.43), 0.56),
    ] {
      let placement = try #require(StickerPlacement.onFace(item, frame, .init()))
      let expectedCentre = place(carrier.0, carrier.1 + item.offsetY)
      let expectedWidth = (span + item.scaleWidth) * view.unit
      // Seldom a sprite is larger than its picture; then only the numbers are compared.
      #expect((placement.center - expectedCentre).length < 0.1)
      #expect(abs(placement.width - expectedWidth) < 0.1)
      #expect(abs(placement.height - expectedWidth * item.height / item.width) < 0.1)
      guard view.unit < 150 else { continue }
      let found = try Self.measured(placement, width, height)
      #expect((found.centre - expectedCentre).length < 1)
      #expect(abs(found.width - expectedWidth) < 1)
      #expect(abs(found.degrees - roll * 180 / .pi) < 0.5)
    }
  }

  @Test func offsetsPointRightAndUpAlongTheFacesAxes() throws {
    for roll in [0.0, 30, -70] {
      let face = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 100, roll: roll)
      let frame = try #require(HeadFrame(face, width: 1000, height: 800))
      var item = StickerItem(attachment: .anchor(.eyes), scaleWidth: 2, width: 2, height: 1)
      item.offsetX = 0.5
      var adjustment = StickerPlacement.Adjustment()
      adjustment.offsetY = 1
      adjustment.scale = 1.5
      let placement = try #require(StickerPlacement.onFace(item, frame, adjustment))
      let r = roll * .pi / 180
      let expected = Point(
        x: 500 + (0.5 * cos(r) + sin(r)) * 100, y: 400 + (0.5 * sin(r) - cos(r)) * 100)
      #expect((placement.center - expected).length < 0.2)
      #expect(abs(placement.width - 300) < 0.1)
      #expect(abs(atan2(placement.axis.y, placement.axis.x) - r) < 1e-3)
      adjustment.rotates = false
      let upright = try #require(StickerPlacement.onFace(item, frame, adjustment))
      #expect(upright.axis == Point(x: 1, y: 0))
      #expect((upright.center - expected).length < 0.2)
    }
  }

  @Test func theCrownMovesRigidlyWithTheHead() throws {
    for (yaw, pitch, roll) in [
      (0.0, 0.0, 0.0), (30, 0, 0), (-35, 0, 10), (0, 25, 0), (0, -20, -15), (25, 15, 40),
    ] {
      let face = HeadMesh.make(
        middle: Point(x: 500, y: 400), unit: 100, roll: roll, yaw: yaw, pitch: pitch)
      let frame = try #require(HeadFrame(face, width: 1000, height: 800))
      let crown = HeadMesh.turned((0, 1.72, -0.7), roll: roll, yaw: yaw, pitch: pitch)
      let found = frame.point(.headTop)
      #expect(
        (found - Point(x: 500 + crown.0 * 100, y: 400 + crown.1 * 100)).length < 1,
        "yaw \(yaw), pitch \(pitch), roll \(roll): \(found)")
      // And a hat keeps its size.
      #expect(abs(frame.unit - 100) < 0.5)
    }
  }

  @Test func theCrownAgreesBetweenMeshAndKeypointsWithAPose() throws {
    for (yaw, pitch) in [(0.0, 0.0), (30, 0), (0, 20), (-25, -15)] {
      let mesh = HeadMesh.make(
        middle: Point(x: 500, y: 400), unit: 100, yaw: yaw, pitch: pitch)
      let whole = try #require(HeadFrame(mesh, width: 1000, height: 800))
      var sparse = mesh
      sparse.landmarks = []
      sparse.pose = HeadPose(roll: 0, yaw: yaw, pitch: pitch)
      let eyes = [whole.point(.leftEye), whole.point(.rightEye)]
      sparse.keypoints = (eyes + Array(repeating: Point(x: 500, y: 460), count: 4)).map {
        Point(x: $0.x / 1000, y: $0.y / 800)
      }
      let frame = try #require(HeadFrame(sparse, width: 1000, height: 800))
      #expect((frame.point(.headTop) - whole.point(.headTop)).length < 4)
      #expect((frame.point(.nose) - Point(x: 500, y: 460)).length < 0.01)
    }
  }

  @Test func everyAnchorIsFoundFromMeshKeypointsOrBoxInItsOrder() throws {
    let mesh = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 100)
    var keypoints = mesh
    keypoints.landmarks = []
    keypoints.keypoints = [
      Point(x: 0.45, y: 0.5), Point(x: 0.55, y: 0.5), Point(x: 0.5, y: 0.575),
      Point(x: 0.5, y: 0.62), Point(x: 0.4, y: 0.52), Point(x: 0.6, y: 0.52),
    ]
    var box = keypoints
    box.keypoints = []
    // A box as a detector would draw it round that face.
    box.box = Rectangle(x: 0.381, y: 0.389, width: 0.238, height: 0.2975)
    for face in [mesh, keypoints, box] {
      let frame = try #require(HeadFrame(face, width: 1000, height: 800))
      let descending: [StickerAnchor] = [
        .headTop, .forehead, .eyes, .leftCheek, .mouth, .chin,
      ]
      let heights = descending.map { frame.point($0).y }
      #expect(heights == heights.sorted())
      #expect(frame.point(.leftEye).x < frame.point(.nose).x)
      #expect(frame.point(.rightEye).x > frame.point(.nose).x)
      #expect(frame.point(.leftCheek).x < frame.point(.rightCheek).x)
      for anchor in StickerAnchor.allCases {
        let whole = try #require(HeadFrame(mesh, width: 1000, height: 800))
        #expect((frame.point(anchor) - whole.point(anchor)).length < 45, "\(anchor)")
      }
      for index in 0..<76 { #expect(frame.visionPoint(index) != nil) }
      #expect(frame.visionPoint(76) == nil && frame.visionPoint(-1) == nil)
    }
  }

  @Test func screenItemsTouchTheirEdges() throws {
    let sides: [(StickerScreenAnchor, Point)] = [
      (.top, Point(x: 400, y: 50)), (.left, Point(x: 100, y: 300)),
      (.bottom, Point(x: 400, y: 550)), (.right, Point(x: 700, y: 300)),
      (.centre, Point(x: 400, y: 300)),
    ]
    for (side, centre) in sides {
      var item = StickerItem(attachment: .screen(side), scaleWidth: 0.25, width: 200, height: 100)
      let placement = try #require(
        StickerPlacement.onScreen(item, width: 800, height: 600, .init()))
      #expect(placement == StickerPlacement(center: centre, width: 200, height: 100))
      item.offsetX = 0.1
      item.offsetY = 0.2
      let moved = try #require(StickerPlacement.onScreen(item, width: 800, height: 600, .init()))
      #expect(moved.center == centre + Point(x: 80, y: -160))
    }
    for (width, height) in [(100.0, 10.0), (10, 100), (4, 3)] {
      let cover = StickerItem(
        attachment: .screen(.cover), scaleWidth: 1, width: width, height: height)
      let whole = try #require(StickerPlacement.onScreen(cover, width: 800, height: 600, .init()))
      #expect(whole.width >= 800 - 1e-9 && whole.height >= 600 - 1e-9)
      #expect(abs(whole.width - 800) < 1e-9 || abs(whole.height - 600) < 1e-9)
    }
  }
}
