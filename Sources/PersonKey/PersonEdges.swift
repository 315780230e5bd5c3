import Compose
import Filters
import Pixels

/// Corrects the colours of people's edges on one thread: replaces the old background's part in them
/// by the estimated foreground, and adds the new background's light.
final class PersonEdges {
  private let grid: ChromaGrid
  private let memory: Grid<UInt8>
  // Mixed blocks side by side: the estimates' foreground and background, and light; then the first
  // component of each for luma's pairs.
  private let foreground, background, light: (Row<UInt8>, Row<UInt8>, Row<UInt8>)
  private let doubled: (foreground: Row<UInt8>, background: Row<UInt8>, light: Row<UInt8>)
  private var upsampler: GridUpsampler?
  private var colorPlanes: InlineArray<6, Grid<UInt8>.Rows>?
  private var lightPlanes: InlineArray<3, Grid<UInt8>.Rows>?
  /// The weight of the estimate, in 1/256.
  private var weight: Int32 = 0

  /// The samples' codes; nil where they have 8 bits.
  private let codes: DeepCodes?

  init(grid: ChromaGrid, codes: DeepCodes? = nil) {
    (self.grid, self.codes) = (grid, codes)
    memory = Grid(width: grid.pictureScratchWidth, height: 12, of: 0)
    let rows = memory.rows
    foreground = (rows.row(0), rows.row(1), rows.row(2))
    background = (rows.row(3), rows.row(4), rows.row(5))
    light = (rows.row(6), rows.row(7), rows.row(8))
    doubled = (rows.row(9), rows.row(10), rows.row(11))
  }

  /// Prepares for a frame; planes are nil where they are not used.
  func beginFrame(
    _ upsampler: GridUpsampler, despill: Double, colors: InlineArray<6, Grid<UInt8>.Rows>?,
    light: InlineArray<3, Grid<UInt8>.Rows>?
  ) {
    (self.upsampler, colorPlanes, lightPlanes) = (upsampler, colors, light)
    weight = Int32((despill * 256).rounded())
  }
}

extension PersonEdges: EdgeColors {
  var readsKeyedAlpha: Bool { false }
  var readsAlpha: Bool { true }

  func markMixed(_ kinds: Row<UInt8>, _ y: Int) {
    if lightPlanes != nil { BlockKernels.markForegroundMixed(kinds) }
  }

  func prepare(_ blocks: MixedBlocks, _ scratch: ComposeScratch.Rows) {
    prepare(blocks, cells: scratch.cells)
  }

  func prepare(_ blocks: MixedBlocks, cells: Row<UInt16>) {
    guard let upsampler else { return }
    func upsample(_ plane: Grid<UInt8>.Rows, _ out: Row<UInt8>) {
      blocks.forEachRun { columns, offset in
        upsampler.upsampleBilinear(
          plane, row: blocks.y, from: columns.lowerBound, count: columns.count,
          into: out[offset...], scratch: cells)
      }
    }
    let isDoubled = grid.hShift > 0
    if let colorPlanes {
      for index in 0..<3 {
        upsample(colorPlanes[index], pick(index, foreground))
        upsample(colorPlanes[3 + index], pick(index, background))
      }
      if isDoubled {
        MatteKernels.repeat2x(doubled.foreground, foreground.0[..<blocks.count])
        MatteKernels.repeat2x(doubled.background, background.0[..<blocks.count])
      }
    }
    if let lightPlanes {
      for index in 0..<3 { upsample(lightPlanes[index], pick(index, light)) }
      if isDoubled { MatteKernels.repeat2x(doubled.light, light.0[..<blocks.count]) }
    }
  }

  func restoreForeground(_ samples: Row<UInt8>, _ site: EdgeSamples) {
    guard colorPlanes != nil else { return }
    CellKernels.unmix(
      samples, site.isDoubled ? doubled.foreground : pick(site.component, foreground),
      site.isDoubled ? doubled.background : pick(site.component, background), alpha: site.alpha,
      weight: weight)
  }

  func addLight(_ samples: Row<UInt8>, _ site: EdgeSamples) {
    guard lightPlanes != nil else { return }
    CellKernels.addLightWrap(
      samples, site.isDoubled ? doubled.light : pick(site.component, light), alpha: site.alpha,
      neutral: site.component > 0 && !grid.isRGB ? 128 : 0)
  }
}

/// Of samples of more than 8 bits: the estimates have 8, what they change has the samples' own.
extension PersonEdges: DeepEdgeColors {
  func restoreForeground(_ samples: Row<UInt16>, _ site: DeepEdgeSamples) {
    guard colorPlanes != nil, let codes else { return }
    CellKernels.unmix(
      samples, site.isDoubled ? doubled.foreground : pick(site.component, foreground),
      site.isDoubled ? doubled.background : pick(site.component, background), alpha: site.alpha,
      weight: Float(weight) * (1 / 256), codes)
  }

  func addLight(_ samples: Row<UInt16>, _ site: DeepEdgeSamples) {
    guard lightPlanes != nil, let codes else { return }
    CellKernels.addLightWrap(
      samples, site.isDoubled ? doubled.light : pick(site.component, light), alpha: site.alpha,
      neutral: site.component > 0 && !grid.isRGB ? 128 : 0, codes)
  }
}
