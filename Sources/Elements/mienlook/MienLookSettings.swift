import Binding
import Effects
import Files
import Looks

/// The change of shape of faces: none, or a preset of facereshape.
enum ReshapingChoice: String, PropertyEnum {
  case none, natural, doll, funny, stretch, bulge, pinch, twirl
  static let typeName = "MienLookReshape"

  var summary: String {
    switch self {
    case .none: "Faces keep their shape"
    case .natural: "A little slimmer, with larger eyes"
    case .doll: "Large eyes, a small nose and chin"
    case .funny: "A large nose, mouth and chin"
    case .stretch: "The face is longer"
    case .bulge: "The face is magnified in the middle"
    case .pinch: "The face is drawn together"
    case .twirl: "The face is turned in the middle"
    }
  }
}

/// How faces are hidden: not at all, or a mode of facehide.
enum HidingChoice: String, PropertyEnum {
  case none, mosaic, blur, color
  static let typeName = "MienLookHide"

  var summary: String {
    switch self {
    case .none: "Faces are shown"
    case .mosaic: "Blocks of one colour each"
    case .blur: "Smooth colours"
    case .color: "One colour"
    }
  }
}

struct MienLookSettings: ElementSettings {
  var sticker: FilePath?
  var retouch = 0.0
  var reshape = ReshapingChoice.none
  var look = Look.none
  var cube: FilePath?
  var key: FilePath?
  var person: FilePath?
  var hide = HidingChoice.none
  var threads = 1

  /// The effects that are not switched off, in the order of `mien decorate`.
  func chain() throws(EffectError) -> EffectChain {
    var chain = EffectChain()
    if hide != .none { chain.addHiding(mode: hide.rawValue, lookahead: 0) }
    if let key, !key.isEmpty { chain.addKeyer(.screen, try KeyedBackground(key, blurs: false)) }
    if let person, !person.isEmpty {
      chain.addKeyer(.person, try KeyedBackground(person, blurs: true))
    }
    if retouch > 0 { try chain.addRetouching(intensity: retouch) }
    if reshape != .none { chain.addReshaping(preset: reshape.rawValue) }
    if let cube, !cube.isEmpty {
      chain.addLook(cube: cube)
    } else if look != .none {
      chain.addLook(look.rawValue)
    }
    if let sticker, !sticker.isEmpty { chain.addSticker(sticker) }
    return chain
  }
}
