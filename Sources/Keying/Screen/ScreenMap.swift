import Pixels

/// The screen's colour from place to place: blocks of 16 x 16 chroma samples.
///
/// Blocks are measured where samples and their neighbours are surely screen, followed in time,
/// and holes filled from blocks round them. Rows between block centres are interpolated.
final class ScreenMap {
  static let block = 16
  /// Screen samples, of those looked at, without which a block says nothing.
  static let leastShare: Float = 0.3
  /// Share of all blocks under which the key colour itself is used.
  static let leastBlocks: Float = 0.1
  /// Frames in which every block is measured once.
  static let sweep = 8
  /// Weight of a new measure: with `sweep`, a time constant of about a second.
  static let follow: Float = 0.25
  /// A row of blocks whose luma differs by this many codes on average is another scene.
  static let sceneStep: Float = 24

  let columns: Int
  let rows: Int
  /// See `ScreenField`.
  private let channels: Strip<UInt16>
  /// What this frame measured, for `take`; slices write rows of their own.
  let news: Strip<ScreenMeasure>
  private var measures: [ScreenMeasure]
  private var levels: [[ScreenMeasure]]
  private var shapes: [(columns: Int, rows: Int)]
  private var nextRow = 0
  private(set) var isFresh = true
  /// Whether the filled map says what to expect at every place.
  private var hasExpectation = false

  init(gridWidth: Int, gridHeight: Int) {
    columns = (gridWidth + Self.block - 1) / Self.block
    rows = (gridHeight + Self.block - 1) / Self.block
    channels = Strip(columns * rows * 5, of: 0)
    news = Strip(columns * rows, of: ScreenMeasure())
    measures = Array(repeating: ScreenMeasure(), count: columns * rows)
    shapes = [(columns, rows)]
    levels = [measures]
    while let last = shapes.last, last.columns > 1 || last.rows > 1 {
      let shape = (columns: (last.columns + 1) / 2, rows: (last.rows + 1) / 2)
      shapes.append(shape)
      levels.append(Array(repeating: ScreenMeasure(), count: shape.columns * shape.rows))
    }
  }

  /// Forgets every block.
  func reset() {
    for index in measures.indices { measures[index] = ScreenMeasure() }
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
  /// Three fifths of the key's in a map that knows nothing yet; then seven tenths of what is
  /// expected at that place, so that neither dark corners are lost nor veils and half
  /// transparent edges taken for a darker screen.
  @unsafe func thresholds(
    _ out: UnsafeMutablePointer<UInt16>, blockRow: Int, gridWidth: Int, key: KeyTable
  ) {
    for column in 0..<columns {
      let expected = levels[0][blockRow * columns + column]
      let least = hasExpectation ? expected.q * 0.7 : key.q * 0.6
      let threshold = UInt16(min(max(least * 16, 1), 4095))
      let left = column * Self.block
      let count = min(Self.block, gridWidth - left)
      unsafe (out + left).update(repeating: threshold, count: count)
    }
  }

  /// Takes the measures of `rowsToMeasure`; true when they show another scene, and all is
  /// forgotten.
  func take(rows range: Range<Int>) -> Bool {
    if !isFresh, isAnotherScene(range) {
      reset()
      return true
    }
    for row in range {
      for column in 0..<columns {
        let index = row * columns + column
        let new = unsafe news.base[index]
        guard new.weight >= Self.leastShare else { continue }
        measures[index] =
          measures[index].weight > 0 && !isFresh
          ? measures[index].mixed(new, share: Self.follow) : new
      }
    }
    nextRow = range.upperBound
    isFresh = false
    return false
  }

  /// Whether the screen's luma jumped, or most of what was screen is none any more.
  private func isAnotherScene(_ range: Range<Int>) -> Bool {
    var difference: Float = 0
    var seen: Float = 0
    var known: Float = 0
    for index in range.lowerBound * columns..<range.upperBound * columns {
      guard measures[index].weight > 0 else { continue }
      known += 1
      let new = unsafe news.base[index]
      guard new.weight >= Self.leastShare else { continue }
      difference += abs(new.c0 - measures[index].c0)
      seen += 1
    }
    return difference > seen * Self.sceneStep || (known >= 8 && seen < known * 0.2)
  }

  /// Takes a fresh map's first measures as expectations, to measure again by them.
  func expect() {
    guard isUsable else { return }
    fillHoles()
    hasExpectation = true
    isFresh = true
    nextRow = 0
  }

  /// Whether enough of the frame is screen to say something of the rest.
  private var isUsable: Bool {
    let known = measures.reduce(into: Float(0)) { $0 += $1.weight > 0 ? 1 : 0 }
    return known > 0 && known >= Float(measures.count) * Self.leastBlocks
  }

  /// Fills the holes and makes the field that rows are interpolated from.
  func build(key: KeyTable, grid: KeyGrid, adapt: Float) {
    let flat = ScreenMeasure(
      weight: 1, q: key.q, c0: key.components.0, c1: key.components.1, c2: key.components.2)
    let share = isUsable ? adapt : 0
    if share > 0 {
      fillHoles()
      hasExpectation = true
    }
    for index in measures.indices {
      let measure = share > 0 ? flat.mixed(levels[0][index], share: share) : flat
      write(measure, at: index, key: key, grid: grid)
    }
  }

  private func write(_ measure: ScreenMeasure, at index: Int, key: KeyTable, grid: KeyGrid) {
    func scaled(_ value: Float, _ factor: Float) -> UInt16 {
      UInt16(min(max(value * factor, 0), 4095).rounded())
    }
    let chroma = grid.chroma((measure.c0, measure.c1, measure.c2))
    let along = key.measure(cb: chroma.cb, cr: chroma.cr).along
    let size = columns * rows
    let base = unsafe channels.base + index
    // Half a percent over: what is cut off in the arithmetic, and a little for noise.
    unsafe base[0] = scaled(65864 / max(measure.q, 16.1), 1)
    unsafe base[size] = scaled(along, 16)
    unsafe base[2 * size] = scaled(measure.c0, 16)
    unsafe base[3 * size] = scaled(measure.c1, 16)
    unsafe base[4 * size] = scaled(measure.c2, 16)
  }

  /// Means of known blocks at half the size again and again, then back up into the holes.
  private func fillHoles() {
    // Element by element: assigned whole, the arrays would share memory and be copied on writing.
    for index in measures.indices { levels[0][index] = measures[index] }
    for level in 1..<max(levels.count, 1) {
      let above = shapes[level - 1]
      let shape = shapes[level]
      for row in 0..<shape.rows {
        for column in 0..<shape.columns {
          var sum = ScreenMeasure()
          for y in 2 * row..<min(2 * row + 2, above.rows) {
            for x in 2 * column..<min(2 * column + 2, above.columns) {
              sum.add(levels[level - 1][y * above.columns + x])
            }
          }
          levels[level][row * shape.columns + column] = sum.mean(outOf: 4)
        }
      }
    }
    for level in stride(from: levels.count - 2, through: 0, by: -1) {
      let shape = shapes[level]
      for row in 0..<shape.rows {
        for column in 0..<shape.columns {
          let coarse = interpolated(level + 1, column: column, row: row)
          let index = row * shape.columns + column
          levels[level][index].complete(coarse)
        }
      }
    }
  }

  /// The next coarser level at the centre of a block of this one, bilinear.
  private func interpolated(_ level: Int, column: Int, row: Int) -> ScreenMeasure {
    let shape = shapes[level]
    let x = column / 2
    let y = row / 2
    let nextX = max(0, min(column % 2 == 0 ? x - 1 : x + 1, shape.columns - 1))
    let nextY = max(0, min(row % 2 == 0 ? y - 1 : y + 1, shape.rows - 1))
    let near = levels[level][y * shape.columns + x]
      .mixed(levels[level][y * shape.columns + nextX], share: 0.25)
    let far = levels[level][nextY * shape.columns + x]
      .mixed(levels[level][nextY * shape.columns + nextX], share: 0.25)
    return near.mixed(far, share: 0.25)
  }

  /// Elements a row from `ScreenField.expand` needs.
  var expandedCount: Int { (columns + 2) * Self.block }

  /// The field's addresses alone.
  var field: ScreenField {
    unsafe ScreenField(base: channels.base, columns: columns, rows: rows)
  }
}

/// The screen from place to place: five channels on blocks; valid while its map lives.
@safe struct ScreenField {
  /// recip, along, component 0, 1, 2, one after another, in the 12-bit scale of `slope`.
  let base: UnsafeMutablePointer<UInt16>
  let columns: Int
  let rows: Int

  /// Interpolates a channel (recip, along, three components) for grid row `y`.
  ///
  /// Sample x lies at element x + 8. The same values serve four rows, so `y` counts by fours. Only samples in `range` are made.
  @unsafe func expand(
    _ out: UnsafeMutablePointer<UInt16>, channel: Int, y: Int, range: Range<Int>
  ) {
    let place = (y & ~3) + 2 + ScreenMap.block / 2
    let lower = max(0, min(place / ScreenMap.block - 1, rows - 1))
    let upper = max(0, min(place / ScreenMap.block, rows - 1))
    let weight = UInt16(truncatingIfNeeded: place % ScreenMap.block)
    let start = unsafe base + channel * columns * rows
    let above = unsafe start + lower * columns
    let below = unsafe start + upper * columns
    let last = columns - 1
    let first = (range.lowerBound + ScreenMap.block / 2) / ScreenMap.block
    let end = min((range.upperBound - 1 + ScreenMap.block / 2) / ScreenMap.block, columns)
    guard first <= end else { return }
    var column = max(0, min(first - 1, last))
    var from = unsafe (above[column] &* (16 &- weight) &+ below[column] &* weight) &>> 4
    for segment in first...end {
      column = min(segment, last)
      let to = unsafe (above[column] &* (16 &- weight) &+ below[column] &* weight) &>> 4
      unsafe KeyKernels.slope(out + segment * ScreenMap.block, from: from, to: to)
      from = to
    }
  }
}

/// What one block of the screen measured: means over its screen samples.
struct ScreenMeasure: Sendable, Equatable, BitwiseCopyable {
  /// Share of the samples that were screen; 0 where nothing is known.
  var weight: Float = 0
  var q: Float = 0
  var c0: Float = 0
  var c1: Float = 0
  var c2: Float = 0

  func mixed(_ other: ScreenMeasure, share: Float) -> ScreenMeasure {
    ScreenMeasure(
      weight: weight + (other.weight - weight) * share, q: q + (other.q - q) * share,
      c0: c0 + (other.c0 - c0) * share, c1: c1 + (other.c1 - c1) * share,
      c2: c2 + (other.c2 - c2) * share)
  }

  /// Adds a measure by its weight; `mean` ends the sum.
  mutating func add(_ other: ScreenMeasure) {
    weight += other.weight
    q += other.q * other.weight
    c0 += other.c0 * other.weight
    c1 += other.c1 * other.weight
    c2 += other.c2 * other.weight
  }

  func mean(outOf count: Float) -> ScreenMeasure {
    guard weight > 0 else { return ScreenMeasure() }
    return ScreenMeasure(
      weight: weight / count, q: q / weight, c0: c0 / weight, c1: c1 / weight, c2: c2 / weight)
  }

  /// Fills up with a coarser estimate what this one does not know, and a little beyond, which
  /// takes the noise of single blocks out.
  mutating func complete(_ coarse: ScreenMeasure) {
    guard coarse.weight > 0 else { return }
    let doubt: Float = 0.02
    self = mixed(coarse, share: doubt / (weight + doubt))
    weight = max(weight, coarse.weight)
  }
}
