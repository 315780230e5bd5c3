package import Faces
import Pixels

/// What is known of the faces of a stream some of whose frames are kept back: those that have come
/// tell what is to be hidden in those that leave.
///
/// Call `arrive` for every frame that comes and `leave` for every frame that goes, in the same
/// order. Times are seconds that go forward whichever way the stream is played; where they do not,
/// or are not known, frames count as `interval` apart. Allocates nothing once it has seen as many
/// faces and kept as many frames as there ever are. Not for two threads at once.
package final class FaceTimeline {
  /// Faces that are followed at a time, held ones too.
  ///
  /// A frame with one more is hidden whole: each takes its time.
  private static let mostPaths = 4 * Face.maximumPerFrame

  private struct Moment {
    let time: Double
    /// Whether something said where the faces are.
    let isKnown: Bool
    /// Whether a face was there that could be anywhere.
    let isLost: Bool
  }

  /// Seconds between frames of which no times are known.
  package var interval = 1.0 / 30

  private var moments: [Moment] = []
  /// Numbers of the next frame to come and of the next to leave.
  private var next = 0
  private var leaving = 0
  private var clock = 0.0
  private var lastTime: Double?
  private var paths: [FacePath] = []
  private var spare: [FacePath] = []
  private var size = (width: 0, height: 0)

  /// What is hidden in the frame that left last.
  package private(set) var areas: [HiddenArea] = []
  /// Whether anything said where its faces are.
  package private(set) var isKnown = true

  package init() {}

  /// Learns the size of the frames that follow; what is known of faces goes on.
  package func configure(width: Int, height: Int) {
    defer { size = (width, height) }
    guard size != (width, height), size.width > 0 else { return }
    let (x, y) = (Double(width) / Double(size.width), Double(height) / Double(size.height))
    for path in paths { path.scale(x: x, y: y) }
  }

  /// Forgets all frames and faces.
  package func reset() {
    moments.removeAll(keepingCapacity: true)
    spare += paths
    paths.removeAll(keepingCapacity: true)
    areas.removeAll(keepingCapacity: true)
    (next, leaving, clock, lastTime) = (0, 0, 0, nil)
  }

  // MARK: Frames that come

  /// Takes the faces of the next frame; nil where nothing said where they are.
  ///
  /// Without `arePlaced` their places are perhaps those of another picture: each may be anywhere, and
  /// that there are none says nothing of this one.
  package func arrive(_ faces: [Face]?, time: Double?, arePlaced: Bool = true) {
    advance(to: time)
    var isLost = false
    if !arePlaced {
      isLost = faces?.isEmpty == false
    } else if let faces {
      isLost = faces.count > Face.maximumPerFrame
      for face in faces.prefix(Face.maximumPerFrame) {
        switch HeadPlace(face, width: size.width, height: size.height) {
        case .at(let region): if !see(region, face) { isLost = true }
        case .anywhere: isLost = true
        }
      }
    }
    let isKnown = isLost || arePlaced && faces != nil
    moments.append(Moment(time: clock, isKnown: isKnown, isLost: isLost))
    next += 1
  }

  private func advance(to time: Double?) {
    defer { lastTime = time ?? lastTime }
    guard next > 0 else { return }
    if let time, let lastTime, time > lastTime {
      clock += time - lastTime
    } else {
      clock += interval
    }
  }

  /// Takes a face; false where no more can be followed.
  private func see(_ region: Region, _ face: Face) -> Bool {
    guard let path = path(of: region, face) ?? newPath(face) else { return false }
    path.see(region, frame: next, time: clock)
    return true
  }

  /// The path this face goes on; nil for a new one.
  ///
  /// Of several with its number, as where two detectors count alike, the nearest.
  private func path(of region: Region, _ face: Face) -> FacePath? {
    var (best, least) = (FacePath?.none, face.id != 0 ? Double.infinity : 1.0)
    for path in paths
    where path.id == face.id && path.source == face.source && path.lastFrame < next {
      guard let expected = path.expected(time: clock) else { continue }
      let ratio = region.size / max(expected.size, 1e-9)
      let distance = (region.center - expected.center).length / max(region.size, 1e-9)
      if distance < least, face.id != 0 || ratio > 0.5 && ratio < 2 {
        (best, least) = (path, distance)
      }
    }
    return best
  }

  private func newPath(_ face: Face) -> FacePath? {
    guard paths.count < Self.mostPaths else { return nil }
    let path = spare.popLast() ?? FacePath()
    path.begin(face.id, face.source)
    paths.append(path)
    return path
  }

  // MARK: Frames that leave

  /// Finds out what is hidden in the next frame that leaves; lost faces are held for `hold` seconds.
  package func leave(hold: Double) {
    areas.removeAll(keepingCapacity: true)
    guard let moment = moments.first else {
      // A frame of which nobody told.
      isKnown = false
      return
    }
    moments.removeFirst()
    isKnown = moment.isKnown
    if moment.isLost { areas.append(.everything(width: size.width, height: size.height)) }
    var kept = 0
    for index in paths.indices {
      let path = paths[index]
      if let guess = path.guess(frame: leaving, time: moment.time, hold: hold) {
        var area = HiddenArea(
          id: path.id, cause: guess.cause, face: guess.region, slack: guess.slack)
        area.size = path.size
        areas.append(area)
      }
      if path.isOver(frame: leaving, time: moment.time, hold: hold) {
        spare.append(path)
      } else {
        paths[kept] = path
        kept += 1
      }
    }
    paths.removeLast(paths.count - kept)
    leaving += 1
  }
}
