import Faces
import Pixels
import Stickers
import Support
import Testing

/// What happens to stickers when a face's mesh comes or goes, and at a cut.
@Suite(.timeLimit(.minutes(20))) struct PlacementBlendTests {
  private static func face(mesh: Bool) -> Face {
    var face = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 90)
    face.box = Rectangle(x: 0.42, y: 0.38, width: 0.14, height: 0.2)
    if !mesh { face.landmarks = [] }
    return face
  }

  private static func scene() -> StickerScene {
    let item = StickerItem(attachment: .anchor(.eyes), scaleWidth: 2, width: 1, height: 1)
    return StickerScene(items: [item], timelines: [StickerTimeline(count: 1, frameDuration: 0)])
  }

  @Test(arguments: [true, false]) func aPlacementIsEasedOverFiveFrames(comes: Bool) throws {
    let scene = Self.scene()
    var widths: [Double] = []
    for frame in 0..<14 {
      let face = Self.face(mesh: frame < 5 ? !comes : comes)
      let draw = scene.draws(at: Int64(frame) * 33_333_333, [face], width: 1000, height: 800).first
      widths.append(try #require(draw).placement.width)
    }
    let (before, after) = (widths[4], widths[13])
    #expect(abs(before - after) > 10)
    #expect(widths[9] == after && widths[5] != after)
    for (a, b) in zip(widths.dropFirst(4), widths.dropFirst(5)) {
      #expect(abs(a - b) <= 0.3 * abs(before - after), "\(widths)")
    }
  }

  @Test func atACutStickersLetGo() {
    let scene = Self.scene()
    for frame in 0..<8 {
      let draws = scene.draws(at: Int64(frame) * 33_333_333, [Self.face(mesh: true)])
      #expect(draws.count == 1)
    }
    #expect(scene.draws(at: 8 * 33_333_333, []).count == 1)
    scene.dropFaces()
    #expect(scene.draws(at: 9 * 33_333_333, []).isEmpty)
  }
}
