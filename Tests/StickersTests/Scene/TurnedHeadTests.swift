import Faces
import Files
import Glibc
import Inference
import Pixels
import Stickers
import Support
import Testing

@testable import Vision

/// What stands in the head's space stays on heads that turn.
@Suite(.timeLimit(.minutes(20))) struct TurnedHeadTests {
  /// How far things reach beyond the mesh on either side, at the height of the eyes, in pupil
  /// distances; less than 0 for what stays inside.
  static func overhang(_ items: [StickerItem], _ frame: HeadFrame) -> Double? {
    guard let mesh = frame.mesh else { return nil }
    let band = (0..<Face.landmarkCount).filter { abs(frame.elevation($0) ?? 9) < 0.6 }
    let across = band.map { ((mesh[$0] - frame.origin).xy, frame.axis) }
      .map { $0.x * $1.x + $0.y * $1.y }
    guard let left = across.min(), let right = across.max() else { return nil }
    var most = -Double.infinity
    for item in items {
      guard
        let placement = StickerPlacement.onFace(item, frame, StickerPlacement.Adjustment()),
        placement.opacity > 0
      else { continue }
      let map = placement.transform(spriteWidth: 1, spriteHeight: 1)
      for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
        let corner = Point(
          x: map.a * x + map.c * y + map.tx - frame.origin.x,
          y: map.b * x + map.d * y + map.ty - frame.origin.y)
        let place = corner.x * frame.axis.x + corner.y * frame.axis.y
        most = max(most, (left - place) / frame.unit, (place - right) / frame.unit)
      }
    }
    return most
  }

  static func pack(_ name: String) throws -> [StickerItem] {
    guard
      case .pack(let pack) = try PackReader.read(FilePath(Photograph.root + "/stickers/" + name))
    else { return [] }
    return pack.items
  }

  /// The photograph's face, turned about its own axis up to a yaw.
  private func heads() throws -> (Double) -> HeadFrame? {
    var settings = FaceFinder.Settings()
    settings.tracking = false
    let finder = try FaceFinder.loaded(settings)
    let faces = try finder.found(in: Photograph.load(.rgb), time: nil, settings: settings)
    let face = try #require(faces.first)
    let frame = try #require(HeadFrame(face, width: 512, height: 512))
    return { yaw in
      var turned = face
      let turn = (yaw - frame.yaw) * .pi / 180
      for index in turned.landmarks.indices {
        guard let mesh = frame.mesh else { continue }
        let p = mesh[index] - frame.origin
        let (right, forward) = (p.dot(frame.right), p.dot(frame.forward))
        let q =
          frame.origin + frame.right * (right * cos(turn) + forward * sin(turn))
          + frame.forward * (forward * cos(turn) - right * sin(turn))
          + frame.up * p.dot(frame.up)
        turned.landmarks[index] = Landmark(
          x: Float(q.x / 512), y: Float(q.y / 512), z: Float(q.z / 512))
      }
      return HeadFrame(turned, width: 512, height: 512)
    }
  }

  @Test func glassesStayOnAHeadThatTurnsByUpTo40Degrees() throws {
    let (glasses, head) = (try Self.pack("glasses"), try heads())
    for yaw in stride(from: -40.0, through: 40, by: 2.5) {
      let frame = try #require(head(yaw))
      #expect(abs(frame.yaw - yaw) < 2, "turned to \(frame.yaw) for \(yaw)")
      let overhang = try #require(Self.overhang(glasses, frame))
      #expect(overhang < 0.08, "\(overhang) pupil distances at \(yaw) degrees")
    }
  }

  @Test func theFarEarExtendsNoFurtherThanOnAFrontalHead() throws {
    let (head, dog) = (try heads(), try Self.pack("dog"))
    var ears: [(item: StickerItem, isLeft: Bool)] = []
    for item in dog {
      if case .head(let quad) = item.attachment { ears.append((item, quad.from.x < 0)) }
    }
    #expect(ears.count == 2)
    let straight = try #require(head(0))
    let ahead = try #require(Self.overhang(ears.map(\.item), straight))
    for yaw in stride(from: -40.0, through: 40, by: 5) {
      let far = ears.filter { yaw == 0 || $0.isLeft == (yaw < 0) }
      let turned = try #require(head(yaw))
      let overhang = try #require(Self.overhang(far.map(\.item), turned))
      #expect(overhang < ahead + 0.08, "\(overhang) at \(yaw) degrees, \(ahead) ahead")
    }
  }
}
