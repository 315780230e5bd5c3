package import Files

/// A chain of effects, with the face detector in front where one needs faces.
///
/// The effects follow one another in the order in which they are added. `mien decorate` makes one of its
/// options, `mienlook` of its properties.
package struct EffectChain: Equatable, Sendable {
  package enum Keyer: String, Sendable {
    case screen = "chromakey"
    case person = "personkey"
  }

  private var effects: [ElementSetup] = []
  private var needsFaces = false
  /// Whether faces are made unrecognisable.
  package private(set) var hidesFaces = false
  /// Whether the output has alpha, whatever the input has.
  package private(set) var makesAlpha = false
  /// Whether the output is opaque, whatever the input is.
  package private(set) var replacesBackground = false
  /// Files that the elements read.
  package private(set) var files: [FilePath] = []

  package init() {}

  /// The detector's second name: gst-opencv has an element facedetect too.
  private static let detector = "mienfacedetect"

  /// The elements, in order.
  package var elements: [ElementSetup] {
    guard needsFaces else { return effects }
    var detector = ElementSetup(Self.detector)
    if hidesFaces {
      // As the preset "Hide everyone" of facedetect.
      detector.properties = [
        .init("min-confidence", .text("0.4")), .init("max-faces", .text("64")),
        .init("detect-interval", .text("1")), .init("tiles", .text("3x3")),
        .init("smoothing", .text("0")),
      ]
    }
    return [detector] + effects
  }

  /// Whether the first element is the face detector.
  package var findsFaces: Bool { needsFaces }

  private mutating func add(_ setup: ElementSetup, needsFaces: Bool = true) {
    effects.append(setup)
    if needsFaces { self.needsFaces = true }
  }

  /// Hides faces by a mode of facehide, by its nick.
  ///
  /// `lookahead`: frames of films that are hidden before a face is found.
  package mutating func addHiding(mode: String, lookahead: Int) {
    hidesFaces = true
    add(
      ElementSetup(
        "facehide", [.init("mode", .text(mode))],
        filmProperties: lookahead > 0 ? [.init("lookahead", .text("\(lookahead)"))] : []))
  }

  package mutating func addKeyer(_ keyer: Keyer, _ background: KeyedBackground) {
    // The last keyer decides.
    makesAlpha = background == .transparent
    replacesBackground = !makesAlpha
    if case .file(let path) = background { files.append(path) }
    add(ElementSetup(keyer.rawValue, background.properties), needsFaces: keyer == .person)
  }

  /// `intensity`: 0 to 1.
  package mutating func addRetouching(intensity: Double) throws(EffectError) {
    guard (0...1).contains(intensity) else {
      throw EffectError("\(intensity) is no intensity of retouching; it goes from 0 to 1")
    }
    add(ElementSetup("beautifymask", [.init("intensity", .text("\(intensity)"))]))
  }

  /// With a preset of beautifymask; nil for the element's defaults.
  package mutating func addRetouching(preset: String?) {
    add(ElementSetup("beautifymask", preset: preset))
  }

  /// With a preset of facereshape.
  package mutating func addReshaping(preset: String) {
    add(ElementSetup("facereshape", preset: preset))
  }

  /// With the nick of a look of photoeffect.
  package mutating func addLook(_ look: String) {
    add(ElementSetup("photoeffect", [.init("look", .text(look))]), needsFaces: false)
  }

  package mutating func addLook(cube: FilePath) {
    files.append(cube)
    add(ElementSetup("photoeffect", [.init("cube", .path(cube))]), needsFaces: false)
  }

  /// A pack's name or folder, or a picture.
  package mutating func addSticker(_ location: FilePath) {
    files.append(location)
    add(ElementSetup("sticker", [.init("location", .path(location))]))
  }

  /// Draws in what the detector found.
  package mutating func addBoxes() {
    add(ElementSetup(Self.detector, [.init("display", .text("true"))]))
  }
}
