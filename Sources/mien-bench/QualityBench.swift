import Pixels
import Support

/// How near keyers come to the truth on scenes of which it is known.
///
/// Ours runs as the element at its defaults. The others are told the screen's true colour, and for
/// each scene get whichever of many settings has the matte nearest to the truth.
enum QualityBench {
  private static let scenes: [(name: String, change: Change)] = [
    ("720p, seed 7", { _ in }),
    ("720p, seed 11", { $0.seed = 11 }),
    ("720p, seed 23", { $0.seed = 23 }),
    ("720p, light +-45 %, noise 4", { ($0.unevenness, $0.noise) = (0.45, 4) }),
    ("720p, blue screen", { $0.screen = (40, 70, 190) }),
    ("720p, dark green screen", { $0.screen = (30, 110, 50) }),
    ("1080p", { ($0.width, $0.height) = (1920, 1080) }),
  ]

  private typealias Change = @Sendable (inout ChromaKeyScene.Settings) -> Void

  static func run(_ report: Report) {
    report.line(
      "\nKeying made-up scenes; errors of alpha in percent, of the composite in decibels.")
    report.line(
      "  " + "".padded(41) + "     SAD  edge SAD   residue     holes      PSNR  edge PSNR")
    var misses: [String] = []
    for (index, (name, change)) in scenes.enumerated() {
      var settings = ChromaKeyScene.Settings()
      change(&settings)
      guard let scene = try? ChromaKeyScene(settings) else {
        report.line("  The photograph is missing: make setup")
        return
      }
      report.line(name)
      misses += run(scene, isKept: index == 0, report).map { "\(name): \($0)" }
    }
    if let scene = try? ChromaKeyScene() { misses += flicker(scene, report) }
    report.line(misses.isEmpty ? "\nEvery gate is met." : "\nMissed gates:")
    for miss in misses { report.line("  " + miss) }
  }

  /// Prints a scene's rows; returns which gates were missed.
  private static func run(_ scene: ChromaKeyScene, isKept: Bool, _ report: Report) -> [String] {
    let shot = KeyedShot(scene, frames: [scene.picture(.i420)])
    var missed: [String] = []
    for keyer in Keyer.all {
      var best: (measures: ChromaKeyScene.Measures, frame: OwnedPicture, settings: String)?
      for settings in keyer.settings {
        guard let frame = shot.frames(keyer, settings).first else { continue }
        let found = scene.measures(frame)
        // By the matte: composites alone would choose mattes that cut off whatever is hard.
        if found.sad < best?.measures.sad ?? .infinity { best = (found, frame, settings) }
      }
      row(report, keyer.name, figures(best?.measures), best?.settings)
      if let name = keyer.premultiplied {
        row(report, name, figures(best.map { scene.measures($0.frame, isPremultiplied: true) }))
      }
      if isKept, let best, !shot.frames(keyer, best.settings).isEmpty { shot.keep(keyer) }
      if keyer.isOurs {
        missed = best.map { scene.missed(by: $0.measures).map(\.description) } ?? ["not run"]
      }
    }
    return missed
  }

  private static func figures(_ measures: ChromaKeyScene.Measures?) -> [Double]? {
    measures.map { [$0.sad, $0.edgeSad, $0.residue, $0.hole, $0.psnr, $0.edgePsnr] }
  }

  private static func row(
    _ report: Report, _ name: String, _ figures: [Double]?, _ settings: String? = nil
  ) {
    let numbers = figures.map { $0.map(pad).joined(separator: "  ") + "   " + (settings ?? "") }
    report.line("  " + name.padded(40) + (numbers ?? "not run"))
  }

  /// Prints how the mattes of a scene at rest change with its noise; returns missed gates.
  private static func flicker(_ scene: ChromaKeyScene, _ report: Report) -> [String] {
    report.line("\nSix frames of 720p, seed 7, with fresh noise: deviation of alpha in percent.")
    report.line("  " + "".padded(41) + "  screen   subject      edge")
    let shot = KeyedShot(
      scene,
      frames: (0..<6).map { scene.picture(.i420, noise: (luma: 2, chroma: 1), frame: $0) })
    var missed: [String] = []
    for keyer in Keyer.all {
      // Without a truth to choose by, the settings that most scenes chose.
      let found = scene.flicker(shot.frames(keyer, keyer.usual))
      row(report, keyer.name, [found.screen, found.subject, found.edge], keyer.usual)
      if keyer.isOurs { missed = scene.missed(by: found).map(\.description) }
    }
    return missed
  }
}
