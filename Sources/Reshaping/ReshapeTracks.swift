import Faces
import Pixels

/// The state of a face from frame to frame.
final class ReshapeState {
  /// Its last detected shape.
  var shape: FaceShape?
  /// Whether the face is selected for reshaping.
  var isSelected = true
  let grid = WarpGrid()
  /// What is in front of the face.
  var cover = CoverMap()

  var area: Double { shape.map { $0.width * $0.halfHeight } ?? 0 }
}

/// The faces of a stream and how far the reshaping of each is faded in, so that no face springs in
/// or out of shape.
///
/// Faces of the first frame are reshaped at once, later ones over 0.2 s. A missing face moves on at
/// its velocity while its reshaping fades.
struct ReshapeTracks {
  /// Seconds.
  private static let fadeInTime = 0.2, fadeOutTime = 0.15
  /// Maximum number of faces that are reshaped at a time.
  static let maximumFaces = 64

  private(set) var tracks = FaceTracks(maximum: 2 * maximumFaces) { ReshapeState() }

  mutating func removeAll() { tracks.removeAll() }

  /// Updates the tracks with the faces of a frame that comes `elapsed` seconds after the last one.
  mutating func update(
    _ faces: [Face], largestOnly: Bool, elapsed: Double, width: Int, height: Int, aspect: Double
  ) {
    let seconds = elapsed > 0 ? min(elapsed, 1e6) : 0
    tracks.beginFrame(elapsed: Int64((seconds * 1e9).rounded()))
    for face in faces.prefix(Self.maximumFaces) {
      guard let shape = FaceShape(face, width: width, height: height, aspect: aspect) else {
        continue
      }
      updateTrack(shape, face, among: faces)
    }
    if largestOnly { selectLargest() }
    tracks.fade(in: elapsed / Self.fadeInTime, out: elapsed / Self.fadeOutTime) { $0.isSelected }
  }

  /// The shape of a face, predicted if it is missing.
  static func predictedShape(_ track: FaceTracks<ReshapeState>.Track) -> FaceShape? {
    guard track.missing > 0 else { return track.state.shape }
    return track.state.shape?.moved(by: track.offset(limit: Int64(fadeOutTime * 1e9)))
  }

  private mutating func updateTrack(_ shape: FaceShape, _ face: Face, among faces: [Face]) {
    // Two detectors may report the same face.
    for track in tracks where track.isSeen {
      if track.state.shape?.isSimilar(to: shape, within: 0.15) ?? false { return }
    }
    let index = tracks.match(
      face.id, among: faces.lazy.map { UInt64($0.id) },
      cost: { track in
        let isSimilar = Self.predictedShape(track)?.isSimilar(to: shape, within: 0.4) ?? false
        return isSimilar ? 0 : nil
      },
      reset: { ($0.shape, $0.grid.easedScale) = (nil, nil) })
    guard let index else { return }
    tracks.markSeen(index, at: shape.center)
    tracks[index].state.shape = shape
    tracks[index].state.isSelected = true
    tracks[index].state.cover.assign(face.cover)
  }

  private func selectLargest() {
    var largest = 0.0
    for track in tracks where track.isSeen { largest = max(largest, track.state.area) }
    var isFound = false
    for track in tracks where track.isSeen {
      track.state.isSelected = !isFound && track.state.area == largest
      isFound = isFound || track.state.isSelected
    }
  }
}

extension FaceShape {
  /// Whether another face has a similar size, and its centre is within `tolerance` of this one's
  /// width.
  fileprivate func isSimilar(to other: FaceShape, within tolerance: Double) -> Bool {
    (middle - other.middle).length < tolerance * width && width < 1.5 * other.width
      && other.width < 1.5 * width
  }
}
