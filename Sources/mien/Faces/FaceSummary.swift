import Programs

/// Counts the faces of a picture or film.
struct FaceSummary {
  private var frames = 0
  private var framesWithFaces = 0
  /// The largest and smallest number of faces in a frame.
  private(set) var maximum = 0
  private var minimum = Int.max
  private var ids: Set<Int> = []
  private var end = 0.0

  mutating func add(_ frame: FrameRecord) {
    frames += 1
    let count = frame.faces.count
    framesWithFaces += count > 0 ? 1 : 0
    maximum = max(maximum, count)
    minimum = min(minimum, count)
    ids.formUnion(frame.faces.map(\.id))
    end = max(end, frame.time ?? 0)
  }

  var lines: [String] {
    [
      "frames: \(frames)", "frames with faces: \(framesWithFaces)",
      "faces at once, fewest: \(frames == 0 ? 0 : minimum)", "faces at once, most: \(maximum)",
      "faces followed: \(ids.count)", "last frame: \(end.fixed(3)) s",
    ]
  }
}

/// An expected number of faces, as "2", "1-3" or "1+".
struct FaceExpectation {
  let text: String
  private let range: ClosedRange<Int>

  /// Nil where the text is not of this form.
  init?(_ text: String) {
    self.text = text
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if text.hasSuffix("+"), let minimum = Int(text.dropLast()), minimum >= 0 {
      range = minimum...Int.max
    } else if parts.count == 1, let count = parts[0], count >= 0 {
      range = count...count
    } else if parts.count == 2, let minimum = parts[0], let maximum = parts[1],
      minimum >= 0, minimum <= maximum
    {
      range = minimum...maximum
    } else {
      return nil
    }
  }

  func holds(_ count: Int) -> Bool { range.contains(count) }
}
