package import Faces
import Pixels

/// The faces of a stream with lookahead: faces of later frames also determine what is hidden in
/// earlier ones.
///
/// Call `enqueue` for each frame that arrives and `dequeue` for each frame that leaves, in the same
/// order. Times are in seconds and increase for every playback direction; otherwise, and if
/// unknown, frames count as `interval` apart. Allocates only when the number of faces or queued
/// frames reaches a new maximum. Not thread-safe.
package final class FaceTimeline {
  /// Maximum number of tracks, including those of held faces.
  ///
  /// A frame with more is hidden as a whole, which limits the time per frame.
  private static let maximumTracks = 4 * Face.maximumPerFrame

  private struct QueuedFrame {
    let time: Double
    /// Whether metadata gives the positions of faces.
    let isKnown: Bool
    /// Whether the position of any face is unknown.
    let hasLostFace: Bool
  }

  /// Assumed seconds between frames without times.
  package var interval = 1.0 / 30

  private var queue: [QueuedFrame] = []
  /// Numbers of the next frame to enqueue and to dequeue.
  private var nextEnqueued = 0
  private var nextDequeued = 0
  private var streamTime = 0.0
  private var lastTime: Double?
  private var tracks = FaceTracks(maximum: maximumTracks) { FacePath() }
  private var size = (width: 0, height: 0)

  /// The areas to hide in the frame dequeued last.
  package private(set) var areas: [HiddenArea] = []
  /// Whether metadata gives the positions of that frame's faces.
  package private(set) var isKnown = true

  package init() {}

  /// Sets the size in pixels of the frames that follow; tracks are kept.
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

  /// Adds the faces of the next frame; nil if no metadata gives them.
  ///
  /// Unless `arePositionsValid` the positions may belong to another picture: a face may be
  /// anywhere, and an empty list carries no information.
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
        case .known(let region, let marginScale):
          if !add(face, region, marginScale: marginScale) { hasLostFace = true }
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

  /// Adds a face to its track; false if there is no free track.
  private func add(_ face: Face, _ region: Region, marginScale: Double) -> Bool {
    // Different detectors may give different faces the same id.
    let key = UInt64(face.id) | face.source.number << 32
    guard let index = index(of: region, key, isTracked: face.id != 0) ?? newTrack(key, face.id)
    else { return false }
    tracks.markSeen(index)
    tracks[index].state.add(
      region, marginScale: marginScale, frame: nextEnqueued, time: streamTime)
    return true
  }

  /// The nearest track with the face's key.
  ///
  /// Without an id, the track must also be near and of similar size.
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

  /// Sets `areas` to what is hidden in the next frame that leaves.
  ///
  /// Lost faces are held for `hold` seconds.
  package func dequeue(hold: Double) {
    areas.removeAll(keepingCapacity: true)
    guard let frame = queue.first else {
      // The frame was never enqueued.
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
      (area.size, area.marginScale) = (path.size, estimate.marginScale)
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
