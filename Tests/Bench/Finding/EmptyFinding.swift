import Pixels
import Support
import Vision

/// False faces where there is none: a film of letters, and rooms.
enum EmptyFinding {
  static func run(_ report: Report) throws {
    report.line("\nWithout faces")
    for finder in [try TimedFinder("defaults"), try TimedFinder.everyone()] {
      var (frames, false_, wrong) = (0, 0, 0)
      try RealScene.letters.forEachFrame { picture, _ in
        let count = try finder.faces(in: picture, frame: frames).count
        frames += 1
        false_ += count
        if count > 0 { wrong += 1 }
      }
      report.line(
        "  \(finder.name): no_face.mp4 \(false_) false faces, in \(wrong) of \(frames) frames")
      var parts: [String] = []
      for room in RealRoom.allCases {
        let picture = try room.load().filled(width: 1920, height: 1080)
        finder.reset()
        let still = try finder.faces(in: picture, frame: nil).count
        finder.reset()
        var film = 0
        for frame in 0..<12 { film += try finder.faces(in: picture, frame: frame).count }
        parts.append("\(room) \(still) and \(film)")
      }
      report.line("    rooms as a still and in 12 frames: " + parts.joined(separator: ", "))
    }
  }
}
