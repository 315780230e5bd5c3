import Pixels
import Support

/// Compares keyers on synthetic scenes with known mattes.
///
/// Mien's keyer runs as the element with its defaults. The others get the screen's true colour, and
/// for each scene the best of many settings, measured against the true matte.
enum KeyingQualityBench {
  private struct Scene: Sendable {
    let name: String
    let change: @Sendable (inout ChromaKeyScene.Settings) -> Void
    /// The constant rate factor of x264 if the scene is compressed.
    var quality: Int?
    /// A preset to measure in addition.
    var preset: String?

    /// Whether the gates apply to the scene.
    var isGated: Bool { quality == nil && preset == nil }
  }

  private static let blue: (Float, Float, Float) = (40, 70, 190)

  private static let scenes = [
    Scene(name: "720p, seed 7", change: { _ in }),
    Scene(name: "720p, seed 11", change: { $0.seed = 11 }),
    Scene(name: "720p, seed 23", change: { $0.seed = 23 }),
    Scene(
      name: "720p, light +-45 %, noise 4", change: { ($0.unevenness, $0.noise) = (0.45, 4) }),
    Scene(name: "720p, blue screen", change: { $0.screen = blue }),
    Scene(name: "720p, dark green screen", change: { $0.screen = (30, 110, 50) }),
    Scene(name: "720p, lime screen", change: { $0.screen = (140, 205, 50) }),
    Scene(name: "1080p", change: { ($0.width, $0.height) = (1920, 1080) }),
    Scene(name: "720p, x264 crf 28", change: { _ in }, quality: 28, preset: "Webcam"),
    Scene(name: "720p, x264 crf 38", change: { _ in }, quality: 38, preset: "Webcam"),
    Scene(
      name: "720p, a portrait's light-blue shirt before blue",
      change: { ($0.screen, $0.cloth) = (blue, .shirt) }, preset: "Blue clothes"),
    Scene(
      name: "720p, a portrait's blue tie before blue",
      change: { ($0.screen, $0.cloth) = (blue, .tie) }, preset: "Blue clothes"),
  ]

  static func run(_ report: Report) {
    report.line(
      "\nKeying made-up scenes; errors of alpha in percent, of the composite in decibels.")
    report.line(
      "  " + "".padded(41) + "     SAD  edge SAD   residue     holes      PSNR  edge PSNR")
    var misses: [String] = []
    for (index, made) in scenes.enumerated() {
      var settings = ChromaKeyScene.Settings()
      made.change(&settings)
      guard let scene = try? ChromaKeyScene(settings) else {
        report.line("  The photograph is missing: make setup")
        return
      }
      report.line(made.name)
      let missed = run(scene, made, isKept: index == 0, report)
      if made.isGated { misses += missed.map { "\(made.name): \($0)" } }
    }
    if let scene = try? ChromaKeyScene() { misses += flicker(scene, report) }
    report.line(misses.isEmpty ? "\nEvery gate is met." : "\nMissed gates:")
    for miss in misses { report.line("  " + miss) }
  }

  /// Prints the rows of a scene; returns the missed gates.
  private static func run(
    _ scene: ChromaKeyScene, _ made: Scene, isKept: Bool, _ report: Report
  ) -> [String] {
    // Of a compressed film the last frame is measured, most of which was predicted from other
    // frames.
    let count: UInt64 = made.quality == nil ? 1 : 6
    let shot = KeyedShot(
      scene, frames: (0..<count).map { scene.picture(.i420, frame: $0) }, quality: made.quality)
    var missed: [String] = []
    for keyer in Keyer.all + [made.preset.flatMap(Keyer.ours(preset:))].compactMap(\.self) {
      var best: (measures: ChromaKeyScene.Measures, frame: OwnedPicture, settings: String)?
      for settings in keyer.settings {
        guard let frame = shot.frames(keyer, settings).last else { continue }
        let found = scene.measures(frame)
        // Selects by the matte: by the composite, mattes that remove difficult parts would win.
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

  /// Prints how the mattes of a static scene vary with its noise; returns missed gates.
  private static func flicker(_ scene: ChromaKeyScene, _ report: Report) -> [String] {
    report.line("\nSix frames of 720p, seed 7, with fresh noise: deviation of alpha in percent.")
    report.line("  " + "".padded(41) + "  screen   subject      edge")
    let shot = KeyedShot(
      scene,
      frames: (0..<6).map { scene.picture(.i420, noise: (luma: 2, chroma: 1), frame: $0) })
    var missed: [String] = []
    for keyer in Keyer.all {
      // There is no true matte to select settings by, so `usual` is used.
      let found = scene.flicker(shot.frames(keyer, keyer.usual))
      row(report, keyer.name, [found.screen, found.subject, found.edge], keyer.usual)
      if keyer.isOurs { missed = scene.missed(by: found).map(\.description) }
    }
    return missed
  }
}
