/// Decides which frames the network runs on: those in which enough has moved since its last run.
///
/// In between, the edge follows the picture's colours, so that a mask need not be exact. Motion
/// inside people does not count: mouths and gestures before the chest do not change it.
struct RunSchedule {
  /// The motion since the last run, in fractions of the picture, that asks for another one.
  private static let motion: Float = 0.02
  /// The frames after which a run is due if anything has moved, and if nothing has.
  private static let frames = (moved: 6, still: 30)
  /// The frames of a scene, or of a region, in which the network runs on each.
  private static let settling = 4

  private var moved: Float = 0
  private var settlingRuns = 0

  /// A scene begins, or the region has changed, so that the next masks differ.
  mutating func settle() { settlingRuns = Self.settling }

  /// Adds a frame's motion, 0...1.
  mutating func add(_ motion: Float) { moved += motion }

  /// Whether the network runs on a frame, which is the given number after the last run.
  mutating func isDue(after frames: Int) -> Bool {
    let limit = moved > 0 ? Self.frames.moved : Self.frames.still
    guard settlingRuns > 0 || moved >= Self.motion || frames >= limit else { return false }
    settlingRuns = max(settlingRuns - 1, 0)
    moved = 0
    return true
  }
}
