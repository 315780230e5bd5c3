import Pixels

/// A smooth displacement within an ellipse; it and its derivatives are 0 at the edge and beyond.
///
/// Defined from target pixels to their sources. In the ellipse's axes u and v from its centre the
/// displacement is w (shift + scale (u, v)), or one of the other forms; w = (1 - rho^2)^2 decreases
/// from 1 at the centre to 0.
struct LocalWarp {
  /// The form of the displacement.
  enum Form {
    /// w (shift + scale (u, v)): translates, enlarges, shrinks.
    case linear
    /// Toward the line u = 0 or away from it: w squeeze u^3 / (u^2 + softness^2), which keeps
    /// points near the line fixed.
    case squeeze
    /// Rotates about the centre by twice the angle with tangent w twist; areas are preserved.
    case twist
  }

  var form = Form.linear
  var center: SIMD2<Float>
  /// Unit vector of u; that of v is perpendicular, up if u points right.
  let right: SIMD2<Float>
  /// Radii along u to the left and right, and along v.
  var leftRadius, rightRadius, verticalRadius: Float
  var shift = SIMD2<Float>()
  var scale = SIMD2<Float>()
  var squeeze: Float = 0
  /// Distance left and right of the line below which squeezing is weak.
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

  /// Half the size of the bounding box.
  var extent: SIMD2<Float> {
    let across = max(leftRadius, rightRadius)
    let (a, b) = (right * across, up * verticalRadius)
    return (a * a + b * b).squareRoot()
  }
}

extension FaceShape {
  /// Calls `body` with each warp of the settings.
  ///
  /// A strength at its limit is the maximum of practical use, and does not fold by itself. Sizes
  /// are those of the visible face, so that warps shrink with a side that is turned away.
  func forEachWarp(_ settings: ReshapeSettings, _ body: (LocalWarp) -> Void) {
    if settings.slim != 0 {
      // Strongest beside the mouth, weak at the temples.
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
    if settings.distortion != .none, settings.amount != 0 { body(distortionWarp(settings)) }
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

  /// Squeezes both sides toward the midline by up to `strength` of their widths, in an ellipse
  /// whose centre lies `height` above the face's, and which extends beyond the sides by `margin`.
  private func squeezeWarp(
    _ strength: Double, at height: Double, along: Double, margin: Double
  ) -> LocalWarp {
    // The surroundings of a side that is turned away are nearer in the picture.
    var warp = LocalWarp(
      center + up * (height * size), right, left: leftWidth + margin * (leftWidth + width / 2),
      rightward: rightWidth + margin * (rightWidth + width / 2), along: along * size)
    warp.form = .squeeze
    warp.squeeze = Float(strength)
    warp.softness = SIMD2(Float(0.4 * leftWidth), Float(0.4 * rightWidth))
    return warp
  }

  private func distortionWarp(_ settings: ReshapeSettings) -> LocalWarp {
    let amount = settings.amount
    var warp = LocalWarp(
      middle, right, across: 1.15 * width, along: min(1.15 * size, 1.25 * width))
    switch settings.distortion {
    case .none: break
    case .stretch:
      warp.scale = SIMD2(Float(0.3 * amount), Float(-0.36 * amount))
    case .bulge: warp.scale = SIMD2(repeating: Float(-0.42 * amount))
    case .pinch: warp.scale = SIMD2(repeating: Float(amount > 0 ? 0.85 * amount : 0.42 * amount))
    case .twirl:
      warp.form = .twist
      // 80 degrees at the centre.
      warp.twist = Float(0.84 * amount)
    }
    return warp
  }
}
