import Decoding
import Files
import Frames
import Pixels
import Stickers
import Threads

/// A pack or a single picture, decoded and converted to one colour space.
///
/// Immutable. Elements with the same pack and the same space share one.
final class StickerPictures: Sendable {
  let location: FilePath
  /// The colour space of the streams it can be drawn on.
  let space: SpriteSpace
  let pack: StickerPack
  /// The frames of each item.
  let sprites: [[Sprite]]
  /// The same for items that are textures, billboards or bodies; empty for others.
  let textures: [[SurfaceTexture]]
  let timelines: [StickerTimeline]
  /// Whether it is a single picture, which uses the `anchor` property.
  let isSingle: Bool

  private init(
    location: FilePath, space: SpriteSpace, pack: StickerPack, sprites: [[Sprite]],
    timelines: [StickerTimeline], isSingle: Bool
  ) {
    self.location = location
    self.space = space
    self.pack = pack
    self.sprites = sprites
    textures = zip(pack.items, sprites).map { item, sprites in
      item.mesh.map { shape in sprites.map { SurfaceTexture($0, on: shape) } } ?? []
    }
    self.timelines = timelines
    self.isSingle = isSingle
  }

  /// The colour space of pictures for streams of `format`.
  static func colorSpace(for format: VideoFormat) -> SpriteSpace {
    SpriteSpace(format: format.format, colorimetry: format.colorimetry, blend: .over)
  }

  /// The manifest of a pack, or a single picture, with the file versions at the time of reading.
  struct Manifest: Sendable {
    fileprivate let location: FilePath
    fileprivate let source: PackReader.Source
    fileprivate let ages: [FileVersion]

    /// Whether hands must be known for a picture at `anchor`, or for any item of a pack.
    func needsHands(_ anchor: StickerAnchor) -> Bool {
      if case .pack(let pack) = source {
        pack.items.contains { $0.needsHands }
      } else {
        anchor.isOnHand
      }
    }

    /// Whether the files are unchanged since then.
    fileprivate var isCurrent: Bool { ages == Self.fileVersions(location, source) }

    fileprivate static func fileVersions(_ location: FilePath, _ source: PackReader.Source)
      -> [FileVersion]
    {
      guard case .pack(let pack) = source else { return [FileVersion(location)] }
      return [FileVersion(location), pack.version(of: "meta.json")]
    }
  }

  /// Reads the manifest of `location`; throws if that is no pack or picture.
  ///
  /// Nil if it takes longer than 80 ms, as this is called in a state change.
  static func readManifest(_ location: FilePath) throws(ElementError) -> Manifest? {
    let order = CancellationToken(limit: .milliseconds(80))
    do throws(ElementError) {
      let source = try readSource(location, order)
      return Manifest(
        location: location, source: source, ages: Manifest.fileVersions(location, source))
    } catch {
      guard order.shouldStop else { throw error }
      return nil
    }
  }

  private static func readSource(
    _ location: FilePath, _ order: CancellationToken
  ) throws(ElementError) -> PackReader.Source {
    do {
      return try PackReader.read(location, order)
    } catch {
      throw ElementError(.wrongContent, "The sticker cannot be used: \(error.description)")
    }
  }

  // MARK: Sharing

  /// All inputs of the decoded pictures.
  struct Key: Hashable, Sendable {
    let location: FilePath
    let space: SpriteSpace
    /// The longer side of rendered SVG files in pixels.
    let vectorSide: Int
    /// The versions of the location and of each file that the pack names, in order.
    let ages: [FileVersion]
  }

  /// The pictures in use in this process.
  private static let inUse = SingleFlightCache<Key, StickerPictures>()

  /// The pictures of `location` for streams of `format`; shared with other elements while the files
  /// are unchanged.
  ///
  /// A current `manifest` is not read again. Blocks while this or another element decodes them.
  static func load(
    _ location: FilePath, _ manifest: Manifest? = nil, for format: VideoFormat,
    _ order: CancellationToken = CancellationToken()
  ) throws(ElementError) -> StickerPictures {
    let source =
      if let manifest, manifest.location == location, manifest.isCurrent {
        manifest.source
      } else {
        try readSource(location, order)
      }
    let (pack, isSingle) =
      switch source {
      case .pack(let pack): (pack, false)
      case .picture(let path):
        (
          StickerPack(
            name: path.description,
            items: [.single(anchor: .eyes, width: 1, height: 1, file: path)]), true
        )
      }
    let key = Key(location, pack, format)
    let shared = try inUse.value(for: key, order) { () throws(ElementError) in
      try decodePack(location, pack, isSingle, format, key.vectorSide, order)
    }
    if let shared { return shared }
    // The wait for another element ends if the token expires.
    try order.checkCancellation(location)
    throw ElementError(.failed, "Loading \(location) was interrupted. Set location again.")
  }

  /// The longer side of the pack's rendered SVG files: that of the frame; 0 without such files.
  fileprivate static func vectorSide(_ pack: StickerPack, _ format: VideoFormat) -> Int {
    pack.items.contains { $0.files.contains { $0.hasSuffix(".svg") } }
      ? min(max(format.width, format.height), 2048) : 0
  }

  // MARK: Decoding

  /// The frames of one item and their times, and the size of the first picture.
  private struct Strip {
    var sprites: [Sprite] = []
    var times: [(start: UInt64, length: UInt64)] = []
    var (width, height) = (1, 1)
  }

  private static func decodePack(
    _ location: FilePath, _ pack: StickerPack, _ isSingle: Bool, _ format: VideoFormat,
    _ vectorSide: Int, _ order: CancellationToken
  ) throws(ElementError) -> StickerPictures {
    // The sizes in the files' headers are checked before anything is decoded.
    var sizes = PictureSizes()
    for files in Set(pack.items.map(\.files)) {
      for file in files { sizes.addPicture(file, of: pack) }
    }
    if let problem = sizes.tooLarge {
      throw ElementError(
        .wrongContent, "The sticker \(location) is too large: \(problem). Use smaller pictures.")
    }
    var pack = pack
    var budget = SpriteBudget()
    let stills = StillDecoder()
    var strips: [Strip] = []
    for (index, item) in pack.items.enumerated() {
      let space = SpriteSpace(
        format: format.format, colorimetry: format.colorimetry, blend: item.blend)
      // Items often share pictures, for example two cheeks.
      let same = pack.items[..<index].firstIndex {
        $0.files == item.files && $0.isSingleFile == item.isSingleFile
          && $0.surface == item.surface
      }
      if let same, strips[same].sprites.first?.space == space {
        strips.append(strips[same])
        continue
      }
      var strip = Strip()
      if let color = item.surface?.color {
        try appendSprite(
          Self.solidPicture(color), of: location, to: &strip, space, &budget, item.surface)
      }
      for name in item.files {
        let file = try PictureFile.open(pack.path(of: name)) { () throws(FileError) in
          try pack.openFile(name, limit: PictureFile.Limits().file)
        }
        let frames = try decodeFrames(of: file, item, vectorSide, budget, stills, order)
        for frame in frames {
          try appendSprite(frame.picture, of: file.path, to: &strip, space, &budget, item.surface)
          strip.times.append((frame.time, frame.duration))
        }
      }
      guard !strip.sprites.isEmpty else {
        throw ElementError(
          .wrongContent,
          "The sticker \(location) has an item without pictures: \(item.files.first ?? "no file").")
      }
      strips.append(strip)
    }
    // No file is read after this.
    pack.folder = nil
    if isSingle {
      pack.items[0].width = Double(strips[0].width)
      pack.items[0].height = Double(strips[0].height)
    }
    return StickerPictures(
      location: location, space: colorSpace(for: format), pack: pack,
      sprites: strips.map(\.sprites),
      timelines: zip(pack.items, strips).map(makeTimeline), isSingle: isSingle)
  }

  /// The pictures of one of an item's files, within the sizes that `budget` leaves.
  private static func decodeFrames(
    of file: UntrustedFile, _ item: StickerItem, _ vectorSide: Int, _ budget: SpriteBudget,
    _ stills: StillDecoder, _ order: CancellationToken
  ) throws(ElementError) -> [PictureFile.DecodedFrame] {
    var limits = PictureFile.Limits(
      frames: item.isSingleFile ? PackReader.maximumFrames : 1,
      vectorSide: vectorSide > 0 ? vectorSide : nil)
    limits.pixels = min(limits.pixels, budget.pixelsLeft)
    limits.bytes = min(limits.bytes, 4 * budget.pixelsLeft)
    return item.isSingleFile
      ? try PictureFile.decode(file, limits: limits, order: order)
      : [try stills.decode(file, limits: limits, order: order)]
  }

  /// Appends the sprite of a picture, within the budget.
  private static func appendSprite(
    _ picture: OwnedPicture, of file: FilePath, to strip: inout Strip, _ space: SpriteSpace,
    _ budget: inout SpriteBudget, _ surface: StickerSurface?
  ) throws(ElementError) {
    do {
      try budget.reserve(width: picture.width, height: picture.height)
    } catch {
      throw ElementError(.wrongContent, "The sticker is too large at \(file): \(error.reason)")
    }
    if let surface {
      picture.withPicture { surface.region.applyMask($0, softness: surface.softness) }
    }
    guard let sprite = Sprite.make(from: picture, space: space) else {
      throw ElementError(.wrongContent, "The sticker is too large at \(file).")
    }
    if strip.sprites.isEmpty { (strip.width, strip.height) = (picture.width, picture.height) }
    strip.sprites.append(sprite)
  }

  /// The picture of an item that consists of a colour only.
  private static func solidPicture(_ color: SIMD3<UInt8>) -> OwnedPicture {
    let side = SurfaceRegion.side
    let picture = OwnedPicture(format: .rgba, width: side, height: side, colorimetry: .rgb)
    picture.withPicture { picture in
      for y in 0..<side {
        let row = picture.plane(0).row(y)
        for x in 0..<side {
          for c in 0..<3 { row[4 * x + c] = color[c] }
          row[4 * x + 3] = 255
        }
      }
    }
    return picture
  }

  private static func makeTimeline(_ item: StickerItem, _ strip: Strip) -> StickerTimeline {
    // Stills have no timestamps.
    guard item.isSingleFile, strip.times.count > 1 else {
      return StickerTimeline(count: strip.sprites.count, frameDuration: item.frameDuration)
    }
    let times = strip.times
    return StickerTimeline(
      durations: times.indices.map { index in
        if index + 1 < times.count {
          return Int64(clamping: times[index + 1].start &- times[index].start)
        }
        let own = Int64(clamping: times[index].length)
        return own > 0 ? own : item.frameDuration
      })
  }
}

extension StickerPictures.Key {
  fileprivate init(_ location: FilePath, _ pack: StickerPack, _ format: VideoFormat) {
    var ages = [FileVersion(location)]
    if pack.folder != nil { ages.append(pack.version(of: "meta.json")) }
    for item in pack.items { ages += item.files.map(pack.version(of:)) }
    self.init(
      location: location, space: StickerPictures.colorSpace(for: format),
      vectorSide: StickerPictures.vectorSide(pack, format), ages: ages)
  }
}
