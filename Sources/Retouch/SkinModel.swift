import Pixels

/// The luma and chroma distribution of one face's skin, measured on the face and smoothed over
/// time; it presets no skin tone.
struct SkinModel {
  /// The median of luma, and the spread of its quartiles, in codes.
  private(set) var luma: Float = 0
  private(set) var lumaSpread: Float = 0
  /// The 95th percentile of luma, in codes.
  private(set) var lumaTop: Float = 0
  /// Medians of Cb and Cr, codes.
  private(set) var cb: Float = 128
  private(set) var cr: Float = 128
  /// The length of the skin's chroma in codes.
  var saturation: Float { ((cb - 128) * (cb - 128) + (cr - 128) * (cr - 128)).squareRoot() }
  /// Covariance of Cb and Cr, squared codes.
  private var (bb, br, rr): (Float, Float, Float) = (0, 0, 0)
  private(set) var isKnown = false
  /// Luma's code of black.
  private var black: Float = 0

  /// The time constant of the temporal smoothing in seconds.
  private static let memory = 0.5
  /// The range of `lumaSpread`, relative to the skin's luma over black: shading is multiplicative.
  private static let minimumSpread: Float = 0.05
  private static let maximumSpread: Float = 0.16
  /// The spread of noise, in codes.
  private static let minimumNoiseSpread: Float = 2
  /// The maximum colour distance, relative to luma over black, of samples in the covariance:
  /// lipstick, beards and hair must not widen it.
  private static let farColor: Float = 0.1
  /// The minimum colour deviation, relative to luma over black, and that of noise in codes.
  private static let minimumColorDeviation: Float = 0.03
  private static let colorNoise: Float = 1.5
  /// The factor for colour distances in the direction of red.
  private static let redness: Float = 0.4
  /// The factor for luma distances above the median.
  private static let highlights: Float = 0.7

  mutating func reset() { isKnown = false }

  /// Updates the model from the cells fully inside the mask; `black` is luma's code of black,
  /// `elapsed` the seconds since the last update.
  mutating func update(
    _ cells: FaceCells, black: Float, elapsed: Double, scratch: RetouchScratch
  ) {
    self.black = black
    let (region, means, mask, counts) = (
      cells.region, cells.means, cells.coverage, scratch.histograms
    )
    let (lumaCounts, cbCounts, crCounts) = (counts.row(0), counts.row(1), counts.row(2))
    for row in 0..<3 { counts.row(row).fill(0) }
    var total: Int32 = 0
    for y in 0..<region.height {
      let (maskRow, lumaRow) = (mask.row(y), means.luma.row(y))
      let cbRow = cells.hasChroma ? means.cb.row(y) : lumaRow
      let crRow = cells.hasChroma ? means.cr.row(y) : lumaRow
      // Every other cell, in a checkerboard fixed to the picture.
      var x = (region.x + region.y + y) & 1
      while x < region.width {
        if maskRow[x] == PolygonRasterizer.full {
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
    let minimum = max(Self.minimumSpread * light, Self.minimumNoiseSpread)
    let maximum = max(Self.maximumSpread * light, minimum)
    // With clipped highlights the upper half is narrow, so the wider half counts.
    let halves = max(
      median - Self.quantile(lumaCounts, total, 0.25),
      Self.quantile(lumaCounts, total, 0.75) - median)
    let spread = min(max(halves, minimum), maximum)
    let top = Self.quantile(lumaCounts, total, 0.95)
    let weight = isKnown ? Float(elapsed / (Self.memory + elapsed)) : 1
    luma += (median - luma) * weight
    lumaSpread += (spread - lumaSpread) * weight
    lumaTop += (top - lumaTop) * weight
    if cells.hasChroma {
      let newCb = Self.quantile(cbCounts, total, 0.5)
      let newCr = Self.quantile(crCounts, total, 0.5)
      let spread = chromaCovariance(
        means, mask, region, Shading(luma: median, black: black, cb: newCb, cr: newCr))
      cb += (newCb - cb) * weight
      cr += (newCr - cr) * weight
      bb += (spread.bb - bb) * weight
      br += (spread.br - br) * weight
      rr += (spread.rr - rr) * weight
    }
    isKnown = true
  }

  /// The largest RGB component of highlights of the skin's colour, 1 for white.
  func highlightMaximum(_ colorimetry: Colorimetry) -> Float {
    let color = colorimetry.rgb(y: lumaTop, cb: cb, cr: cr)
    return max(color.r, color.g, color.b) / 255
  }

  /// The excess of the largest RGB component of the redder skin over its lightness, 1 for white.
  func componentExcess(_ colorimetry: Colorimetry) -> Float {
    let (far, farRed) = (1.5 * bb.squareRoot(), 1.5 * rr.squareRoot())
    let color = colorimetry.rgb(
      y: luma, cb: cb < 128 ? cb - far : cb + far, cr: cr < 128 ? cr - farRed : cr + farRed)
    return min(max(max(color.r, color.g, color.b) / 255 - colorimetry.normalizedLuma(luma), 0), 1)
  }

  /// The covariance of Cb and Cr about the shaded chroma, in squared codes.
  private func chromaCovariance(
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
        if maskRow[x] == PolygonRasterizer.full, abs(b) < far, abs(r) < far {
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

  /// The chroma of shaded skin, which is proportional to luma over black.
  private struct Shading {
    /// Luma over black in codes; black in quarters of a code.
    let light, black: Float
    /// Chroma per luma over black.
    let cb, cr: Float

    init(luma: Float, black: Float, cb: Float, cr: Float) {
      light = max(luma - black, 1)
      self.black = black * 4
      self.cb = (cb - 128) / light
      self.cr = (cr - 128) / light
    }
  }

  /// Writes the similarity of each cell to this skin, by luma and chroma: `SkinMap.fullSimilarity`
  /// for most skin, 0 for luma far off, and for chroma far off a third (at `strength` 2/3 and
  /// less), which `SkinMap` turns into weights of 1 - `strength`.
  ///
  /// Highlights and flushed cheeks are skin: highlights may be as pale as their light, and redder
  /// colours count as less distant.
  func computeSimilarity(
    _ target: Row<UInt16>, luma lumaRow: Row<UInt16>, chroma: (Row<UInt16>, Row<UInt16>)?,
    strength: Float
  ) {
    let scale = 0.25 / lumaSpread
    let middle = luma * 4
    let n = min(target.count, lumaRow.count)
    guard let (cbRow, crRow) = chroma else {
      for x in 0..<n {
        let lumaDissimilarity = Self.lumaDissimilarity(
          Float(Int32(truncatingIfNeeded: lumaRow[x])) - middle, scale)
        target[x] = UInt16(
          truncatingIfNeeded: nearest((1 - lumaDissimilarity) * SkinMap.fullSimilarity))
      }
      return
    }
    let shading = Shading(luma: luma, black: black, cb: cb, cr: cr)
    let own = Self.minimumColorDeviation * shading.light
    let floor = own * own + Self.colorNoise * Self.colorNoise
    let (b2, r2) = (bb + floor, rr + floor)
    let determinant = max(b2 * r2 - br * br, 1)
    // Quarters of a code squared are sixteenths.
    let k = 1 / (16 * determinant)
    let (pb, pm, pr) = (r2 * k, -2 * br * k, b2 * k)
    let colorStrength = strength / min(1, strength * 1.5)
    let usual = 4 * shading.light
    let m = min(n, cbRow.count, crRow.count)
    for x in 0..<m {
      let value = Float(Int32(truncatingIfNeeded: lumaRow[x]))
      let light = value - shading.black
      let lumaDissimilarity = Self.lumaDissimilarity(value - middle, scale)
      // Between the shaded chroma and the median's, because highlights add white.
      let pale = min(light, usual)
      let b = Self.distanceOutside(
        Float(Int32(truncatingIfNeeded: cbRow[x]) &- 512), light * shading.cb, pale * shading.cb)
      let cr = Self.distanceOutside(
        Float(Int32(truncatingIfNeeded: crRow[x]) &- 512), light * shading.cr, pale * shading.cr)
      let r = cr > 0 ? cr * Self.redness : cr
      let distance = b * b * pb + b * r * pm + r * r * pr
      // exp(-t) as 1 over the series of exp(t): a library call would prevent vectorisation.
      let t = max(distance - 4, 0) * 0.125
      let similarity = 1 / (1 + t * (1 + t * (0.5 + t * (1 / 6))))
      let like = (1 - lumaDissimilarity) * (1 - colorStrength * (1 - similarity))
      target[x] = UInt16(truncatingIfNeeded: nearest(like * SkinMap.fullSimilarity))
    }
  }

  /// 0 for luma of this skin, 1 for luma far off; `distance` is in quarters of a code, `scale`
  /// converts it to deviations.
  @inline(__always)
  private static func lumaDissimilarity(_ distance: Float, _ scale: Float) -> Float {
    // Full similarity within 3 deviations, none beyond 5; wider for highlights.
    let z = distance * scale
    return min(max((max(-z, z * highlights) - 3) * 0.5, 0), 1)
  }

  /// The distance of `value` from the interval between two others.
  @inline(__always)
  private static func distanceOutside(_ value: Float, _ a: Float, _ b: Float) -> Float {
    value - min(max(value, min(a, b)), max(a, b))
  }

  /// Reduces `weights` of cells rougher than skin, such as hair, lashes and glasses; by up to 1 at
  /// `strength` 2/3 and more.
  static func attenuateRoughCells(_ weights: Row<Float>, _ roughness: Row<Float>, strength: Float) {
    let maximum = min(1, strength * 1.5)
    let n = min(weights.count, roughness.count)
    for x in 0..<n {
      let rough = roughness[x] * roughness[x]
      weights[x] *= 1 - maximum * (rough / (1 + rough))
    }
  }

  /// The `fraction` quantile of a histogram, interpolated linearly inside its bin.
  private static func quantile(_ counts: Row<Int32>, _ total: Int32, _ fraction: Float) -> Float {
    let wanted = Float(total) * fraction
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
