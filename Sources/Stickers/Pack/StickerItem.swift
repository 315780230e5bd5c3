package import Files
package import Pixels

/// Where on a face a sticker can be fixed, by name.
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
  case screen
}

/// Where on the screen a sticker can be fixed.
package enum StickerScreenAnchor: String, CaseIterable, Sendable {
  case top, left, bottom, right, centre
  /// Centred, and as large as it takes to cover the frame.
  case cover
}

/// What makes a sticker appear.
package enum StickerTrigger: String, CaseIterable, Sendable {
  case always
  case face
  case noFace = "no-face"
  case mouthOpen = "mouth-open"
  case smile
  case blink
  case browRaise = "brow-raise"
  case frown
}

/// What a sticker is fixed to.
package enum StickerAttachment: Sendable, Equatable {
  /// Points of Apple Vision's 76: the middle one carries it, the distance of the outer ones
  /// adds to its width.
  case points(first: Int, centre: Int, last: Int)
  case anchor(StickerAnchor)
  case head(StickerQuad)
  case screen(StickerScreenAnchor)
  case surface(StickerSurface)
}

/// A texture on the face mesh: a picture or a colour.
package struct StickerSurface: Sendable, Equatable, Hashable {
  /// The part of the face that is painted.
  package var region = SurfaceRegion.face
  /// Over how much of the texture's width its edge fades.
  package var softness = 0.0
  /// Red, green and blue where it has no picture.
  package var color: SIMD3<UInt8>?
  /// Openings of the face that stay uncovered.
  package var spared: SurfaceMesh.Openings = [.eyes, .mouth]
  /// Weight of the lighting of the face, 0...1.
  package var shade = 0.0

  package init() {}
}

/// A billboard in the head's own coordinates.
///
/// From the middle of its left edge to that of its right one, in pupil distances right of, over and
/// before the middle between the eyes, on a head of common breadth.
package struct StickerQuad: Sendable, Equatable {
  package var from, to: Point3
  /// Which way its lower edge lies from its upper one: down along the head unless it leans.
  package var down = Point3(x: 0, y: -1, z: 0)
  /// Whether it is a part of something round about the head's axis, which looks the same from every
  /// side.
  package var isRound = false
  /// Whether the face and the skull occlude it.
  package var isOccluded = true

  package init(from: Point3, to: Point3) { (self.from, self.to) = (from, to) }
}

/// One animated picture of a pack: where it goes, how large, when, and how it is drawn.
package struct StickerItem: Sendable, Equatable {
  package var attachment: StickerAttachment
  /// How wide it is drawn.
  ///
  /// On a face in pupil distances, on top of the distance of the points; on the screen as a
  /// share of the frame's width, or for `cover` times what covers.
  package var scaleWidth: Double
  /// Right and up along the face's axes, in pupil distances; on the screen in frame widths.
  package var offsetX = 0.0
  package var offsetY = 0.0
  /// Design size; only the ratio counts.
  package var width: Double
  package var height: Double
  /// Files of the frames in their order, or the one file that holds all; in the pack's folder.
  package var files: [FilePath] = []
  /// Whether `files` is one picture that may itself be animated.
  package var isSingleFile = false
  /// Length of a frame, in nanoseconds.
  package var frameDuration: Int64 = 100_000_000
  package var trigger = StickerTrigger.always
  /// Rounds played after the trigger; 0 for as long as it lasts.
  package var loop = 0
  package var alpha = 1.0
  package var blend = SpriteBlend.over
  /// Whether it turns with the head.
  package var rotates = true
  /// Share of its width and height that stays in the picture while the face is in it, 0...1.
  package var keep = 0.0
  /// By how many degrees its side of the head is turned away when it begins to fade, and when it is
  /// gone; nil for one that is always seen.
  package var fadeAngles: ClosedRange<Double>?
  /// Items with a smaller one are drawn first; equal ones in the order of the pack.
  package var z = 0.0

  package init(attachment: StickerAttachment, scaleWidth: Double, width: Double, height: Double) {
    self.attachment = attachment
    self.scaleWidth = scaleWidth
    self.width = width
    self.height = height
  }

  /// A picture of its own, with no pack round it: two and a half pupil distances wide.
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

  /// The side of the head it sits on, -1 for the image's left and 1 for its right; 0 for the middle.
  var side: Double {
    switch attachment {
    case .anchor(.leftCheek), .anchor(.leftEye): -1
    case .anchor(.rightCheek), .anchor(.rightEye): 1
    case .head(let quad): quad.from.x + quad.to.x < 0 ? -1 : 1
    default: offsetX == 0 ? 0 : offsetX < 0 ? -1 : 1
    }
  }

  /// How it lies on the skin; nil for what does not.
  package var surface: StickerSurface? {
    if case .surface(let surface) = attachment { surface } else { nil }
  }

  /// Where it stands on the head; nil for what does not.
  package var quad: StickerQuad? {
    if case .head(let quad) = attachment { quad } else { nil }
  }

  /// Whether it is drawn on a surface in space.
  package var isInSpace: Bool { surface != nil || quad != nil }

  /// Whether it sits on faces and not on the screen.
  package var isOnFace: Bool {
    if case .screen = attachment { false } else { true }
  }
}

/// A set of stickers made to be worn together.
package struct StickerPack: Sendable, Equatable {
  package var name: String
  /// Where its files lie; nil for a picture that stands alone.
  package var folder: Folder?
  /// Path of the picture that stands for it, where it has one.
  package var preview: FilePath?
  /// Path of the sound that goes with it, where it has one.
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
  package func file(_ name: FilePath, limit: Int) throws(FileError) -> UntrustedFile {
    if let folder { return try folder.file(name, limit: limit) }
    return try UntrustedFile(name, limit: limit)
  }

  /// The path of one of the items' files, for messages.
  package func path(of name: FilePath) -> FilePath { folder?.path.appending(name) ?? name }

  /// When one of the items' files was last changed.
  package func age(_ name: FilePath) -> FileVersion {
    folder?.version(of: name) ?? FileVersion(name)
  }
}
