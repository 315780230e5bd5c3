import Files
import Gst
import Pixels
import Stickers
import Threads

/// A pack, or a single picture, decoded and made ready to be drawn in one colour space.
///
/// Elements that wear the same pack in the same space share one. Immutable.
final class StickerPictures: Sendable {
  let location: FilePath
  /// The space of streams it can be drawn on.
  let space: SpriteSpace
  let pack: StickerPack
  /// Of each item its frames, and when each is shown.
  let sprites: [[Sprite]]
  /// The same for items that lie on the skin or stand in space; of others nothing.
  let textures: [[SurfaceTexture]]
  let timelines: [StickerTimeline]
  /// Whether it is a picture of its own, whose anchor the user chooses.
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
      let shape =
        item.surface.map { SurfaceShape.face(sparing: $0.spared) }
        ?? (item.quad == nil ? nil : SurfaceShape.board)
      return shape.map { shape in sprites.map { SurfaceTexture($0, on: shape) } } ?? []
    }
    self.timelines = timelines
    self.isSingle = isSingle
  }

  /// The space that decides whether pictures can be drawn on streams of such a format.
  static func space(of format: VideoFormat) -> SpriteSpace {
    SpriteSpace(format: format.format, colorimetry: format.colorimetry, blend: .over)
  }

  /// Throws where `location` is no pack or picture; gives it the benefit of the doubt where that
  /// takes longer than a state change should.
  static func check(_ location: FilePath) throws(ElementError) {
    let order = CancellationToken(limit: .milliseconds(80))
    do throws(ElementError) { _ = try read(location, order) } catch  where !order.shouldStop {
      throw error
    } catch {}
  }

  private static func read(
    _ location: FilePath, _ order: CancellationToken
  ) throws(ElementError) -> PackReader.Source {
    do {
      return try PackReader.read(location, order)
    } catch {
      throw ElementError(.wrongContent, "The sticker cannot be used: \(error.description)")
    }
  }

  // MARK: Sharing

  /// All that decides what is decoded.
  struct Key: Hashable, Sendable {
    let location: FilePath
    let space: SpriteSpace
    /// Longer side of what is described.
    let vectorSide: Int
    /// Of the location, and of each file the pack names, in its order.
    let ages: [FileVersion]
  }

  /// What is in use now.
  private static let inUse = SingleFlightCache<Key, StickerPictures>()

  /// The pictures of `location` for streams of `format`, shared where somebody has them already
  /// and none of their files has changed since.
  ///
  /// Blocks while decoding, or while another element decodes the same.
  static func load(
    _ location: FilePath, for format: VideoFormat, _ order: CancellationToken = CancellationToken()
  ) throws(ElementError) -> StickerPictures {
    let (pack, isSingle) =
      switch try read(location, order) {
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
      try decode(location, pack, isSingle, format, key.vectorSide, order)
    }
    if let shared { return shared }
    // Nobody waits in vain for longer than it would take.
    try order.check(location)
    throw ElementError(.failed, "\(location) was not read to its end.")
  }

  /// Longer side of what the pack's SVG files are drawn at: the frame's, for nothing is seen any
  /// larger; 0 where there are none.
  fileprivate static func vectorSide(_ pack: StickerPack, _ format: VideoFormat) -> Int {
    pack.items.contains { $0.files.contains { $0.hasSuffix(".svg") } }
      ? min(max(format.width, format.height), 2048) : 0
  }

  // MARK: Decoding

  /// The frames of one item, and how long a film shows each of them.
  private struct Strip {
    var sprites: [Sprite] = []
    var times: [(start: UInt64, length: UInt64)] = []
    /// Size of the first picture.
    var width = 1
    var height = 1
  }

  private static func decode(
    _ location: FilePath, _ pack: StickerPack, _ isSingle: Bool, _ format: VideoFormat,
    _ vectorSide: Int, _ order: CancellationToken
  ) throws(ElementError) -> StickerPictures {
    // What the headers say is looked at before anything is decoded.
    var sizes = PictureSizes()
    for files in Set(pack.items.map(\.files)) { for file in files { sizes.add(file, of: pack) } }
    if let problem = sizes.tooLarge {
      throw ElementError(.wrongContent, "The sticker \(location) is too large at \(problem).")
    }
    var pack = pack
    var budget = SpriteBudget()
    let stills = StillDecoder()
    var strips: [Strip] = []
    for (index, item) in pack.items.enumerated() {
      let space = SpriteSpace(
        format: format.format, colorimetry: format.colorimetry, blend: item.blend)
      // Items often show the same pictures, as the two cheeks do.
      let twin = pack.items[..<index].firstIndex {
        $0.files == item.files && $0.isSingleFile == item.isSingleFile
          && $0.surface == item.surface
      }
      if let twin, strips[twin].sprites.first?.space == space {
        strips.append(strips[twin])
        continue
      }
      var strip = Strip()
      if let color = item.surface?.color {
        try add(Self.filled(color), of: location, to: &strip, space, &budget, item.surface)
      }
      for name in item.files {
        let file = try PictureFile.open(pack.path(of: name)) { () throws(FileError) in
          try pack.file(name, limit: PictureFile.Ceiling().file)
        }
        var ceiling = PictureFile.Ceiling(
          frames: item.isSingleFile ? PackReader.maximumFrames : 1,
          vectorSide: vectorSide > 0 ? vectorSide : nil)
        ceiling.pixels = min(ceiling.pixels, budget.pixelsLeft)
        ceiling.bytes = min(ceiling.bytes, 4 * budget.pixelsLeft)
        let frames =
          item.isSingleFile
          ? try PictureFile.decode(file, ceiling: ceiling, order: order)
          : [try stills.decode(file, ceiling: ceiling, order: order)]
        for frame in frames {
          try add(frame.picture, of: file.path, to: &strip, space, &budget, item.surface)
          strip.times.append((frame.time, frame.duration))
        }
      }
      guard !strip.sprites.isEmpty else {
        throw ElementError(.wrongContent, "The sticker \(location) has an item without pictures.")
      }
      strips.append(strip)
    }
    // Nothing more is read.
    pack.folder = nil
    if isSingle {
      pack.items[0].width = Double(strips[0].width)
      pack.items[0].height = Double(strips[0].height)
    }
    return StickerPictures(
      location: location, space: space(of: format), pack: pack, sprites: strips.map(\.sprites),
      timelines: zip(pack.items, strips).map(timeline), isSingle: isSingle)
  }

  /// Makes a sprite, so that the picture itself can be let go.
  private static func add(
    _ picture: OwnedPicture, of file: FilePath, to strip: inout Strip, _ space: SpriteSpace,
    _ budget: inout SpriteBudget, _ surface: StickerSurface?
  ) throws(ElementError) {
    do {
      try budget.take(width: picture.width, height: picture.height)
    } catch {
      throw ElementError(.wrongContent, "The sticker is too large at \(file): \(error.reason)")
    }
    if let surface {
      picture.withPicture { surface.region.keep($0, softness: surface.softness) }
    }
    guard let sprite = Sprite.make(from: picture, space: space) else {
      throw ElementError(.wrongContent, "The sticker is too large at \(file).")
    }
    if strip.sprites.isEmpty { (strip.width, strip.height) = (picture.width, picture.height) }
    strip.sprites.append(sprite)
  }

  /// What stands for the picture of an item that is a colour alone.
  private static func filled(_ color: SIMD3<UInt8>) -> OwnedPicture {
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

  private static func timeline(_ item: StickerItem, _ strip: Strip) -> StickerTimeline {
    // Stills of a folder have no times of their own.
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
    if pack.folder != nil { ages.append(pack.age("meta.json")) }
    for item in pack.items { ages += item.files.map(pack.age) }
    self.init(
      location: location, space: StickerPictures.space(of: format),
      vectorSide: StickerPictures.vectorSide(pack, format), ages: ages)
  }
}
