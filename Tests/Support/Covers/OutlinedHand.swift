package import Pixels

/// A hand before the face in a frame of `RealScene.moods`, outlined by eye to about two pixels.
package struct OutlinedHand: Sendable {
  /// From 0.
  package let frame: Int
  private let outline: [Point]

  private init(_ frame: Int, _ outline: [(Double, Double)]) {
    self.frame = frame
    self.outline = outline.map { Point(x: $0.0, y: $0.1) }
  }

  /// A fist before the mouth, and fingers on the nose and an eye.
  package static let all = [
    OutlinedHand(
      80,
      [
        (356.7, 281.7), (366.7, 271.7), (380, 261.7), (393.3, 258.3), (402.7, 263.3),
        (411.7, 266.7), (426.7, 266.7), (436.7, 269.3), (448.3, 276.7), (460, 282.7),
        (468.3, 288.3), (465, 295), (453.3, 297.7), (438.3, 296), (425, 291), (406.7, 289.3),
        (396.7, 288.3), (392.7, 295), (390.7, 300), (393.3, 301.7), (406.7, 300), (420, 301.7),
        (428.3, 310), (433.3, 320), (440, 333.3), (450, 350), (452.7, 360), (305, 360),
        (310, 340), (315, 320), (320, 311.7), (333.3, 305), (341.7, 296.7),
      ]),
    OutlinedHand(
      120,
      [
        (321.7, 360), (321, 333.3), (325, 321.7), (335, 308.3), (343.3, 290), (348.3, 276.7),
        (355, 260), (360, 248.3), (370, 236.7), (380, 223.3), (393.3, 208.3), (403.3, 198.3),
        (411.7, 188.3), (418.3, 176.7), (425, 173.3), (433.3, 180), (438.3, 191.7),
        (445, 198.3), (448.3, 206.7), (446.7, 220), (440, 240), (433.3, 258.3), (423.3, 276.7),
        (416.7, 290), (414.3, 305), (426.7, 293.3), (436.7, 281.7), (446.7, 271.7),
        (456.7, 258.3), (465, 251.7), (470, 255), (471.7, 261.7), (468.3, 273.3),
        (463.3, 283.3), (456.7, 296.7), (450, 310), (441.7, 323.3), (436.7, 333.3),
        (431.7, 343.3), (423.3, 360),
      ]),
  ]

  /// How much of each pixel is covered: 1, 0, or something between within two pixels of the outline.
  package func truth(width: Int, height: Int) -> Grid<Float> {
    let truth = Grid<Float>(width: width, height: height, of: 0)
    for y in 0..<height {
      let row = truth.row(y)
      for x in 0..<width {
        let p = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        row[x] = distance(p) < 2 ? 0.3 : contains(p) ? 1 : 0
      }
    }
    return truth
  }

  private func forEachSide(_ body: (Point, Point) -> Void) {
    for index in outline.indices { body(outline[index], outline[(index + 1) % outline.count]) }
  }

  private func distance(_ p: Point) -> Double {
    var least = Double.infinity
    forEachSide { a, b in
      let side = b - a
      let along =
        ((p.x - a.x) * side.x + (p.y - a.y) * side.y) / (side.x * side.x + side.y * side.y)
      least = min(least, (p - (a + side * min(max(along, 0), 1))).length)
    }
    return least
  }

  private func contains(_ p: Point) -> Bool {
    var isInside = false
    forEachSide { a, b in
      if (a.y > p.y) != (b.y > p.y), p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y) {
        isInside.toggle()
      }
    }
    return isInside
  }
}
