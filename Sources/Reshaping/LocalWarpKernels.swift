import Pixels

/// The loops that add a warp's displacement to a row of nodes.
enum LocalWarpKernels {
  /// Adds the displacement of `warp` at the nodes of a row: the first lies at `offset` from its
  /// centre, the others follow `spacing` apart.
  static func addDisplacement(
    _ warp: LocalWarp, _ dx: Row<Float>, _ dy: Row<Float>, from offset: SIMD2<Float>, spacing: Float
  ) {
    switch warp.form {
    case .linear: addLinear(warp, dx, dy, offset, spacing)
    case .squeeze: addSqueeze(warp, dx, dy, offset, spacing)
    case .twist: addTwist(warp, dx, dy, offset, spacing)
    }
  }

  private static func addLinear(
    _ warp: LocalWarp, _ dx: Row<Float>, _ dy: Row<Float>, _ offset: SIMD2<Float>, _ spacing: Float
  ) {
    let (right, up, shift, scale) = (warp.right, warp.up, warp.shift, warp.scale)
    forEachNode(min(dx.count, dy.count), warp, offset, spacing) { i, _, u, v, w in
      let across = w * (shift.x + scale.x * u)
      let along = w * (shift.y + scale.y * v)
      dx[i] += across * right.x + along * up.x
      dy[i] += across * right.y + along * up.y
    }
  }

  private static func addSqueeze(
    _ warp: LocalWarp, _ dx: Row<Float>, _ dy: Row<Float>, _ offset: SIMD2<Float>, _ spacing: Float
  ) {
    let (right, squeeze) = (warp.right, warp.squeeze)
    let (softLeft, softRight) = (
      warp.softness.x * warp.softness.x, warp.softness.y * warp.softness.y
    )
    forEachNode(min(dx.count, dy.count), warp, offset, spacing) { i, _, u, _, w in
      let soft = u < 0 ? softLeft : softRight
      let across = w * squeeze * u * (u * u / (u * u + soft))
      dx[i] += across * right.x
      dy[i] += across * right.y
    }
  }

  private static func addTwist(
    _ warp: LocalWarp, _ dx: Row<Float>, _ dy: Row<Float>, _ offset: SIMD2<Float>, _ spacing: Float
  ) {
    let twist = warp.twist
    forEachNode(min(dx.count, dy.count), warp, offset, spacing) { i, x, _, _, w in
      // Sine and 1 - cosine of an angle by the tangent of half of it.
      let tangent = w * twist
      let factor = 2 / (1 + tangent * tangent)
      let (sine, less) = (factor * tangent, factor * tangent * tangent)
      dx[i] -= less * x + sine * offset.y
      dy[i] += sine * x - less * offset.y
    }
  }

  /// Calls `body` with the index of each node, its horizontal distance from the centre, its
  /// coordinates along the warp's axes, and the warp's weight there.
  @inline(__always)
  private static func forEachNode(
    _ n: Int, _ warp: LocalWarp, _ offset: SIMD2<Float>, _ spacing: Float,
    _ body: (_ i: Int, _ x: Float, _ u: Float, _ v: Float, _ w: Float) -> Void
  ) {
    let (right, up) = (warp.right, warp.up)
    let (l, r, h) = (1 / warp.leftRadius, 1 / warp.rightRadius, 1 / warp.verticalRadius)
    for i in 0..<n {
      let x = offset.x + Float(i) * spacing
      let u = x * right.x + offset.y * right.y
      let v = x * up.x + offset.y * up.y
      let a = u * (u < 0 ? l : r)
      let b = v * h
      let t = 1 - a * a - b * b
      let w = t > 0 ? t * t : 0
      body(i, x, u, v, w)
    }
  }
}
