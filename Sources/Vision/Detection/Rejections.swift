import Pixels

/// Boxes in which the mesh network has seen no face, so that an object that resembles one is not
/// verified in every picture.
struct Rejections {
  /// The time for which a rejection is valid, in seconds.
  private static let memory = 0.5

  private var boxes: [(box: Rectangle, time: Double)] = []

  mutating func removeAll() { boxes.removeAll(keepingCapacity: true) }

  mutating func add(_ box: Rectangle, at time: Double) {
    boxes.removeAll { time - $0.time >= Self.memory }
    boxes.append((box, time))
  }

  /// Whether such a box was rejected a moment ago.
  func contains(_ box: Rectangle, at time: Double) -> Bool {
    boxes.contains { time - $0.time < Self.memory && $0.box.iou(box) > 0.6 }
  }
}
