import Faces
import Pixels

/// What is remembered of a face from frame to frame.
final class ReshapeTrack {
  var shape: FaceShape?
  /// In pixels a second.
  var velocity = Point.zero
  /// How far the reshaping is faded in, 0...1.
  var level = 0.0
  /// Seconds since the face was last there.
  var missing = 0.0
  /// Whether it is one of those that are to be reshaped.
  var isWanted = true
  let grid = WarpGrid()

  /// Where the face is, or would be by now.
  var place: FaceShape? {
    missing > 0 ? shape?.moved(by: velocity * min(missing, ReshapeTracks.fadingOut)) : shape
  }

  func forget() {
    shape = nil
    (velocity, level, missing) = (.zero, 0, 0)
  }
}

/// Knows the faces of a stream from frame to frame, so that none springs in or out of shape.
///
/// Those of the first frame are reshaped at once; one that comes later over a fifth of a second. One
/// that is missing goes on as it went while its reshaping fades, as its stickers do.
struct ReshapeTracks {
  static let fadingIn = 0.2
  static let fadingOut = 0.15
  /// Most faces that are reshaped at a time.
  static let most = 64

  private(set) var tracks = PerFace(most: 2 * most) { ReshapeTrack() }
  private var isFirstFrame = true

  mutating func forget() {
    tracks.removeAll()
    isFirstFrame = true
  }

  /// Takes in the faces of a frame that comes `elapsed` seconds after the last one.
  mutating func follow(
    _ faces: [Face], largestOnly: Bool, elapsed: Double, width: Int, height: Int, aspect: Double
  ) {
    tracks.beginFrame()
    for index in faces.indices.prefix(Self.most) {
      guard let shape = FaceShape(faces[index], width: width, height: height, aspect: aspect) else {
        continue
      }
      see(shape, faces, index, elapsed)
    }
    if largestOnly { wantLargest() }
    for known in tracks {
      let track = known.state
      if known.isSeen, isFirstFrame {
        track.level = track.isWanted ? 1 : 0
      } else if known.isSeen, track.isWanted {
        track.level = min(1, track.level + elapsed / Self.fadingIn)
      } else {
        track.level -= elapsed / Self.fadingOut
        if !known.isSeen { track.missing += elapsed }
      }
      track.level = max(0, track.level)
    }
    tracks.keep { $0.isSeen || $0.state.level > 0 }
    isFirstFrame = false
  }

  /// Gives a face to its track: that of its number, else one whose face is missing and was at the
  /// same place, else a new one.
  private mutating func see(_ shape: FaceShape, _ faces: [Face], _ index: Int, _ elapsed: Double) {
    // Two detectors may report the same face.
    for known in tracks where known.isSeen {
      if known.state.shape?.isSame(as: shape, within: 0.15) ?? false { return }
    }
    let id = faces[index].id
    // Faces that nobody tracks are told apart by their places alone.
    let key = UInt64(id)
    var place = id == 0 ? nil : tracks.lastIndex { $0.key == key && !$0.isSeen }
    if place == nil {
      place = tracks.firstIndex { known in
        !known.isSeen && (known.state.place?.isSame(as: shape, within: 0.4) ?? false)
          && !(known.key != 0 && faces.contains { UInt64($0.id) == known.key })
      }
    }
    if place == nil {
      place = tracks.add(key)
      if let place { tracks[place].state.forget() }
    }
    guard let place else { return }
    tracks[place].key = key
    tracks[place].isSeen = true
    let track = tracks[place].state
    if let old = track.shape, track.missing == 0, elapsed > 0, elapsed < 0.2 {
      let step = (shape.center - old.center) * (1 / elapsed)
      // As the stickers': quick enough for a turn, slow enough for noise.
      track.velocity =
        track.velocity + (step - track.velocity) * (elapsed / (elapsed + 0.15))
    } else {
      track.velocity = .zero
    }
    track.shape = shape
    track.missing = 0
    track.isWanted = true
  }

  private func wantLargest() {
    var largest = 0.0
    for known in tracks where known.isSeen { largest = max(largest, known.state.area) }
    var isFound = false
    for known in tracks where known.isSeen {
      known.state.isWanted = !isFound && known.state.area == largest
      isFound = isFound || known.state.isWanted
    }
  }
}

extension ReshapeTrack {
  fileprivate var area: Double { shape.map { $0.width * $0.halfHeight } ?? 0 }
}

extension FaceShape {
  /// Whether another is about as large and lies no more than a share of its width away.
  fileprivate func isSame(as other: FaceShape, within share: Double) -> Bool {
    (middle - other.middle).length < share * width && width < 1.5 * other.width
      && other.width < 1.5 * width
  }
}
