import Compose
import Decoding
import Pixels

/// The frames of the first pass through a file, kept while they fit in memory.
struct BackdropOpening: @unchecked Sendable {
  // Backgrounds are immutable once another thread gets them.

  /// The first frame of a file.
  struct Finding: @unchecked Sendable {
    // As above.

    /// The picture as decoded, and as converted for the stream.
    let image: OwnedPicture
    let background: Background?
    let isMoving: Bool
  }

  /// One frame and its times in the file.
  private struct Kept {
    let background: Background
    let time: UInt64
    /// The end of the frame if no other one follows.
    let end: UInt64
  }

  /// The maximum size of all decoded frames in bytes.
  private static let maximum = 64 << 20

  private let format: VideoFormat
  private var kept: [Kept] = []
  private var bytes = 0

  init(format: VideoFormat) { self.format = format }

  /// Appends the next frame; false if the frames no longer fit.
  mutating func add(_ decoded: PictureFile.DecodedFrame, _ background: Background) -> Bool {
    bytes += 4 * max(decoded.picture.width * decoded.picture.height, format.width * format.height)
    kept.append(
      Kept(background: background, time: decoded.time, end: BackdropReel.end(of: decoded)))
    return kept.count == 1 || bytes <= Self.maximum
  }

  /// All frames; each ends when the next one begins.
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
