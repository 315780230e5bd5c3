package import Pixels

/// Real pictures without people, as backgrounds, which `make setup` downloads.
///
/// The selection was made before any measurement. It contains every colour photograph from the
/// package of the test photograph with at least 600 x 400 pixels that was not taken through an
/// ophthalmic or laboratory instrument; the only part of the portraits with at least 480 x 270
/// pixels of pure background; and the middle frame of the film without people, which was rendered.
package enum RealRoom: Int, CaseIterable, Sendable {
  /// A cup on wood, from above; both have the red and brown of the skin and the suit.
  case cup
  /// A red motorcycle before full shelves.
  case garage
  /// A rocket between lattice towers, in the evening.
  case launch
  /// Galaxies on black.
  case stars
  /// A bright wall and curtains of blue and gold, out of focus.
  case curtains
  /// Letters before a sky with clouds.
  case sky

  /// The file, its size, and the part that is used.
  private var source: (file: String, width: Int, height: Int, part: Rectangle?) {
    switch self {
    case .cup: ("rooms/coffee.png", 600, 400, nil)
    case .garage: ("rooms/motorcycle_left.png", 741, 500, nil)
    case .launch: ("rooms/rocket.jpg", 640, 427, nil)
    case .stars: ("rooms/hubble_deep_field.jpg", 1000, 872, nil)
    case .curtains:
      ("scenes/obama3.jpg", 1434, 2333, Rectangle(x: 954, y: 300, width: 480, height: 270))
    case .sky: ("scenes/no_face.mp4", 960, 540, nil)
    }
  }

  package func load() throws -> RoomPicture {
    let (file, width, height, part) = source
    let pipeline = try Pipeline(
      "filesrc location=\"\(Photograph.models)/\(file)\" ! decodebin ! videoconvert"
        + " ! video/x-raw,format=RGB,width=\(width),height=\(height) ! fakesink name=sink")
    let wanted = self == .sky ? 49 : 0
    var frame = 0
    var bytes: [UInt8] = []
    try pipeline.watch("sink") {
      if frame == wanted { bytes = CapturedFrame($0).bytes }
      frame += 1
    }
    try pipeline.run()
    let picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    picture.fill(tightlyFrom: bytes)
    return RoomPicture(
      picture,
      part ?? Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)))
  }
}

/// A part of a picture, scaled to cover a frame.
package struct RoomPicture: Sendable {
  private let width, height: Int
  /// Red, green and blue, 0...255.
  private let colors: [SIMD3<Float>]

  fileprivate init(_ picture: OwnedPicture, _ part: Rectangle) {
    let (left, top) = (Int(part.x), Int(part.y))
    let (width, height) = (Int(part.width), Int(part.height))
    (self.width, self.height) = (width, height)
    colors = picture.withPicture { picture in
      let (r, g, b) = (picture.component(0), picture.component(1), picture.component(2))
      return (0..<width * height).map { index in
        let (x, y) = (left + index % width, top + index / width)
        return SIMD3(Float(r[x, y]), Float(g[x, y]), Float(b[x, y]))
      }
    }
  }

  /// The colour at coordinates relative to the frame's height, from its upper left, in a frame of
  /// this aspect ratio.
  func color(_ x: Float, _ y: Float, aspect: Float) -> SIMD3<Float> {
    // The scale from frame heights to pixels of the picture.
    let scale = min(Float(width) / aspect, Float(height))
    let u = (x - aspect / 2) * scale + Float(width) / 2 - 0.5
    let v = (y - 0.5) * scale + Float(height) / 2 - 0.5
    let (left, top) = (u.rounded(.down), v.rounded(.down))
    func pixel(_ dx: Int, _ dy: Int) -> SIMD3<Float> {
      colors[
        max(0, min(Int(top) + dy, height - 1)) * width + max(0, min(Int(left) + dx, width - 1))]
    }
    let (s, t) = (u - left, v - top)
    let above = pixel(0, 0) * (1 - s) + pixel(1, 0) * s
    let below = pixel(0, 1) * (1 - s) + pixel(1, 1) * s
    return above * (1 - t) + below * t
  }

  /// The picture that covers a frame of this size, as RGB.
  package func filled(width: Int, height: Int) -> OwnedPicture {
    let result = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    let (step, aspect) = (1 / Float(height), Float(width) / Float(height))
    result.withPicture { picture in
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        for x in 0..<width {
          let color = color((Float(x) + 0.5) * step, (Float(y) + 0.5) * step, aspect: aspect)
          for channel in 0..<3 { row[3 * x + channel] = UInt8(color[channel] + 0.5) }
        }
      }
    }
    return result
  }
}
