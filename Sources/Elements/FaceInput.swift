import Faces
import Gst
import Pixels

/// The faces of each frame, as an element that uses them reads them from its metadata.
///
/// Says once when no detector seems to be upstream. Streaming thread only.
struct FaceInput {
  /// Frames without any face metadata after which the element asks for a detector.
  private static let patience = 100

  private(set) var faces: [Face] = []
  private var missing = 0
  private var hasWarned = false

  /// Reads the faces of a frame of the given format, reusing what the last one needed.
  mutating func read(
    _ frame: borrowing FrameHeader, _ format: VideoFormat, _ host: ElementHost, _ name: String
  ) {
    if frame.readFaces(into: &faces, width: format.width, height: format.height) {
      missing = 0
      return
    }
    missing += 1
    guard missing == Self.patience, !hasWarned else { return }
    hasWarned = true
    host.warn(
      ElementError(
        .settings,
        "\(Self.patience) frames came without face metadata, so \(name) leaves them alone. "
          + "Put facedetect, or another face detector, before it. If there is a detector that "
          + "only speaks up when it sees a face, nobody was in view."))
  }

  /// Starts counting anew, as after a flush.
  mutating func reset() { missing = 0 }
}
