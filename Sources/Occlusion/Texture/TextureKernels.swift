import Pixels

/// The loops over textures: rows of `TextureLayout.rowLength` floats, eight at a time.
enum TextureKernels {
  typealias Plane = Grid<Float>
  typealias Planes = (Plane, Plane, Plane)
  typealias Lanes = SIMD8<Float>

  /// The columns of texels, in steps of eight.
  @inline(__always)
  private static func forEachBlock(_ body: (Int) -> Void) {
    var x = TextureLayout.padding
    while x < TextureLayout.padding + TextureLayout.side {
      body(x)
      x &+= 8
    }
  }

  // MARK: Colours

  /// Smooths weighted colours by (1, 2, 1) / 4 both ways, in place; `scratch` is as large.
  @inline(never)
  static func smooth(_ colors: Grid<SIMD4<Float>>, _ scratch: Grid<SIMD4<Float>>) {
    let side = TextureLayout.side
    for y in 0..<side {
      let (row, out) = (colors.row(y), scratch.row(y))
      for x in 1..<row.count - 1 { out[x] = row[x - 1] + row[x] * 2 + row[x + 1] }
    }
    for y in 0..<side {
      let (above, own) = (scratch.row(max(y - 1, 0)), scratch.row(y))
      let (below, out) = (scratch.row(min(y + 1, side - 1)), colors.row(y))
      for x in 1..<out.count - 1 { out[x] = above[x] + own[x] * 2 + below[x] }
    }
  }

  /// Divides colours by their weights, and writes them to planes.
  @inline(never)
  static func unpack(_ colors: Grid<SIMD4<Float>>, into planes: Planes) {
    for y in 0..<TextureLayout.side {
      let row = colors.row(y)
      let (r, g, b) = (planes.0.row(y), planes.1.row(y), planes.2.row(y))
      for x in 0..<min(row.count, r.count, g.count, b.count) {
        let color = row[x]
        let inverse = 1 / max(color.w, 1e-6)
        r[x] = color.x * inverse
        g[x] = color.y * inverse
        b[x] = color.z * inverse
      }
    }
  }

  /// Luma, Cb and Cr (BT.601) of red, green and blue times `gain`.
  @inline(never)
  static func convertToYCC(_ colors: Planes, gain: SIMD3<Float>, into ycc: Planes) {
    for y in 0..<TextureLayout.side {
      let (r, g, b) = (colors.0.row(y), colors.1.row(y), colors.2.row(y))
      let (luma, cb, cr) = (ycc.0.row(y), ycc.1.row(y), ycc.2.row(y))
      forEachBlock { x in
        let (red, green, blue) = (
          r.lanes(at: x) * gain.x, g.lanes(at: x) * gain.y, b.lanes(at: x) * gain.z
        )
        let value = red * 0.299 + green * 0.587 + blue * 0.114
        luma.setLanes(value, at: x)
        cb.setLanes((blue - value) * 0.564, at: x)
        cr.setLanes((red - value) * 0.713, at: x)
      }
    }
  }

  // MARK: Distances

  /// 1 where at least `minimum` pictures were learnt and the skin is seen, else 0; a weight of 0
  /// elsewhere.
  @inline(never)
  static func setKnown(_ known: Plane, counts: Plane, visibility: Plane, minimum: Float) {
    for y in 0..<TextureLayout.side {
      let (out, n, seen) = (known.row(y), counts.row(y), visibility.row(y))
      forEachBlock { x in
        let isKnown = (n.lanes(at: x) .>= minimum) .& (seen.lanes(at: x) .> 0.5)
        out.setLanes(Lanes.zero.replacing(with: 1, where: isKnown), at: x)
      }
    }
  }

  /// The inverse of the expected variance: `base` and the one that was learnt, times `factor`.
  @inline(never)
  static func setPrecision(
    _ precision: Planes, variance: Planes, base: SIMD3<Float>, factor: Float
  ) {
    for y in 0..<TextureLayout.side {
      setPrecision(precision.0.row(y), variance.0.row(y), base.x, factor)
      setPrecision(precision.1.row(y), variance.1.row(y), base.y, factor)
      setPrecision(precision.2.row(y), variance.2.row(y), base.z, factor)
    }
  }

  @inline(__always)
  private static func setPrecision(
    _ out: Row<Float>, _ variance: Row<Float>, _ base: Float, _ factor: Float
  ) {
    forEachBlock { x in out.setLanes(1 / ((variance.lanes(at: x) + base) * factor), at: x) }
  }

  /// Lowers `distance` to the mean weighted squared difference, in windows of 5 x 5 texels, between
  /// `now` and `model` moved by (`dx`, `dy`) texels, plus `penalty`; in these rows.
  @inline(never)
  static func lowerDistance(
    _ distance: Plane, _ now: Planes, _ model: Planes, _ precision: Planes, known: Plane,
    inverseWeights: Plane, shift: (dx: Int, dy: Int), penalty: Float, rows: Range<Int>,
    scratch: (errors: Plane, sums: Plane)
  ) {
    let side = TextureLayout.side
    let halo = max(rows.lowerBound - 2, 0)..<min(rows.upperBound + 2, side)
    for y in halo {
      let source = min(max(y - shift.dy, 0), side - 1)
      let (a, b, c) = (now.0.row(y), now.1.row(y), now.2.row(y))
      let (d, e, f) = (model.0.row(source), model.1.row(source), model.2.row(source))
      let (p, q, r) = (precision.0.row(y), precision.1.row(y), precision.2.row(y))
      let (weight, errors, sums) = (known.row(y), scratch.errors.row(0), scratch.sums.row(y))
      forEachBlock { x in
        let luma = a.lanes(at: x) - d.lanes(at: x &- shift.dx)
        let cb = b.lanes(at: x) - e.lanes(at: x &- shift.dx)
        let cr = c.lanes(at: x) - f.lanes(at: x &- shift.dx)
        var sum = luma * luma * p.lanes(at: x)
        sum += cb * cb * q.lanes(at: x)
        sum += cr * cr * r.lanes(at: x)
        errors.setLanes(sum * weight.lanes(at: x), at: x)
      }
      sumFive(errors, into: sums)
    }
    for y in rows {
      let (out, inverse) = (distance.row(y), inverseWeights.row(y))
      forEachBlock { x in
        var sum = Lanes.zero
        for row in max(y - 2, 0)...min(y + 2, side - 1) {
          sum += scratch.sums.row(row).lanes(at: x)
        }
        let value = sum * inverse.lanes(at: x) + penalty
        let old = out.lanes(at: x)
        out.setLanes(old.replacing(with: value, where: value .< old), at: x)
      }
    }
  }

  /// The sums of five neighbours.
  @inline(__always)
  private static func sumFive(_ row: Row<Float>, into sums: Row<Float>) {
    forEachBlock { x in
      var sum = row.lanes(at: x &- 2) + row.lanes(at: x &- 1)
      sum += row.lanes(at: x)
      sum += row.lanes(at: x &+ 1) + row.lanes(at: x &+ 2)
      sums.setLanes(sum, at: x)
    }
  }

  /// 1 over the sum of the weights in windows of 5 x 5 texels; 0 where that is 0.
  @inline(never)
  static func invertWeights(
    _ known: Plane, into inverse: Plane, scratch: (errors: Plane, sums: Plane)
  ) {
    let side = TextureLayout.side
    for y in 0..<side { sumFive(known.row(y), into: scratch.sums.row(y)) }
    for y in 0..<side {
      let out = inverse.row(y)
      forEachBlock { x in
        var sum = Lanes.zero
        for row in max(y - 2, 0)...min(y + 2, side - 1) {
          sum += scratch.sums.row(row).lanes(at: x)
        }
        out.setLanes((1 / sum).replacing(with: 0, where: sum .< 0.5), at: x)
      }
    }
  }

  /// Multiplies a plane by another; returns for each row its maximum.
  @inline(never)
  static func multiply(_ plane: Plane, by other: Plane, maxima: inout [Float]) {
    for y in 0..<TextureLayout.side {
      let (row, factors) = (plane.row(y), other.row(y))
      var most = Lanes.zero
      forEachBlock { x in
        let value = row.lanes(at: x) * factors.lanes(at: x)
        row.setLanes(value, at: x)
        most = most.replacing(with: value, where: value .> most)
      }
      var maximum: Float = 0
      for lane in 0..<8 { maximum = max(maximum, most[lane]) }
      maxima[y] = maximum
    }
  }

  // MARK: Learning

  /// Learns colours without gain, and their variance, where `weight` is above 0.
  ///
  /// The rate is 1 over the number of pictures, down to `slowest`.
  @inline(never)
  static func learn(
    _ sample: (colors: Planes, ycc: Planes), weight: Plane, gain: SIMD3<Float>, slowest: Float,
    mean: Planes, variance: Planes, counts: Plane
  ) {
    let inverse = 1 / gain
    for y in 0..<TextureLayout.side {
      let (r, g, b) = (sample.colors.0.row(y), sample.colors.1.row(y), sample.colors.2.row(y))
      let (luma, cb, cr) = (sample.ycc.0.row(y), sample.ycc.1.row(y), sample.ycc.2.row(y))
      let (meanR, meanG, meanB) = (mean.0.row(y), mean.1.row(y), mean.2.row(y))
      let (varY, varCb, varCr) = (variance.0.row(y), variance.1.row(y), variance.2.row(y))
      let (weights, n) = (weight.row(y), counts.row(y))
      forEachBlock { x in
        let own = weights.lanes(at: x)
        let count = n.lanes(at: x) + own
        n.setLanes(count.replacing(with: 10_000, where: count .> 10_000), at: x)
        let young = 1 / count.replacing(with: 1, where: count .< 1)
        let rate = own * young.replacing(with: slowest, where: young .< slowest)
        let red = mix(meanR.lanes(at: x), r.lanes(at: x) * inverse.x, rate)
        let green = mix(meanG.lanes(at: x), g.lanes(at: x) * inverse.y, rate)
        let blue = mix(meanB.lanes(at: x), b.lanes(at: x) * inverse.z, rate)
        meanR.setLanes(red, at: x)
        meanG.setLanes(green, at: x)
        meanB.setLanes(blue, at: x)
        let value = red * (gain.x * 0.299) + green * (gain.y * 0.587) + blue * (gain.z * 0.114)
        let blueness = (blue * gain.z - value) * 0.564
        let redness = (red * gain.x - value) * 0.713
        let slow = rate * 0.7
        addVariance(varY, luma.lanes(at: x) - value, slow, x)
        addVariance(varCb, cb.lanes(at: x) - blueness, slow, x)
        addVariance(varCr, cr.lanes(at: x) - redness, slow, x)
      }
    }
  }

  @inline(__always)
  private static func mix(_ a: Lanes, _ b: Lanes, _ weight: Lanes) -> Lanes { a + (b - a) * weight }

  @inline(__always)
  private static func addVariance(_ row: Row<Float>, _ error: Lanes, _ rate: Lanes, _ x: Int) {
    let square = error * error
    let limited = square.replacing(with: 400, where: square .> 400)
    row.setLanes(mix(row.lanes(at: x), limited, rate), at: x)
  }
}
