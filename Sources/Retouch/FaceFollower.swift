import Faces
import Pixels

/// Knows the faces of a stream from frame to frame, and how far each is faded in.
struct FaceFollower {
  /// Faces of this frame, and those that left and are fading out.
  private(set) var tracks: PerFace<FaceTrack>
  private var incoming = FaceOutline()
  private var isFirstFrame = true
  private let maximumFaces: Int

  init(maximumFaces: Int) {
    self.maximumFaces = maximumFaces
    tracks = PerFace(most: 2 * maximumFaces) { FaceTrack() }
  }

  /// Forgets all faces; those of the next frame are there in full at once.
  mutating func forget() {
    tracks.removeAll()
    isFirstFrame = true
  }

  /// Takes note of a frame without faces while none is known.
  mutating func noteEmptyFrame() { isFirstFrame = false }

  /// Takes in the faces of the next frame: finds their tracks, and fades in or out.
  mutating func follow(_ faces: [Face], mask: RetouchSettings.Mask, width: Int, height: Int) {
    tracks.beginFrame()
    if mask == .full {
      let whole = Face(id: 0, confidence: 1, box: Rectangle(x: 0, y: 0, width: 1, height: 1))
      if outlines(whole, .full, width, height) {
        see(whole, of: [])
        if let track = tracks.first?.state { track.level = FaceTrack.levels }
      }
    } else {
      for face in faces.prefix(maximumFaces)
      where outlines(face, mask, width, height) {
        see(face, of: faces)
      }
    }
    tracks.keep { known in
      let track = known.state
      track.level += known.isSeen ? 1 : -1
      if track.level > FaceTrack.levels || (isFirstFrame && known.isSeen) {
        track.level = FaceTrack.levels
      }
      return track.level > 0
    }
    isFirstFrame = false
  }

  /// Whether any of the faces can be treated: has data that can be believed and is in the frame.
  mutating func canSee(
    _ faces: [Face], mask: RetouchSettings.Mask, width: Int, height: Int
  ) -> Bool {
    for face in faces.prefix(maximumFaces) where outlines(face, mask, width, height) { return true }
    return false
  }

  /// Builds the face's outline in `incoming`; false where there is nothing to treat.
  private mutating func outlines(
    _ face: Face, _ mask: RetouchSettings.Mask, _ width: Int, _ height: Int
  ) -> Bool {
    let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    return incoming.build(
      face, mask: mask, width: width, height: height, minimumMargin: FaceScale.minimumFeatureMargin)
      && incoming.bounds.intersection(frame).area > 0
  }

  /// Gives the outline in `incoming` to the face's track: that of its id, else one whose face is
  /// missing and was in the same place, else a new one.
  private mutating func see(_ face: Face, of faces: [Face]) {
    // Two detectors may report the same face.
    for known in tracks where known.isSeen {
      if known.state.outline.bounds.iou(incoming.bounds) > 0.8 { return }
    }
    let key = UInt64(face.id)
    var place = face.id == 0 ? nil : tracks.lastIndex { $0.key == key && !$0.isSeen }
    place = place ?? placeOfMissing(faces)
    if place == nil {
      place = tracks.add(key)
      if let place { tracks[place].state.forget() }
    }
    guard let place else { return }
    tracks[place].key = key
    tracks[place].isSeen = true
    let track = tracks[place].state
    swap(&track.outline, &incoming)
    track.settle()
  }

  /// The place of a face that none of `faces` is and that was where `incoming` is.
  private func placeOfMissing(_ faces: [Face]) -> Int? {
    var best = 0.4
    var place: Int?
    for (index, known) in tracks.enumerated() where !known.isSeen {
      let iou = known.state.outline.bounds.iou(incoming.bounds)
      if iou > best, known.key == 0 || !faces.contains(where: { UInt64($0.id) == known.key }) {
        best = iou
        place = index
      }
    }
    return place
  }
}
