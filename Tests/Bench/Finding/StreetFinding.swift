import Glibc
import Pixels
import Support
import Vision

/// Face finding in a made street; STREET_PICTURES is a folder for every tenth frame with its boxes,
/// SEED selects another street, STREET_FINDERS some of the finders, such as "0,2", and with STREET_LIST
/// every false and missed face is listed.
enum StreetFinding {
  /// The first frame that counts, the tenth.
  private static let start = 9

  static var seed: UInt64 { FindingBench.setting("SEED").flatMap { UInt64($0) } ?? 1 }

  /// The finders of everyday use.
  static func run(_ report: Report) throws {
    try measure(
      [
        try TimedFinder("defaults with max-faces=64") { $0.maxFaces = 64 },
        try TimedFinder("defaults (max-faces=\(FaceFinder.Settings().maxFaces))"),
        try TimedFinder("max-faces=64 landmarks=false expressions=false") {
          ($0.maxFaces, $0.landmarks, $0.expressions) = (64, false, false)
        },
      ], report)
  }

  /// The preset that misses least.
  static func runEveryone(_ report: Report) throws {
    try measure([try .everyone()], report)
  }

  private static func measure(_ all: [TimedFinder], _ report: Report) throws {
    let only = FindingBench.setting("STREET_FINDERS")?.split(separator: ",").compactMap { Int($0) }
    let finders = all.indices.filter { only?.contains($0) ?? true }.map { all[$0] }
    let begin = Cost.now
    let scene = try StreetScene(seed: seed)
    report.line(
      "\nStreet of \(scene.personCount) persons, \(scene.frameCount) frames of"
        + " \(scene.width)x\(scene.height), seed \(seed)")
    var scores = finders.map { _ in FindingScore() }
    var drawing = (Cost.now - begin).cpu
    for frame in 0..<scene.frameCount {
      let start = Cost.now
      let truth = scene.draw(frame)
      drawing += (Cost.now - start).cpu
      for (index, finder) in finders.enumerated() {
        let faces = try finder.faces(in: scene.picture, frame: frame)
        scores[index].processed += 1
        if frame == 0 { scores[index].firstSeconds = finder.seconds }
        if frame >= Self.start {
          scores[index].add(faces, truth, width: scene.width, height: scene.height)
          if FindingBench.setting("STREET_LIST") != nil {
            for line in scores[index].errorLines(faces, truth) {
              report.line("  \(index) frame \(frame): \(line)")
            }
          }
        }
      }
      if frame % 10 == 0, frame > 0 {
        try FindingPicture.writeIfWanted(
          scene.picture, truth, scores[0], "STREET_PICTURES", "street-\(frame)")
      }
    }
    for (index, finder) in finders.enumerated() {
      scores[index].seconds = finder.seconds
      report.line(finder.name)
      for line in scores[index].filmLines { report.line(line) }
    }
    report.line(
      "\(tenths((Cost.now - begin).wall)) s altogether; the street costs \(tenths(drawing)) s of CPU"
    )
  }
}
