import Programs

/// What a whole picture or film had of faces.
struct FaceSummary {
  private var frames = 0
  private var framesWithFaces = 0
  /// In one frame.
  private(set) var most = 0
  private var fewest = Int.max
  /// How many frames each was in.
  private var seen: [Int: Int] = [:]
  private var end = 0.0

  mutating func add(_ frame: FrameRecord) {
    frames += 1
    let count = frame.faces.count
    framesWithFaces += count > 0 ? 1 : 0
    most = max(most, count)
    fewest = min(fewest, count)
    for face in frame.faces { seen[face.id, default: 0] += 1 }
    end = max(end, frame.time ?? 0)
  }

  var lines: [String] {
    [
      "frames: \(frames)", "frames with faces: \(framesWithFaces)",
      "faces at once, fewest: \(frames == 0 ? 0 : fewest)", "faces at once, most: \(most)",
      "faces followed: \(seen.count)", "last frame: \(end.fixed(3)) s",
    ]
  }
}

/// How many faces somebody expects, as "2", "1-3" or "1+".
struct FaceExpectation {
  let text: String
  private let range: ClosedRange<Int>

  /// Nil where it is none.
  init?(_ text: String) {
    self.text = text
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if text.hasSuffix("+"), let least = Int(text.dropLast()), least >= 0 {
      range = least...Int.max
    } else if parts.count == 1, let count = parts[0], count >= 0 {
      range = count...count
    } else if parts.count == 2, let least = parts[0], let most = parts[1], least >= 0, least <= most
    {
      range = least...most
    } else {
      return nil
    }
  }

  func holds(_ count: Int) -> Bool { range.contains(count) }
}
