import Pixels

/// What the skin of one face looks like, with no limits of tone or colour: measured on the face
/// itself and followed over time.
struct SkinModel {
  /// Median of luma, and how far from it the middle half of the skin reaches, codes.
  private(set) var luma: Float = 0
  private(set) var lumaSpread: Float = 0
  /// Luma under which 95 % of the skin lies, codes.
  private(set) var lumaTop: Float = 0
  /// Medians of Cb and Cr, codes.
  private(set) var cb: Float = 128
  private(set) var cr: Float = 128
  /// Covariance of Cb and Cr, squared codes.
  private var (bb, br, rr): (Float, Float, Float) = (0, 0, 0)
  private(set) var isKnown = false
  /// Luma's code of black.
  private var black: Float = 0

  /// Seconds in which an old measurement fades to 1/e.
  private static let memory = 0.5
  /// Deviations of luma under and over which the spread is not believed, in shares of the skin's
  /// light: shading dims dark and light skin alike by shares, not by codes.
  private static let leastSpread: Float = 0.05
  private static let mostSpread: Float = 0.16
  /// What noise alone spreads, codes.
  private static let leastCodes: Float = 2
  /// Colour further than this from the skin's, in shares of its light, does not enter the
  /// covariance: lipstick, beards and hair must not widen it.
  private static let farColor: Float = 0.1
  /// Deviations of colour that every skin has, in shares of its light, and of noise, codes.
  private static let leastColor: Float = 0.03
  private static let colorNoise: Float = 1.5
  /// Share of the distance that what is redder than the skin counts as.
  private static let redness: Float = 0.4
  /// Share of the distance that what is brighter counts as.
  private static let highlights: Float = 0.7

  mutating func forget() { isKnown = false }

  /// Measures the cells that lie wholly inside the mask; `black` is luma's code of black,
  /// `elapsed` the seconds since the last time, and `counts` room for three histograms of 256.
  mutating func learn(
    _ means: CellMeans, mask: Grid<UInt16>, region: CellRegion, hasChroma: Bool,
    black: Float, elapsed: Double, counts: Grid<Int32>
  ) {
    self.black = black
    let (lumaCounts, cbCounts, crCounts) = (counts.row(0), counts.row(1), counts.row(2))
    for row in 0..<3 { counts.row(row).fill(0) }
    var total: Int32 = 0
    for y in 0..<region.height {
      let (maskRow, lumaRow) = (mask.row(y), means.luma.row(y))
      let cbRow = hasChroma ? means.cb.row(y) : lumaRow
      let crRow = hasChroma ? means.cr.row(y) : lumaRow
      // Every other cell, in a pattern that stays where it is in the picture.
      var x = (region.x + region.y + y) & 1
      while x < region.width {
        if maskRow[x] == PolygonCoverage.full {
          lumaCounts[Int(min(lumaRow[x] >> 2, 255))] &+= 1
          cbCounts[Int(min(cbRow[x] >> 2, 255))] &+= 1
          crCounts[Int(min(crRow[x] >> 2, 255))] &+= 1
          total &+= 1
        }
        x &+= 2
      }
    }
    guard total >= 8 else { return }
    let median = Self.quantile(lumaCounts, total, 0.5)
    let light = max(median - black, 0)
    let least = max(Self.leastSpread * light, Self.leastCodes)
    let most = max(Self.mostSpread * light, least)
    // Where highlights are clipped the lighter half lies close together.
    let halves = max(
      median - Self.quantile(lumaCounts, total, 0.25),
      Self.quantile(lumaCounts, total, 0.75) - median)
    let spread = min(max(halves, least), most)
    let top = Self.quantile(lumaCounts, total, 0.95)
    let share = isKnown ? Float(elapsed / (Self.memory + elapsed)) : 1
    luma += (median - luma) * share
    lumaSpread += (spread - lumaSpread) * share
    lumaTop += (top - lumaTop) * share
    if hasChroma {
      let newCb = Self.quantile(cbCounts, total, 0.5)
      let newCr = Self.quantile(crCounts, total, 0.5)
      let spread = covariance(
        means, mask, region, Shading(luma: median, black: black, cb: newCb, cr: newCr))
      cb += (newCb - cb) * share
      cr += (newCr - cr) * share
      bb += (spread.bb - bb) * share
      br += (spread.br - br) * share
      rr += (spread.rr - rr) * share
    }
    isKnown = true
  }

  /// The strongest of red, green and blue in highlights of the skin's colour, 1 for white.
  func brightest(_ colorimetry: Colorimetry) -> Float {
    let color = colorimetry.rgb(y: lumaTop, cb: cb, cr: cr)
    return max(color.r, color.g, color.b) / 255
  }

  /// By how much the strongest of red, green and blue of the redder part of the skin exceeds its
  /// lightness, 1 for white.
  func excess(_ colorimetry: Colorimetry) -> Float {
    let (far, farRed) = (1.5 * bb.squareRoot(), 1.5 * rr.squareRoot())
    let color = colorimetry.rgb(
      y: luma, cb: cb < 128 ? cb - far : cb + far, cr: cr < 128 ? cr - farRed : cr + farRed)
    return min(max(max(color.r, color.g, color.b) / 255 - colorimetry.lightness(luma), 0), 1)
  }

  private func covariance(
    _ means: CellMeans, _ mask: Grid<UInt16>, _ region: CellRegion, _ shading: Shading
  ) -> (bb: Float, br: Float, rr: Float) {
    let far = Int32(max(Self.farColor * shading.light, 4 * Self.colorNoise) * 4)
    var (bb, br, rr, count): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    for y in 0..<region.height {
      let (maskRow, lumaRow) = (mask.row(y), means.luma.row(y))
      let (cbRow, crRow) = (means.cb.row(y), means.cr.row(y))
      var x = (region.x + region.y + y) & 1
      while x < region.width {
        let light = Float(Int32(truncatingIfNeeded: lumaRow[x])) - shading.black
        let b = Int32(truncatingIfNeeded: cbRow[x]) &- 512 &- nearest(light * shading.cb)
        let r = Int32(truncatingIfNeeded: crRow[x]) &- 512 &- nearest(light * shading.cr)
        if maskRow[x] == PolygonCoverage.full, abs(b) < far, abs(r) < far {
          bb &+= Int64(b &* b)
          br &+= Int64(b &* r)
          rr &+= Int64(r &* r)
          count &+= 1
        }
        x &+= 2
      }
    }
    guard count > 0 else { return (0, 0, 0) }
    let scale = 1 / (16 * Float(count))
    return (Float(bb) * scale, Float(br) * scale, Float(rr) * scale)
  }

  /// The colour that skin has in light and in shadow: its distance from grey grows with luma.
  private struct Shading {
    /// Luma over black, codes; black in quarters of a code.
    let light, black: Float
    /// Colour differences from grey per luma over black.
    let cb, cr: Float

    init(luma: Float, black: Float, cb: Float, cr: Float) {
      light = max(luma - black, 1)
      self.black = black * 4
      self.cb = (cb - 128) / light
      self.cr = (cr - 128) / light
    }
  }

  /// Sets each of `target` to how much its cell is like this skin, by luma and colour: from
  /// `SkinMap.full` for the most of it down to 0 for luma far from the skin's, and for colours far
  /// off to a third (at `share` 2/3 and less), in the weights that `SkinMap` makes of it 1 - `share`.
  ///
  /// Highlights and flushed cheeks are skin: what is brighter may be as pale as the light that it
  /// mirrors, and what is redder counts as less far off.
  func judge(
    _ target: Row<UInt16>, luma lumaRow: Row<UInt16>, chroma: (Row<UInt16>, Row<UInt16>)?,
    share: Float
  ) {
    let scale = 0.25 / lumaSpread
    let middle = luma * 4
    let n = min(target.count, lumaRow.count)
    guard let (cbRow, crRow) = chroma else {
      for x in 0..<n {
        let unlike = Self.unlike(Float(Int32(truncatingIfNeeded: lumaRow[x])) - middle, scale)
        target[x] = UInt16(truncatingIfNeeded: nearest((1 - unlike) * SkinMap.full))
      }
      return
    }
    let shading = Shading(luma: luma, black: black, cb: cb, cr: cr)
    let own = Self.leastColor * shading.light
    let floor = own * own + Self.colorNoise * Self.colorNoise
    let (b2, r2) = (bb + floor, rr + floor)
    let determinant = max(b2 * r2 - br * br, 1)
    // Quarters of a code squared are sixteenths.
    let k = 1 / (16 * determinant)
    let (pb, pm, pr) = (r2 * k, -2 * br * k, b2 * k)
    let colorShare = share / min(1, share * 1.5)
    let usual = 4 * shading.light
    let m = min(n, cbRow.count, crRow.count)
    for x in 0..<m {
      let value = Float(Int32(truncatingIfNeeded: lumaRow[x]))
      let light = value - shading.black
      let unlike = Self.unlike(value - middle, scale)
      // Between the shaded colour and the usual one, which highlights add white to.
      let pale = min(light, usual)
      let b = Self.beyond(
        Float(Int32(truncatingIfNeeded: cbRow[x]) &- 512), light * shading.cb, pale * shading.cb)
      let cr = Self.beyond(
        Float(Int32(truncatingIfNeeded: crRow[x]) &- 512), light * shading.cr, pale * shading.cr)
      let r = cr > 0 ? cr * Self.redness : cr
      let distance = b * b * pb + b * r * pm + r * r * pr
      // exp(-t) as 1 over the series of exp(t): a call of libm's would keep this loop scalar.
      let t = max(distance - 4, 0) * 0.125
      let likeness = 1 / (1 + t * (1 + t * (0.5 + t * (1 / 6))))
      let like = (1 - unlike) * (1 - colorShare * (1 - likeness))
      target[x] = UInt16(truncatingIfNeeded: nearest(like * SkinMap.full))
    }
  }

  /// 0 for luma as near the skin's as that usually is, 1 for what lies far off; `distance` counts
  /// quarters of a code, `scale` makes deviations of it.
  @inline(__always)
  private static func unlike(_ distance: Float, _ scale: Float) -> Float {
    // Full weight within 3 deviations, none beyond 5; highlights reach further.
    let z = distance * scale
    return min(max((max(-z, z * highlights) - 3) * 0.5, 0), 1)
  }

  /// How far `value` lies outside what lies between two others.
  @inline(__always)
  private static func beyond(_ value: Float, _ a: Float, _ b: Float) -> Float {
    value - min(max(value, min(a, b)), max(a, b))
  }

  /// Multiplies each of `weights` by how smooth its cell is: what is rougher than skin, as hair,
  /// lashes and glasses are, is spared (at `share` 2/3 and more altogether).
  static func weighRoughness(_ weights: Row<Float>, _ roughness: Row<Float>, share: Float) {
    let most = min(1, share * 1.5)
    let n = min(weights.count, roughness.count)
    for x in 0..<n {
      let rough = roughness[x] * roughness[x]
      weights[x] *= 1 - most * (rough / (1 + rough))
    }
  }

  /// The value under which `share` of the counts lie, placed inside its bin by proportion.
  private static func quantile(_ counts: Row<Int32>, _ total: Int32, _ share: Float) -> Float {
    let wanted = Float(total) * share
    var below: Float = 0
    for value in 0..<counts.count {
      let here = Float(counts[value])
      if below + here >= wanted, here > 0 {
        return Float(value) + (wanted - below) / here
      }
      below += here
    }
    return 255
  }
}
