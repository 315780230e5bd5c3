import Glibc
import Pixels
import Support

/// The cost of personkey's mask and alpha in films of a person who sways, of three who do, and of one
/// who talks, in which most of the picture rests; beside the selfie segmentation of the mediapipe wheel, whose cost
/// does not depend on the picture.
enum PersonMotionBench {
  /// Frames of a film, which is played forwards in a loop.
  private static let frameCount = 24

  static func comparisons() -> [Comparison] {
    [(1280, 720), (1920, 1080)].map { width, height in
      func ours(_ name: String, sway: Float, people: Int = 1, alpha: Bool) -> Candidate {
        Candidate(name) { measurement in
          guard let film = try? Film(width: width, height: height, sway: sway, people: people),
            let key = try? FilmKeyer(width: width, height: height)
          else { return false }
          var number = 0
          measurement.time(frames: 4 * frameCount, after: frameCount) {
            let frame = film.frames[number % frameCount]
            number += 1
            if alpha {
              try? key.key(frame.picture, faces: frame.faces)
            } else {
              try? key.segment(frame.picture, faces: frame.faces)
            }
          }
          return true
        }
      }
      let peer = "/usr/bin/python3 setup/peer_selfie.py .build/peers \(width) \(height)"
      let (sway, talk) = (Film.sway, Film.talk)
      return Comparison(
        title: "A person who moves, \(width)x\(height) NV12, behind a detector",
        candidates: [
          ours("personkey, swaying, mask", sway: sway, alpha: false),
          ours("personkey, swaying, alpha out", sway: sway, alpha: true),
          ours("personkey, three swaying, mask", sway: sway, people: 3, alpha: false),
          ours("personkey, talking, mask", sway: talk, alpha: false),
          ours("personkey, talking, alpha out", sway: talk, alpha: true),
          Candidate("mediapipe 0.10.14, general, RGB", frames: 300, less: 30) {
            words(peer) + ["\($0)", "mask", "0"]
          },
        ],
        bars: [
          Bar("mask, a person sways, \(height)p: mediapipe", .share, of: 0, to: 5, atMost: 0.5),
          Bar("mask, a person talks, \(height)p: mediapipe", .share, of: 3, to: 5, atMost: 0.3),
        ])
    }
  }

  /// A film in memory.
  private struct Film {
    /// How far the person moves, in parts of the picture's width.
    static let sway: Float = 0.04, talk: Float = 0.002

    let frames: [(picture: OwnedPicture, faces: [Rectangle])]

    init(width: Int, height: Int, sway: Float, people: Int) throws {
      let (cutout, room) = (try PersonCutout.load(), try RealRoom.curtains.load())
      frames = (0..<frameCount).map { number in
        let poses = (0..<people).map { index in
          let phase = sin(Float(number) / Float(frameCount) * 2 * .pi + Float(index))
          return PersonScene.Pose(
            height: people == 1 ? 0.88 : 0.6,
            center: (Float(index) + 0.5) / Float(people) + sway * phase, angle: 40 * sway * phase)
        }
        let scene = PersonScene(cutout, room, poses, width: width, height: height)
        let aspect = Float(width) / Float(height)
        return (scene.picture(frame: UInt64(number)), poses.map { $0.face(aspect: aspect) })
      }
    }
  }
}
