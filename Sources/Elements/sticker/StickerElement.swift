import Binding
import Decoding
import Faces
import Files
import Frames
import Pixels
import Stickers
import Threads

/// Draws pictures and animations on faces and hands found by a detector upstream.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect ! sticker location=stickers/halo ! \
///       autovideosink
final class StickerElement: Filter {
  static let description = ElementDescription(
    name: "sticker", typeName: "MienSticker", longName: "Face stickers",
    classification: "Filter/Effect/Video",
    summary:
      "Draws animated sticker packs or any picture on faces and hands found by a detector upstream",
    formats: PixelFormat.allCases)

  static let properties: [Property<StickerSettings>] = [
    .path(
      "location", \.location,
      "A sticker pack (its folder or its meta.json), or any picture or animation that GStreamer "
        + "decodes. Relative paths are also searched in $MIEN_STICKER_PATH and in the packs "
        + "installed with the plugin."),
    .choice("anchor", \.anchor, "Part of the face or hand to which a single picture is fixed."),
    .double(
      "scale", \.adjustment.scale, in: 0.01...20,
      "Factor of the pack's size; a single picture is 2.5 eye distances wide at 1. On a hand two thirds "
        + "of the palm's length count as an eye distance."),
    .double(
      "offset-x", \.adjustment.offsetX, in: -10...10,
      "Offset to the right along the face's or hand's axis, in eye distances."),
    .double(
      "offset-y", \.adjustment.offsetY, in: -10...10,
      "Offset upwards along the face's or hand's axis, in eye distances."),
    .bool("rotate", \.adjustment.rotates, "Rotate the sticker with the head or hand."),
    .double("alpha", \.alpha, in: 0...1, "Opacity of the sticker."),
    .choice("faces", \.faces, "Faces that get the sticker."),
  ]

  private static let log = Log("sticker", "Face stickers")
  private static let packFiles = DataFiles(
    subfolder: "stickers", variable: "MIEN_STICKER_PATH",
    advice: "Set location to a pack's folder or to a picture.")

  private let host: ElementHost
  private let loader = Loader<StickerPictures>()
  private var input = FaceInput(description.name)
  private var handInput = HandInput()
  private let coverReader = MeasurementReader(.covers)
  private var format: VideoFormat?
  private var space: SpriteSpace?
  private var pictures: StickerPictures?
  private(set) var scene: StickerScene?
  /// The applied anchor of a single picture; nil before it is applied.
  private var anchor: StickerAnchor?
  private(set) var compositor: SpriteCompositor?
  /// The last request to the loader.
  private var requested: (location: FilePath, space: SpriteSpace)?
  /// The location in use, as reported by the last message.
  private var worn: FilePath?
  /// A location that failed to load; the previous one stays in use until another one is set.
  private var refused: FilePath?
  /// Whether nothing is loaded yet: the first frame waits for `startLocation` and fails without it.
  private var isStarting = true
  private var startLocation: FilePath?
  /// The manifest of `startLocation`, for the first load.
  private var manifest: StickerPictures.Manifest?
  private var hasSaidOverfull = false
  private var hasSaidBlendshapes = false
  /// The number of frames with faces without blendshapes after which a warning is posted.
  private static let patience = 30
  /// Set if the frame in progress is no longer needed.
  let cancellation = CancellationFlag()

  init(host: ElementHost) { self.host = host }

  func start(_ settings: StickerSettings) throws(ElementError) {
    // Pictures are decoded on another thread; an invalid pack fails here.
    manifest = nil
    if let location = settings.location, !location.isEmpty {
      manifest = try StickerPictures.readManifest(Self.resolvePath(location))
    }
    input = FaceInput(Self.description.name)
    handInput = HandInput()
    cancellation.clear()
    isStarting = true
    startLocation = settings.location
    coverReader.isReading = !(settings.location?.isEmpty ?? true)
    // Before the first frame, which facedetect sees before this element does.
    handInput.need(manifest?.needsHands(settings.anchor) ?? false)
  }

  func interrupt() {
    cancellation.set()
    loader.interrupt()
  }

  func stop() {
    if !loader.stop() {
      Self.log(.warning, host, "abandoned the thread that decodes the sticker: no response")
    }
    removePictures()
    (worn, refused, hasSaidOverfull, hasSaidBlendshapes) = (nil, nil, false, false)
    compositor = nil
    coverReader.isReading = false
    handInput.need(false)
  }

  func configure(_ format: VideoFormat) throws(ElementError) {
    self.format = format
    space = StickerPictures.colorSpace(for: format)
    compositor = SpriteCompositor(width: format.width)
    scene?.reset()
  }

  func ended() {
    input.warnAtEnd(host)
    if let scene, scene.blendshapes.framesWithout > 0 { warnOfBlendshapes(scene) }
    handInput.warnAtEnd(of: worn, host)
  }

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
    coverReader.isReading = !(settings.location?.isEmpty ?? true)
    input.read(frame, format, host)
    try updatePictures(settings, format, space)
    handInput.need(scene?.needsHands ?? false)
    guard let scene, let pictures, pictures.space == space else { return nil }
    if input.isCut { scene.dropFaces() }
    if scene.needsHands { handInput.read(frame, for: worn, host) }
    // Also while nothing is visible, as expressions and animations continue.
    scene.advance(
      to: Int64(clamping: frame.runningTime ?? 0), faces: input.faces, hands: handInput.hands,
      width: format.width, height: format.height, settings.adjustment,
      largestOnly: settings.faces == .largest)
    if scene.isOverfull, !hasSaidOverfull {
      hasSaidOverfull = true
      host.warn(
        ElementError(
          .settings,
          "The sticker \(worn ?? "") would draw more than \(Int(StickerScene.maximumOverdraw)) "
            + "times the pixels of a frame, so its last items are omitted. Use fewer or smaller "
            + "items."))
    }
    if scene.blendshapes.framesWithout == Self.patience { warnOfBlendshapes(scene) }
    guard !scene.draws.isEmpty, settings.alpha > 0 else { return nil }
    return Plan(pictures: pictures, draws: scene.draws, alpha: settings.alpha)
  }

  private func warnOfBlendshapes(_ scene: StickerScene) {
    guard !hasSaidBlendshapes, let trigger = scene.blendshapes.triggers.first else { return }
    hasSaidBlendshapes = true
    host.warn(
      ElementError(
        .settings,
        "The sticker \(worn ?? "") waits for \(trigger.shape.name), which the faces do not have, so "
          + "items that wait for blendshapes stay hidden. Set blendshapes=true of facedetect."))
  }

  // MARK: Loading

  /// Loads the pictures that the settings name; throws if those of the first frame fail to load.
  private func updatePictures(
    _ settings: StickerSettings, _ format: VideoFormat, _ space: SpriteSpace
  ) throws(ElementError) {
    // The first frame, and the first of another format, wait for their pictures; frames after a
    // change of location do not.
    let mustWait = isStarting || (pictures != nil && pictures?.space != space)
    let isFirst = isStarting && settings.location == startLocation
    isStarting = false
    guard let location = settings.location, !location.isEmpty else {
      if requested != nil {
        loader.cancel()
        removePictures()
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
        try StickerPictures.load(Self.resolvePath(wanted), manifest, for: format, order)
      }
    }
    switch mustWait ? loader.wait() : loader.take() {
    case .success(let new):
      pictures = new
      scene = StickerScene(items: new.pack.items, timelines: new.timelines)
      anchor = nil
      postLoadedMessage(wanted)
    case .failure(let error):
      refused = location
      if let worn, pictures?.space == space { requested = (worn, space) }
      guard !isFirst else { throw error }
      host.warn(error)
    case nil:
      // Interrupted: the next frame after a flush counts as the first.
      isStarting = mustWait && isFirst
    }
    if settings.anchor != anchor, let pictures, pictures.isSingle {
      anchor = settings.anchor
      let item = pictures.pack.items[0]
      scene?.replace(
        0, by: .single(anchor: settings.anchor, width: item.width, height: item.height))
    }
  }

  private func removePictures() {
    pictures = nil
    scene = nil
    requested = nil
  }

  /// Posts one message that `location` is in use now.
  private func postLoadedMessage(_ location: FilePath) {
    guard worn != location, let pack = pictures?.pack else { return }
    worn = location
    Self.log(.info, host, "loaded \(location)")
    let message = Structure("sticker")
    message.set("location", location.description)
    message.set("name", pack.name)
    if let preview = pack.preview { message.set("preview", preview.description) }
    if let audio = pack.audio { message.set("audio", audio.description) }
    host.post(message)
  }

  /// The path itself if it exists, else the installed pack of that name.
  private static func resolvePath(_ location: FilePath) throws(ElementError) -> FilePath {
    if location.isAbsolute || FileKind(location) != .nothing { return location }
    return try packFiles.find(location, in: nil)
  }
}
