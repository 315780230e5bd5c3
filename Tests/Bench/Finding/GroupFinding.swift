import Support
import Vision

/// Face finding in made stills with many small faces.
enum GroupFinding {
  private static let count = 20

  static func run(_ report: Report) throws {
    let scene = try GroupScene()
    let finders = [
      try TimedFinder("defaults"), try TimedFinder("max-faces=64") { $0.maxFaces = 64 },
    ]
    var scores = finders.map { _ in FindingScore() }
    for number in 0..<count {
      let truth = try scene.draw(seed: UInt64(number))
      for (index, finder) in finders.enumerated() {
        finder.reset()
        let faces = try finder.faces(in: scene.picture, frame: nil)
        scores[index].add(faces, truth, width: scene.width, height: scene.height)
      }
      try FindingPicture.writeIfWanted(
        scene.picture, truth, scores[0], "GROUP_PICTURES", "group-\(number)")
    }
    report.line("\nGroups: \(count) stills of 14 faces, \(scene.width)x\(scene.height)")
    for (finder, score) in zip(finders, scores) {
      report.line("\(finder.name): \(score.stillsLine)")
      report.line(score.sizesLine)
      report.line("  CPU \(tenths(1000 * finder.seconds / Double(count))) ms a still")
    }
  }
}
