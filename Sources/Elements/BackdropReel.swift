import Files
import Gst
import Keying
import Pixels
import Threads

/// A film or an animation that stands behind: all of its frames, made for one format.
enum BackdropReel {
  /// One frame, and until when it is shown, in nanoseconds from the beginning.
  struct Frame: @unchecked Sendable {
    // Made by one thread and handed on; not changed after that.
    let background: Background
    let end: UInt64
  }

  /// Most bytes of all frames, decoded; what is longer is played by `BackdropFilm`.
  private static let most = 64 << 20
  /// How long a frame is shown that does not say: a 25th of a second.
  static let usual: UInt64 = 40_000_000

  /// Decodes all frames of a file that has pictures of `size`, none where there is one alone; nil
  /// where they are too many to be kept.
  static func load(
    _ file: HostileFile, size: (width: Int, height: Int), _ color: UInt32, _ fit: BackgroundFit,
    _ format: VideoFormat, _ order: WorkOrder
  ) throws(ElementError) -> [Frame]? {
    let bytes = 4 * max(size.width * size.height, format.width * format.height, 1)
    let count = most / bytes
    guard count > 1 else { return nil }
    let frames = try PictureFile.decode(
      file, ceiling: PictureFile.Ceiling(frames: count + 1), order: order)
    guard frames.count <= count else { return nil }
    guard frames.count > 1 else { return [] }
    var reel: [Frame] = []
    for (index, frame) in frames.enumerated() {
      try order.check(file.path)
      let background = frame.picture.withPicture {
        Background(image: $0, color: color, fit: fit, for: format)
      }
      guard let background else { continue }
      let next = index + 1 < frames.count ? frames[index + 1].time : 0
      let end = next > frame.time ? next : end(of: frame)
      reel.append(Frame(background: background, end: max(end, (reel.last?.end ?? 0) + 1)))
    }
    return reel
  }

  /// Until when a frame is shown whose successor is not known.
  static func end(of frame: PictureFile.DecodedFrame) -> UInt64 {
    let (end, isTooLate) = frame.time.addingReportingOverflow(
      frame.duration > 0 ? frame.duration : usual)
    return isTooLate ? .max : end
  }

  /// The background at a moment, of frames shown again and again; nil of none.
  static func frame(of reel: [Frame], at time: UInt64) -> Background? {
    guard let total = reel.last?.end, total > 0 else { return nil }
    let moment = time % total
    var (low, high) = (0, reel.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if reel[middle].end > moment { high = middle } else { low = middle + 1 }
    }
    return reel[low].background
  }
}
