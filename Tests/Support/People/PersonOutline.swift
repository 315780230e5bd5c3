import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// The shape and colour of a person, relative to the centre of the face, in pixels of the head's
/// source picture.
struct PersonOutline {
  /// The rectangle with the whole person.
  let bounds: Rectangle
  /// Below this row there is no part of the photograph.
  let detailEnd: Float
  private let source: PortraitHead
  private let mirror: Float
  private let cosine, sine: Float
  private let width, height: Float
  private let middle: (x: Float, y: Float)
  /// The ellipse around the head, relative to the face's centre.
  private let head: (x: Float, y: Float, rx: Float, ry: Float)
  /// How far below the chin the photograph is used.
  private let neck: Float
  /// The middle of the body.
  private let bodyX: Float
  private let feather: Float

  init(_ source: PortraitHead, _ look: PersonSprite.Look) {
    self.source = source
    mirror = look.isMirrored ? -1 : 1
    (cosine, sine) = (Float(cos(look.angle)), Float(sin(look.angle)))
    let face = source.face
    (width, height) = (Float(face.width), Float(face.height))
    middle = (Float(face.center.x), Float(face.center.y))
    let center = source.head.center
    head = (
      mirror * (Float(center.x) - middle.x), Float(center.y) - middle.y,
      Float(source.head.width / 2), Float(source.head.height / 2)
    )
    neck = min(0.42 * height, Float(source.height) - Float(face.maxY) - 3)
    feather = max(3, 0.05 * width)
    bodyX = -sine * 0.8 * height + 0.6 * head.x
    detailEnd = 0.5 * height + neck + 0.4 * width
    let reach = 1.7 * face.width + Double(abs(bodyX)) + 4
    let top = min(source.head.y - face.center.y, -0.6 * face.height) - 0.4 * face.height
    bounds = Rectangle(
      x: -reach, y: top, width: 2 * reach, height: 8.6 * face.height - top)
  }

  /// The premultiplied colour and alpha at a position.
  @inline(__always)
  func color(
    _ x: Float, _ y: Float, _ colors: UnsafeBufferPointer<SIMD4<Float>>
  ) -> SIMD4<Float> {
    var result = body(x, y)
    guard y < detailEnd else { return result }
    // The position in the upright head.
    let u = cosine * x + sine * y
    let v = -sine * x + cosine * y
    var photograph = max(headAlpha(u, v), neckAlpha(u, v))
    guard photograph > 0 else { return result }
    var color = PortraitHead.sample(
      colors, source.width, source.height, middle.x + mirror * u, middle.y + v)
    if source.hasSky { photograph *= 1 - skyAlpha(color, u, v) }
    color.w = 1
    result = result * (1 - photograph) + color * photograph
    return result
  }

  /// How much of a colour outside the face is the bright background.
  @inline(__always)
  private func skyAlpha(_ color: SIMD4<Float>, _ x: Float, _ y: Float) -> Float {
    let (u, v) = (2 * x / width, 2 * y / height)
    let outside = max(0, min((u * u + v * v - 1.05) / 0.2, 1))
    let light = (color.x + 2 * color.y + color.z) / 4
    let bright = max(0, min((light - 95) / 45, 1))
    let cold = max(0, min((color.z - color.x + 34) / 20, 1))
    return outside * bright * cold
  }

  /// 0 outside, 1 inside, by the distance from the edge.
  @inline(__always)
  private func edge(_ distance: Float) -> Float {
    let t = max(0, min(distance / feather + 0.5, 1))
    return t * t * (3 - 2 * t)
  }

  @inline(__always)
  private func headAlpha(_ x: Float, _ y: Float) -> Float {
    // Heads are narrower at the chin.
    let v = (y - head.y) / head.ry
    let u = (x - head.x) / (head.rx * (v > 0 ? 1 - 0.16 * v * v : 1))
    return edge((1 - (u * u + v * v).squareRoot()) * min(head.rx, head.ry) - feather / 2)
  }

  /// The neck: a column that widens below the chin.
  @inline(__always)
  private func neckAlpha(_ x: Float, _ y: Float) -> Float {
    let below = y - 0.5 * height
    guard below > -0.3 * height, below < neck + feather else { return 0 }
    let half = 0.34 * width + 0.3 * max(0, below)
    return edge(min(half - abs(x - 0.6 * head.x), neck - below) - feather / 2)
  }

  /// Shoulders, trunk and legs in plain colours with a little shading.
  @inline(__always)
  private func body(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let below = (y - 0.5 * height) / height - min(0.14, 0.5 * neck / height)
    guard below > -0.1 else { return .zero }
    let across = (x - bodyX) / width
    var half: Float = 0.9
    var color = source.clothes
    if below < 0.5 {
      let t = 1 - max(0, below) / 0.5
      half = 0.3 + 1.2 * (1 - t * t).squareRoot()
    } else if below > 3 {
      color = SIMD4(62, 60, 66, 0) + color * 0.1
    } else {
      half = 1.5 - 0.18 * (below - 0.5)
    }
    var distance = min(half - abs(across), below + 0.02) * width
    if below > 3.4 { distance = min(distance, (abs(across) - 0.05) * width) }
    let alpha = edge(distance - feather / 2)
    guard alpha > 0 else { return .zero }
    // Rounded, with folds and arms.
    let folds = sin(11 * across + 5 * below + 2 * sin(3 * below)) * sin(4 * below - 6 * across)
    let arm = abs(abs(across) - 1.02) < 0.05 && below > 0.8 && below < 3 ? Float(-0.12) : 0
    let light = 0.75 + 0.13 * (1.8 - across * across) + 0.09 * folds + arm
    color *= max(0.2, light)
    color.w = 1
    return color * alpha
  }
}
