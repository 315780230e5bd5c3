/// A figure that the keyer at its defaults reached, and what it has to reach.
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

  /// Those of a list that are not met.
  static func missed(_ gates: [QualityGate]) -> [QualityGate] { gates.filter { !$0.isMet } }
}

extension ChromaKeyScene {
  /// What a frame of the scene, keyed at defaults, misses.
  ///
  /// Gates of a plain green screen are stricter than those of the hard cases.
  package func missed(by m: Measures) -> [QualityGate] {
    guard settings.noise == 2, settings.screen == Settings().screen else {
      return QualityGate.missed([QualityGate(name: "PSNR", value: m.psnr, least: 33)])
    }
    return QualityGate.missed([
      QualityGate(name: "PSNR", value: m.psnr, least: 35),
      QualityGate(name: "SAD", value: m.sad, most: 1.1),
      QualityGate(name: "edge SAD", value: m.edgeSad, most: 11.5),
      QualityGate(name: "residue", value: m.residue, most: 0.01),
      QualityGate(name: "edge PSNR", value: m.edgePsnr, least: 27),
    ])
  }

  /// What frames of the scene at rest, keyed at defaults, miss: deviations of alpha in percent.
  package func missed(by flicker: Flicker) -> [QualityGate] {
    QualityGate.missed([
      QualityGate(name: "flicker of the screen", value: flicker.screen, most: 0.01),
      QualityGate(name: "flicker of the subject", value: flicker.subject, most: 0.1),
      QualityGate(name: "flicker of the edge", value: flicker.edge, most: 1.5),
    ])
  }
}
