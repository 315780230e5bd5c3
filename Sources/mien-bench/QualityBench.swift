import Keying
import Pixels
import Support

/// How near keyers come to the truth on scenes of which it is known.
///
/// Ours runs as the element at its defaults. The others are told the screen's true colour, and for
/// each scene get whichever of many settings has the matte nearest to the truth.
enum QualityBench {
  private static let scenes: [(name: String, settings: ChromaKeyScene.Settings)] = [
    ("720p, seed 7", scene { _ in }),
    ("720p, seed 11", scene { $0.seed = 11 }),
    ("720p, seed 23", scene { $0.seed = 23 }),
    (
      "720p, light +-45 %, noise 4",
      scene {
        $0.unevenness = 0.45
        $0.noise = 4
      }
    ),
    ("720p, blue screen", scene { $0.screen = (40, 70, 190) }),
    ("720p, dark green screen", scene { $0.screen = (30, 110, 50) }),
    (
      "1080p",
      scene {
        $0.width = 1920
        $0.height = 1080
      }
    ),
  ]

  private static func scene(
    _ change: (inout ChromaKeyScene.Settings) -> Void
  ) -> ChromaKeyScene.Settings {
    var settings = ChromaKeyScene.Settings()
    change(&settings)
    return settings
  }

  static func run(_ report: Report) {
    report.line(
      "\nKeying made-up scenes; errors of alpha in percent, of the composite in decibels.")
    report.line(
      "  " + "".padded(41) + "     SAD  edge SAD   residue     holes      PSNR  edge PSNR")
    var misses: [String] = []
    for (index, (name, settings)) in scenes.enumerated() {
      guard let scene = try? ChromaKeyScene(settings) else {
        report.line("  The photograph is missing: make setup")
        return
      }
      report.line(name)
      misses += run(scene, QualityGate(settings), isKept: index == 0, report).map {
        "\(name): \($0)"
      }
    }
    if let scene = try? ChromaKeyScene() { misses += flicker(scene, report) }
    report.line(misses.isEmpty ? "\nEvery gate is met." : "\nMissed gates:")
    for miss in misses { report.line("  " + miss) }
  }

  /// Prints a scene's rows; returns which gates were missed.
  private static func run(
    _ scene: ChromaKeyScene, _ gate: QualityGate, isKept: Bool, _ report: Report
  ) -> [String] {
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
      row(report, keyer.name, best?.measures, best?.settings ?? "")
      if let name = keyer.premultiplied {
        row(report, name, best.map { scene.measures($0.frame, isPremultiplied: true) }, "")
      }
      if isKept, let best, !shot.frames(keyer, best.settings).isEmpty { shot.keep(keyer) }
      if keyer.isOurs { missed = best.map { gate.missed(by: $0.measures) } ?? ["not run"] }
    }
    return missed
  }

  private static func row(
    _ report: Report, _ name: String, _ measures: ChromaKeyScene.Measures?, _ settings: String
  ) {
    guard let m = measures else {
      report.line("  \(name.padded(40))not run")
      return
    }
    let numbers = [m.sad, m.edgeSad, m.residue, m.hole, m.psnr, m.edgePsnr]
    report.line("  \(name.padded(40))\(numbers.map(pad).joined(separator: "  "))   \(settings)")
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
      report.line(
        "  \(keyer.name.padded(40))"
          + [found.screen, found.subject, found.edge].map(pad).joined(separator: "  ")
          + (keyer.usual.isEmpty ? "" : "   \(keyer.usual)"))
      guard keyer.isOurs else { continue }
      for (what, value, most) in [
        ("screen", found.screen, 0.01), ("subject", found.subject, 0.1), ("edge", found.edge, 1.5),
      ] where !(value <= most) {
        missed.append("flicker of the \(what): \(pad(value)), at most \(most)")
      }
    }
    return missed
  }
}

/// What the keyer at its defaults has to reach on a scene.
private struct QualityGate {
  private let isOrdinary: Bool

  init(_ settings: ChromaKeyScene.Settings) {
    isOrdinary =
      settings.noise == 2 && settings.screen == ChromaKeyScene.Settings().screen
  }

  /// Those of a plain green screen are stricter than those of the hard cases.
  func missed(by m: ChromaKeyScene.Measures) -> [String] {
    var limits: [(String, value: Double, limit: Double, isLeast: Bool)] = [
      ("PSNR", m.psnr, isOrdinary ? 35 : 33, true)
    ]
    if isOrdinary {
      limits += [
        ("SAD", m.sad, 1.1, false), ("edge SAD", m.edgeSad, 11.5, false),
        ("residue", m.residue, 0.01, false), ("edge PSNR", m.edgePsnr, 27, true),
      ]
    }
    return limits.filter { !($0.isLeast ? $0.value >= $0.limit : $0.value <= $0.limit) }
      .map { "\($0.0) is \(pad($0.value)), at \($0.isLeast ? "least" : "most") \($0.limit)" }
  }
}
