import Binding
import Faces
import Frames
import Metadata
import Pixels

/// Reads the faces of each frame from its metadata.
///
/// Posts one warning if no detector seems to be upstream. Streaming thread only.
struct FaceInput {
  /// The number of frames without face metadata after which the warning is posted.
  private static let patience = 100

  private let element: String
  private let consequence: String
  private let readsEvery: Bool
  private(set) var faces: [Face] = []
  /// Whether the last frame that was read begins another scene than the one before: a cut.
  private(set) var isCut = false
  private var scene: Int?
  private var missing = 0
  private var hasSeenAny = false
  private var hasWarned = false

  /// Creates the input of `element`; `consequence` completes the warning's sentence about it.
  ///
  /// With `every`, the faces of all kinds of metadata are merged, and a face whose position cannot
  /// be read gets a box of NaNs. Otherwise only the first kind of metadata present is read.
  init(
    _ element: String, without consequence: String = "leaves them alone", every: Bool = false
  ) {
    (self.element, self.consequence, readsEvery) = (element, consequence, every)
  }

  /// Reads the faces of a frame of the given format into `faces`, reusing its storage.
  ///
  /// Without a host no warning is posted. Returns false if the frame has no face metadata.
  @discardableResult
  mutating func read(
    _ frame: borrowing FrameHeader, _ format: VideoFormat, _ host: ElementHost?
  ) -> Bool {
    let isRead =
      readsEvery
      ? frame.readFacesFromAllMetadata(into: &faces, width: format.width, height: format.height)
      : frame.readFaces(into: &faces, width: format.width, height: format.height)
    let lastScene = scene
    if let now = frame.scene { scene = now }
    isCut = lastScene != nil && scene != lastScene
    if isRead {
      missing = 0
      hasSeenAny = true
      return true
    }
    guard let host else { return false }
    missing += 1
    if missing == Self.patience { warnOnce(host) }
    return false
  }

  /// Posts the warning at the end of a stream that was too short to reach the threshold.
  mutating func warnAtEnd(_ host: ElementHost) {
    if !hasSeenAny, missing > 0 { warnOnce(host) }
  }

  private mutating func warnOnce(_ host: ElementHost) {
    guard !hasWarned else { return }
    hasWarned = true
    let frames = missing == 1 ? "A frame came" : "\(missing) frames came"
    host.warn(
      ElementError(
        .settings,
        "\(frames) without face metadata, so \(element) \(consequence). "
          + "Put facedetect or another face detector before it. Detectors that attach metadata "
          + "only to frames with faces cause this warning when no face is in view."))
  }

  /// Restarts the count, for example after a flush.
  mutating func reset() { (missing, scene, isCut) = (0, nil, false) }
}
