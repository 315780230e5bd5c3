import Pixels

/// Applies a look to the colours of pictures of more than 8 bits, as `ColorGrader` does: by the
/// same nodes, interpolated in floating point, or by a luma curve with a value for each code.
final class DeepGrader: LookTables {
  private let video: VideoFormat
  private let isSubsampled: Bool
  private let lut = ColorLUT(sharesChroma: false)
  /// The nodes in 8-bit codes.
  private let nodes = Grid<SIMD4<Float>>(width: ColorLUT.count, height: 1, of: .zero)
  /// For subsampled chroma: for each (Cb, Cr) node the luma of each code.
  private let luma: Grid<Float>
  private let codeCount: Int
  /// The curve of looks that need nothing else; nil for others.
  private(set) var curve: GreyCurve?
  private let low, high: SIMD4<Float>

  init(_ video: VideoFormat) {
    self.video = video
    isSubsampled = video.format.layout.chromaShifts.h > 0
    codeCount = 1 << video.format.bitDepth
    luma = Grid(
      width: isSubsampled ? ColorLUT.side * ColorLUT.side * codeCount : 0, height: 1, of: 0)
    let highest = 256 - 1 / Float(1 << (video.format.bitDepth - 8))
    let isWide = video.colorimetry.isFullRange
    low = SIMD4(repeating: isWide ? 0 : 16)
    high = isWide ? SIMD4(repeating: highest) : SIMD4(235, 240, 240, 0)
  }

  func setLook(_ map: ColorMap) {
    let colors = video.colorimetry
    lut.setLook { map.changedCodes($0, colors) }
  }

  func setIntensity(_ map: ColorMap, intensity: Double) {
    curve = intensity == 1 ? map.luma : nil
    guard curve == nil else { return }
    let nodes = nodes.row(0)
    lut.fillNodes(nodes, intensity: Float(intensity))
    guard isSubsampled else { return }
    let (luma, side) = (luma.row(0), ColorLUT.side)
    let step = Float(side - 1) / Float(codeCount)
    for column in 0..<side * side {
      let values = luma[from: column * codeCount, count: codeCount]
      for code in 0..<codeCount {
        let position = Float(code) * step
        let node = Int(position)
        let own = nodes[column * side + node].x
        values[code] = own + (nodes[column * side + node + 1].x - own) * (position - Float(node))
      }
    }
  }

  /// Applies the look to a tile in place.
  func apply(_ tile: DeepTile) {
    let (cb, cr) = (tile.values[2], tile.values[3])
    if let curve {
      for line in 0..<tile.lumaLines {
        DeepLookKernels.applyCubic(
          tile.values[line], curve.singleFactors, offset: video.colorimetry.lumaOffset,
          range: video.colorimetry.lumaScale)
      }
      cb.fill(128)
      cr.fill(128)
      return
    }
    let nodes = nodes.row(0)
    guard isSubsampled else {
      return interpolate(tile.values[0], cb, cr, nodes, tile)
    }
    // Chroma by the mean luma of its pixels; luma by its own code and the nearest chroma node.
    let (upper, lower) = (tile.values[0], tile.values[tile.lumaLines - 1])
    let luma = luma.row(0)
    DeepLookKernels.downsample2x2(tile.mean, upper, lower)
    tile.exact.copy(tile.mean)
    tile.oldCb.copy(cb)
    tile.oldCr.copy(cr)
    interpolate(tile.exact, cb, cr, nodes, tile)
    let scale = Float(codeCount >> 8)
    DeepLookKernels.lumaColumns(
      tile.columns, tile.offsets, mean: tile.mean, exact: tile.exact, cb: tile.oldCb,
      cr: tile.oldCr, luma: luma, scale: scale, pairs: tile.pairs, fractions: tile.fractions)
    for line in 0..<tile.lumaLines {
      // Not the codes that were read, where the cartoon has changed luma.
      if tile.isChanged {
        DeepLookKernels.toCodes(
          tile.mapped[..<tile.values[line].count], tile.values[line], scale: scale,
          maximum: Float(codeCount - 1))
      }
      LookKernels.applyLumaColumns(
        tile.values[line], tile.isChanged ? tile.mapped : tile.codes[line], tile.columns,
        tile.offsets, luma: luma, codeCount: codeCount)
      DeepLookKernels.clamp(tile.values[line], low.x...high.x)
    }
  }
  /// Interpolates colours in place.
  private func interpolate(
    _ a: Row<Float>, _ b: Row<Float>, _ c: Row<Float>, _ nodes: Row<SIMD4<Float>>, _ tile: DeepTile
  ) {
    // As many at once as stay in the L1 cache.
    var start = 0
    while start < a.count {
      let count = min(Tetrahedra.maximumCount, a.count - start)
      let (a, b, c) = (
        a[from: start, count: count], b[from: start, count: count], c[from: start, count: count]
      )
      DeepLookKernels.tetrahedra(tile.places, a, b, c)
      LookKernels.interpolateTetrahedra(count, tile.places, nodes: nodes, low: low, high: high)
      DeepLookKernels.deinterleave(a, b, c, tile.places.sums)
      start += count
    }
  }

  /// Applies the curve to codes of luma.
  func apply(_ curve: GreyCurve, toCodes codes: Row<UInt16>) {
    let (colors, scale) = (video.colorimetry, Double(codeCount >> 8))
    let (terms, range) = curve.codeTerms(
      zero: Double(colors.lumaOffset) * scale, extent: Double(colors.lumaScale) * scale)
    DeepLookKernels.applyCubic(
      codes, terms, mask: UInt16(truncatingIfNeeded: codeCount - 1), range)
  }
}
