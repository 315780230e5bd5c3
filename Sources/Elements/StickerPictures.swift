import Effects
import GstElement
import Packs
import Pixels
import Synchronization

/// A pack, or a single picture, with all its frames decoded.
///
/// Elements that wear the same pack share one. Immutable.
final class StickerPictures: @unchecked Sendable {
  // Pictures are written by their decoder only, before anybody else sees them.
  let location: String
  let pack: StickerPack
  /// Of each item its frames, and when each is shown.
  let frames: [[OwnedPicture]]
  let timelines: [StickerTimeline]
  /// Whether it is a picture of its own, whose anchor the user chooses.
  let isSingle: Bool

  private init(
    location: String, pack: StickerPack, frames: [[OwnedPicture]], timelines: [StickerTimeline],
    isSingle: Bool
  ) {
    self.location = location
    self.pack = pack
    self.frames = frames
    self.timelines = timelines
    self.isSingle = isSingle
  }

  private struct Weak {
    weak var pictures: StickerPictures?
  }

  /// What is in use now, by location and age of its manifest.
  private static let inUse = Mutex<[String: Weak]>([:])

  /// Reads the manifest alone: whether `location` can be a pack or a picture at all.
  static func read(_ location: String) throws(ElementError) -> PackReader.Source {
    do {
      return try PackReader.read(location)
    } catch {
      throw ElementError(.wrongContent, "The sticker cannot be used: \(error.description)")
    }
  }

  /// The decoded pictures of `location`, shared where somebody has them already.
  ///
  /// Blocks while decoding. Two elements that start at once may both decode; one result stays.
  static func load(_ location: String) throws(ElementError) -> StickerPictures {
    let key = location + "@" + FileAge.text(location)
    if let shared = inUse.withLock({ $0[key]?.pictures }) { return shared }
    let loaded = try decode(location)
    inUse.withLock { table in
      table = table.filter { $0.value.pictures != nil }
      table[key] = Weak(pictures: loaded)
    }
    return loaded
  }

  private static func decode(_ location: String) throws(ElementError) -> StickerPictures {
    var pack: StickerPack
    let isSingle: Bool
    switch try read(location) {
    case .pack(let read):
      pack = read
      isSingle = false
    case .picture(let path):
      pack = StickerPack(
        name: path, items: [.single(anchor: .eyes, width: 1, height: 1, file: path)])
      isSingle = true
    }
    var budget = SpriteBudget()
    var frames: [[OwnedPicture]] = []
    var timelines: [StickerTimeline] = []
    for index in pack.items.indices {
      let item = pack.items[index]
      var decoded: [PictureFile.DecodedFrame] = []
      for file in item.files {
        let limit = item.isSingleFile ? PackReader.maximumFrames : 1
        for frame in try PictureFile.decode(file, ceiling: .init(frames: limit)) {
          do {
            try budget.take(width: frame.picture.width, height: frame.picture.height)
          } catch {
            throw ElementError(
              .wrongContent, "The sticker \(location) is too large at \(file): \(error.reason)")
          }
          decoded.append(frame)
        }
      }
      guard let first = decoded.first else {
        throw ElementError(.wrongContent, "The sticker \(location) has an item without pictures.")
      }
      if isSingle {
        pack.items[index].width = Double(first.picture.width)
        pack.items[index].height = Double(first.picture.height)
      }
      frames.append(decoded.map(\.picture))
      timelines.append(timeline(item, decoded))
    }
    return StickerPictures(
      location: location, pack: pack, frames: frames, timelines: timelines, isSingle: isSingle)
  }

  private static func timeline(
    _ item: StickerItem, _ frames: [PictureFile.DecodedFrame]
  ) -> StickerTimeline {
    guard item.isSingleFile, frames.count > 1 else {
      return StickerTimeline(count: frames.count, frameDuration: item.frameDuration)
    }
    return StickerTimeline(
      durations: frames.indices.map { index in
        if index + 1 < frames.count {
          return Int64(clamping: frames[index + 1].time &- frames[index].time)
        }
        let own = Int64(clamping: frames[index].duration)
        return own > 0 ? own : item.frameDuration
      })
  }
}
