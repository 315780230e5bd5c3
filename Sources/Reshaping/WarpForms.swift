import Pixels

/// The loops that add a part's displacement to a row of nodes.
enum WarpForms {
  /// Adds what `part` does at the nodes of a row, the first of which lies `offset` from its centre,
  /// the others `spacing` apart.
  static func add(
    _ part: WarpPart, _ dx: Row<Float>, _ dy: Row<Float>, from offset: SIMD2<Float>, spacing: Float
  ) {
    switch part.form {
    case .linear: addLinear(part, dx, dy, offset, spacing)
    case .squeeze: addSqueeze(part, dx, dy, offset, spacing)
    case .twist: addTwist(part, dx, dy, offset, spacing)
    }
  }

  private static func addLinear(
    _ part: WarpPart, _ dx: Row<Float>, _ dy: Row<Float>, _ offset: SIMD2<Float>, _ spacing: Float
  ) {
    let n = min(dx.count, dy.count)
    let (right, up) = (part.right, part.up)
    let (l, r, h) = (1 / part.left, 1 / part.rightward, 1 / part.along)
    let (shift, scale) = (part.shift, part.scale)
    for i in 0..<n {
      let x = offset.x + Float(i) * spacing
      let u = x * right.x + offset.y * right.y
      let v = x * up.x + offset.y * up.y
      let a = u * (u < 0 ? l : r)
      let b = v * h
      let t = 1 - a * a - b * b
      let w = t > 0 ? t * t : 0
      let across = w * (shift.x + scale.x * u)
      let along = w * (shift.y + scale.y * v)
      dx[i] += across * right.x + along * up.x
      dy[i] += across * right.y + along * up.y
    }
  }

  private static func addSqueeze(
    _ part: WarpPart, _ dx: Row<Float>, _ dy: Row<Float>, _ offset: SIMD2<Float>, _ spacing: Float
  ) {
    let n = min(dx.count, dy.count)
    let (right, up) = (part.right, part.up)
    let (l, r, h) = (1 / part.left, 1 / part.rightward, 1 / part.along)
    let (softLeft, softRight) = (part.soft.x * part.soft.x, part.soft.y * part.soft.y)
    for i in 0..<n {
      let x = offset.x + Float(i) * spacing
      let u = x * right.x + offset.y * right.y
      let v = x * up.x + offset.y * up.y
      let a = u * (u < 0 ? l : r)
      let b = v * h
      let t = 1 - a * a - b * b
      let w = t > 0 ? t * t : 0
      let soft = u < 0 ? softLeft : softRight
      let across = w * part.squeeze * u * (u * u / (u * u + soft))
      dx[i] += across * right.x
      dy[i] += across * right.y
    }
  }

  private static func addTwist(
    _ part: WarpPart, _ dx: Row<Float>, _ dy: Row<Float>, _ offset: SIMD2<Float>, _ spacing: Float
  ) {
    let n = min(dx.count, dy.count)
    let (right, up) = (part.right, part.up)
    let (l, r, h) = (1 / part.left, 1 / part.rightward, 1 / part.along)
    for i in 0..<n {
      let x = offset.x + Float(i) * spacing
      let u = x * right.x + offset.y * right.y
      let v = x * up.x + offset.y * up.y
      let a = u * (u < 0 ? l : r)
      let b = v * h
      let t = 1 - a * a - b * b
      let w = t > 0 ? t * t : 0
      // Sine and one less cosine of an angle by the tangent of its half.
      let tangent = w * part.twist
      let share = 2 / (1 + tangent * tangent)
      let (sine, less) = (share * tangent, share * tangent * tangent)
      dx[i] -= less * x + sine * offset.y
      dy[i] += sine * x - less * offset.y
    }
  }
}
