import Glibc
package import Pixels

/// Composites of people with known alpha over a drawn or real background, as a camera would record
/// them.
package struct PersonScene {
  /// The position of a person.
  package struct Pose: Sendable {
    /// The height of the cut-out from the crown down, relative to the picture's; the body continues
    /// below it, or ends at `bottom`.
    package var height: Float = 0.9
    /// The horizontal centre, relative to the picture's width, and the lower end of the cut-out,
    /// relative to its height.
    package var center: Float = 0.5
    package var bottom: Float = 1
    package var isMirrored = false
    /// The tilt to the right, in degrees.
    package var angle: Float = 0

    package init(
      height: Float = 0.9, center: Float = 0.5, bottom: Float = 1, isMirrored: Bool = false,
      angle: Float = 0
    ) {
      (self.height, self.center, self.bottom) = (height, center, bottom)
      (self.isMirrored, self.angle) = (isMirrored, angle)
    }
  }

  package let width, height: Int
  /// The true alpha, 0...1.
  package private(set) var alpha: [Float]
  /// The people's premultiplied colours, and the background, 0...255.
  package private(set) var subject: [SIMD3<Float>]
  package let room: [SIMD3<Float>]

  /// Composites people over a drawn background.
  package init(
    _ cutout: PersonCutout, _ room: DrawnRoom, _ poses: [Pose], width: Int = 1280,
    height: Int = 720, hairs: Int = 0
  ) {
    self.init(cutout, poses, width, height, hairs, behind: room.color)
  }

  /// Composites people over a real picture, which fills the frame.
  package init(
    _ cutout: PersonCutout, _ room: RoomPicture, _ poses: [Pose], width: Int = 1280,
    height: Int = 720, hairs: Int = 0
  ) {
    let aspect = Float(width) / Float(height)
    self.init(cutout, poses, width, height, hairs) { room.color($0, $1, aspect: aspect) }
  }

  /// `color` returns red, green and blue, 0...255; its coordinates are relative to the height, from
  /// the upper left.
  private init(
    _ cutout: PersonCutout, _ poses: [Pose], _ width: Int, _ height: Int, _ hairs: Int,
    behind color: (Float, Float) -> SIMD3<Float>
  ) {
    (self.width, self.height) = (width, height)
    alpha = [Float](repeating: 0, count: width * height)
    subject = [SIMD3<Float>](repeating: .zero, count: width * height)
    var behind = subject
    for (y, x) in product(0..<height, 0..<width) {
      behind[y * width + x] = color(
        (Float(x) + 0.5) / Float(height), (Float(y) + 0.5) / Float(height)
      ).clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
    }
    self.room = behind
    for pose in poses { drawPerson(cutout, pose, hairs: hairs) }
  }

  private mutating func drawPerson(_ cutout: PersonCutout, _ pose: Pose, hairs: Int) {
    // The crown is at row 16 of the cut-out.
    let scale = pose.height * Float(height) / Float(cutout.height - 16)
    let (sine, cosine) = (sinOf(pose.angle), cosOf(pose.angle))
    let (cx, bottom) = (pose.center * Float(width), pose.bottom * Float(height))
    for (y, x) in product(0..<min(height, Int(bottom.rounded(.up))), 0..<width) {
      let (dx, dy) = (Float(x) + 0.5 - cx, Float(y) + 0.5 - bottom)
      let u = (dx * cosine + dy * sine) / scale
      let v = (dy * cosine - dx * sine) / scale
      let column = pose.isMirrored ? 210 - u : 210 + u
      compositePixel(cutout.sample(column - 0.5, Float(cutout.height) + v - 0.5), x, y)
    }
    var random = SplitMix(31)
    for _ in 0..<hairs {
      // Strands grow outwards and down from the hair's outline, an ellipse in the cut-out.
      let around = -3.0 + 2.9 * random.uniform()
      var (x, y) = (228 + 70 * cosOf(around * 57.29578), 88 + 70 * sinOf(around * 57.29578))
      var (dx, dy) = (cosOf(around * 57.29578), sinOf(around * 57.29578))
      let bend = (random.uniform() - 0.3) * 0.06
      let length = Int((14 + 30 * random.uniform()) * scale)
      let thickness = 0.5 + 0.5 * random.uniform()
      let color = SIMD4<Float>(126, 92, 56, 1) * (0.7 + 0.5 * random.uniform())
      for step in 0..<length {
        let (px, py) = (
          cx + (pose.isMirrored ? 210 - x : x - 210) * scale,
          bottom + (y - Float(cutout.height)) * scale
        )
        let fade = thickness * (1 - Float(step) / Float(length))
        let (left, top) = (Int(px.rounded(.down)), Int(py.rounded(.down)))
        for (ox, oy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let near =
            (1 - abs(px - Float(left + ox))) * (1 - abs(py - Float(top + oy))) * fade * 0.7
          let share = max(near, 0)
          compositePixel(SIMD4(color.x, color.y, color.z, 1) * share, left + ox, top + oy)
        }
        x += dx / scale
        y += dy / scale
        dy += bend
        dx *= 0.99
      }
    }
  }

  /// Composites a premultiplied colour with alpha over the people at a pixel.
  private mutating func compositePixel(_ own: SIMD4<Float>, _ x: Int, _ y: Int) {
    guard own.w > 0, x >= 0, y >= 0, x < width, y < height else { return }
    let index = y * width + x
    let rest = 1 - own.w
    subject[index] = SIMD3(own.x, own.y, own.z) + subject[index] * rest
    alpha[index] = own.w + alpha[index] * rest
  }

  /// The camera's picture with noise of standard deviation `noise`, as a 4:2:0 frame.
  package func picture(
    _ format: PixelFormat = .nv12, noise: Float = 2, frame: UInt64 = 0
  ) -> OwnedPicture {
    var seen = room
    var random = SplitMix(9000 &+ frame)
    for index in seen.indices {
      let grain = SIMD3(random.normal(), random.normal(), random.normal()) * noise
      seen[index] = subject[index] + room[index] * (1 - alpha[index]) + grain
    }
    let result = OwnedPicture(
      VideoFormat(
        format: format, width: width, height: height, colorimetry: .bt709, chromaSite: .mpeg2))
    result.encode(seen)
    return result
  }
}

extension PersonScene.Pose {
  /// The box of the face in normalized coordinates of a picture of this aspect ratio.
  package func face(aspect: Float) -> Rectangle {
    let unit = height / (352 - 16)
    let left = isMirrored ? 210 - 275 : 177 - 210
    return Rectangle(
      x: Double(center + Float(left) * unit / aspect),
      y: Double(bottom + (68 - 352) * unit), width: Double(98 * unit / aspect),
      height: Double(120 * unit))
  }
}

extension OwnedPicture {
  /// Red, green and blue, 0...255, of a picture of Y'CbCr.
  package var rgbValues: [SIMD3<Float>] {
    withPicture { picture in
      let colors = FullChroma(picture)
      return (0..<width * height).map { colors[$0 % width, $0 / width] }
    }
  }

  /// Writes red, green and blue, 0...255, by rows; chroma is sited as in MPEG-2.
  package func encode(_ colors: [SIMD3<Float>]) {
    withPicture { picture in
      let (y, cb, cr) = (picture.component(0), picture.component(1), picture.component(2))
      func code(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
      func ycc(_ u: Int, _ v: Int) -> (y: Float, cb: Float, cr: Float) {
        let color = colors[min(v, height - 1) * width + max(0, min(u, width - 1))]
        return colorimetry.ycc(r: color.x, g: color.y, b: color.z)
      }
      for v in 0..<height { for u in 0..<width { y[u, v] = code(ycc(u, v).y) } }
      for (v, u) in product(0..<(height + 1) / 2, 0..<(width + 1) / 2) {
        var sum: (Float, Float) = (0, 0)
        for (offset, weight) in [(-1, 0.125), (0, 0.25), (1, 0.125)] as [(Int, Float)] {
          for row in [2 * v, 2 * v + 1] {
            let value = ycc(2 * u + offset, row)
            sum = (sum.0 + value.cb * weight, sum.1 + value.cr * weight)
          }
        }
        (cb[u, v], cr[u, v]) = (code(sum.0), code(sum.1))
      }
    }
  }
}

private func sinOf(_ degrees: Float) -> Float { Float(sin(Double(degrees) * .pi / 180)) }
private func cosOf(_ degrees: Float) -> Float { Float(cos(Double(degrees) * .pi / 180)) }
