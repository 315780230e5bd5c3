import Compose
import Decoding
import Pixels

/// The frames of a file that is decoded for the first time, as long as they are few enough to be kept.
struct BackdropOpening: @unchecked Sendable {
  // Backgrounds are made by one thread and handed on; not changed after that.

  /// What the first frame of a file shows.
  struct Finding: @unchecked Sendable {
    // As above.

    /// The picture as decoded, and as made for the stream.
    let image: OwnedPicture
    let background: Background?
    let isMoving: Bool
  }

  /// One frame, and what the file says of its time.
  private struct Kept {
    let background: Background
    let time: UInt64
    /// Until when it is shown if no other one follows.
    let end: UInt64
  }

  /// Most bytes of all frames, decoded.
  private static let maximum = 64 << 20

  private let format: VideoFormat
  private var kept: [Kept] = []
  private var bytes = 0

  init(format: VideoFormat) { self.format = format }

  /// Keeps the next frame; false when they are too many now.
  mutating func add(_ decoded: PictureFile.DecodedFrame, _ background: Background) -> Bool {
    bytes += 4 * max(decoded.picture.width * decoded.picture.height, format.width * format.height)
    kept.append(
      Kept(background: background, time: decoded.time, end: BackdropReel.end(of: decoded)))
    return kept.count == 1 || bytes <= Self.maximum
  }

  /// All frames, each until the next one comes.
  var reel: [BackdropReel.Frame] {
    var reel: [BackdropReel.Frame] = []
    for (index, own) in kept.enumerated() {
      let next = index + 1 < kept.count ? kept[index + 1].time : 0
      let end = max(next > own.time ? next : own.end, (reel.last?.end ?? 0) &+ 1)
      reel.append(.init(background: own.background, end: end))
    }
    return reel
  }
}
