import Pixels

/// Boxes in which the mesh network has seen no face, so that an object that resembles one is not
/// verified in every picture.
struct Rejections {
  private var boxes: [(box: Rectangle, time: Double)] = []

  mutating func removeAll() { boxes.removeAll(keepingCapacity: true) }

  mutating func add(_ box: Rectangle, at time: Double) {
    boxes.removeAll { time - $0.time >= Track.verificationTime }
    boxes.append((box, time))
  }

  /// Whether such a box was rejected a moment ago.
  func contains(_ box: Rectangle, at time: Double) -> Bool {
    boxes.contains { time - $0.time < Track.verificationTime && $0.box.iou(box) > 0.6 }
  }
}
