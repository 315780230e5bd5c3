import Pixels

/// A face as it was measured in one picture, in pixels of the upright picture.
struct Sighting {
  var box: Rectangle
  /// The points of `Face.Keypoint`.
  var keypoints: [Point]
  /// None where the mesh is off or found no face.
  var mesh: Mesh?

  init(_ detection: Detection) {
    box = detection.box
    keypoints = detection.keypoints
  }

  init(_ mesh: Mesh) {
    box = mesh.bounds
    keypoints = mesh.keypoints
    self.mesh = mesh
  }

  /// Mean of width and height.
  var size: Double { (box.width + box.height) / 2 }

  /// The same face elsewhere; the mesh is left out.
  func moved(by offset: Point) -> Sighting {
    var moved = self
    moved.mesh = nil
    moved.box.x += offset.x
    moved.box.y += offset.y
    for index in keypoints.indices { moved.keypoints[index] = keypoints[index] + offset }
    return moved
  }

  /// How far two sightings are apart, in face sizes: the mean over the keypoints.
  func distance(to other: Sighting) -> Double {
    let count = min(keypoints.count, other.keypoints.count)
    let unit = max((size + other.size) / 2, 1e-9)
    guard count > 0 else { return (box.center - other.box.center).length / unit }
    var sum = 0.0
    for index in 0..<count { sum += (keypoints[index] - other.keypoints[index]).length }
    return sum / (Double(count) * unit)
  }
}

/// One face through time.
final class Track {
  enum State {
    /// Measured in the current picture.
    case seen
    /// Not found in the current picture, and perhaps only hidden.
    case missed
  }

  /// Memory of the face's motion, in seconds.
  private static let inertia = 0.15

  let id: UInt32
  private(set) var sighting: Sighting
  private(set) var state = State.seen
  /// The detector's latest score.
  var score: Double
  /// Pixels a second.
  private(set) var velocity = Point(x: 0, y: 0)
  /// Stream time of `sighting`, seconds.
  private(set) var lastSeen: Double
  /// Runs of the detector since it last saw this face.
  var unconfirmedRuns = 0
  /// How surely the mesh network saw a face, 0...1.
  var presence = 1.0
  /// Whether the latest sighting is the first or the first after a gap: there is nothing to smooth
  /// it with.
  private(set) var isFresh = true
  /// What following has found in the current picture, before it is settled whose face it is.
  var candidate: (sighting: Sighting, presence: Double)?
  var smoother = FaceSmoother()
  var mood = FaceMood()

  init(id: UInt32, _ sighting: Sighting, score: Double, time: Double) {
    self.id = id
    self.sighting = sighting
    self.score = score
    lastSeen = time
  }

  /// Where the face is expected at `time`.
  func expected(at time: Double) -> Sighting { sighting.moved(by: offset(at: time)) }

  /// How far the face has moved since it was last seen, if it goes on as it went.
  func offset(at time: Double) -> Point {
    let elapsed = max(0, min(time - lastSeen, 1))
    let offset = velocity * elapsed
    // Less than this is the jitter of a face at rest, not a motion.
    return offset.length > 0.02 * sighting.size ? offset : Point(x: 0, y: 0)
  }

  /// Takes a new sighting. Beside another face the motion is not learnt from it: the points of
  /// a half hidden face are drawn toward the face before it.
  func see(_ new: Sighting, at time: Double, isCrowded: Bool) {
    let elapsed = time - lastSeen
    if state == .seen && elapsed > 0 {
      if !isCrowded {
        let measured = (new.box.center - sighting.box.center) * (1 / elapsed)
        velocity = velocity + (measured - velocity) * (elapsed / (elapsed + Self.inertia))
      }
      isFresh = false
    } else {
      isFresh = true
    }
    sighting = new
    lastSeen = time
    state = .seen
  }

  func miss() { state = .missed }

  /// How far from its expected place a face was found, in face sizes.
  func jump(to found: Sighting, at time: Double) -> Double {
    (found.box.center - expected(at: time).box.center).length / max(sighting.size, 1e-9)
  }
}
