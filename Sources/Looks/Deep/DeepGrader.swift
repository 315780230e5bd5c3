import Pixels

/// Applies a look to the colours of pictures of more than 8 bits, as `ColorGrader` does: by the
/// same nodes, interpolated in floating point, or by a luma curve with a value for each code.
final class DeepGrader: LookTables {
  private let video: VideoFormat
  private let isSubsampled: Bool
  private let lut = ColorLUT(sharesChroma: false)
  /// The nodes in 8-bit codes, and for subsampled chroma luma alone: 33 values for each (Cb, Cr).
  private let nodes = Grid<SIMD4<Float>>(width: ColorLUT.count, height: 1, of: .zero)
  private let luma: Grid<Float>
  /// The luma of each code, for looks that need nothing else.
  private let curve: Grid<Float>
  private var usesCurve = false
  private let low, high: SIMD4<Float>

  init(_ video: VideoFormat) {
    self.video = video
    isSubsampled = video.format.layout.chromaShifts.h > 0
    luma = Grid(width: isSubsampled ? ColorLUT.count : 0, height: 1, of: 0)
    curve = Grid(width: 1 << video.format.bitDepth, height: 1, of: 0)
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
    usesCurve = intensity == 1 && map.luma != nil
    if usesCurve, let luma = map.luma {
      let (row, colors) = (curve.row(0), video.colorimetry)
      let unit = 1 / Float(1 << (video.format.bitDepth - 8))
      for code in 0..<row.count {
        let y = Double(colors.normalizedLuma(Float(code) * unit))
        let value = colors.lumaOffset + Float(luma(y)) * colors.lumaScale
        row[code] = min(max(value, low.x), high.x)
      }
      return
    }
    let nodes = nodes.row(0)
    lut.fillNodes(nodes, intensity: Float(intensity))
    guard isSubsampled else { return }
    let luma = luma.row(0)
    for index in 0..<nodes.count { luma[index] = nodes[index].x }
  }

  /// Applies the look to a tile in place.
  func apply(_ tile: DeepTile) {
    let (cb, cr) = (tile.values[2], tile.values[3])
    if usesCurve {
      for line in 0..<tile.lumaLines {
        DeepLookKernels.applyTable(tile.values[line], tile.codes[line], curve.row(0))
      }
      cb.fill(128)
      cr.fill(128)
      return
    }
    let nodes = nodes.row(0)
    guard isSubsampled else {
      return LookKernels.interpolateTetrahedra(
        tile.values[0], cb, cr, nodes: nodes, low: low, high: high)
    }
    // Chroma by the mean luma of its pixels; luma by its own code and the nearest chroma node.
    let (upper, lower) = (tile.values[0], tile.values[tile.lumaLines - 1])
    let luma = luma.row(0)
    DeepLookKernels.downsample2x2(tile.mean, upper, lower)
    tile.exact.copy(tile.mean)
    tile.oldCb.copy(cb)
    tile.oldCr.copy(cr)
    LookKernels.interpolateTetrahedra(
      tile.exact, cb, cr, nodes: nodes, low: low, high: high)
    DeepLookKernels.lumaColumns(
      tile.columns, tile.offsets, mean: tile.mean, exact: tile.exact, cb: tile.oldCb,
      cr: tile.oldCr, luma: luma)
    for line in 0..<tile.lumaLines {
      LookKernels.applyLumaColumns(
        tile.values[line], tile.columns, tile.offsets, luma: luma, low.x...high.x)
    }
  }
}
