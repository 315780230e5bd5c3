/// A measured figure of the keyer with its defaults, and its limit.
package struct QualityGate: CustomStringConvertible {
  let name: String
  let value: Double
  var most: Double?
  var least: Double?

  private var isMet: Bool { value <= most ?? .infinity && value >= least ?? -.infinity }

  package var description: String {
    let value = (value * 1000).rounded() / 1000
    return "\(name) is \(value), "
      + (most.map { "at most \($0)" } ?? least.map { "at least \($0)" } ?? "")
  }

  /// The gates of a list that are not met.
  static func unmet(_ gates: [QualityGate]) -> [QualityGate] { gates.filter { !$0.isMet } }
}

extension ChromaKeyScene {
  /// The gates that a frame of the scene, keyed with the defaults, does not meet.
  ///
  /// Gates of a plain green screen are stricter than those of difficult scenes.
  package func missed(by m: Measures) -> [QualityGate] {
    guard settings.noise == 2, settings.screen == Settings().screen else {
      return QualityGate.unmet([QualityGate(name: "PSNR", value: m.psnr, least: 33)])
    }
    return QualityGate.unmet([
      QualityGate(name: "PSNR", value: m.psnr, least: 35),
      QualityGate(name: "SAD", value: m.sad, most: 1.1),
      QualityGate(name: "edge SAD", value: m.edgeSad, most: 11.5),
      QualityGate(name: "residue", value: m.residue, most: 0.01),
      QualityGate(name: "edge PSNR", value: m.edgePsnr, least: 27),
    ])
  }

  /// The gates that static frames of the scene, keyed with the defaults, do not meet: standard
  /// deviations of alpha in percent.
  package func missed(by flicker: Flicker) -> [QualityGate] {
    QualityGate.unmet([
      QualityGate(name: "flicker of the screen", value: flicker.screen, most: 0.01),
      QualityGate(name: "flicker of the subject", value: flicker.subject, most: 0.1),
      QualityGate(name: "flicker of the edge", value: flicker.edge, most: 1.5),
    ])
  }
}
