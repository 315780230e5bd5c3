import Faces
import Pixels

/// A face as it was measured in one picture, in pixels of the upright picture.
struct Observation {
  var box: Rectangle
  /// The points of `Face.Keypoint`.
  var keypoints: [Point]
  /// None where the mesh is off or found no face.
  var mesh: Mesh?

  init(_ detection: Detection) {
    (box, keypoints) = (detection.faceBounds, detection.keypoints)
  }

  init(_ mesh: Mesh) {
    (box, keypoints) = (mesh.bounds, mesh.keypoints)
    self.mesh = mesh
  }

  /// Mean of width and height.
  var size: Double { (box.width + box.height) / 2 }

  /// The same face elsewhere; the mesh is left out.
  func moved(by offset: Point) -> Observation {
    var moved = self
    moved.mesh = nil
    moved.box.x += offset.x
    moved.box.y += offset.y
    for index in keypoints.indices { moved.keypoints[index] = keypoints[index] + offset }
    return moved
  }

  /// How far two history are apart, in face sizes: the mean over the keypoints.
  func distance(to other: Observation) -> Double {
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
  /// Measured in the current picture, or not found, and perhaps only hidden.
  enum State { case detected, missed }

  /// Memory of the face's motion, in seconds.
  private static let velocityTimeConstant = 0.15
  /// Memory of what is about to regionRates in the next picture, in seconds.
  private static let regionTimeConstant = 0.04

  /// 0 until it is reported.
  private(set) var id: UInt32 = 0
  /// Whether it has been reported as a face, and not only suspected to be one.
  var isConfirmed: Bool { id != 0 }
  /// Whether it is a face of the current picture.
  var isReported: Bool { isConfirmed && state == .detected }
  /// The tile of the picture in which it was found, or nil for the whole.
  var tile: Int?
  /// Pictures in which it was sighted, the latest in the lowest bit.
  private var history: UInt8 = 0
  private(set) var observation: Observation
  private(set) var state = State.detected
  /// The detector's latest score.
  var score: Double
  /// Pixels a second.
  private(set) var velocity = Point.zero
  /// Stream time of `observation`, seconds.
  private(set) var lastUpdate: Double
  /// Runs of the detector since it last saw this face.
  var runsWithoutDetection = 0
  /// How surely the mesh network saw a face, 0...1.
  var probability = 1.0
  /// Whether the latest observation is the first or the first after a gap: there is nothing to smooth
  /// it with.
  private(set) var isFirstAfterGap = true
  /// Where the mesh was looked for last, or rather should have been, and how that place changes.
  private var region: Region?
  private var regionRates = (center: Point.zero, growth: 0.0, turn: 0.0)
  /// What following has found in the current picture, before it is settled whose face it is.
  var measurement: (observation: Observation, probability: Double)?
  var smoother = FaceSmoother()
  var expressionEvents = ExpressionEventDetector()

  init(_ observation: Observation, score: Double, time: Double) {
    (self.observation, self.score) = (observation, score)
    lastUpdate = time
    region = observation.mesh?.region
  }

  /// Reports it from now on, under this number.
  func confirm(as id: UInt32) { self.id = id }

  /// Begins another picture, and says whether it may still become a face.
  func advanceConfirmationWindow() -> Bool {
    history <<= 1
    let (pictures, needed) = ConfirmationRule.window
    let past = history & (1 << pictures - 1)
    // As many pictures as are left of the window that began with the first observation.
    let left = pictures - (UInt8.bitWidth - past.leadingZeroBitCount) + 1
    return past != 0 && past.nonzeroBitCount + left >= needed
  }

  /// Notes that it was sighted in the current picture; says whether that was often enough.
  func countObservation() -> Bool {
    history |= 1
    return (history & (1 << ConfirmationRule.window.pictures - 1)).nonzeroBitCount
      >= ConfirmationRule.window.observations
  }

  /// Where the face is expected at `time`.
  func predicted(at time: Double) -> Observation { observation.moved(by: displacement(at: time)) }

  /// How far the face has moved since it was last detected, if it goes on as it went.
  func displacement(at time: Double) -> Point {
    let elapsed = max(0, min(time - lastUpdate, 1))
    let offset = velocity * elapsed
    // Less than this is the jitter of a face at rest, not a motion.
    return offset.length > 0.02 * observation.size ? offset : Point.zero
  }

  /// Where the mesh should be looked for at `time`; nil for a face without mesh.
  func predictedMeshRegion(at time: Double) -> Region? {
    guard var region else { return nil }
    let elapsed = time - lastUpdate
    if state == .detected {
      // The rates of the last few pictures: good for the next one, not for long.
      let ahead = min(elapsed, 0.1)
      let shift = regionRates.center * ahead
      let growth = regionRates.growth * ahead
      let turn = regionRates.turn * ahead
      if shift.length > 0.02 * observation.size { region.center = region.center + shift }
      if abs(turn) > 0.02 { region.angle += max(-0.3, min(turn, 0.3)) }
      if abs(growth) > 0.01 { region.width *= 1 + max(-0.2, min(growth, 0.2)) }
      region.height = region.width
    } else {
      region.center = region.center + displacement(at: time)
    }
    return region
  }

  /// Learns how the region changes, `seconds` after the last one.
  private func updateRegionRates(_ new: Region?, seconds: Double) {
    defer { region = new }
    guard let new, let old = region, state == .detected, seconds > 0 else {
      regionRates = (Point.zero, 0, 0)
      return
    }
    let share = seconds / (seconds + Self.regionTimeConstant)
    func mix(_ old: Double, _ new: Double) -> Double { old + share * (new - old) }
    let turn = (new.angle - old.angle).remainder(dividingBy: 2 * .pi)
    regionRates.center.x = mix(regionRates.center.x, (new.center.x - old.center.x) / seconds)
    regionRates.center.y = mix(regionRates.center.y, (new.center.y - old.center.y) / seconds)
    regionRates.growth = mix(regionRates.growth, (new.width / old.width - 1) / seconds)
    regionRates.turn = mix(regionRates.turn, turn / seconds)
  }

  /// Takes a new observation; motion is not learnt beside another face, for the points of a half hidden
  /// face are drawn toward the face before it.
  func update(_ new: Observation, at time: Double, isCrowded: Bool) {
    let elapsed = time - lastUpdate
    updateRegionRates(new.mesh?.region, seconds: elapsed)
    if state == .detected && elapsed > 0 {
      if !isCrowded {
        let measured = (new.box.center - observation.box.center) * (1 / elapsed)
        velocity =
          velocity + (measured - velocity) * (elapsed / (elapsed + Self.velocityTimeConstant))
      }
      isFirstAfterGap = false
    } else {
      isFirstAfterGap = true
    }
    observation = new
    lastUpdate = time
    state = .detected
  }

  func markMissed() { state = .missed }

  /// How far from its expected place a face was found, in face sizes.
  func predictionError(to found: Observation, at time: Double) -> Double {
    (found.box.center - predicted(at: time).box.center).length / max(observation.size, 1e-9)
  }
}
