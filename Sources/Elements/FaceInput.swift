import Binding
import Faces
import Frames
import Metadata
import Pixels

/// The faces of each frame, as an element that uses them reads them from its metadata.
///
/// Says once when no detector seems to be upstream. Streaming thread only.
struct FaceInput {
  /// Frames without any face metadata after which the element asks for a detector.
  private static let patience = 100

  private let element: String
  private let consequence: String
  private let readsEvery: Bool
  private(set) var faces: [Face] = []
  private var missing = 0
  private var hasSeenAny = false
  private var hasWarned = false

  /// Of an element of this name, which without faces does as the predicate says.
  ///
  /// With `every` the faces are those of all metadata together, and one whose place cannot be read has
  /// a box of no numbers; else they are those of the first kind that there is.
  init(
    _ element: String, without consequence: String = "leaves them alone", every: Bool = false
  ) {
    (self.element, self.consequence, readsEvery) = (element, consequence, every)
  }

  /// Reads the faces of a frame of the given format, reusing what the last one needed.
  ///
  /// Without a host nobody is told that there are none. False where nothing says whether there are.
  @discardableResult
  mutating func read(
    _ frame: borrowing FrameHeader, _ format: VideoFormat, _ host: ElementHost?
  ) -> Bool {
    let isRead =
      readsEvery
      ? frame.readEveryFace(into: &faces, width: format.width, height: format.height)
      : frame.readFaces(into: &faces, width: format.width, height: format.height)
    if isRead {
      missing = 0
      hasSeenAny = true
      return true
    }
    guard let host else { return false }
    missing += 1
    if missing == Self.patience { warn(host) }
    return false
  }

  /// The stream is over: says what shorter ones would not hear otherwise.
  mutating func ended(_ host: ElementHost) {
    if !hasSeenAny, missing > 0 { warn(host) }
  }

  private mutating func warn(_ host: ElementHost) {
    guard !hasWarned else { return }
    hasWarned = true
    let frames = missing == 1 ? "A frame came" : "\(missing) frames came"
    host.warn(
      ElementError(
        .settings,
        "\(frames) without face metadata, so \(element) \(consequence). "
          + "Put facedetect, or another face detector, before it. If there is a detector that "
          + "only speaks up when it sees a face, nobody was in view."))
  }

  /// Starts counting anew, as after a flush.
  mutating func reset() { missing = 0 }
}
