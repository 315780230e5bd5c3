import Faces
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// Paint stays on the skin: on films of people, what lies on a mesh moves from frame to frame as the
/// skin under it does, which optical flow measures apart from any network.
@Suite(.timeLimit(.minutes(20))) struct PaintFlowTests {
  /// What became of a film's points, in pixels a frame.
  private struct Moved {
    var points = 0
    /// How far the skin moved, how far paint moved otherwise, and how far it would have if it were drawn a frame late.
    var (skin, paint, late) = (0.0, 0.0, 0.0)
    var mean: (skin: Double, paint: Double, late: Double) {
      let count = Double(max(points, 1))
      return (skin / count, paint / count, late / count)
    }
  }

  /// Corners of the mesh on skin that looks toward the viewer: not at its outline, where what is
  /// behind the face is in the window too.
  private static func corners(_ mesh: [Point]) -> [Int] {
    let rim = Set(MeshIndex.oval)
    let (low, high) = mesh.boundingCorners
    let margin = 0.12 * (high.x - low.x)
    return mesh.indices.filter { index in
      !rim.contains(index) && (low.x + margin...high.x - margin).contains(mesh[index].x)
        && (low.y + margin...high.y - margin).contains(mesh[index].y)
    }
  }

  /// Every fourth corner serves: 20 000 places of each film.
  private func watch(
    _ scene: RealScene, without hidden: ClosedRange<UInt64>
  ) throws -> Moved {
    let (width, height) = scene.size
    var moved = Moved()
    var meshes: [[Point]] = []
    var last: Flow?
    try scene.forEachFrame(.i420) { picture, time, faces in
      let now = Flow(picture, width: width, height: height)
      defer { last = now }
      guard let face = faces.first, let frame = HeadFrame(face, width: width, height: height),
        let mesh = frame.mesh
      else { return meshes.removeAll() }
      meshes.append((0..<Face.landmarkCount).map { mesh[$0].xy })
      guard meshes.count > 2, let last, !hidden.contains(time / 1_000_000) else { return }
      let (before, here, there) = (
        meshes[meshes.count - 3], meshes[meshes.count - 2], meshes[meshes.count - 1]
      )
      for index in Self.corners(here) where index % 4 == 0 {
        guard let skin = last.track(here[index], to: now) else { continue }
        let flow = skin - here[index]
        moved.points += 1
        moved.skin += flow.length
        moved.paint += (there[index] - here[index] - flow).length
        moved.late += (here[index] - before[index] - flow).length
      }
    }
    return moved
  }

  /// The woman's hands are over her face from 3.7 to 6.7 s: the flow there is theirs.
  @Test(arguments: [(RealScene.man, UInt64(0)...0), (.moods, 3700...6700)])
  func paintMovesWithTheSkin(_ scene: RealScene, without hidden: ClosedRange<UInt64>) throws {
    let moved = try watch(scene, without: hidden)
    #expect(moved.points > 4000)
    #expect(moved.mean.paint < 0.48)
    #expect(moved.mean.late > 1.4 * moved.mean.paint)
  }

  @Test func opticalFlowMeasuresATranslation() throws {
    let picture = try RealScene.man.picture(.i420)
    let (width, height) = RealScene.man.size
    let moved = OwnedPicture(
      format: .i420, width: width, height: height, colorimetry: .bt601)
    moved.withPicture { moved in
      picture.withPicture { picture in
        for (y, x) in product(0..<height - 2, 0..<width - 3) {
          moved.component(0)[x + 3, y + 2] = picture.component(0)[x, y]
        }
      }
    }
    let (here, there) = (
      Flow(picture, width: width, height: height), Flow(moved, width: width, height: height)
    )
    var found = 0
    for (y, x) in product(stride(from: 60.5, to: 300, by: 24), stride(from: 100.5, to: 540, by: 24))
    {
      guard let place = here.track(Point(x: x, y: y), to: there) else { continue }
      found += 1
      #expect(abs(place.x - x - 3) < 0.05 && abs(place.y - y - 2) < 0.05)
    }
    #expect(found > 30)
  }
}
