import Faces
import Inference
import Pixels
import Stickers
import Support
import Testing

@testable import Vision

/// Stickers on films of people: never where nobody is.
@Suite(.timeLimit(.minutes(20))) struct StickerFilmTests {
  /// What became of the stickers of one film.
  private struct Seen {
    var frames = 0
    /// Frames with a sticker, and of those the ones in which no face is.
    var worn = 0
    var orphaned = 0
    /// How far a sticker was from the nearest face, in widths of that face.
    var farthest = 0.0
    /// How far glasses reach beyond a face, in pupil distances.
    var overhang = 0.0
    /// The farthest that a face was turned, in degrees.
    var turn = 0.0
  }

  private func watch(_ film: RealScene) throws -> Seen {
    // What sits between the eyes, and what sits over them and moves most with a turn.
    var hat = StickerSceneTests.item(.face)
    hat.attachment = .anchor(.headTop)
    let scene = StickerSceneTests.scene(StickerSceneTests.item(.face), hat)
    let glasses = try TurnedHeadTests.pack("glasses")
    let (width, height) = film.size
    var seen = Seen()
    try film.forEachFrame(.i420) { picture, time, faces in
      let draws = scene.draws(at: Int64(time), faces, width: width, height: height)
      seen.frames += 1
      seen.worn += draws.isEmpty ? 0 : 1
      seen.orphaned += !draws.isEmpty && faces.isEmpty ? 1 : 0
      for face in faces {
        guard let frame = HeadFrame(face, width: width, height: height), abs(frame.yaw) <= 40,
          let overhang = TurnedHeadTests.overhang(glasses, frame)
        else { continue }
        seen.overhang = max(seen.overhang, overhang)
        seen.turn = max(seen.turn, abs(frame.yaw))
      }
      for draw in draws where !faces.isEmpty {
        let distance =
          faces.map { face in
            let box = face.box.scaled(x: Double(width), y: Double(height))
            let center = draw.placement.center
            let dx = max(box.x - center.x, 0, center.x - box.maxX)
            let dy = max(box.y - center.y, 0, center.y - box.maxY)
            return (dx * dx + dy * dy).squareRoot() / box.width
          }.min() ?? 0
        seen.farthest = max(seen.farthest, distance)
      }
    }
    return seen
  }

  @Test(arguments: [RealScene.man, .moods])
  func aFaceHasItsStickersInEveryFrame(film: RealScene) throws {
    let seen = try watch(film)
    #expect(seen.worn == seen.frames && seen.orphaned == 0)
    // Behind hands the mesh goes and comes, and the hat is eased from one place to the other.
    #expect(seen.farthest < 0.55, "\(seen.farthest) face widths off")
    #expect(seen.overhang < 0.08, "\(seen.overhang), turned by up to \(seen.turn) degrees")
  }

  @Test(arguments: [(RealScene.manThenLetters, 72), (.lettersThenMan, 72), (.letters, 0)])
  func stickersWithoutAFaceDisappear(film: RealScene, frames: Int) throws {
    let seen = try watch(film)
    // They fade within 0.15 s: four frames of these films.
    #expect(seen.orphaned <= (frames == 0 ? 0 : 5))
    #expect(abs(seen.worn - seen.orphaned - frames) <= 1)
    #expect(seen.farthest < 0.5, "\(seen.farthest) face widths off")
  }
}
