import Glibc
package import Pixels

/// A film of a real face that something is moved over, drawn so that the truth is known.
///
/// The face sways, turns in the picture and comes nearer; the cover comes in after `bareFrames`, moves
/// about and goes out; every pixel has noise. A film without a cover is bare.
package final class CoverScene {
  package static let (width, height) = (320, 320)
  /// The frames before the cover comes, those of its way in, about and out, and after it.
  package let bareFrames: Int
  private let way, about: Int
  package var frameCount: Int { bareFrames + 2 * way + about + 4 }

  /// The light of a frame: factors of red, green and blue at the left and the right.
  package struct Light: Sendable {
    package var left = SIMD3<Float>(1, 1, 1), right = SIMD3<Float>(1, 1, 1)
    package init() {}
  }

  package let picture = OwnedPicture(
    format: .i420, width: CoverScene.width, height: CoverScene.height, colorimetry: .bt601)
  /// How much of each pixel is covered, 0...1.
  package let truth = Grid<Float>(width: width, height: height, of: 0)
  /// The part of the frame that is covered, 0...1.
  package private(set) var coveredShare = 0.0
  /// From the first frame of a bare film to this one, in pixels.
  package private(set) var motion = Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  private let kind: CoverKind?
  private let head: PortraitHead
  private let skin, hair: SIMD3<Float>
  private let light: (Int) -> Light
  private var random: SplitMix
  private let colors = Grid<SIMD3<Float>>(width: width, height: height, of: .zero)
  /// The portrait by its pixels.
  private let toPortrait: Double
  private let sharpness: Int
  private static let faceWidth = 120.0

  package init(
    _ head: PortraitHead, _ kind: CoverKind?, bareFrames: Int = 16, way: Int = 12, about: Int = 28,
    seed: UInt64 = 1, light: @escaping (Int) -> Light = { _ in Light() }
  ) {
    (self.head, self.kind, self.light, self.bareFrames) = (head, kind, light, bareFrames)
    (self.way, self.about) = (way, about)
    random = SplitMix(seed)
    toPortrait = head.face.width / Self.faceWidth
    sharpness = max(1, Int(toPortrait.rounded()))
    func mean(_ x: Double, _ y: Double, _ radius: Double) -> SIMD3<Float> {
      var (sum, count) = (SIMD3<Float>.zero, Float(0))
      for v in stride(from: -radius, through: radius, by: max(1, radius / 6)) {
        for u in stride(from: -radius, through: radius, by: max(1, radius / 6)) {
          sum += head.color(x: x + u, y: y + v)
          count += 1
        }
      }
      return sum / count
    }
    let face = head.face
    let radius = 0.07 * face.width
    skin =
      (mean(face.x + 0.25 * face.width, face.y + 0.6 * face.height, radius)
        + mean(face.x + 0.75 * face.width, face.y + 0.6 * face.height, radius)) / 2
    hair = SIMD3(58, 42, 34)
  }

  /// How far the cover is in: 0 outside, 1 before the face.
  private func entry(_ frame: Int) -> Double {
    let position = Double(frame - bareFrames)
    let into = min(
      position / Double(way), Double(2 * way + about) / Double(way) - position / Double(way))
    let t = min(max(into, 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// Draws a frame.
  package func draw(_ frame: Int) {
    let time = Double(frame)
    let angle = 0.05 * sin(time / 9)
    let scale = 1 + 0.03 * sin(time / 13)
    let center = Point(
      x: Double(Self.width) / 2 + 7 * sin(time / 7),
      y: Double(Self.height) * 0.47 + 4 * cos(time / 11) - 4)
    func transform(_ angle: Double, _ scale: Double, _ center: Point) -> Affine {
      let (c, s) = (cos(angle) * scale / toPortrait, sin(angle) * scale / toPortrait)
      let middle = head.face.center
      return Affine(
        a: c, b: s, c: -s, d: c, tx: center.x - c * middle.x + s * middle.y,
        ty: center.y - s * middle.x - c * middle.y)
    }
    let toFrame = transform(angle, scale, center)
    let first = transform(
      0, 1, Point(x: Double(Self.width) / 2, y: Double(Self.height) * 0.47))
    guard let back = toFrame.inverse, let firstBack = first.inverse else { return }
    motion = firstBack.then(toFrame)
    for y in 0..<Self.height {
      let (row, alpha) = (colors.row(y), truth.row(y))
      alpha.fill(0)
      for x in 0..<Self.width {
        let p = back(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
        row[x] = head.color(x: p.x, y: p.y, average: sharpness)
      }
    }
    if let kind, entry(frame) > 0 {
      drawCover(
        CoverShape.shapes(
          kind, center: toFrame(head.face.center), size: Self.faceWidth * scale,
          entry: entry(frame), phase: time / 6, skin: skin, hair: hair))
    }
    var sum: Float = 0
    for y in 0..<Self.height {
      let row = truth.row(y)
      for x in 0..<Self.width { sum += row[x] }
    }
    coveredShare = Double(sum) / Double(Self.width * Self.height)
    store(light(frame))
  }

  private func drawCover(_ shapes: [Capsule]) {
    for shape in shapes {
      let reach = max(shape.radiusA, shape.radiusB) + 1
      let (low, high) = (
        Point(x: min(shape.a.x, shape.b.x) - reach, y: min(shape.a.y, shape.b.y) - reach),
        Point(x: max(shape.a.x, shape.b.x) + reach, y: max(shape.a.y, shape.b.y) + reach)
      )
      func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
        let first = Int(min(max(low, 0), Double(limit)))
        return first..<max(first, Int(min(max(high + 1, 0), Double(limit))))
      }
      for y in range(low.y, high.y, Self.height) {
        let (row, alpha) = (colors.row(y), truth.row(y))
        for x in range(low.x, high.x, Self.width) {
          let (distance, across) = shape.distance(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
          let own = Float(min(max(0.5 - distance, 0), 1))
          guard own > 0 else { continue }
          let side = Float(min(across, 1))
          let shade = 1 - shape.roundness * side * side
          row[x] += (shape.color * shade - row[x]) * own
          alpha[x] += (1 - alpha[x]) * own
        }
      }
    }
  }

  /// Writes the colours with light and noise to the picture.
  private func store(_ light: Light) {
    picture.withPicture { target in
      let planes = (target.component(0), target.component(1), target.component(2))
      for y in 0..<Self.height {
        let row = colors.row(y)
        for x in 0..<Self.width {
          let side = Float(x) / Float(Self.width)
          row[x] *= light.left + (light.right - light.left) * side
          let noise = 1.5 * random.normal()
          let codes = Colorimetry.bt601.ycc(r: row[x].x, g: row[x].y, b: row[x].z)
          planes.0[x, y] = nearestByte(codes.y + noise)
        }
      }
      for y in 0..<Self.height / 2 {
        for x in 0..<Self.width / 2 {
          let (above, below) = (colors.row(2 * y), colors.row(2 * y + 1))
          let mean = (above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]) / 4
          let codes = Colorimetry.bt601.ycc(r: mean.x, g: mean.y, b: mean.z)
          planes.1[x, y] = nearestByte(codes.cb + random.normal())
          planes.2[x, y] = nearestByte(codes.cr + random.normal())
        }
      }
    }
  }
}

extension PortraitHead {
  /// The colour at a position in pixels, whose centres are at halves; the nearest one outside.
  ///
  /// `average` is the side in pixels of the square whose mean it is.
  func color(x: Double, y: Double, average: Int = 1) -> SIMD3<Float> {
    var sum = SIMD4<Float>.zero
    let half = Double(average - 1) / 2
    for v in 0..<average {
      for u in 0..<average {
        sum += bilinear(x - 0.5 + Double(u) - half, y - 0.5 + Double(v) - half)
      }
    }
    sum /= Float(average * average)
    return SIMD3(sum.x, sum.y, sum.z)
  }

  private func bilinear(_ x: Double, _ y: Double) -> SIMD4<Float> {
    let (u, v) = (min(max(x, 0), Double(width - 1)), min(max(y, 0), Double(height - 1)))
    let (left, top) = (Int(u), Int(v))
    let (right, below) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (wx, wy) = (Float(u - Double(left)), Float(v - Double(top)))
    let upper = colors[top * width + left] * (1 - wx) + colors[top * width + right] * wx
    let lower = colors[below * width + left] * (1 - wx) + colors[below * width + right] * wx
    return upper * (1 - wy) + lower * wy
  }
}
