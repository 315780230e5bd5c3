import Pixels

/// A face as measured in one picture, in pixels of the upright picture.
struct Observation {
  var box: Rectangle
  /// The points of `Face.Keypoint`.
  var keypoints: [Point]
  /// Nil if the mesh is off, or found no face.
  var mesh: Mesh?

  init(_ detection: Detection) {
    (box, keypoints) = (detection.faceBounds, detection.keypoints)
  }

  init(_ mesh: Mesh) {
    (box, keypoints) = (mesh.bounds, mesh.keypoints)
    self.mesh = mesh
  }

  /// The mean of width and height.
  var size: Double { (box.width + box.height) / 2 }

  /// The translated observation, without the mesh.
  func moved(by offset: Point) -> Observation {
    var moved = self
    moved.mesh = nil
    moved.box.x += offset.x
    moved.box.y += offset.y
    for index in keypoints.indices { moved.keypoints[index] = keypoints[index] + offset }
    return moved
  }

  /// The distance of two observations in face sizes: the mean over the keypoints.
  func distance(to other: Observation) -> Double {
    let count = min(keypoints.count, other.keypoints.count)
    let unit = max((size + other.size) / 2, 1e-9)
    guard count > 0 else { return (box.center - other.box.center).length / unit }
    var sum = 0.0
    for index in 0..<count { sum += (keypoints[index] - other.keypoints[index]).length }
    return sum / (Double(count) * unit)
  }
}

/// A face tracked over time: tentative without an id, confirmed with one.
final class Track {
  /// Whether the face was observed in the latest picture; a missed one may be hidden.
  enum State { case detected, missed }

  /// The time constant of the velocity, in seconds.
  private static let velocityTimeConstant = 0.15
  /// The time constant of the rates of the mesh region, in seconds.
  private static let regionTimeConstant = 0.04

  /// 0 while it is tentative.
  private(set) var id: UInt32 = 0
  /// Whether it is reported as a face.
  var isConfirmed: Bool { id != 0 }
  /// Whether it is tentative, and was last detected by the network for turned faces alone.
  var isTurnedCandidate = false
  /// Whether it is a face of the current picture.
  var isReported: Bool { isConfirmed && state == .detected }
  /// The searches of the confirmation window with a detection, the latest in the lowest bit.
  private var history: UInt8 = 0
  private(set) var observation: Observation
  private(set) var state = State.detected
  /// The detector's latest score.
  var score: Double
  /// In pixels a second.
  private(set) var velocity = Point.zero
  /// The stream time of `observation`, in seconds.
  private(set) var lastUpdate: Double
  /// Searches that cover this face since it was last detected.
  var searchesWithoutDetection = 0
  /// The stream time of the latest detection or mesh, in seconds.
  private(set) var lastEvidence: Double
  /// The stream time of the latest detection, in seconds.
  private(set) var lastDetection: Double
  /// The face's luma, by which it is followed without a mesh.
  var template: FaceTemplate?
  /// The mesh network's latest probability of a face, and its time, where no meshes are wanted.
  private var verified: (probability: Double, time: Double)?
  /// Whether the face has had a mesh.
  var hadMesh: Bool { meshKind != nil }
  /// The network that measured the face's first mesh; a face keeps it, since the points of the
  /// two differ by 1.5 % of the eye distance.
  private(set) var meshKind: FaceMeshModel.Kind?
  /// The mesh network's probability of a face, 0...1.
  var probability = 1.0
  /// Whether the latest observation is the first, or the first after a gap, which has no state to
  /// be smoothed with.
  private(set) var isFirstAfterGap = true
  /// The latest mesh region, and its rates of change.
  private var region: Region?
  private var regionRates = (center: Point.zero, growth: 0.0, turn: 0.0)
  /// The measurement of the current picture, until `FaceTracker.resolveOverlaps`.
  var measurement: (observation: Observation, probability: Double)?
  var smoother = PointSmoother()
  var expressionEvents = ExpressionEventDetector()
  /// The latest filtered scores; empty before the first.
  var blendshapes: [Float] = []

  init(_ observation: Observation, score: Double, time: Double) {
    (self.observation, self.score) = (observation, score)
    (lastUpdate, lastEvidence, lastDetection) = (time, time, time)
    meshKind = observation.mesh?.kind
    region = observation.mesh?.region
  }

  /// The time in seconds for which the mesh network's opinion is valid, if it sees a face, and else.
  private static let verificationTime = (face: 1.0, none: 0.5)

  /// The mesh network's probability of a face, if it is recent.
  func verification(at time: Double) -> Double? {
    guard let (probability, checked) = verified else { return nil }
    let limit = probability > 0.9 ? Self.verificationTime.face : Self.verificationTime.none
    return time - checked < limit ? probability : nil
  }

  func recordVerification(_ probability: Double, at time: Double) { verified = (probability, time) }

  /// Makes it a confirmed track.
  func confirm(as id: UInt32) { self.id = id }

  /// Advances the confirmation window by a search; returns whether the track can still be confirmed.
  func advanceConfirmationWindow() -> Bool {
    history <<= 1
    let (searches, needed) = ConfirmationRule.window
    let past = history & (1 << searches - 1)
    // The searches that are left of the window that began with the first detection.
    let left = searches - (UInt8.bitWidth - past.leadingZeroBitCount) + 1
    return past != 0 && past.nonzeroBitCount + left >= needed
  }

  /// Counts a detection in the current search; returns whether there are enough in the window.
  func countDetection() -> Bool {
    history |= 1
    return (history & (1 << ConfirmationRule.window.searches - 1)).nonzeroBitCount
      >= ConfirmationRule.window.detections
  }

  /// The predicted observation at `time`.
  func predicted(at time: Double) -> Observation { observation.moved(by: displacement(at: time)) }

  /// The predicted displacement since the last observation.
  func displacement(at time: Double) -> Point {
    let elapsed = max(0, min(time - lastUpdate, 1))
    let offset = velocity * elapsed
    // A smaller displacement is the jitter of a face at rest.
    return offset.length > 0.02 * observation.size ? offset : Point.zero
  }

  /// The predicted region of the mesh network at `time`; nil for a face without mesh.
  func predictedMeshRegion(at time: Double) -> Region? {
    guard var region else { return nil }
    let elapsed = time - lastUpdate
    if state == .detected {
      // The rates are good for the next picture, but not for long.
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

  /// Updates the rates of the region, `seconds` after the last one.
  private func updateRegionRates(_ new: Region?, seconds: Double) {
    defer { region = new }
    guard let new, let old = region, state == .detected, seconds > 0 else {
      regionRates = (Point.zero, 0, 0)
      return
    }
    let weight = seconds / (seconds + Self.regionTimeConstant)
    func mix(_ old: Double, _ new: Double) -> Double { old + weight * (new - old) }
    let turn = (new.angle - old.angle).remainder(dividingBy: 2 * .pi)
    regionRates.center.x = mix(regionRates.center.x, (new.center.x - old.center.x) / seconds)
    regionRates.center.y = mix(regionRates.center.y, (new.center.y - old.center.y) / seconds)
    regionRates.growth = mix(regionRates.growth, (new.width / old.width - 1) / seconds)
    regionRates.turn = mix(regionRates.turn, turn / seconds)
  }

  /// Updates the track with an observation.
  ///
  /// The velocity is not updated beside another face, as the points of a half-hidden face are drawn
  /// toward the face before it.
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
    if let mesh = new.mesh { (lastEvidence, meshKind) = (time, meshKind ?? mesh.kind) }
  }

  /// Records a detection of the face at `time`.
  func recordDetection(score: Double, at time: Double) {
    // A single weak detection does not make a face doubtful.
    self.score = score > self.score ? score : 0.8 * self.score + 0.2 * score
    (lastEvidence, lastDetection, searchesWithoutDetection) = (time, time, 0)
  }

  /// Corrects the observation of the current picture, which came from the template, by a detection.
  ///
  /// The template knows the motion better, the detector the position and the size: a template drifts.
  /// A detection with a lower score than others of the face is less exact.
  func correct(by detected: Observation, score: Double) {
    let isGood = score > self.score - 0.1
    if detected.mesh != nil || (isGood && detected.box.iou(observation.box) < 0.5) {
      region = detected.mesh?.region
      observation = detected
    } else {
      let weight = isGood ? 0.4 : 0.1
      func mix(_ a: Double, _ b: Double) -> Double { a + weight * (b - a) }
      let (old, new) = (observation.box, detected.box)
      observation.box = Rectangle(
        x: mix(old.x, new.x), y: mix(old.y, new.y), width: mix(old.width, new.width),
        height: mix(old.height, new.height))
      for index in observation.keypoints.indices {
        let (a, b) = (observation.keypoints[index], detected.keypoints[index])
        observation.keypoints[index] = Point(x: mix(a.x, b.x), y: mix(a.y, b.y))
      }
    }
    template = nil
  }

  func markMissed() { state = .missed }

  /// The distance of a face from its predicted position, in face sizes.
  func predictionError(to found: Observation, at time: Double) -> Double {
    (found.box.center - predicted(at: time).box.center).length / max(observation.size, 1e-9)
  }
}
