import Faces
import Pixels
import Support

/// Counts of what a finder reported in frames whose faces are known.
struct FindingScore {
  /// The lower bounds of the classes of face width, in pixels.
  static let classes = [24.0, 32, 48, 96]
  static let classNames = ["24-32 px", "32-48", "48-96", "96+"]

  /// Frames that were counted.
  private(set) var frames = 0
  /// Due faces and those of them that were found, by class of width.
  private(set) var due = [Int](repeating: 0, count: Self.classes.count)
  private(set) var found = [Int](repeating: 0, count: Self.classes.count)
  /// The least fraction of due faces found in a frame.
  private(set) var minimum = 1.0
  /// Reported faces where there is none.
  private(set) var falseFaces = 0
  /// Frames in which a reported face is inside another.
  private(set) var nestedFrames = 0
  private(set) var ids: Set<UInt32> = []
  /// The persons whose face was due in some frame.
  private(set) var persons: Set<Int> = []
  /// Matches of a person whose id differs from that of its last match.
  private(set) var switches = 0
  private var lastID: [Int: UInt32] = [:]
  /// CPU seconds of the finder's calls, and of the first one, which searches all of the frame.
  var seconds = 0.0, firstSeconds = 0.0
  /// All frames that the finder processed.
  var processed = 0

  /// The reported boxes of the last frame, the truth each is matched to, and whether it is false.
  private(set) var last: (boxes: [Rectangle], isFalse: [Bool], isFound: [Bool]) = ([], [], [])

  /// Adds a frame; faces are in normalized coordinates.
  mutating func add(_ faces: [Face], _ truth: [FaceTruth], width: Int, height: Int) {
    frames += 1
    let boxes = faces.map { $0.box.scaled(x: Double(width), y: Double(height)) }
    let matched = Self.match(boxes, truth)
    var (dueHere, foundHere) = (0, 0)
    for (index, face) in truth.enumerated() {
      if let number = matched[index] {
        let id = faces[number].id
        if let last = lastID[face.person], last != id { switches += 1 }
        lastID[face.person] = id
      }
      guard face.isDue, let size = Self.classes.lastIndex(where: { $0 <= face.width }) else {
        continue
      }
      persons.insert(face.person)
      due[size] += 1
      dueHere += 1
      if matched[index] != nil {
        found[size] += 1
        foundHere += 1
      }
    }
    if dueHere > 0 { minimum = min(minimum, Double(foundHere) / Double(dueHere)) }
    let seen = truth.filter { $0.visible > 0.1 }
    let isFalse = boxes.map { box in !seen.contains { $0.box.iou(box) >= 0.1 } }
    falseFaces += isFalse.count { $0 }
    if Self.isNested(boxes) { nestedFrames += 1 }
    ids.formUnion(faces.map(\.id))
    last = (boxes, isFalse, truth.indices.map { matched[$0] != nil })
  }

  /// The detection of each face, the best overlap first; each detection is used once.
  static func match(_ boxes: [Rectangle], _ truth: [FaceTruth]) -> [Int: Int] {
    let pairs = product(truth.indices, boxes.indices).map { face, box in
      (face: face, box: box, iou: truth[face].box.iou(boxes[box]))
    }.filter { $0.iou > 0.35 }.sorted { $0.iou > $1.iou }
    var result: [Int: Int] = [:]
    var used: Set<Int> = []
    for pair in pairs where result[pair.face] == nil && !used.contains(pair.box) {
      result[pair.face] = pair.box
      used.insert(pair.box)
    }
    return result
  }

  private static func isNested(_ boxes: [Rectangle]) -> Bool {
    boxes.indices.contains { a in
      boxes[..<a].contains { other in
        other.intersection(boxes[a]).area > 0.7 * min(other.area, boxes[a].area)
      }
    }
  }

  // MARK: - Text

  /// The false and missed faces of the last frame, which had these faces.
  func errorLines(_ faces: [Face], _ truth: [FaceTruth]) -> [String] {
    func text(_ box: Rectangle) -> String {
      "\(Int(box.width)) x \(Int(box.height)) at \(Int(box.x)), \(Int(box.y))"
    }
    return faces.indices.filter { last.isFalse[$0] }.map {
      "false id \(faces[$0].id) \(text(last.boxes[$0])) confidence \(tenths(100 * faces[$0].confidence))"
    }
      + truth.indices.filter { truth[$0].isDue && !last.isFound[$0] }.map {
        "missed person \(truth[$0].person) \(text(truth[$0].box))"
          + " visible \(tenths(100 * truth[$0].visible))"
      }
  }

  private var totalDue: Int { due.reduce(0, +) }
  private var totalFound: Int { found.reduce(0, +) }

  /// The results of a film in several lines.
  var filmLines: [String] {
    return [
      "  due faces found \(percent(totalFound, totalDue)) (\(totalFound)/\(totalDue)),"
        + " in the worst frame \(tenths(100 * minimum)) %",
      sizesLine,
      "  false faces per 100 frames \(tenths(100 * Double(falseFaces) / Double(max(1, frames)))),"
        + " frames with nested faces \(nestedFrames) of \(frames)",
      "  ids \(ids.count) for \(persons.count) persons, switches \(switches)",
      "  CPU \(tenths(1000 * seconds / Double(max(1, processed)))) ms a frame,"
        + " \(tenths(1000 * firstSeconds)) the first",
    ]
  }

  /// The found faces by class of width.
  var sizesLine: String {
    let sizes = zip(Self.classNames, zip(found, due)).map { name, counts in
      "\(name) \(percent(counts.0, counts.1)) (\(counts.0)/\(counts.1))"
    }
    return "  by width: " + sizes.joined(separator: ", ")
  }

  /// Found and false faces.
  var shortText: String { "\(totalFound)/\(totalDue), \(falseFaces) false".padded(16) }

  /// The results of stills in a line.
  var stillsLine: String {
    "found \(totalFound) of \(totalDue) (\(percent(totalFound, totalDue))), false \(falseFaces),"
      + " nested in \(nestedFrames) of \(frames)"
  }
}

/// A percentage with one decimal.
func percent(_ part: Int, _ whole: Int) -> String {
  whole == 0 ? "-" : tenths(100 * Double(part) / Double(whole)) + " %"
}

/// One decimal.
func tenths(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
