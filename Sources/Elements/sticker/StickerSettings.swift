import Binding
import Files
import Stickers

extension StickerAnchor: PropertyEnum {
  static let typeName = "MienStickerAnchor"

  var summary: String {
    switch self {
    case .headTop: "Above the head"
    case .forehead: "The middle of the forehead"
    case .eyes: "Between the eyes"
    case .leftEye: "The eye on the left of the image"
    case .rightEye: "The eye on the right of the image"
    case .nose: "The tip of the nose"
    case .mouth: "The middle of the mouth"
    case .chin: "The chin"
    case .leftCheek: "The cheek on the left of the image"
    case .rightCheek: "The cheek on the right of the image"
    case .face: "The middle of the face"
    case .palm: "The middle of a hand's palm"
    case .fingertip: "The tip of a hand's index finger"
    case .screen: "The whole frame"
    }
  }
}

/// The faces that get the sticker.
enum StickerFaces: String, PropertyEnum {
  case all, largest
  static let typeName = "MienStickerFaces"

  var summary: String {
    switch self {
    case .all: "Every face"
    case .largest: "Only the largest face"
    }
  }
}

struct StickerSettings: ElementSettings {
  var location: FilePath?
  var anchor = StickerAnchor.eyes
  var adjustment = StickerPlacement.Adjustment()
  var alpha = 1.0
  var faces = StickerFaces.all
}
