import Faces
import Files
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// Heads of people whose face no detector sees.
@Suite(.timeLimit(.minutes(20))) struct HeadFinderTests {
  private static let settings: FaceFinder.Settings = {
    var settings = FaceFinder.Settings()
    (settings.landmarks, settings.expressions, settings.heads) = (false, false, true)
    return settings
  }()

  /// A person before a room, with hair painted over the face where `hasFace` is false.
  private static func picture(
    _ pose: PersonScene.Pose, _ room: RealRoom, hasFace: Bool
  ) throws -> (picture: OwnedPicture, face: Rectangle) {
    let (width, height) = (640, 360)
    let scene = PersonScene(
      try PersonCutout.load(), try room.load(), [pose], width: width, height: height)
    let picture = scene.picture()
    let face = pose.face(aspect: Float(width) / Float(height)).scaled(
      x: Double(width), y: Double(height))
    if !hasFace { paintHair(over: face, on: picture) }
    return (picture, face)
  }

  /// Covers a face with streaks of brown.
  private static func paintHair(over face: Rectangle, on picture: OwnedPicture) {
    var random = SplitMix(5)
    func isInside(_ x: Double, _ y: Double) -> Bool {
      let (u, v) = ((x - face.center.x) / face.width, (y - face.center.y) / face.height)
      return u * u + v * v < 0.3
    }
    picture.withPicture { picture in
      for y in 0..<picture.height {
        let (luma, chroma) = (picture.plane(0).row(y), picture.plane(1).row(y / 2))
        for x in 0..<picture.width where isInside(Double(x), Double(y)) {
          luma[x] = UInt8(58 + 2 * (x % 7) + Int(8 * random.uniform()))
          chroma[x & ~1] = 118
          chroma[x | 1] = 139
        }
      }
    }
  }

  private static func boxes(
    _ picture: OwnedPicture, _ finder: FaceFinder, frame: Int,
    _ settings: FaceFinder.Settings = settings
  ) throws -> [Face] {
    try finder.found(in: picture, frame: frame, settings: settings).map { face in
      var face = face
      face.box = face.box.scaled(x: 640, y: 360)
      return face
    }
  }

  /// The fraction of the visible part of a face's box that a head covers.
  private static func coverage(of face: Rectangle, by head: Face) -> Double {
    let visible = face.intersection(Rectangle(x: 0, y: 0, width: 640, height: 360))
    return head.box.intersection(visible).area / visible.area
  }

  @Test(arguments: [0.9, 1.6, 2.1] as [Float])
  func thePersonWhoTurnsAwayKeepsAHead(height: Float) throws {
    let bottom: Float = height > 2 ? 2.16 : height > 1 ? 1.64 : 1
    let pose = PersonScene.Pose(height: height, bottom: bottom)
    let finder = try FaceFinder.loaded(Self.settings)
    let front = try Self.picture(pose, .sky, hasFace: true)
    let back = try Self.picture(pose, .sky, hasFace: false)
    for frame in 0..<6 {
      let faces = try Self.boxes(front.picture, finder, frame: frame)
      #expect(faces.count == 1 && faces[0].box.iou(front.face) > 0.5 && !faces[0].keypoints.isEmpty)
    }
    var ids: Set<UInt32> = []
    for frame in 6..<40 {
      let faces = try Self.boxes(back.picture, finder, frame: frame)
      // The tracker keeps the face for some frames; then there is the head.
      #expect(faces.count == 1)
      guard frame >= 20, let head = faces.first else { continue }
      ids.insert(head.id)
      #expect(head.keypoints.isEmpty && head.landmarks.isEmpty)
      #expect(Self.coverage(of: back.face, by: head) > 0.9, "\(head.box), \(back.face)")
      // Not the whole body.
      #expect(head.box.height < 1.9 * back.face.height)
    }
    #expect(ids.count == 1)
    let without = FaceFinder.Settings()
    #expect(
      try Self.boxes(back.picture, FaceFinder.loaded(without), frame: 0, without).isEmpty)
  }

  @Test func aPersonWhoseFaceWasNeverSeenHasAHead() throws {
    let back = try Self.picture(.init(height: 1.6, bottom: 1.64), .launch, hasFace: false)
    let finder = try FaceFinder.loaded(Self.settings)
    let faces = try Self.boxes(back.picture, finder, frame: 0)
    #expect(faces.count == 1 && faces.allSatisfy { Self.coverage(of: back.face, by: $0) > 0.9 })
    // An independent picture too.
    var still = Self.settings
    still.tracking = false
    #expect(try Self.boxes(back.picture, finder, frame: 1, still).count == 1)
  }

  @Test func theFirstPictureIsSearchedBesideAKnownFaceToo() throws {
    let back = try Self.picture(.init(height: 1.6, bottom: 1.64), .launch, hasFace: false)
    let graph = try Graph(
      path: FilePath(Photograph.models + "/" + FaceFinder.Network.person.fileName))
    let finder = try HeadFinder(graph)
    let known = Rectangle(x: 610, y: 4, width: 20, height: 24)
    try back.picture.withPicture { (picture: borrowing Picture) throws in
      func count() throws -> Int {
        try finder.heads(
          in: picture, UprightView(picture, .up), faces: [known], gain: 1, newID: { 7 }
        ).count
      }
      // A still has one picture, and so has each scene of a film a first one.
      #expect(try count() == 1)
      finder.reset()
      #expect(try count() == 1)
    }
  }

  @Test func aRoomWithoutPeopleHasNoHead() throws {
    for room in RealRoom.allCases {
      let picture = try room.load().filled(width: 640, height: 360)
      let finder = try FaceFinder.loaded(Self.settings)
      for frame in 0..<3 {
        #expect(try Self.boxes(picture, finder, frame: frame).isEmpty, "\(room)")
      }
    }
  }

  @Test func aTurnedPictureHasItsHeadAtTheSamePlace() throws {
    let back = try Self.picture(.init(height: 1.6, bottom: 1.64), .launch, hasFace: false)
    let finder = try FaceFinder.loaded(Self.settings)
    let upright = try #require(try Self.boxes(back.picture, finder, frame: 0).first)
    let turned = OwnedPicture(back.picture.video)
    back.picture.withPicture { from in
      turned.withPicture { to in
        for y in 0..<360 {
          let (source, target) = (from.plane(0).row(359 - y), to.plane(0).row(y))
          for x in 0..<640 { target[x] = source[639 - x] }
        }
        for y in 0..<180 {
          let (source, target) = (from.plane(1).row(179 - y), to.plane(1).row(y))
          for x in 0..<640 { target[x] = source[(639 - x) ^ 1] }
        }
      }
    }
    let faces = try finder.found(
      in: turned, frame: 5, orientation: .down, settings: Self.settings)
    let box = try #require(faces.first).box.scaled(x: 640, y: 360)
    let expected = Rectangle(
      x: 640 - upright.box.maxX, y: 360 - upright.box.maxY, width: upright.box.width,
      height: upright.box.height)
    #expect(box.iou(expected) > 0.9)
  }
}
