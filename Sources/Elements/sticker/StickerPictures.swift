import Files
import Gst
import Pixels
import Stickers
import Threads

/// A pack, or a single picture, decoded and made ready to be drawn in one colour space.
///
/// Elements that wear the same pack in the same space share one. Immutable.
final class StickerPictures: Sendable {
  let location: String
  /// The space of streams it can be drawn on.
  let space: SpriteSpace
  let pack: StickerPack
  /// Of each item its frames, and when each is shown.
  let sprites: [[Sprite]]
  let timelines: [StickerTimeline]
  /// Whether it is a picture of its own, whose anchor the user chooses.
  let isSingle: Bool

  private init(
    location: String, space: SpriteSpace, pack: StickerPack, sprites: [[Sprite]],
    timelines: [StickerTimeline], isSingle: Bool
  ) {
    self.location = location
    self.space = space
    self.pack = pack
    self.sprites = sprites
    self.timelines = timelines
    self.isSingle = isSingle
  }

  /// The space that decides whether pictures can be drawn on streams of such a format.
  static func space(of format: VideoFormat) -> SpriteSpace {
    SpriteSpace(format: format.format, colorimetry: format.colorimetry, blend: .over)
  }

  /// Reads the manifest alone: whether `location` can be a pack or a picture at all.
  static func read(_ location: String) throws(ElementError) -> PackReader.Source {
    do {
      return try PackReader.read(location)
    } catch {
      throw ElementError(.wrongContent, "The sticker cannot be used: \(error.description)")
    }
  }

  // MARK: Sharing

  /// What is in use now, by location, space and the ages of all its files.
  private static let inUse = SharedValues<String, StickerPictures>()

  /// The pictures of `location` for streams of `format`, shared where somebody has them already
  /// and none of their files has changed since.
  ///
  /// Blocks while decoding, or while another element decodes the same.
  static func load(
    _ location: String, for format: VideoFormat, _ order: WorkOrder = WorkOrder()
  ) throws(ElementError) -> StickerPictures {
    let source = try read(location)
    let key = "\(space(of: format)) \(age(source, of: location)) \(location)"
    let shared = try inUse.value(for: key, order) { () throws(ElementError) in
      try decode(location, source, format, order)
    }
    if let shared { return shared }
    // Nobody waits in vain for longer than it would take.
    try order.check(location)
    throw ElementError(.failed, "\(location) was not read to its end.")
  }

  /// A number that differs after a change of any file; its text would be long for thousands.
  private static func age(_ source: PackReader.Source, of location: String) -> Int {
    var hasher = Hasher()
    hasher.combine(FileAge(location))
    switch source {
    case .pack(let pack):
      for item in pack.items {
        for file in item.files { hasher.combine(FileAge(file)) }
      }
    case .picture(let path): hasher.combine(FileAge(path))
    }
    return hasher.finalize()
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
    _ location: String, _ source: PackReader.Source, _ format: VideoFormat, _ order: WorkOrder
  ) throws(ElementError) -> StickerPictures {
    var pack: StickerPack
    let isSingle: Bool
    switch source {
    case .pack(let read):
      pack = read
      isSingle = false
    case .picture(let path):
      pack = StickerPack(
        name: path, items: [.single(anchor: .eyes, width: 1, height: 1, file: path)])
      isSingle = true
    }
    var budget = SpriteBudget()
    let stills = StillDecoder()
    var strips: [Strip] = []
    for (index, item) in pack.items.enumerated() {
      let space = SpriteSpace(
        format: format.format, colorimetry: format.colorimetry, blend: item.blend)
      // Items often show the same pictures, as the two cheeks do.
      let twin = pack.items[..<index].firstIndex {
        $0.files == item.files && $0.isSingleFile == item.isSingleFile
      }
      if let twin, strips[twin].sprites.first?.space == space {
        strips.append(strips[twin])
        continue
      }
      strips.append(try strip(item, space, location, &budget, stills, order))
    }
    if isSingle {
      pack.items[0].width = Double(strips[0].width)
      pack.items[0].height = Double(strips[0].height)
    }
    return StickerPictures(
      location: location, space: space(of: format), pack: pack, sprites: strips.map(\.sprites),
      timelines: zip(pack.items, strips).map(timeline), isSingle: isSingle)
  }

  private static func strip(
    _ item: StickerItem, _ space: SpriteSpace, _ location: String, _ budget: inout SpriteBudget,
    _ stills: StillDecoder, _ order: WorkOrder
  ) throws(ElementError) -> Strip {
    var strip = Strip()
    /// Makes a sprite, so that the picture itself can be let go.
    func add(
      _ picture: OwnedPicture, _ file: String, _ budget: inout SpriteBudget
    ) throws(ElementError) {
      do {
        try budget.take(width: picture.width, height: picture.height)
      } catch {
        throw ElementError(
          .wrongContent, "The sticker \(location) is too large at \(file): \(error.reason)")
      }
      guard let sprite = Sprite.make(from: picture, space: space) else {
        throw ElementError(.wrongContent, "The sticker \(location) is too large at \(file).")
      }
      if strip.sprites.isEmpty { (strip.width, strip.height) = (picture.width, picture.height) }
      strip.sprites.append(sprite)
    }
    for file in item.files {
      guard item.isSingleFile else {
        try add(try stills.decode(file, order: order), file, &budget)
        continue
      }
      let film = try PictureFile.decode(
        file, ceiling: .init(frames: PackReader.maximumFrames), order: order)
      for frame in film {
        try add(frame.picture, file, &budget)
        strip.times.append((frame.time, frame.duration))
      }
    }
    guard !strip.sprites.isEmpty else {
      throw ElementError(.wrongContent, "The sticker \(location) has an item without pictures.")
    }
    return strip
  }

  private static func timeline(_ item: StickerItem, _ strip: Strip) -> StickerTimeline {
    guard strip.times.count > 1 else {
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
