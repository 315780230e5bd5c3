package import Files
package import Pixels

/// A named anchor point of stickers on a face or on a hand.
package enum StickerAnchor: String, CaseIterable, Sendable {
  case headTop = "head-top"
  case forehead
  case eyes
  case leftEye = "left-eye"
  case rightEye = "right-eye"
  case nose
  case mouth
  case chin
  case leftCheek = "left-cheek"
  case rightCheek = "right-cheek"
  case face
  /// On a hand: the middle of the palm, and the tip of the index finger.
  case palm, fingertip
  case screen

  package var isOnHand: Bool { self == .palm || self == .fingertip }
}

/// An anchor of stickers on the screen.
package enum StickerScreenAnchor: String, CaseIterable, Sendable {
  case top, left, bottom, right, centre
  /// Centred and scaled to cover the frame.
  case cover
}

/// The attachment of a sticker.
package enum StickerAttachment: Sendable, Equatable {
  /// Points of Apple Vision's 76: `centre` is the anchor, and the distance of `first` and `last`
  /// adds to the width.
  case points(first: Int, centre: Int, last: Int)
  case anchor(StickerAnchor)
  case head(StickerQuad)
  case body(StickerBody)
  case screen(StickerScreenAnchor)
  case surface(StickerSurface)
}

/// A texture on the face mesh: a picture or a colour.
package struct StickerSurface: Sendable, Equatable, Hashable {
  /// The painted part of the face.
  package var region = SurfaceRegion.face
  /// Width of the edge's fade, in texture widths.
  package var softness = 0.0
  /// Red, green and blue of an item without a picture.
  package var color: SIMD3<UInt8>?
  /// Openings of the face that are not painted.
  package var spared: SurfaceMesh.Openings = [.eyes, .mouth]
  /// Weight of the lighting of the face, 0...1.
  package var shade = 0.0

  package init() {}
}

/// A billboard in head coordinates.
///
/// `from` and `to` are the centres of its left and right edges, in pupil distances to the right of,
/// above and in front of the point between the eyes, on a head of average breadth.
package struct StickerQuad: Sendable, Equatable {
  package var from, to: Point3
  /// Direction from its upper edge to its lower one; by default down along the head.
  package var down = Point3(x: 0, y: -1, z: 0)
  /// Whether it is rotationally symmetric about the head's axis, and so always faces the viewer.
  package var isRound = false
  /// Whether the face and the skull occlude it.
  package var isOccluded = true

  package init(from: Point3, to: Point3) { (self.from, self.to) = (from, to) }
}

/// One animated picture of a pack: its attachment, size, trigger and drawing.
package struct StickerItem: Sendable, Equatable {
  package var attachment: StickerAttachment
  /// Width: on a face in pupil distances, added to the distance of the points; on the screen as a
  /// fraction of the frame's width, for `cover` as a factor of the covering size.
  package var scaleWidth: Double
  /// Offset to the right and up along the face's axes, in pupil distances; on the screen in frame
  /// widths.
  package var offsetX = 0.0
  package var offsetY = 0.0
  /// Nominal size; only the aspect ratio is used.
  package var width: Double
  package var height: Double
  /// Files of the frames in order, or the one file with all frames; relative to the pack's folder.
  package var files: [FilePath] = []
  /// Whether `files` is a single picture, which may be animated.
  package var isSingleFile = false
  /// Duration of a frame in nanoseconds.
  package var frameDuration: Int64 = 100_000_000
  package var trigger = StickerTrigger.always
  /// Rounds played after the trigger; 0 repeats while the trigger holds.
  package var loop = 0
  package var alpha = 1.0
  package var blend = SpriteBlend.over
  /// Whether it rotates with the head.
  package var rotates = true
  /// Fraction of its width and height that stays in the frame while the face is in it, 0...1.
  package var keep = 0.0
  /// The angles in degrees at which it begins to fade and is invisible as its side of the head
  /// turns away; nil if it never fades.
  package var fadeAngles: ClosedRange<Double>?
  /// Drawing order: smaller values first, equal ones in the order of the pack.
  package var z = 0.0

  package init(attachment: StickerAttachment, scaleWidth: Double, width: Double, height: Double) {
    self.attachment = attachment
    self.scaleWidth = scaleWidth
    self.width = width
    self.height = height
  }

  /// An item for a single picture without a pack, 2.5 pupil distances wide.
  package static func single(
    anchor: StickerAnchor, width: Double, height: Double, file: FilePath = ""
  ) -> StickerItem {
    var item =
      anchor == .screen
      ? StickerItem(attachment: .screen(.cover), scaleWidth: 1, width: width, height: height)
      : StickerItem(attachment: .anchor(anchor), scaleWidth: 2.5, width: width, height: height)
    item.files = [file]
    item.isSingleFile = true
    return item
  }

  /// The side of the head: -1 for the image's left, 1 for its right, 0 for the middle.
  var side: Double {
    switch attachment {
    case .anchor(.leftCheek), .anchor(.leftEye): -1
    case .anchor(.rightCheek), .anchor(.rightEye): 1
    case .head(let quad): quad.from.x + quad.to.x < 0 ? -1 : 1
    case .body(let body): body.from.x + body.to.x == 0 ? 0 : body.from.x + body.to.x < 0 ? -1 : 1
    default: offsetX == 0 ? 0 : offsetX < 0 ? -1 : 1
    }
  }

  /// The texture; nil for other attachments.
  package var surface: StickerSurface? {
    if case .surface(let surface) = attachment { surface } else { nil }
  }

  /// The billboard; nil for other attachments.
  package var quad: StickerQuad? {
    if case .head(let quad) = attachment { quad } else { nil }
  }

  /// Whether it is a texture, a billboard or a body.
  package var isInSpace: Bool { surface != nil || quad != nil || body != nil }

  /// Whether it is attached to faces, not to hands or the screen.
  package var isOnFace: Bool {
    if case .screen = attachment { false } else { !isOnHand }
  }

  /// Whether it is attached to hands.
  package var isOnHand: Bool {
    if case .anchor(let anchor) = attachment { anchor.isOnHand } else { false }
  }

  /// Whether hands must be known for it.
  package var needsHands: Bool {
    if case .gesture = trigger { true } else { isOnHand }
  }
}

/// A set of stickers that are worn together.
package struct StickerPack: Sendable, Equatable {
  package var name: String
  /// The folder of its files; nil for a single picture.
  package var folder: Folder?
  /// Path of its preview picture, if any.
  package var preview: FilePath?
  /// Path of its sound, if any.
  package var audio: FilePath?
  package var items: [StickerItem]

  package init(
    name: String, folder: Folder? = nil, preview: FilePath? = nil, audio: FilePath? = nil,
    items: [StickerItem]
  ) {
    self.name = name
    self.folder = folder
    self.preview = preview
    self.audio = audio
    self.items = items
  }

  /// Opens one of the items' files.
  package func openFile(_ name: FilePath, limit: Int) throws(FileError) -> UntrustedFile {
    if let folder { return try folder.openFile(name, limit: limit) }
    return try UntrustedFile(name, limit: limit)
  }

  /// The path of one of the items' files, for messages.
  package func path(of name: FilePath) -> FilePath { folder?.path.appending(name) ?? name }

  /// The version of one of the items' files.
  package func version(of name: FilePath) -> FileVersion {
    folder?.version(of: name) ?? FileVersion(name)
  }
}
