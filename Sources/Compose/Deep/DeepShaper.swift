import Pixels

/// Erodes or dilates, blurs and inverts mattes of 16 bits, by the same steps as `MatteShaper`.
final class DeepShaper {
  private let grid: ChromaGrid
  /// The result of the last step, and memory for the next; nil until a matte is shaped.
  private var planes: (shaped: DeepPlane, spare: DeepPlane)?

  init(grid: ChromaGrid) { self.grid = grid }

  /// The shaped matte: `matte` itself where there is nothing to do, else one that is valid until
  /// the next call.
  func shape(_ matte: DeepPlane, _ shape: MatteShape, _ slices: FrameSlices) -> DeepPlane {
    guard !shape.isPlain else { return matte }
    func makePlane() -> DeepPlane { DeepPlane(width: grid.gridWidth, height: grid.gridHeight) }
    var (shaped, spare) = planes ?? (makePlane(), makePlane())
    defer { planes = (shaped, spare) }
    var source = matte.rows
    func forEachRow(_ body: (Row<UInt16>, (_ dx: Int, _ dy: Int) -> Row<UInt16>) -> Void) {
      let (from, to) = (source, spare.rows)
      slices.run(grid.gridHeight) { rows, _ in
        for y in rows {
          body(to.row(y)) { dx, dy in from.row(y + dy, dx: dx) }
          to.padAndMark(y)
        }
      }
      swap(&shaped, &spare)
      source = to
    }
    var plan = ShapingPlan(shape, hShift: grid.hShift, vShift: grid.vShift)
    while let step = plan.nextStep() {
      let (dx, dy) = step.isVertical ? (0, step.distance) : (step.distance, 0)
      forEachRow { out, row in
        DeepKernels.filterThreeRows(
          out, row(-dx, -dy), row(0, 0), row(dx, dy), step.operation,
          Float(min(max(step.weight, 0), 1)))
      }
    }
    if shape.isInverted { forEachRow { out, row in DeepKernels.complement(out, row(0, 0)) } }
    return shaped
  }
}
