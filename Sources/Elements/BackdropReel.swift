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

  /// Most bytes of all frames, decoded, and as they stand behind.
  private static let most = 256 << 20
  /// How long a frame is shown that does not say: a 25th of a second.
  private static let usual: UInt64 = 40_000_000

  /// Decodes all frames of a file, none where there is one alone; the error says why it cannot be
  /// shown moving.
  static func load(
    _ file: HostileFile, _ color: UInt32, _ fit: BackgroundFit, _ format: VideoFormat,
    _ order: WorkOrder
  ) throws(ElementError) -> [Frame] {
    var ceiling = PictureFile.Ceiling(frames: 10_000)
    ceiling.bytes = most
    let frames: [PictureFile.DecodedFrame]
    do throws(ElementError) {
      frames = try PictureFile.decode(file, ceiling: ceiling, order: order)
    } catch {
      throw still(file, error.message)
    }
    let layout = format.format.layout
    let shifts = layout.chromaShifts
    let size =
      format.width * format.height
      + 2 * PixelLayout.subsampled(format.width, by: shifts.h)
      * PixelLayout.subsampled(format.height, by: shifts.v)
    guard frames.count * size <= most else {
      throw still(file, "its \(frames.count) frames would take more than \(most >> 20) MB.")
    }
    guard frames.count > 1 else { return [] }
    var reel: [Frame] = []
    for (index, frame) in frames.enumerated() {
      try order.check(file.path)
      let background = frame.picture.withPicture {
        Background(image: $0, color: color, fit: fit, for: format)
      }
      guard let background else { continue }
      let next = index + 1 < frames.count ? frames[index + 1].time : 0
      let (own, isTooLate) = frame.time.addingReportingOverflow(
        frame.duration > 0 ? frame.duration : usual)
      let end = next > frame.time ? next : isTooLate ? UInt64.max : own
      reel.append(Frame(background: background, end: max(end, (reel.last?.end ?? 0) + 1)))
    }
    return reel
  }

  private static func still(_ file: HostileFile, _ reason: String) -> ElementError {
    ElementError(
      .wrongContent, "\(file.path) stands still behind, as its first frame: \(reason)")
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
