import Compose
import Pixels

/// The screen's colour and light on blocks of 16 x 16 chroma samples.
///
/// Blocks are measured where samples and their neighbours are surely screen, filtered in time, and
/// holes filled from the blocks around them. Rows between block centres are interpolated.
final class ScreenMap {
  static let block = 16
  /// Fraction of screen samples under which a block's measure is not used.
  static let minimumCoverage: Float = 0.3
  /// Fraction of known blocks under which the key colour itself is used.
  static let minimumBlocks: Float = 0.1
  /// Frames in which every block is measured once.
  static let sweep = 8
  /// Weight of a new measure: with `sweep`, a time constant of about a second.
  static let updateWeight: Float = 0.25
  /// Mean difference of luma, in codes, over which blocks show another scene.
  static let sceneStep: Float = 24

  let columns, rows: Int
  /// See `ScreenField`.
  private let channels: Grid<UInt16>
  /// What this frame measured, for `mergeMeasures`; slices write rows of their own.
  let measured: Grid<ScreenMeasure>
  private let measures: Grid<ScreenMeasure>
  /// The filled map, and its levels at half the size each, down to one block.
  private var levels: [Grid<ScreenMeasure>] = []
  private var nextRow = 0
  private(set) var isFresh = true
  /// Whether the filled map has an expectation for every block.
  private var hasExpectation = false

  init(gridWidth: Int, gridHeight: Int) {
    columns = (gridWidth + Self.block - 1) / Self.block
    rows = (gridHeight + Self.block - 1) / Self.block
    channels = Grid(width: columns, height: rows * ScreenField.channels, of: 0)
    measured = Grid(width: columns, height: rows, of: ScreenMeasure())
    measures = Grid(width: columns, height: rows, of: ScreenMeasure())
    var (width, height) = (columns, rows)
    levels = [Grid(width: width, height: height, of: ScreenMeasure())]
    while width > 1 || height > 1 {
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
      levels.append(Grid(width: width, height: height, of: ScreenMeasure()))
    }
  }

  /// Forgets every block.
  func reset() {
    for row in 0..<rows { measures.row(row).fill(ScreenMeasure()) }
    nextRow = 0
    isFresh = true
    hasExpectation = false
  }

  /// Block rows to measure in this frame: all at first, then a band that moves down.
  func rowsToMeasure() -> Range<Int> {
    if isFresh { return 0..<rows }
    let count = (rows + Self.sweep - 1) / Self.sweep
    let start = nextRow < rows ? nextRow : 0
    return start..<min(start + count, rows)
  }

  /// q over which a sample counts as screen, in 1/16 codes, for each column of a block row.
  ///
  /// Three fifths of the screen colour's in an empty map; then seven tenths of what is expected in
  /// that block, so that dark corners count and half transparent edges do not.
  func writeThresholds(_ out: Row<UInt16>, blockRow: Int, color: ScreenColor) {
    let expected = levels[0].row(blockRow)
    for column in 0..<columns {
      let threshold = hasExpectation ? expected[column].q * 0.7 : color.q * 0.6
      let left = column * Self.block
      out[left..<min(left + Self.block, out.count)].fill(UInt16(min(max(threshold * 16, 1), 4095)))
    }
  }

  /// Filters in the measures of `rowsToMeasure`; where they show another scene, resets the map and
  /// returns true.
  func mergeMeasures(rows range: Range<Int>) -> Bool {
    if !isFresh, isSceneChange(range) {
      reset()
      return true
    }
    for row in range {
      let (known, measured) = (measures.row(row), measured.row(row))
      for column in 0..<columns where measured[column].weight >= Self.minimumCoverage {
        known[column] =
          known[column].weight > 0 && !isFresh
          ? known[column].lerp(to: measured[column], weight: Self.updateWeight) : measured[column]
      }
    }
    nextRow = range.upperBound
    isFresh = false
    return false
  }

  /// Whether the scene changed: the screen's luma jumped, or most of its blocks are no longer
  /// screen.
  private func isSceneChange(_ range: Range<Int>) -> Bool {
    var difference: Float = 0
    var compared: Float = 0
    var known: Float = 0
    for row in range {
      let (measures, measured) = (measures.row(row), measured.row(row))
      for column in 0..<columns where measures[column].weight > 0 {
        known += 1
        guard measured[column].weight >= Self.minimumCoverage else { continue }
        difference += abs(measured[column].means.x - measures[column].means.x)
        compared += 1
      }
    }
    return difference > compared * Self.sceneStep || (known >= 8 && compared < known * 0.2)
  }

  /// Uses a fresh map's first measures as expectations, to measure again by them.
  func adoptExpectations() {
    guard isUsable else { return }
    fillHoles()
    hasExpectation = true
    isFresh = true
    nextRow = 0
  }

  /// Whether enough blocks are known to fill the others.
  private var isUsable: Bool {
    var known: Float = 0
    for row in 0..<rows {
      let measures = measures.row(row)
      for column in 0..<columns where measures[column].weight > 0 { known += 1 }
    }
    return known > 0 && known >= Float(columns * rows) * Self.minimumBlocks
  }

  /// Fills the holes and makes the field that rows are interpolated from.
  func buildField(color: ScreenColor, grid: ChromaGrid, adapt: Float) {
    let flat = ScreenMeasure(
      weight: 1,
      means: SIMD4(color.components.0, color.components.1, color.components.2, color.q))
    let weight = isUsable ? adapt : 0
    if weight > 0 {
      fillHoles()
      hasExpectation = true
    }
    for row in 0..<rows {
      let filled = levels[0].row(row)
      for column in 0..<columns {
        let measure = weight > 0 ? flat.lerp(to: filled[column], weight: weight) : flat
        writeFieldBlock(measure, row: row, column: column, color: color, grid: grid)
      }
    }
  }

  private func writeFieldBlock(
    _ measure: ScreenMeasure, row: Int, column: Int, color: ScreenColor, grid: ChromaGrid
  ) {
    func set(_ channel: Int, _ value: Float) {
      channels.row(channel * rows + row)[column] = UInt16(min(max(value, 0), 4095).rounded())
    }
    let chroma = grid.keyChroma(of: measure.components)
    // Half a percent more than 2^20 / 16 makes up for truncation, and leaves some for noise.
    set(0, 65864 / max(measure.q, 16.1))
    set(1, color.projectionOnHue(cb: chroma.cb, cr: chroma.cr) * 16)
    for component in 0..<3 { set(2 + component, measure.means[component] * 16) }
  }

  /// Means of known blocks at half the size again and again, then back up into the holes.
  private func fillHoles() {
    let levels = levels
    for row in 0..<rows { levels[0].row(row).copy(measures.row(row)) }
    for level in 1..<max(levels.count, 1) {
      let (fine, coarse) = (levels[level - 1], levels[level])
      for row in 0..<coarse.height {
        for column in 0..<coarse.width {
          coarse.row(row)[column] = Self.meanOfFour(of: fine, column: 2 * column, row: 2 * row)
        }
      }
    }
    for level in stride(from: levels.count - 2, through: 0, by: -1) {
      let fine = levels[level]
      for row in 0..<fine.height {
        for column in 0..<fine.width {
          fine.row(row)[column].blendCoarseEstimate(
            Self.interpolateCoarse(levels[level + 1], column: column, row: row))
        }
      }
    }
  }

  /// The mean of 2 x 2 blocks of a level, fewer at its edges.
  @inline(__always)
  private static func meanOfFour(
    of level: Grid<ScreenMeasure>, column: Int, row: Int
  ) -> ScreenMeasure {
    var sum = ScreenMeasure()
    for y in row..<min(row + 2, level.height) {
      for x in column..<min(column + 2, level.width) { sum.add(level.row(y)[x]) }
    }
    return sum.mean(outOf: 4)
  }

  /// A level at the centre of a block of the next finer one, bilinear.
  private static func interpolateCoarse(
    _ level: Grid<ScreenMeasure>, column: Int, row: Int
  ) -> ScreenMeasure {
    let (x, y) = (column / 2, row / 2)
    let nextX = max(0, min(column % 2 == 0 ? x - 1 : x + 1, level.width - 1))
    let nextY = max(0, min(row % 2 == 0 ? y - 1 : y + 1, level.height - 1))
    let near = level.row(y)[x].lerp(to: level.row(y)[nextX], weight: 0.25)
    let far = level.row(nextY)[x].lerp(to: level.row(nextY)[nextX], weight: 0.25)
    return near.lerp(to: far, weight: 0.25)
  }

  /// The field's rows alone; valid while the map lives.
  var field: ScreenField { ScreenField(channels: channels.rows) }
}
