/// A synthetic shot before an unevenly lit screen, with a known matte.
///
/// It contains what is difficult to key: a head and shoulders with thin hairs, an arm with motion
/// blur, a half transparent veil, patches of skin, grey and near-green colours, the photograph as a
/// shirt, spill of the screen on the edges, and noise. It is drawn at twice the size and averaged
/// down, so that edges have exact alpha. Identical in every run and on every machine.
package struct ChromaKeyScene {
  /// The cloth of the subject.
  package enum Cloth: Sendable {
    /// The test photograph, with all of its colours.
    case photograph
    /// A light-blue shirt or a blue tie, in the colours of a real portrait.
    case shirt, tie
  }

  package struct Settings: Sendable {
    package var cloth = Cloth.photograph
    package var width = 1280
    package var height = 720
    /// The colour of the fully lit screen.
    package var screen: (Float, Float, Float) = (62, 172, 84)
    /// The relative variation of the light across the screen.
    package var unevenness: Float = 0.25
    /// The approximate standard deviation of the noise, in codes of luma.
    package var noise: Float = 2
    package var seed: UInt64 = 7

    package init() {}
  }

  package let width: Int
  package let height: Int
  /// The true alpha, 0...1.
  package let alpha: [Float]
  /// The subject's colour premultiplied with alpha, 0...255.
  let subject: [SIMD3<Float>]
  /// The camera's picture without noise.
  let light: [SIMD3<Float>]
  package let settings: Settings

  /// Draws the scene; throws if the photograph cannot be read.
  package init(_ settings: Settings = Settings()) throws {
    self.settings = settings
    width = settings.width
    height = settings.height
    let matte = ChromaKeySceneMatte(
      width: 2 * settings.width, height: 2 * settings.height, seed: settings.seed)
    let surface = try ChromaKeySceneSurface(matte: matte, settings: settings)
    var alpha = [Float](repeating: 0, count: width * height)
    var subject = [SIMD3<Float>](repeating: .zero, count: width * height)
    var light = subject
    for (y, x) in product(0..<height, 0..<width) {
      var share: Float = 0
      var own = SIMD3<Float>.zero
      var seen = SIMD3<Float>.zero
      for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let point = surface.point(2 * x + dx, 2 * y + dy)
        share += point.share
        own += point.color * point.share
        seen += point.lit * point.share + point.screen * (1 - point.share)
      }
      let index = y * width + x
      alpha[index] = share / 4
      subject[index] = own / 4
      light[index] = seen / 4
    }
    self.alpha = alpha
    self.subject = subject
    self.light = light
  }
}
