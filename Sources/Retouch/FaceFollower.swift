import Faces
import Pixels

/// The faces of a stream that are retouched, and how far the effect on each is faded in.
struct FaceFollower {
  /// Faces of this frame, and those that left and are fading out.
  private(set) var tracks: FaceTracks<FaceTrack>
  private var incoming = FaceOutline()
  private let maximumFaces: Int

  /// Frames over which a face fades in or out.
  private static let fading = 6.0

  init(maximumFaces: Int) {
    self.maximumFaces = maximumFaces
    tracks = FaceTracks(maximum: 2 * maximumFaces) { FaceTrack() }
  }

  /// Drops all faces; those of the next frame are retouched in full at once.
  mutating func removeAll() { tracks.removeAll() }

  /// Updates the tracks with a frame without faces.
  mutating func updateWithoutFaces() {
    tracks.beginFrame()
    fadeTracks()
  }

  /// Updates the tracks with the faces of the next frame.
  mutating func update(_ faces: [Face], mask: RetouchSettings.Mask, width: Int, height: Int) {
    tracks.beginFrame()
    if mask == .full {
      let whole = Face(id: 0, confidence: 1, box: Rectangle(x: 0, y: 0, width: 1, height: 1))
      if buildOutline(whole, .full, width, height) {
        updateTrack(whole, among: [])
        if !tracks.isEmpty { tracks[0].level = Self.fading }
      }
    } else {
      for face in faces.prefix(maximumFaces)
      where buildOutline(face, mask, width, height) {
        updateTrack(face, among: faces)
      }
    }
    fadeTracks()
  }

  private mutating func fadeTracks() {
    tracks.fade(in: 1, out: 1, upTo: Self.fading)
    for track in tracks { track.state.opacity = Float(track.level) / Float(Self.fading) }
  }

  /// Whether any of the faces has plausible data and is in the frame.
  mutating func canRetouch(
    _ faces: [Face], mask: RetouchSettings.Mask, width: Int, height: Int
  ) -> Bool {
    for face in faces.prefix(maximumFaces) where buildOutline(face, mask, width, height) {
      return true
    }
    return false
  }

  /// Builds the face's outline in `incoming`; false where there is nothing to retouch.
  private mutating func buildOutline(
    _ face: Face, _ mask: RetouchSettings.Mask, _ width: Int, _ height: Int
  ) -> Bool {
    let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    return incoming.build(
      face, mask: mask, width: width, height: height, minimumMargin: FaceScale.minimumFeatureMargin)
      && incoming.bounds.intersection(frame).area > 0
  }

  /// Moves the outline in `incoming` to the face's track; a missing face is the same one where the
  /// intersection over union of the bounds exceeds 0.4.
  private mutating func updateTrack(_ face: Face, among faces: [Face]) {
    let bounds = incoming.bounds
    // Two detectors may report the same face.
    for track in tracks where track.isSeen && track.state.outline.bounds.iou(bounds) > 0.8 {
      return
    }
    let index = tracks.match(
      face.id, among: faces.lazy.map { UInt64($0.id) },
      cost: { track in
        let iou = track.state.outline.bounds.iou(bounds)
        return iou > 0.4 ? -iou : nil
      },
      reset: { $0.reset() })
    guard let index else { return }
    tracks.markSeen(index)
    let track = tracks[index].state
    swap(&track.outline, &incoming)
    track.cover.assign(face.cover)
    track.updateSettledWidth()
  }
}
