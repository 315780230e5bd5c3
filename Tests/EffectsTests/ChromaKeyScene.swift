import Pixels

/// A made-up shot before an unevenly lit screen, of which the true matte is known.
///
/// A head and shoulders with thin hairs, an arm blurred by motion, a half transparent veil,
/// patches of skin, grey and near-green colours, green light bounced onto the edges, and noise:
/// what keyers stumble on. The same for every run and machine.
struct ChromaKeyScene {
  struct Settings {
    var width = 640
    var height = 360
    var screen: (Float, Float, Float) = (62, 172, 84)
    var unevenness: Float = 0.25
    var noise: Float = 2
    var seed: UInt64 = 7
    /// Another noise on the same scene.
    var frame: UInt64 = 0
  }

  let width: Int
  let height: Int
  /// What the camera saw, 0...255.
  private(set) var shot: [SIMD3<Float>]
  /// The subject's true share, 0...1, and its colour times that share.
  private(set) var alpha: [Float]
  private(set) var subject: [SIMD3<Float>]

  init(_ settings: Settings = Settings()) {
    width = settings.width
    height = settings.height
    alpha = Array(repeating: 0, count: width * height)
    subject = Array(repeating: .zero, count: width * height)
    shot = Array(repeating: .zero, count: width * height)
    drawShapes()
    drawHairs(seed: settings.seed)
    blurMatte()
    paint(settings)
  }

  private var unit: Float { Float(height) / 360 }
  private var head: SIMD2<Float> { SIMD2(Float(width) * 0.42, Float(height) * 0.38) }

  /// Signed distance in pixels to an ellipse, near its edge.
  private func distance(_ p: SIMD2<Float>, _ center: SIMD2<Float>, _ radii: SIMD2<Float>) -> Float {
    let q = (p - center) / radii
    let k = (q * q).sum().squareRoot()
    return (k - 1) * radii.min()
  }

  private mutating func drawShapes() {
    let w = Float(width)
    let h = Float(height)
    for y in 0..<height {
      for x in 0..<width {
        let p = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
        let face = distance(p, head, SIMD2(60, 80) * unit)
        let body = distance(p, SIMD2(head.x, h * 1.02), SIMD2(150, 120) * unit)
        var value = min(max(0.5 - min(face, body), 0), 1)
        // The arm: a bar 0.1 wide, smeared by 24 pixels to either side.
        if p.y > 0.55 * h, p.y < 0.8 * h {
          let reach = 0.05 * w + 12 * unit - abs(p.x - 0.71 * w)
          value = max(value, min(max(reach / (24 * unit), 0), 1))
        }
        let veil = distance(p, SIMD2(0.85 * w, 0.3 * h), SIMD2(45, 45) * unit)
        value = max(value, 0.5 * min(max(0.5 - veil, 0), 1))
        alpha[y * width + x] = value
      }
    }
  }

  /// Strands a little over half a pixel wide that leave the head and wander.
  private mutating func drawHairs(seed: UInt64) {
    var random = SplitMix(seed)
    for _ in 0..<90 {
      let turn = -random.uniform()
      // A point on the upper half of the head by a rational circle, no libm needed.
      let t = turn * 2 + 1
      let direction = SIMD2((1 - t * t) / (1 + t * t) * (t < 0 ? 1 : 1), -2 * abs(t) / (1 + t * t))
      let side: Float = random.uniform() < 0.5 ? -1 : 1
      var heading = SIMD2(direction.x * side, direction.y)
      var place = head + heading * SIMD2(59, 79) * unit
      for _ in 0..<10 {
        heading += SIMD2(random.normal(), random.normal()) * 0.25
        heading /= max((heading * heading).sum().squareRoot(), 0.01)
        let next = place + heading * 3 * unit
        drawSegment(place, next)
        place = next
      }
    }
  }

  private mutating func drawSegment(_ a: SIMD2<Float>, _ b: SIMD2<Float>) {
    let low = pointwiseMin(a, b) - 1.5
    let high = pointwiseMax(a, b) + 1.5
    let ab = b - a
    let length = max((ab * ab).sum(), 1e-6)
    for y in max(Int(low.y), 0)...max(0, min(Int(high.y), height - 1)) {
      for x in max(Int(low.x), 0)...max(0, min(Int(high.x), width - 1)) {
        let p = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
        let along = min(max(((p - a) * ab).sum() / length, 0), 1)
        let off = p - a - ab * along
        let cover = min(max(0.9 - (off * off).sum().squareRoot(), 0), 0.7)
        let index = y * width + x
        alpha[index] = max(alpha[index], cover)
      }
    }
  }

  /// A lens is never quite sharp: 1 2 1 both ways.
  private mutating func blurMatte() {
    for (dx, dy) in [(1, 0), (0, 1)] {
      let old = alpha
      for y in 0..<height {
        for x in 0..<width {
          let before = old[max(y - dy, 0) * width + max(x - dx, 0)]
          let after = old[min(y + dy, height - 1) * width + min(x + dx, width - 1)]
          alpha[y * width + x] = (before + after + 2 * old[y * width + x]) / 4
        }
      }
    }
  }

  static let patches: [SIMD3<Float>] = [
    SIMD3(246, 214, 192), SIMD3(198, 134, 98), SIMD3(122, 76, 52), SIMD3(58, 36, 28),
    SIMD3(245, 245, 245), SIMD3(128, 128, 128), SIMD3(16, 16, 16), SIMD3(220, 190, 40),
    SIMD3(40, 160, 200), SIMD3(96, 104, 64), SIMD3(30, 60, 40), SIMD3(150, 40, 60),
  ]

  /// The subject's own colour at a pixel.
  private func surface(_ x: Int, _ y: Int, _ texture: Float) -> SIMD3<Float> {
    let w = Float(width)
    let h = Float(height)
    let px = Float(x)
    let py = Float(y)
    if px > 0.64 * w { return py < 0.5 * h ? SIMD3(205, 205, 210) : SIMD3(200, 150, 120) }
    let row = Int((py - h * 0.86) / (24 * unit))
    let column = Int((px - head.x + 120 * unit) / (40 * unit))
    if py >= h * 0.86, row < 2, px >= head.x - 120 * unit, column < 6 {
      return Self.patches[row * 6 + column]
    }
    if py < head.y - 20 * unit { return SIMD3(70, 50, 35) + texture * 8 }
    if py < head.y + 90 * unit { return SIMD3(205, 150, 120) + texture * 20 }
    // A checked shirt.
    let isDark = (Int(px / (9 * unit)) + Int(py / (9 * unit))) % 2 == 0
    return (isDark ? SIMD3(120, 60, 75) : SIMD3(190, 185, 170)) + texture * 10
  }

  private mutating func paint(_ settings: Settings) {
    var random = SplitMix(settings.seed &+ 1000)
    let waves = (0..<9 * 16).map { _ in random.normal() }
    var grain = SplitMix(settings.seed &+ 2000 &+ settings.frame)
    let screen = SIMD3(settings.screen.0, settings.screen.1, settings.screen.2)
    let bounce = screen * SIMD3(0.2, 1, 0.3) * 0.25
    let edge = nearness()
    var previous = SIMD3<Float>.zero
    for y in 0..<height {
      for x in 0..<width {
        let index = y * width + x
        let fx = Float(x) / Float(width)
        let fy = Float(y) / Float(height)
        let cell = min(Int(fy * 9), 8) * 16 + min(Int(fx * 16), 15)
        let slope = 0.6 * (0.5 - fx) + 0.6 * (0.5 - fy)
        let light =
          1 + settings.unevenness * slope * 1.4 + settings.unevenness * 0.1 * bump(fx, fy, waves)
        let own = surface(x, y, waves[cell] * 0.3)
        let share = alpha[index]
        subject[index] = own * share
        let lit = own + bounce * edge[index]
        // Neighbouring pixels share some of their noise, as after a camera's demosaicing.
        let fresh = SIMD3(grain.normal(), grain.normal(), grain.normal())
        let noise = (fresh + previous * 0.5) * (settings.noise * 0.9)
        previous = fresh
        let value = lit * share + screen * light * (1 - share) + noise
        shot[index] = value.clamped(
          lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
      }
    }
  }

  /// Smooth unevenness from a coarse lattice.
  private func bump(_ fx: Float, _ fy: Float, _ lattice: [Float]) -> Float {
    let x = fx * 15
    let y = fy * 8
    let column = min(Int(x), 14)
    let row = min(Int(y), 7)
    let u = x - Float(column)
    let v = y - Float(row)
    func at(_ dx: Int, _ dy: Int) -> Float { lattice[(row + dy) * 16 + column + dx] }
    return (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v
  }

  /// How much of the screen's light reaches a pixel, falling with the distance to it.
  private func nearness() -> [Float] {
    var near = alpha.map { Float($0 < 0.02 ? 1 : 0) }
    let fade: Float = 1 - 1 / (7 * unit)
    for y in 0..<height {
      for x in 0..<width {
        let index = y * width + x
        if x > 0 { near[index] = max(near[index], near[index - 1] * fade) }
        if y > 0 { near[index] = max(near[index], near[index - width] * fade) }
      }
    }
    for y in stride(from: height - 1, through: 0, by: -1) {
      for x in stride(from: width - 1, through: 0, by: -1) {
        let index = y * width + x
        if x < width - 1 { near[index] = max(near[index], near[index + 1] * fade) }
        if y < height - 1 { near[index] = max(near[index], near[index + width] * fade) }
      }
    }
    return near
  }
}

/// A small deterministic random source (Steele, Lea, Flood 2014).
struct SplitMix {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 0 up to 1.
  mutating func uniform() -> Float { Float(next() >> 40) / 16_777_216 }

  /// Mean 0, deviation 1: the sum of four bytes, near enough to Gauss for noise.
  mutating func normal() -> Float {
    let bits = next()
    let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48)
    return (Float(sum) / 65536 - 2) * 1.732
  }
}
