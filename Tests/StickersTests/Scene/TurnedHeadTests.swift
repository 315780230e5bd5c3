import Faces
import Files
import Glibc
import Inference
import Pixels
import Support
import Testing

@testable import Stickers
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
      var corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { x, y in
        Point(x: map.a * x + map.c * y + map.tx, y: map.b * x + map.d * y + map.ty)
      }
      if let body = placement.body, let mesh = item.mesh {
        corners = mesh.positions.map { body.project($0).position.xy }
      }
      for corner in corners.map({ $0 - frame.origin.xy }) {
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

  /// The photograph's face, turned about its own axes to a yaw and a pitch, which is positive down.
  static func faces() throws -> @Sendable (_ yaw: Double, _ pitch: Double) -> Face {
    var settings = FaceFinder.Settings()
    settings.tracking = false
    let finder = try FaceFinder.loaded(settings)
    let faces = try finder.found(in: Photograph.load(.rgb), time: nil, settings: settings)
    let face = try #require(faces.first)
    let frame = try #require(HeadFrame(face, width: 512, height: 512))
    let level = asin(frame.forward.y) * 180 / .pi
    return { @Sendable yaw, pitch in
      var turned = face
      let turn = (yaw - frame.yaw) * .pi / 180
      let nod = (pitch - level) * .pi / 180
      for index in turned.landmarks.indices {
        guard let mesh = frame.mesh else { continue }
        let p = mesh[index] - frame.origin
        let (right, up, out) = (p.dot(frame.right), p.dot(frame.up), p.dot(frame.forward))
        let (high, forward) = (up * cos(nod) - out * sin(nod), up * sin(nod) + out * cos(nod))
        let q =
          frame.origin + frame.right * (right * cos(turn) + forward * sin(turn))
          + frame.forward * (forward * cos(turn) - right * sin(turn))
          + frame.up * high
        turned.landmarks[index] = Landmark(
          x: Float(q.x / 512), y: Float(q.y / 512), z: Float(q.z / 512))
      }
      return turned
    }
  }

  private func heads() throws -> (_ yaw: Double, _ pitch: Double) -> HeadFrame? {
    let face = try Self.faces()
    return { HeadFrame(face($0, $1), width: 512, height: 512) }
  }

  @Test func glassesStayOnAHeadThatTurnsByUpTo40Degrees() throws {
    let (glasses, head) = (try Self.pack("glasses"), try heads())
    for (yaw, pitch) in Self.angles + stride(from: -37.5, through: 37.5, by: 5).map({ ($0, 0) }) {
      let frame = try #require(head(yaw, pitch))
      if pitch == 0 { #expect(abs(frame.yaw - yaw) < 2, "turned to \(frame.yaw) for \(yaw)") }
      let overhang = try #require(Self.overhang(glasses, frame))
      // The lower corners of the pictures, which are transparent, show first on heads that look up.
      let limit = 0.08 + max(0, -pitch) * 0.1 / 30
      #expect(overhang < limit, "\(overhang) pupil distances at \(yaw) and \(pitch) degrees")
    }
  }

  /// Every yaw to 40 degrees at every pitch to 30.
  static var angles: [(yaw: Double, pitch: Double)] {
    stride(from: -40.0, through: 40, by: 5).flatMap { yaw in
      stride(from: -30.0, through: 30, by: 10).map { (yaw, $0) }
    }
  }

  @Test func theFarEarExtendsNoFurtherThanOnAFrontalHead() throws {
    let (head, dog) = (try heads(), try Self.pack("dog"))
    var ears: [(item: StickerItem, isLeft: Bool)] = []
    for item in dog {
      if let body = item.body, body.anchor == nil { ears.append((item, body.from.x < 0)) }
    }
    #expect(ears.count == 2)
    let straight = try #require(head(0, 0))
    let ahead = try #require(Self.overhang(ears.map(\.item), straight))
    for (yaw, pitch) in Self.angles {
      let far = ears.filter { yaw == 0 || $0.isLeft == (yaw < 0) }
      let turned = try #require(head(yaw, pitch))
      let overhang = try #require(Self.overhang(far.map(\.item), turned))
      #expect(
        overhang < ahead + 0.08, "\(overhang) at \(yaw) and \(pitch) degrees, \(ahead) ahead")
    }
  }

  @Test func theMoustacheAndTheNoseStayOnAHeadThatTurns() throws {
    let head = try heads()
    let worn = try Self.pack("moustache") + Self.pack("dog").filter { $0.body?.anchor == .nose }
    #expect(worn.count == 2)
    for (yaw, pitch) in Self.angles {
      let frame = try #require(head(yaw, pitch))
      let overhang = try #require(Self.overhang(worn, frame))
      #expect(overhang < 0.2, "\(overhang) pupil distances at \(yaw) and \(pitch) degrees")
    }
  }
}
