import Binding
import Faces
import Files
import Frames
import Metadata

/// Reads the hands of each frame from its metadata, for packs that need them.
///
/// Posts one warning if hands are not searched for upstream. Streaming thread only.
struct HandInput: ~Copyable {
  /// The number of frames without metadata of hands after which the warning is posted.
  private static let patience = 30

  private(set) var hands: [TrackedHand] = []
  private let reader = MeasurementReader(.hands)
  private var missing = 0
  private var hasSeenAny = false
  private var hasWarned = false

  /// Says whether hands are needed, so that `facedetect` searches for them.
  func need(_ isNeeded: Bool) { reader.isReading = isNeeded }

  /// Reads the hands of a frame into `hands`, reusing its storage, for the sticker at `location`.
  mutating func read(
    _ frame: borrowing FrameHeader, for location: FilePath?, _ host: ElementHost
  ) {
    guard !frame.readHands(into: &hands) else {
      hasSeenAny = true
      return
    }
    missing += 1
    if missing == Self.patience { warnOnce(of: location, host) }
  }

  /// Posts the warning at the end of a stream that was too short to reach the threshold.
  mutating func warnAtEnd(of location: FilePath?, _ host: ElementHost) {
    if missing > 0 { warnOnce(of: location, host) }
  }

  private mutating func warnOnce(of location: FilePath?, _ host: ElementHost) {
    guard !hasSeenAny, !hasWarned else { return }
    hasWarned = true
    host.warn(
      ElementError(
        .settings,
        "The sticker \(location ?? "") waits for hands, which are not searched for, so items on hands "
          + "and for gestures stay hidden. Set hands=auto of facedetect."))
  }
}
