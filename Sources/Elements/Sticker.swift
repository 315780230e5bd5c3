import Effects
import GstElement
import Pixels

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
    case .screen: "The whole frame"
    }
  }
}

/// Who wears the sticker.
enum StickerFaces: String, PropertyEnum {
  case all, largest
  static let typeName = "MienStickerFaces"

  var summary: String {
    switch self {
    case .all: "Every face"
    case .largest: "The largest face alone"
    }
  }
}

struct StickerSettings: ElementSettings {
  var location: String?
  var anchor = StickerAnchor.eyes
  var adjustment = StickerPlacement.Adjustment()
  var alpha = 1.0
  var faces = StickerFaces.all
}

/// Hangs pictures and animations on the faces that a detector upstream has found.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! sticker location=stickers/halo ! \
///       autovideosink
final class Sticker: VideoElement {
  static let description = ElementDescription(
    name: "sticker", typeName: "MienSticker", longName: "Face stickers",
    classification: "Filter/Editor/Video",
    summary: "Draws animated sticker packs, or any picture, on the faces that a detector upstream "
      + "has found",
    formats: PixelFormat.allCases)

  static let properties: [Property<StickerSettings>] = [
    .string(
      "location", \.location,
      "A sticker pack (its folder or its meta.json), or any picture or animation GStreamer "
        + "decodes. Relative ones are also looked for in $MIEN_STICKER_PATH and among the packs "
        + "that come with the plugin."),
    .choice("anchor", \.anchor, "What part of the face a single picture is fixed to."),
    .double(
      "scale", \.adjustment.scale, in: 0.01...20,
      "Times the pack's own size; a single picture is 2.5 eye distances wide at 1."),
    .double(
      "offset-x", \.adjustment.offsetX, in: -10...10,
      "Shift to the right along the face's own axis, in eye distances."),
    .double(
      "offset-y", \.adjustment.offsetY, in: -10...10,
      "Shift up along the face's own axis, in eye distances."),
    .bool("rotate", \.adjustment.rotates, "Turn the sticker with the head."),
    .double("alpha", \.alpha, in: 0...1, "Opacity of the sticker."),
    .choice("faces", \.faces, "Who wears the sticker."),
  ]

  private static let log = Log("sticker", "Draws stickers on faces")
  private static let packFiles = DataFiles(
    subfolder: "stickers", variable: "MIEN_STICKER_PATH",
    advice: "Set location to a pack's folder or to a picture.")

  /// What is being worn, made for one format of the stream.
  private struct Outfit: @unchecked Sendable {
    // Made by the loader and handed on; sprites never change.
    let location: String
    let pictures: StickerPictures
    let sprites: [[Sprite]]
    let format: VideoFormat
  }

  private let host: ElementHost
  private let loader = Loader<Outfit>()
  private let runner = SerialRunner()
  private var input = FaceInput()
  private var format: VideoFormat?
  private var outfit: Outfit?
  private var stage: StickerStage?
  private var anchor = StickerAnchor.eyes
  private var compositor: SpriteCompositor?
  /// What the loader was last asked for.
  private var requested: (location: String, format: VideoFormat)?
  private var draws: [StickerDraw] = []

  init(host: ElementHost) { self.host = host }

  func start(_ settings: StickerSettings) throws(ElementError) {
    // Pictures are decoded on a thread of their own; what is no pack at all is said at once.
    if let location = settings.location, !location.isEmpty {
      _ = try StickerPictures.read(Self.resolve(location))
    }
    input = FaceInput()
  }

  func stop() {
    loader.stop()
    outfit = nil
    stage = nil
    requested = nil
    compositor = nil
    draws = []
  }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    compositor = SpriteCompositor(width: format.width, threadCount: 1)
    stage?.reset()
  }

  func reset() {
    stage?.reset()
    input.reset()
  }

  func access(to frame: borrowing FrameHeader, _ settings: StickerSettings) -> FrameAccess {
    draws.removeAll(keepingCapacity: true)
    guard let format else { return .none }
    input.read(
      frame, width: format.width, height: format.height, host, Self.description.name)
    follow(settings, format)
    guard let stage, outfit?.format == format, settings.alpha > 0 else {
      // An error found while loading is reported from `process`.
      return failure == nil ? .none : .observe
    }
    draws = stage.advance(
      to: Int64(clamping: frame.runningTime ?? 0), faces: input.faces, width: format.width,
      height: format.height, settings.adjustment, largestOnly: settings.faces == .largest)
    return draws.isEmpty ? .none : .change
  }

  func process(_ frame: borrowing Frame, _ settings: StickerSettings) throws(ElementError) {
    if let failure { throw failure }
    guard let outfit, let compositor else { return }
    for draw in draws {
      let sprite = outfit.sprites[draw.item][draw.frame]
      let item = outfit.pictures.pack.items[draw.item]
      compositor.draw(
        sprite,
        by: draw.placement.transform(spriteWidth: sprite.width, spriteHeight: sprite.height),
        alpha: item.alpha * settings.alpha, blend: item.blend, on: frame.picture, runner: runner)
    }
  }

  // MARK: Loading

  /// An outfit that could not be had, when there is none to keep instead.
  private var failure: ElementError?

  /// Keeps what is worn as the settings want it.
  private func follow(_ settings: StickerSettings, _ format: VideoFormat) {
    failure = nil
    guard let location = settings.location, !location.isEmpty else {
      if requested != nil { stop() }
      compositor = compositor ?? SpriteCompositor(width: format.width, threadCount: 1)
      return
    }
    if requested?.location != location || requested?.format != format {
      requested = (location, format)
      loader.request { () throws(ElementError) in try Self.dress(location, format) }
    }
    // The first frames, and the first in a new format, wait for what they are to wear; a change
    // of location does not make them wait.
    let mustWait = outfit?.format != format
    switch mustWait ? loader.waitForResult() : loader.takeResult() {
    case .success(let new): wear(new, settings)
    case .failure(let error):
      if mustWait { failure = error } else { host.warn(error) }
    case nil: break
    }
    if settings.anchor != anchor, let outfit, outfit.pictures.isSingle { wear(outfit, settings) }
  }

  private func wear(_ new: Outfit, _ settings: StickerSettings) {
    let isOther = outfit?.pictures !== new.pictures
    outfit = new
    anchor = settings.anchor
    var items = new.pictures.pack.items
    if new.pictures.isSingle {
      items[0] = .single(anchor: anchor, width: items[0].width, height: items[0].height)
    }
    stage = StickerStage(items: items, timelines: new.pictures.timelines)
    Self.log(.info, host, "wearing \(new.location)")
    guard isOther else { return }
    let message = Structure("sticker")
    message.set("location", new.location)
    message.set("name", new.pictures.pack.name)
    if let preview = new.pictures.pack.preview { message.set("preview", preview) }
    if let audio = new.pictures.pack.audio { message.set("audio", audio) }
    host.post(message)
  }

  private static func dress(
    _ location: String, _ format: VideoFormat
  ) throws(ElementError) -> Outfit {
    let pictures = try StickerPictures.load(resolve(location))
    var sprites: [[Sprite]] = []
    for (item, frames) in zip(pictures.pack.items, pictures.frames) {
      let space = SpriteSpace(
        format: format.format, colorimetry: format.colorimetry, blend: item.blend)
      sprites.append(frames.compactMap { Sprite.make(from: $0, space: space) })
      guard sprites.last?.count == frames.count else {
        throw ElementError(.wrongContent, "A picture of the sticker \(location) is too large.")
      }
    }
    return Outfit(location: location, pictures: pictures, sprites: sprites, format: format)
  }

  /// A path as it is where it exists, else a pack of that name among those that come along.
  private static func resolve(_ location: String) throws(ElementError) -> String {
    if location.hasPrefix("/") || FileAge.exists(location) { return location }
    return try packFiles.find(location, in: nil)
  }
}
