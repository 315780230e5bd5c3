import Binding
import Decoding
import Faces
import Files
import Frames
import Pixels
import Stickers
import Threads

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
  var location: FilePath?
  var anchor = StickerAnchor.eyes
  var adjustment = StickerPlacement.Adjustment()
  var alpha = 1.0
  var faces = StickerFaces.all
}

/// Hangs pictures and animations on the faces that a detector upstream has found.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! sticker location=stickers/halo ! \
///       autovideosink
final class StickerElement: Filter {
  static let description = ElementDescription(
    name: "sticker", typeName: "MienSticker", longName: "Face stickers",
    classification: "Filter/Editor/Video",
    summary: "Draws animated sticker packs, or any picture, on the faces that a detector upstream "
      + "has found",
    formats: PixelFormat.allCases)

  static let properties: [Property<StickerSettings>] = [
    .path(
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

  private let host: ElementHost
  private let loader = Loader<StickerPictures>()
  private var input = FaceInput(description.name)
  private var format: VideoFormat?
  private var space: SpriteSpace?
  private var pictures: StickerPictures?
  private var scene: StickerScene?
  /// The anchor of a single picture; nil until it was applied.
  private var anchor: StickerAnchor?
  private var compositor: SpriteCompositor?
  /// What the loader was last asked for.
  private var requested: (location: FilePath, space: SpriteSpace)?
  /// The location in use, which a message has reported.
  private var worn: FilePath?
  /// A location that failed to load; the last one stays in use until another one is set.
  private var refused: FilePath?
  /// Whether nothing was loaded yet: the first frame waits for the location set at the start, and fails
  /// without it.
  private var isStarting = true
  private var startLocation: FilePath?
  /// What `start` has read of that location, for the first load.
  private var manifest: StickerPictures.Manifest?
  private var hasSaidOverfull = false
  /// Set when the frame in progress is no longer needed.
  private let cancellation = CancellationFlag()

  init(host: ElementHost) { self.host = host }

  func start(_ settings: StickerSettings) throws(ElementError) {
    // Pictures are decoded on a thread of their own; a location that is no pack fails at once.
    manifest = nil
    if let location = settings.location, !location.isEmpty {
      manifest = try StickerPictures.manifest(Self.resolve(location))
    }
    input = FaceInput(Self.description.name)
    cancellation.clear()
    isStarting = true
    startLocation = settings.location
  }

  func interrupt() {
    cancellation.set()
    loader.interrupt()
  }

  func stop() {
    if !loader.stop() { Self.log(.warning, host, "a decoder was left behind: it does not let go") }
    takeOff()
    (worn, refused, hasSaidOverfull) = (nil, nil, false)
    compositor = nil
  }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    space = StickerPictures.space(of: format)
    compositor = SpriteCompositor(width: format.width)
    scene?.reset()
  }

  func ended() { input.ended(host) }

  func reset() {
    cancellation.clear()
    loader.resume()
    scene?.reset()
    input.reset()
  }

  struct Plan {
    let pictures: StickerPictures
    let draws: [StickerDraw]
    let alpha: Double
  }

  func prepare(
    _ frame: borrowing FrameHeader, _ settings: StickerSettings
  ) throws(ElementError) -> Plan? {
    guard let format, let space else { return nil }
    input.read(frame, format, host)
    try follow(settings, format, space)
    guard let scene, let pictures, pictures.space == space else { return nil }
    // Also while nothing is seen of it, for expressions and animations go on.
    scene.advance(
      to: Int64(clamping: frame.runningTime ?? 0), faces: input.faces, width: format.width,
      height: format.height, settings.adjustment, largestOnly: settings.faces == .largest)
    if scene.isOverfull, !hasSaidOverfull {
      hasSaidOverfull = true
      host.warn(
        ElementError(
          .settings,
          "\(worn ?? "") would paint a frame more than \(Int(StickerScene.maximumOverdraw)) times "
            + "over; the items that come last are left out. Make the items smaller or fewer."))
    }
    guard !scene.draws.isEmpty, settings.alpha > 0 else { return nil }
    return Plan(pictures: pictures, draws: scene.draws, alpha: settings.alpha)
  }

  func process(_ frame: borrowing Frame, _ plan: Plan) throws(ElementError) {
    guard let compositor, let scene else { return }
    var lastHead: Int?
    for draw in plan.draws where !cancellation.isSet {
      let item = plan.pictures.pack.items[draw.item]
      let alpha = item.alpha * draw.alpha * plan.alpha
      if let surface = item.surface {
        compositor.draw(
          plan.pictures.textures[draw.item][draw.frame], on: scene.meshVertices(of: draw),
          offset: draw.offset, shade: surface.shade, alpha: alpha, blend: item.blend,
          picture: frame.picture)
      } else if let quad = item.quad, let billboard = draw.placement.billboard {
        let head = quad.isOccluded ? scene.head(of: draw) : nil
        compositor.draw(
          plan.pictures.textures[draw.item][draw.frame], billboard: billboard,
          behind: head.map {
            .init(head: $0, vertices: scene.meshVertices(of: draw), offset: draw.offset)
          },
          isSameHead: draw.faceIndex == lastHead, alpha: alpha, blend: item.blend,
          picture: frame.picture)
        if head != nil { lastHead = draw.faceIndex }
      } else {
        let sprite = plan.pictures.sprites[draw.item][draw.frame]
        compositor.draw(
          sprite,
          by: draw.placement.transform(spriteWidth: sprite.width, spriteHeight: sprite.height),
          alpha: alpha, blend: item.blend, on: frame.picture)
      }
    }
  }

  // MARK: Loading

  /// Loads the pictures that the settings name; throws where the first frame cannot have them.
  private func follow(
    _ settings: StickerSettings, _ format: VideoFormat, _ space: SpriteSpace
  ) throws(ElementError) {
    // The first frame, and the first in other colours, wait for what they are to wear; a change
    // of location makes none wait.
    let mustWait = isStarting || (pictures != nil && pictures?.space != space)
    let isFirst = isStarting && settings.location == startLocation
    isStarting = false
    guard let location = settings.location, !location.isEmpty else {
      if requested != nil {
        loader.cancel()
        takeOff()
        (worn, refused) = (nil, nil)
      }
      return
    }
    if refused != location { refused = nil }
    let wanted = refused == nil ? location : worn ?? location
    if requested?.location != wanted || requested?.space != space {
      requested = (wanted, space)
      let manifest = manifest
      self.manifest = nil
      loader.load { (order) throws(ElementError) in
        try StickerPictures.load(Self.resolve(wanted), manifest, for: format, order)
      }
    }
    switch mustWait ? loader.wait() : loader.take() {
    case .success(let new):
      pictures = new
      scene = StickerScene(items: new.pack.items, timelines: new.timelines)
      anchor = nil
      announce(wanted)
    case .failure(let error):
      refused = location
      if let worn, pictures?.space == space { requested = (worn, space) }
      guard !isFirst else { throw error }
      host.warn(error)
    case nil:
      // Interrupted: the frame that comes after a flush is the first again.
      isStarting = mustWait && isFirst
    }
    if settings.anchor != anchor, let pictures, pictures.isSingle {
      anchor = settings.anchor
      let item = pictures.pack.items[0]
      scene?.replace(
        0, by: .single(anchor: settings.anchor, width: item.width, height: item.height))
    }
  }

  private func takeOff() {
    pictures = nil
    scene = nil
    requested = nil
  }

  /// Tells the application, once, that `location` is worn now.
  private func announce(_ location: FilePath) {
    guard worn != location, let pack = pictures?.pack else { return }
    worn = location
    Self.log(.info, host, "wearing \(location)")
    let message = Structure("sticker")
    message.set("location", location.description)
    message.set("name", pack.name)
    if let preview = pack.preview { message.set("preview", preview.description) }
    if let audio = pack.audio { message.set("audio", audio.description) }
    host.post(message)
  }

  /// A path as it is where it exists, else a pack of that name among those that come along.
  private static func resolve(_ location: FilePath) throws(ElementError) -> FilePath {
    if location.isAbsolute || FileKind(location) != .nothing { return location }
    return try packFiles.find(location, in: nil)
  }
}
