import Compose
import Pixels

/// Keys frames of more than 8 bits by a screen that was found in 8.
final class DeepScreen {
  /// Alpha, and spill in 1/512 of an 8-bit code of chroma.
  private let alpha, spill: DeepPlane
  private let grid: ChromaGrid
  private let codes: DeepCodes
  private var threads: [DeepScreenSlice] = []
  private var edges: [any DeepEdgeColors] = []

  init(grid: ChromaGrid, codes: DeepCodes) {
    (self.grid, self.codes) = (grid, codes)
    alpha = DeepPlane(width: grid.gridWidth, height: grid.gridHeight)
    spill = DeepPlane(width: grid.gridWidth, height: grid.gridHeight, of: 0)
  }

  /// The matte of a frame, all opaque without a screen; valid until the next call.
  func makeMatte(
    _ frame: DeepFrame, _ screen: Screen?, _ slicesOfField: [ScreenSlice], _ slices: FrameSlices
  ) -> DeepKeyedFrame {
    guard let screen else {
      for y in 0..<grid.gridHeight {
        alpha.rows.row(y).fill(DeepPlane.opaque)
        alpha.rows.padAndMark(y)
      }
      return DeepKeyedFrame(alpha: .plane(alpha))
    }
    while threads.count < slices.threadCount {
      let thread = DeepScreenSlice(
        grid: grid, codes: codes, field: slicesOfField[threads.count],
        planes: (alpha.rows, spill.rows))
      threads.append(thread)
      edges.append(thread)
    }
    for thread in threads { thread.beginFrame(screen) }
    slices.run(grid.gridHeight) { rows, scratch in
      for y in rows { threads[scratch.thread].makeRow(y, frame) }
    }
    return DeepKeyedFrame(alpha: .plane(alpha), edges: edges)
  }
}

/// As `ScreenSlice`, for more than 8 bits: computes in floating point, in 8-bit codes.
final class DeepScreenSlice {
  private let grid: ChromaGrid
  private let codes: DeepCodes
  /// Interpolates the screen's field.
  private let field: ScreenSlice
  private let planes: (alpha: DeepPlane.Rows, spill: DeepPlane.Rows)
  private var screen: Screen?
  private let memory: Grid<UInt16>
  // Chroma of a row; mixed blocks side by side: the screen's components and spill, on the grid and
  // for luma's pairs.
  private let cb, cr, spill, doubledScreen, doubledSpill: Row<UInt16>
  private let background: (Row<UInt16>, Row<UInt16>, Row<UInt16>)

  init(
    grid: ChromaGrid, codes: DeepCodes, field: ScreenSlice,
    planes: (alpha: DeepPlane.Rows, spill: DeepPlane.Rows)
  ) {
    (self.grid, self.codes, self.field, self.planes) = (grid, codes, field, planes)
    memory = Grid(width: grid.pictureScratchWidth, height: 8, of: 0)
    let rows = memory.rows
    (cb, cr, spill) = (rows.row(0), rows.row(1), rows.row(2))
    (doubledScreen, doubledSpill) = (rows.row(3), rows.row(4))
    background = (rows.row(5), rows.row(6), rows.row(7))
  }

  func beginFrame(_ screen: Screen) {
    self.screen = screen
    field.beginFrame(screen, nil)
  }

  /// Writes grid row `y` of alpha and spill.
  func makeRow(_ y: Int, _ frame: DeepFrame) {
    guard let screen else { return }
    let n = grid.gridWidth
    field.interpolate(y, screen)
    let chroma = (
      cb: frame.source[1].samples(row: y, scratch: cb[..<n]),
      cr: frame.source[2].samples(row: y, scratch: cr[..<n])
    )
    let origin = ScreenField.origin
    DeepScreenKernels.keyAlphaAndSpill(
      planes.alpha.row(y), planes.spill.row(y), cb: chroma.cb, cr: chroma.cr,
      recip: field.scratch.recip[origin...], along: field.scratch.along[origin...], screen.color,
      codes)
    planes.alpha.padAndMark(y)
    planes.spill.padAndMark(y)
  }
}

extension DeepScreenSlice: DeepEdgeColors {
  var readsKeyedAlpha: Bool { true }

  func markMixed(_ kinds: Row<UInt8>, _ y: Int) {
    BlockKernels.markSpillMixed(
      kinds, alpha: planes.alpha.marks(around: y, grid.vShift), spill: planes.spill.marks(y))
  }

  func prepare(_ blocks: MixedBlocks, cells: Row<UInt16>) {
    guard let screen else { return }
    let n = blocks.count
    field.interpolate(blocks.y, screen)
    for component in 0..<3 {
      FieldKernels.upsampleBlocks(
        pick(component, background)[..<n],
        field.scratch.field(2 + component)[..<screen.field.valueCount], ramp: field.scratch.ramp,
        blocks: blocks.numbers)
    }
    BlockKernels.gatherBlocks(spill, planes.spill.wholeBlockRow(blocks.y), blocks.numbers)
    guard grid.hShift > 0 else { return }
    DeepKernels.repeat2x(doubledScreen, background.0[..<n])
    DeepKernels.repeat2x(doubledSpill, spill[..<n])
  }

  func restoreForeground(_ samples: Row<UInt16>, _ site: DeepEdgeSamples) {
    guard let factors = screen?.color.spillFactors else { return }
    let component = site.component
    DeepScreenKernels.unmix(
      samples, alpha: site.keyedAlpha,
      screen: site.isDoubled ? doubledScreen : pick(component, background),
      spill: site.isDoubled ? doubledSpill : spill,
      // In 1/64 for half a code of spill.
      spillFactor: Float(pick(component, factors)) * (1 / 32),
      neutral: Float(grid.blackCode(component)), isLuma: component == 0, codes)
  }

  func addLight(_ samples: Row<UInt16>, _ site: DeepEdgeSamples) {}
}
