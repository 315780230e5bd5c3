package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Single faces, 1280x720, from real heads and their mirrored copies: in the dark, rolled, and of
/// several sizes.
package final class PortraitVariants {
  /// How a portrait is shown.
  package enum Variant: Sendable {
    /// A fraction of the light, with the noise of a camera.
    case light(Double)
    /// The camera rolled by degrees.
    case roll(Double)
    /// The face's height as a fraction of the frame's.
    case size(Double)

    package static let all: [Variant] =
      [8, 16, 32, 64].map { .light(1 / $0) } + [0, 30, 60, 90, 120, 150, 180].map { .roll($0) }
      + [0.3, 0.6, 0.9, 1.2].map { .size($0) }

    /// A name without spaces.
    package var fileName: String {
      switch self {
      case .light(let fraction): "light\(Int((1 / fraction).rounded()))"
      case .roll(let degrees): "roll\(Int(degrees))"
      case .size(let fraction): "size\(Int((fraction * 100).rounded()))"
      }
    }

    package var name: String {
      switch self {
      case .light(let fraction): "light 1/\(Int((1 / fraction).rounded()))"
      case .roll(let degrees): "roll \(Int(degrees))"
      case .size(let fraction): "face \(Int((fraction * 100).rounded())) % of the height"
      }
    }
  }

  /// The number of portraits.
  package static let count = 25
  /// The height of the face where the variant does not set it.
  private static let usualSize = 0.4
  /// The electrons of white in full light, and those of the read noise, of a small camera.
  private static let (white, readNoise) = (4000.0, 5.0)

  package let width = 1280
  package let height = 720
  package let picture: OwnedPicture
  private let heads: [PortraitHead]
  private let rooms: [RoomPicture]

  package init(heads: [PortraitHead]? = nil) throws {
    picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    self.heads = try heads ?? PortraitHead.load()
    rooms = try RealRoom.allCases.map { try $0.load() }
  }

  /// Draws a portrait into `picture` and returns its face.
  package func draw(_ number: Int, _ variant: Variant) -> FaceTruth {
    var (size, roll, light) = (Self.usualSize, 0.0, 1.0)
    switch variant {
    case .light(let fraction): light = fraction
    case .roll(let degrees): roll = degrees * .pi / 180
    case .size(let fraction): size = fraction
    }
    // Thirteen heads, then twelve of them mirrored; light from 0.7 on.
    var random = SplitMix(UInt64(number))
    let chosen = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15].map { heads[$0 % heads.count] }
    let head = chosen[number % chosen.count]
    var look = PersonSprite.Look()
    look.isMirrored = number >= chosen.count
    look.gain = 0.7 + 0.3 * random.uniform()
    let (w, h) = (Double(width), Double(height))
    let scale = size * h / head.face.height
    let center = Point(
      x: w * (0.5 + 0.1 * Double(random.uniform() - 0.5)),
      y: h * (0.47 + 0.06 * Double(random.uniform() - 0.5)))
    let outline = PersonOutline(head, look)
    compose(
      outline, head, center, scale, roll, gain: look.gain, rooms[number % rooms.count])
    if light < 1 { darken(to: light, &random) }
    let width = head.face.width * scale
    return FaceTruth(
      box: FaceTruth.box(around: center, width: width, height: size * h, angle: roll),
      width: width, person: number, visible: 1)
  }

  /// Draws the person before the room, both rolled about the face.
  private func compose(
    _ outline: PersonOutline, _ head: PortraitHead, _ center: Point, _ scale: Double,
    _ roll: Double, gain: Float, _ room: RoomPicture
  ) {
    let (c, s) = (Float(cos(roll)), Float(sin(roll)))
    let (x0, y0) = (Float(center.x), Float(center.y))
    let unit = Float(1 / scale)
    // The room fills a square around every rolled frame.
    let side = Float(Double(width * width + height * height).squareRoot())
    let samples = max(1, min(8, Int((1 / scale).rounded(.up))))
    head.colors.withUnsafeBufferPointer { colors in
      picture.withPicture { picture in
        for y in 0..<height {
          let row = picture.plane(0).row(y)
          for x in 0..<width {
            var sum = SIMD4<Float>.zero
            for (v, u) in product(0..<samples, 0..<samples) {
              let px = Float(x) + (Float(u) + 0.5) / Float(samples) - x0
              let py = Float(y) + (Float(v) + 0.5) / Float(samples) - y0
              sum += outline.color((c * px + s * py) * unit, (c * py - s * px) * unit, colors)
            }
            sum /= Float(samples * samples)
            let (px, py) = (Float(x) + 0.5 - x0, Float(y) + 0.5 - y0)
            let behind = room.color(
              (c * px + s * py) / side + 0.5, (c * py - s * px) / side + 0.5, aspect: 1)
            for channel in 0..<3 {
              let value = sum[channel] * gain + behind[channel] * (1 - sum.w)
              row[3 * x + channel] = UInt8(max(0, min(255, value + 0.5)))
            }
          }
        }
      }
    }
  }

  /// The picture that a small camera takes of the scene with a fraction of its light: linear light
  /// with shot noise and read noise.
  private func darken(to fraction: Double, _ random: inout SplitMix) {
    let linear = (0..<256).map { pow(Double($0) / 255, 2.2) * fraction * Self.white }
    let deviation = linear.map { ($0 + Self.readNoise * Self.readNoise).squareRoot() }
    let codes = (0...Int(Self.white)).map {
      UInt8((255 * pow(Double($0) / Self.white, 1 / 2.2)).rounded())
    }
    picture.withPicture { picture in
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        for x in 0..<row.count {
          let old = Int(row[x])
          let electrons = linear[old] + deviation[old] * Double(random.normal())
          row[x] = codes[max(0, min(codes.count - 1, Int(electrons.rounded())))]
        }
      }
    }
  }
}
