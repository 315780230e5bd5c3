package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// A person at one size, with soft edges: a real head on a drawn body, ready to be composited.
///
/// The head is rotated about the face's centre; the body stays upright below the neck.
package final class PersonSprite {
  /// How a head is changed.
  package struct Look: Sendable {
    package var isMirrored = false
    /// Radians, clockwise on the screen.
    package var angle = 0.0
    package var gain: Float = 1
    /// The passes of a blur, each with a standard deviation of 0.7 pixels.
    package var blur = 0

    package init() {}
  }

  let width, height: Int
  /// The face's centre in the sprite.
  let center: Point
  /// The size of the face in the sprite, before its rotation.
  package let face: (width: Double, height: Double)
  package let look: Look
  /// Premultiplied colours, 0...255, and alpha, 0...1.
  private(set) var pixels: [SIMD4<Float>]

  /// Draws the person with a face of `width` pixels; the sprite ends `rows` below the face's centre.
  package init(_ head: PortraitHead, width faceWidth: Double, rows: Double, look: Look) {
    self.look = look
    let scale = faceWidth / head.face.width
    face = (faceWidth, head.face.height * scale)
    let outline = PersonOutline(head, look)
    let bounds = outline.bounds
    let low = Point(x: bounds.x * scale, y: bounds.y * scale)
    let bottom = min(bounds.maxY * scale, rows)
    width = Int((bounds.width * scale).rounded(.up)) + 4
    height = max(1, Int((bottom - low.y).rounded(.up)) + 4)
    center = Point(x: 2 - low.x, y: 2 - low.y)
    pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
    // Each pixel is the mean of the samples that it covers; the body has no detail.
    let samples = max(1, min(16, Int((1 / scale).rounded(.up))))
    let step = Float(1 / scale)
    head.colors.withUnsafeBufferPointer { colors in
      for (y, x) in product(0..<height, 0..<width) {
        let left = (Float(x) - Float(center.x)) * step
        let top = (Float(y) - Float(center.y)) * step
        let count = top > outline.detailEnd ? min(samples, 2) : samples
        var sum = SIMD4<Float>.zero
        for (v, u) in product(0..<count, 0..<count) {
          sum += outline.color(
            left + (Float(u) + 0.5) * step / Float(count),
            top + (Float(v) + 0.5) * step / Float(count), colors)
        }
        pixels[y * width + x] = sum / Float(count * count)
      }
    }
    for index in pixels.indices {
      let alpha = pixels[index].w
      pixels[index] *= look.gain
      pixels[index].w = alpha
    }
    for _ in 0..<look.blur { soften() }
  }

  private func soften() {
    for (step, rows) in [(1, false), (width, true)] {
      let source = pixels
      for (y, x) in product(0..<height, 0..<width) {
        let (place, last) = rows ? (y, height - 1) : (x, width - 1)
        guard place > 0, place < last else { continue }
        let at = y * width + x
        pixels[at] = (source[at - step] + source[at] * 2 + source[at + step]) * 0.25
      }
    }
  }

  /// Draws the sprite with the face's centre at a position and a scale of at most 1.
  package func draw(at place: Point, scale: Double, on picture: borrowing Picture) {
    let left = max(0, Int((place.x - center.x * scale).rounded(.down)))
    let right = min(picture.width, Int((place.x + (Double(width) - center.x) * scale).rounded(.up)))
    let top = max(0, Int((place.y - center.y * scale).rounded(.down)))
    let bottom = min(
      picture.height, Int((place.y + (Double(height) - center.y) * scale).rounded(.up)))
    guard left < right, top < bottom else { return }
    let step = Float(1 / scale)
    pixels.withUnsafeBufferPointer { pixels in
      for y in top..<bottom {
        let row = picture.plane(0).row(y)
        let v = (Float(y) + 0.5 - Float(place.y)) * step + Float(center.y) - 0.5
        for x in left..<right {
          let u = (Float(x) + 0.5 - Float(place.x)) * step + Float(center.x) - 0.5
          let color = sample(pixels, u, v)
          guard color.w > 0.002 else { continue }
          let old = SIMD4(
            Float(row[3 &* x]), Float(row[3 &* x &+ 1]), Float(row[3 &* x &+ 2]), 0)
          let new = old * (1 - color.w) + color + 0.5
          row[3 &* x] = UInt8(min(new.x, 255))
          row[3 &* x &+ 1] = UInt8(min(new.y, 255))
          row[3 &* x &+ 2] = UInt8(min(new.z, 255))
        }
      }
    }
  }

  /// The alpha at an offset from the face's centre, in pixels of the sprite.
  func alpha(_ x: Double, _ y: Double) -> Float {
    pixels.withUnsafeBufferPointer {
      sample($0, Float(x + center.x - 0.5), Float(y + center.y - 0.5)).w
    }
  }

  @inline(__always)
  private func sample(
    _ pixels: UnsafeBufferPointer<SIMD4<Float>>, _ u: Float, _ v: Float
  ) -> SIMD4<Float> {
    guard u >= 0, v >= 0, u < Float(width - 1), v < Float(height - 1) else { return .zero }
    let (left, top) = (Int(u), Int(v))
    let (s, t) = (u - Float(left), v - Float(top))
    let at = top &* width &+ left
    let above = pixels[at] * (1 - s) + pixels[at &+ 1] * s
    let below = pixels[at &+ width] * (1 - s) + pixels[at &+ width &+ 1] * s
    return above * (1 - t) + below * t
  }
}
