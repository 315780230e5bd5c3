package import Faces
import Pixels

/// The faces of a stream some of whose frames are kept back: faces of later frames say what is hidden
/// in those that leave.
///
/// Call `enqueue` for every frame that comes and `dequeue` for every frame that leaves, in the same
/// order. Times are in seconds and rise whichever way the stream is played; where they do not, or are
/// not known, frames count as `interval` apart. Allocates nothing once it has had as many faces and
/// kept as many frames as there ever are. Not for two threads at once.
package final class FaceTimeline {
  /// Maximum number of tracks, those of held faces included.
  ///
  /// A frame with one more is hidden whole: each takes its time.
  private static let maximumTracks = 4 * Face.maximumPerFrame

  private struct QueuedFrame {
    let time: Double
    /// Whether metadata says where the faces are.
    let isKnown: Bool
    /// Whether the position of one of its faces is unknown.
    let hasLostFace: Bool
  }

  /// Seconds between frames of which no times are known.
  package var interval = 1.0 / 30

  private var queue: [QueuedFrame] = []
  /// Numbers of the next frame to come and of the next to leave.
  private var nextEnqueued = 0
  private var nextDequeued = 0
  private var streamTime = 0.0
  private var lastTime: Double?
  private var tracks = FaceTracks(maximum: maximumTracks) { FacePath() }
  private var size = (width: 0, height: 0)

  /// What is hidden in the frame that left last.
  package private(set) var areas: [HiddenArea] = []
  /// Whether metadata says where the faces of that frame are.
  package private(set) var isKnown = true

  package init() {}

  /// Sets the size of the frames that follow; the tracks are kept.
  package func configure(width: Int, height: Int) {
    defer { size = (width, height) }
    guard size != (width, height), size.width > 0 else { return }
    let (x, y) = (Double(width) / Double(size.width), Double(height) / Double(size.height))
    for track in tracks { track.state.scale(x: x, y: y) }
  }

  /// Drops all frames and faces.
  package func reset() {
    queue.removeAll(keepingCapacity: true)
    tracks.removeAll()
    areas.removeAll(keepingCapacity: true)
    (nextEnqueued, nextDequeued, streamTime, lastTime) = (0, 0, 0, nil)
  }

  // MARK: Frames that come

  /// Adds the faces of the next frame; nil where no metadata says where they are.
  ///
  /// Without `arePositionsValid` their positions may be those of another picture: each face may be anywhere,
  /// and an empty list says nothing about this frame.
  package func enqueue(_ faces: [Face]?, time: Double?, arePositionsValid: Bool = true) {
    advance(to: time)
    tracks.beginFrame()
    var hasLostFace = false
    if !arePositionsValid {
      hasLostFace = faces?.isEmpty == false
    } else if let faces {
      hasLostFace = faces.count > Face.maximumPerFrame
      for face in faces.prefix(Face.maximumPerFrame) {
        switch HeadRegion(face, width: size.width, height: size.height) {
        case .known(let region): if !add(face, region) { hasLostFace = true }
        case .unknown: hasLostFace = true
        }
      }
    }
    let isKnown = hasLostFace || arePositionsValid && faces != nil
    queue.append(QueuedFrame(time: streamTime, isKnown: isKnown, hasLostFace: hasLostFace))
    nextEnqueued += 1
  }

  private func advance(to time: Double?) {
    defer { lastTime = time ?? lastTime }
    guard nextEnqueued > 0 else { return }
    if let time, let lastTime, time > lastTime {
      streamTime += time - lastTime
    } else {
      streamTime += interval
    }
  }

  /// Adds a face to its track; false when there is no room for a new one.
  private func add(_ face: Face, _ region: Region) -> Bool {
    // Two detectors may give different faces the same id.
    let key = UInt64(face.id) | face.source.number << 32
    guard let index = index(of: region, key, isTracked: face.id != 0) ?? newTrack(key, face.id)
    else { return false }
    tracks.markSeen(index)
    tracks[index].state.add(region, frame: nextEnqueued, time: streamTime)
    return true
  }

  /// The nearest track with the face's key; one of faces without ids must also be near and of about
  /// the same size.
  private func index(of region: Region, _ key: UInt64, isTracked: Bool) -> Int? {
    tracks.bestMissing { track in
      guard track.key == key, let predicted = track.state.predicted(time: streamTime) else {
        return nil
      }
      let ratio = region.size / max(predicted.size, 1e-9)
      let distance = (region.center - predicted.center).length / max(region.size, 1e-9)
      return isTracked || distance < 1 && ratio > 0.5 && ratio < 2 ? distance : nil
    }
  }

  private func newTrack(_ key: UInt64, _ id: UInt32) -> Int? {
    guard let index = tracks.add(key) else { return nil }
    tracks[index].state.reset(id: id)
    return index
  }

  // MARK: Frames that leave

  /// Sets `areas` to what is hidden in the next frame that leaves; lost faces are held for `hold`
  /// seconds.
  package func dequeue(hold: Double) {
    areas.removeAll(keepingCapacity: true)
    guard let frame = queue.first else {
      // A frame that did not come.
      isKnown = false
      return
    }
    queue.removeFirst()
    isKnown = frame.isKnown
    if frame.hasLostFace { areas.append(.wholeFrame(width: size.width, height: size.height)) }
    for track in tracks {
      let path = track.state
      guard let estimate = path.estimate(frame: nextDequeued, time: frame.time, hold: hold) else {
        continue
      }
      var area = HiddenArea(
        id: path.id, cause: estimate.cause, face: estimate.region, errorBound: estimate.errorBound)
      area.size = path.size
      areas.append(area)
    }
    let number = nextDequeued
    tracks.keep { !$0.state.hasEnded(frame: number, time: frame.time, hold: hold) }
    nextDequeued += 1
  }
}

extension Face.Source {
  fileprivate var number: UInt64 {
    switch self {
    case .mienFaces: 0
    case .region: 1
    case .detection: 2
    }
  }
}
