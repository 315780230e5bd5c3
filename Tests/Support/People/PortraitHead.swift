package import Pixels

/// A real head in a fetched picture: where its face and its outline are.
package struct PortraitHead: Sendable {
  /// RGB, row by row.
  let colors: [SIMD4<Float>]
  package let width, height: Int
  /// The face from the brow to the chin, in pixels of the picture.
  package let face: Rectangle
  /// The ellipse around the head with its hair is the one in this box.
  package let head: Rectangle
  /// The colour of the clothes that are drawn below the neck.
  let clothes: SIMD4<Float>
  /// Whether the background is bright and bluish or grey, which hair and skin are not.
  let hasSky: Bool

  /// The place of one head in its source.
  private struct Place {
    let scene: RealScene
    var frame = 0
    let face: Rectangle
    let head: Rectangle
    let clothes: SIMD4<Float>
    let hasSky: Bool

    init(
      _ scene: RealScene, frame: Int = 0, _ face: (Double, Double, Double, Double),
      head: (Double, Double, Double, Double), _ clothes: (Float, Float, Float),
      hasSky: Bool = false
    ) {
      (self.scene, self.frame, self.hasSky) = (scene, frame, hasSky)
      self.face = Rectangle(x: face.0, y: face.1, width: face.2, height: face.3)
      // Written as left, top, right and bottom.
      self.head = Rectangle(from: Point(x: head.0, y: head.1), to: Point(x: head.2, y: head.3))
      self.clothes = SIMD4(clothes.0, clothes.1, clothes.2, 0)
    }
  }

  /// The faces are as detected at full size; the outlines were measured by eye.
  private static let places = [
    Place(.group, (530, 320, 99, 115), head: (507, 284, 654, 446), (52, 58, 70), hasSky: true),
    Place(.group, (680, 300, 109, 119), head: (668, 257, 806, 432), (150, 120, 96)),
    Place(.group, (310, 247, 97, 112), head: (290, 210, 424, 374), (120, 34, 40)),
    Place(.group, (220, 73, 92, 98), head: (202, 12, 326, 182), (60, 62, 58), hasSky: true),
    Place(.group, (440, 220, 79, 88), head: (412, 162, 546, 314), (150, 190, 200), hasSky: true),
    Place(.hiker, (194, 174, 186, 223), head: (170, 66, 402, 412), (32, 36, 60)),
    Place(.highForehead, (427, 220, 289, 335), head: (386, 100, 742, 575), (40, 40, 46)),
    Place(.portrait, (373, 125, 238, 292), head: (348, 34, 636, 436), (44, 52, 74)),
    Place(.smile, (194, 276, 290, 359), head: (190, 164, 526, 652), (58, 52, 48)),
    Place(.flags, (645, 303, 275, 315), head: (624, 208, 942, 638), (48, 60, 92)),
    Place(.man, (220, 105, 151, 194), head: (210, 20, 382, 312), (28, 28, 30)),
    Place(.man, frame: 38, (217, 97, 151, 192), head: (206, 16, 378, 304), (70, 84, 62)),
    Place(.moods, frame: 238, (341, 45, 214, 275), head: (306, -28, 590, 342), (110, 88, 72)),
    Place(.moods, frame: 278, (333, 41, 219, 283), head: (300, -32, 590, 342), (84, 76, 110)),
    Place(.moods, frame: 318, (336, 37, 227, 287), head: (300, -34, 600, 342), (150, 140, 128)),
  ]

  /// All heads that there are: sixteen, of ten persons.
  package static func load() throws -> [PortraitHead] {
    var pictures: [String: OwnedPicture] = [:]
    for scene in Set(places.map(\.scene)) {
      let wanted = Set(places.filter { $0.scene == scene }.map(\.frame))
      var frame = 0
      try scene.forEachFrame { picture, _ in
        if wanted.contains(frame) { pictures["\(scene) \(frame)"] = picture.copy() }
        frame += 1
      }
    }
    var heads = places.compactMap { place in
      pictures["\(place.scene) \(place.frame)"].map {
        PortraitHead(
          $0, face: place.face, head: place.head, clothes: place.clothes,
          hasSky: place.hasSky)
      }
    }
    heads.append(
      PortraitHead(
        try Photograph.load(.rgb), face: Rectangle(x: 178, y: 68, width: 96, height: 110),
        head: Rectangle(from: Point(x: 152, y: 12), to: Point(x: 298, y: 190)),
        clothes: SIMD4(190, 84, 46, 0), hasSky: true))
    return heads
  }

  private init(
    _ picture: OwnedPicture, face: Rectangle, head: Rectangle, clothes: SIMD4<Float>,
    hasSky: Bool
  ) {
    (width, height) = (picture.width, picture.height)
    (self.face, self.head, self.clothes, self.hasSky) = (face, head, clothes, hasSky)
    var colors: [SIMD4<Float>] = []
    colors.reserveCapacity(picture.width * picture.height)
    picture.withPicture { picture in
      for y in 0..<picture.height {
        let row = picture.plane(0).row(y)
        for x in 0..<picture.width {
          colors.append(
            SIMD4(Float(row[3 * x]), Float(row[3 * x + 1]), Float(row[3 * x + 2]), 0))
        }
      }
    }
    self.colors = colors
  }

  /// The interpolated colour at a position; outside, that of the nearest edge.
  @inline(__always)
  static func sample(
    _ colors: UnsafeBufferPointer<SIMD4<Float>>, _ width: Int, _ height: Int, _ x: Float, _ y: Float
  ) -> SIMD4<Float> {
    let (u, v) = (max(0, min(x - 0.5, Float(width - 1))), max(0, min(y - 0.5, Float(height - 1))))
    let (left, top) = (Int(u), Int(v))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (s, t) = (u - Float(left), v - Float(top))
    let above = colors[top * width + left] * (1 - s) + colors[top * width + right] * s
    let below = colors[bottom * width + left] * (1 - s) + colors[bottom * width + right] * s
    return above * (1 - t) + below * t
  }
}
