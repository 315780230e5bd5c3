import Pixels

/// A smooth displacement that is 0, with its slope, at an ellipse's edge and beyond.
///
/// Given for the places that pixels are taken from, as seen from those they come to. In the
/// ellipse's axes u and v, counted from its centre, the displacement is w (shift + scale (u, v)), or
/// one of the other two forms; w falls from 1 at the centre to 0 as (1 - rho^2)^2.
struct LocalWarp {
  /// What is displaced.
  enum Form {
    /// w (shift + scale (u, v)): moves, enlarges, shrinks.
    case linear
    /// Toward the line u = 0, or from it: w squeeze u^3 / (u^2 + soft^2), which leaves what is on
    /// the line alone.
    case squeeze
    /// Turns about the centre by twice the angle whose tangent is w twist: areas stay as they are.
    case twist
  }

  var form = Form.linear
  var center: SIMD2<Float>
  /// Unit vector of u; that of v is at a right angle, up where u goes right.
  let right: SIMD2<Float>
  /// The ellipse's radii along u, to its left and right, and along v.
  var leftRadius, rightRadius, verticalRadius: Float
  var shift = SIMD2<Float>()
  var scale = SIMD2<Float>()
  var squeeze: Float = 0
  /// Where squeezing begins in earnest, left and right of the line.
  var softness = SIMD2<Float>()
  var twist: Float = 0

  var up: SIMD2<Float> { SIMD2(right.y, -right.x) }

  init(_ center: Point, _ right: Point, left: Double, rightward: Double, along: Double) {
    self.center = SIMD2(Float(center.x), Float(center.y))
    self.right = SIMD2(Float(right.x), Float(right.y))
    (self.leftRadius, self.rightRadius) = (Float(left), Float(rightward))
    self.verticalRadius = Float(along)
  }

  init(_ center: Point, _ right: Point, across: Double, along: Double) {
    self.init(center, right, left: across, rightward: across, along: along)
  }

  /// Half the size of the upright box about it.
  var extent: SIMD2<Float> {
    let across = max(leftRadius, rightRadius)
    let (a, b) = (right * across, up * verticalRadius)
    return (a * a + b * b).squareRoot()
  }
}

extension FaceShape {
  /// Calls `body` with each warp that the settings move.
  ///
  /// Strengths are set so that a setting at its limit is as far as it is of use, and folds nothing
  /// by itself. Half of what they are is geometry of the face as it is seen, so all of it shrinks
  /// with a side that is turned away.
  func forEachWarp(_ settings: ReshapeSettings, _ body: (LocalWarp) -> Void) {
    if settings.slim != 0 {
      // Most beside the mouth, and little at the temples.
      body(squeezeWarp(0.515 * settings.slim, at: -0.25, along: 0.77, margin: 0.5))
    }
    if settings.jaw != 0 {
      body(squeezeWarp(-0.3 * settings.jaw, at: -0.4, along: 0.42, margin: 0.42))
    }
    if settings.chin != 0 {
      var warp = LocalWarp(
        chin - up * (0.05 * size), right, left: 0.3 * width + 0.5 * leftWidth,
        rightward: 0.3 * width + 0.5 * rightWidth, along: 0.45 * size)
      warp.shift.y = Float(0.1 * size * settings.chin)
      body(warp)
    }
    if settings.forehead != 0 {
      var warp = LocalWarp(
        hairline + up * (0.08 * size), right, left: 0.3 * width + leftWidth,
        rightward: 0.3 * width + rightWidth, along: 0.46 * size)
      warp.shift.y = Float(-0.1 * size * settings.forehead)
      body(warp)
    }
    forEachFeatureWarp(settings, body)
    if settings.effect != .none, settings.amount != 0 { body(funHouseWarp(settings)) }
  }

  private func forEachFeatureWarp(_ settings: ReshapeSettings, _ body: (LocalWarp) -> Void) {
    if settings.eyes != 0 {
      if let leftEye { body(eyeWarp(leftEye, settings.eyes)) }
      if let rightEye { body(eyeWarp(rightEye, settings.eyes)) }
    }
    if settings.nose != 0, let nose {
      var warp = LocalWarp(nose.center, right, across: 2.2 * nose.halfWidth, along: 0.3 * size)
      warp.scale = SIMD2(Float(-0.34 * settings.nose), Float(-0.08 * settings.nose))
      body(warp)
    }
    if settings.mouth != 0, let mouth {
      var warp = LocalWarp(
        mouth.center, right, across: max(1.9 * mouth.halfWidth, 0.25 * width), along: 0.3 * size)
      warp.scale = SIMD2(repeating: Float(-0.3 * settings.mouth))
      body(warp)
    }
  }

  private func eyeWarp(_ eye: Feature, _ amount: Double) -> LocalWarp {
    var warp = LocalWarp(
      eye.center, right, across: 2.1 * eye.halfWidth,
      along: min(2.1 * eye.halfWidth, 0.24 * size))
    warp.scale = SIMD2(repeating: Float(-0.3 * amount))
    return warp
  }

  /// Both sides toward the middle line by up to `strength` of their widths, in an ellipse whose
  /// centre lies `height` from the face's and that reaches `margin` its sides.
  private func squeezeWarp(
    _ strength: Double, at height: Double, along: Double, margin: Double
  ) -> LocalWarp {
    // What lies beside a side that is turned away is nearer to it as it is seen.
    var warp = LocalWarp(
      center + up * (height * size), right, left: leftWidth + margin * (leftWidth + width / 2),
      rightward: rightWidth + margin * (rightWidth + width / 2), along: along * size)
    warp.form = .squeeze
    warp.squeeze = Float(strength)
    warp.softness = SIMD2(Float(0.4 * leftWidth), Float(0.4 * rightWidth))
    return warp
  }

  private func funHouseWarp(_ settings: ReshapeSettings) -> LocalWarp {
    let amount = settings.amount
    var warp = LocalWarp(
      middle, right, across: 1.15 * width, along: min(1.15 * size, 1.25 * width))
    switch settings.effect {
    case .none: break
    case .stretch:
      warp.scale = SIMD2(Float(0.3 * amount), Float(-0.36 * amount))
    case .bulge: warp.scale = SIMD2(repeating: Float(-0.42 * amount))
    case .pinch: warp.scale = SIMD2(repeating: Float(amount > 0 ? 0.85 * amount : 0.42 * amount))
    case .twirl:
      warp.form = .twist
      // By 80 degrees at its centre.
      warp.twist = Float(0.84 * amount)
    }
    return warp
  }
}
