import Faces
import Pixels

/// Knows the faces of a stream from frame to frame, and how far each is faded in.
struct FaceFollower {
  /// Faces of this frame, and those that left and are fading out.
  private(set) var tracks: [FaceTrack] = []
  /// Tracks to be used again, with their memory.
  private var spare: [FaceTrack] = []
  private var incoming = FaceOutline()
  private var isFirstFrame = true
  private let mostFaces: Int

  init(mostFaces: Int) {
    self.mostFaces = mostFaces
  }

  /// Forgets all faces; those of the next frame are there in full at once.
  mutating func forget() {
    for track in tracks { retire(track) }
    tracks.removeAll(keepingCapacity: true)
    isFirstFrame = true
  }

  /// Takes note of a frame without faces while none is known.
  mutating func noteEmptyFrame() { isFirstFrame = false }

  /// Takes in the faces of the next frame: finds their tracks, and fades in or out.
  mutating func follow(
    _ faces: [Face], mask: BeautifySettings.Mask, width: Int, height: Int
  ) {
    for track in tracks { track.isSeen = false }
    if mask == .full {
      let whole = Face(id: 0, confidence: 1, box: Rectangle(x: 0, y: 0, width: 1, height: 1))
      if outlines(whole, .full, width, height) {
        see(whole, of: [])
        tracks.first?.level = FaceTrack.levels
      }
    } else {
      for face in faces.prefix(mostFaces)
      where outlines(face, mask, width, height) {
        see(face, of: faces)
      }
    }
    var kept = 0
    for index in tracks.indices {
      let track = tracks[index]
      track.level += track.isSeen ? 1 : -1
      if track.level > FaceTrack.levels || (isFirstFrame && track.isSeen) {
        track.level = FaceTrack.levels
      }
      if track.level > 0 {
        tracks[kept] = track
        kept += 1
      } else {
        retire(track)
      }
    }
    tracks.removeLast(tracks.count - kept)
    isFirstFrame = false
  }

  /// Whether any of the faces can be treated: has data that can be believed and is in the frame.
  mutating func canSee(
    _ faces: [Face], mask: BeautifySettings.Mask, width: Int, height: Int
  ) -> Bool {
    for face in faces.prefix(mostFaces) where outlines(face, mask, width, height) { return true }
    return false
  }

  /// Builds the face's outline in `incoming`; false where there is nothing to treat.
  private mutating func outlines(
    _ face: Face, _ mask: BeautifySettings.Mask, _ width: Int, _ height: Int
  ) -> Bool {
    let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    return incoming.build(
      face, mask: mask, width: width, height: height, minimumMargin: FaceScale.leastMargin)
      && incoming.bounds.intersection(frame).area > 0
  }

  /// Gives the outline in `incoming` to the face's track: that of its id, else one whose face is
  /// missing and was in the same place, else a new one.
  private mutating func see(_ face: Face, of faces: [Face]) {
    // Two detectors may report the same face.
    for track in tracks where track.isSeen {
      if track.outline.bounds.iou(incoming.bounds) > 0.8 { return }
    }
    var found: FaceTrack?
    if face.id != 0 {
      for track in tracks where track.id == face.id && !track.isSeen { found = track }
    }
    if found == nil {
      var best = 0.4
      for track in tracks where !track.isSeen {
        let iou = track.outline.bounds.iou(incoming.bounds)
        if iou > best, track.id == 0 || !faces.contains(where: { $0.id == track.id }) {
          best = iou
          found = track
        }
      }
    }
    let track: FaceTrack
    if let found {
      track = found
    } else {
      guard tracks.count < 2 * mostFaces else { return }
      track = spare.popLast() ?? FaceTrack()
      tracks.append(track)
    }
    track.id = face.id
    track.isSeen = true
    swap(&track.outline, &incoming)
    track.settle()
  }

  private mutating func retire(_ track: FaceTrack) {
    track.forget()
    spare.append(track)
  }
}
