import Compose
import Pixels

/// Keys a screen on one thread: makes rows of alpha and spill, and removes both screen and spill from
/// mixed samples.
final class ScreenSlice {
  private let grid: ChromaGrid
  let scratch: ScreenScratch
  /// Planes whose every row is the row made last: alpha and spill.
  private let rowPlanes: SpillPlanes
  /// The planes that are composited.
  private var planes: (alpha: GridPlane.Rows, spill: GridPlane.Rows)
  /// What the frame shows; nil before the first.
  private var screen: Screen?
  /// The four rows whose field is in the scratch rows.
  private var interpolatedRows = -1

  init(grid: ChromaGrid) {
    self.grid = grid
    scratch = ScreenScratch(grid: grid)
    rowPlanes = SpillPlanes(width: grid.gridWidth, height: 1)
    planes = rowPlanes.rows
  }

  /// Prepares for a frame whose alpha and spill are kept in `planes`; nil for rows made one by one.
  func beginFrame(_ screen: Screen, _ planes: SpillPlanes?) {
    self.screen = screen
    self.planes = (planes ?? rowPlanes).rows
    interpolatedRows = -1
    scratch.cotangent.fill(screen.color.cotangent)
    scratch.gain.fill(screen.color.gain)
    scratch.spillStrength.fill(screen.color.spillStrength)
  }

  /// Writes grid row `y` of alpha and spill.
  func makeRow(_ y: Int, _ chroma: (cb: Row<UInt8>, cr: Row<UInt8>)) {
    guard let screen else { return }
    interpolate(y, screen)
    let origin = ScreenField.origin
    ScreenKernels.keyAlphaAndSpill(
      planes.alpha.row(y), planes.spill.row(y), cb: chroma.cb, cr: chroma.cr,
      recip: scratch.recip[origin...], along: scratch.along[origin...],
      repeated: (scratch.cotangent, scratch.gain, scratch.spillStrength), screen.color)
    planes.alpha.padAndMark(y)
    planes.spill.padAndMark(y)
  }

  /// Interpolates the field at grid row `y`.
  func interpolate(_ y: Int, _ screen: Screen) {
    guard y >> 2 != interpolatedRows else { return }
    interpolatedRows = y >> 2
    let values = screen.field.valueCount
    for channel in 0..<ScreenField.channels {
      screen.field.interpolateRow(channel, y, into: scratch.field(channel)[..<values])
    }
    // In 1/256 of a code, from `ScreenField.origin` on.
    FieldKernels.upsample16x(scratch.recip, scratch.field(0)[..<values], ramp: scratch.ramp)
    FieldKernels.upsample16x(scratch.along, scratch.field(1)[..<values], ramp: scratch.ramp)
  }
}

extension ScreenSlice: AlphaRowMaker {
  var alphaRow: GridPlane.Rows { planes.alpha }

  func makeRow(_ y: Int, _ components: PackedPixels.Rows) {
    guard grid.isRGB else { return makeRow(y, (components.1, components.2)) }
    let (cb, cr) = (scratch.cb[..<grid.gridWidth], scratch.cr[..<grid.gridWidth])
    ScreenKernels.convertToChroma(cb, cr, components, scratch.chromaMatrix)
    makeRow(y, (cb, cr))
  }
}

extension ScreenSlice: EdgeColors {
  var readsKeyedAlpha: Bool { true }
  var readsAlpha: Bool { false }

  func markMixed(_ kinds: Row<UInt8>, _ y: Int) {
    BlockKernels.markSpillMixed(
      kinds, alpha: planes.alpha.marks(around: y, grid.vShift), spill: planes.spill.marks(y))
  }

  func prepare(_ blocks: MixedBlocks, _ composeScratch: ComposeScratch.Rows) {
    guard let screen else { return }
    let n = blocks.count
    interpolate(blocks.y, screen)
    for component in 0..<3 {
      FieldKernels.upsampleBlocks(
        pick(component, scratch.screen)[..<n],
        scratch.field(2 + component)[..<screen.field.valueCount], ramp: scratch.ramp,
        blocks: blocks.numbers)
    }
    BlockKernels.gatherBlocks(scratch.spill, planes.spill.wholeBlockRow(blocks.y), blocks.numbers)
    guard grid.hShift > 0 else { return }
    MatteKernels.repeat2x(scratch.doubledScreen, scratch.screen.0[..<n])
    MatteKernels.repeat2x(scratch.doubledSpill, scratch.spill[..<n])
  }

  func restoreForeground(_ samples: Row<UInt8>, _ site: EdgeSamples) {
    // Only these: the screen itself would be copied for every component of every row.
    guard let factors = screen?.color.spillFactors else { return }
    let (component, alpha) = (site.component, site.keyedAlpha)
    let reciprocals = scratch.reciprocals[..<samples.count]
    if site.isNewAlpha { SpillKernels.alphaReciprocals(reciprocals, alpha: alpha) }
    let background = site.isDoubled ? scratch.doubledScreen : pick(component, scratch.screen)
    let spill = site.isDoubled ? scratch.doubledSpill : scratch.spill
    let factor = pick(component, factors)
    if component == 0 || grid.isRGB {
      SpillKernels.unmixLuma(
        samples, alpha: alpha, screen: background, spill: spill, spillFactor: factor,
        neutral: grid.blackCode(component), reciprocals: reciprocals)
    } else {
      SpillKernels.unmixChroma(
        samples, alpha: alpha, screen: background, spill: spill, spillFactor: factor,
        reciprocals: reciprocals)
    }
  }

  func addLight(_ samples: Row<UInt8>, _ site: EdgeSamples) {}
}

/// A screen as one frame shows it; valid while the tracker's map lives.
struct Screen {
  let color: ScreenColor
  let field: ScreenField
}

/// Alpha, and spill in half codes of chroma, on the chroma grid.
final class SpillPlanes {
  let alpha, spill: GridPlane

  init(width: Int, height: Int) {
    alpha = GridPlane(width: width, height: height)
    spill = GridPlane(width: width, height: height, of: 0)
  }

  /// The rows alone; valid while this lives.
  var rows: (alpha: GridPlane.Rows, spill: GridPlane.Rows) { (alpha.rows, spill.rows) }
}
