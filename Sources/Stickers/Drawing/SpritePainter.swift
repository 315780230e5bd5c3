import Pixels

/// One sprite on its way onto one picture: all that the slices have in common.
struct SpritePainter {
  let scan: SpriteScan
  let target: SpriteTarget
  let blend: SpriteBlend
  /// Share of the sprite's alpha kept, of 65535; nil for all of it.
  let fade: UInt16?
  let clear: UInt32

  /// Draws picture rows `rows`, which start with an even one.
  func paint(_ rows: Range<Int>, _ taps: SpriteTaps) {
    switch target.shifts {
    case (1, 1):
      var y = rows.lowerBound
      while y < rows.upperBound {
        paintPair(y, taps)
        y += 2
      }
    case (1, _): for y in rows { paintHalf(y, taps) }
    default: for y in rows { paintWhole(y, taps) }
    }
  }

  /// A row of a format whose components all have a sample for every pixel.
  private func paintWhole(_ y: Int, _ taps: SpriteTaps) {
    let run = scan.run(y)
    let columns = run.columns.clamped(to: 0..<target.width)
    guard !columns.isEmpty else { return }
    fill(taps.upper, from: run.columns.lowerBound, count: run.columns.count, run, taps)
    let row = taps.upper.dropping(columns.lowerBound - run.columns.lowerBound)
    let colors = target.layout.family == .gray ? 1 : 3
    guard blend == .over, isOpaque(y..<y + 1, columns) else {
      SpriteMixer(target, blend).mix(row, columns, y)
      return
    }
    for component in 0..<colors {
      let cells = target.cells(component, x: columns.lowerBound, y: y, count: columns.count)
      let isChroma = component > 0 && target.layout.family == .ycc
      unsafe cells.over(
        row[component], row.alpha, isChroma: isChroma, count: columns.count,
        scratch: taps.bytes.0)
    }
  }

  /// A row of a format that has chroma in every row, for every second column.
  private func paintHalf(_ y: Int, _ taps: SpriteTaps) {
    let run = scan.run(y)
    guard !run.columns.isEmpty else { return }
    let chroma = chromaColumns(run.columns)
    guard !chroma.isEmpty else { return }
    fill(taps.upper, from: 2 * chroma.lowerBound - 1, count: 2 * chroma.count + 1, run, taps)
    averageColumns(taps.upper, taps, chroma.count)
    paintSubsampled(y..<y + 1, (run.columns, 0..<0), chroma, chromaRow: y, taps)
  }

  /// Rows `y` and `y + 1` of a format that has chroma for every second row and column.
  private func paintPair(_ y: Int, _ taps: SpriteTaps) {
    let cosited = target.site.isCositedVertically
    let before = cosited ? scan.run(y - 1) : .none
    let upper = scan.run(y)
    let lower = scan.run(y + 1)
    var columns = 0..<0
    for run in [before, upper, lower] where !run.columns.isEmpty {
      columns =
        columns.isEmpty
        ? run.columns
        : min(
          columns.lowerBound, run.columns.lowerBound)..<max(
            columns.upperBound, run.columns.upperBound)
    }
    guard !columns.isEmpty else { return }
    let chroma = chromaColumns(columns)
    guard !chroma.isEmpty else { return }
    let first = 2 * chroma.lowerBound - 1
    let count = 2 * chroma.count + 1
    fill(taps.upper, from: first, count: count, upper, taps)
    fill(taps.lower, from: first, count: count, lower, taps)
    if cosited { fill(taps.before, from: first, count: count, before, taps) }
    for component in components {
      if cosited {
        unsafe SpriteKernels.spread(
          taps.before[component], taps.upper[component], taps.lower[component],
          into: taps.mean[component], count: count)
      } else {
        unsafe SpriteKernels.halve(
          taps.upper[component], taps.lower[component], into: taps.mean[component], count: count)
      }
    }
    averageColumns(taps.mean, taps, chroma.count)
    paintSubsampled(
      y..<min(y + 2, target.height), (upper.columns, lower.columns), chroma,
      chromaRow: y >> 1, taps)
  }

  /// Luma rows `rows`, of which the taps hold `columns`, and the chroma row they share.
  private func paintSubsampled(
    _ rows: Range<Int>, _ columns: (Range<Int>, Range<Int>), _ chroma: Range<Int>,
    chromaRow: Int, _ taps: SpriteTaps
  ) {
    let block = 2 * chroma.lowerBound..<min(2 * chroma.upperBound, target.width)
    let isPlain = blend == .over && isOpaque(rows, block)
    let mixer = SpriteMixer(target, blend)
    // Both see the other as it was before: chroma is mixed first and stored last.
    if !isPlain { mixer.mixChroma(taps.chroma, chroma, chromaRow, rows, taps) }
    for y in rows {
      let isUpper = y == rows.lowerBound
      let row = isUpper ? taps.upper : taps.lower
      let columns = (isUpper ? columns.0 : columns.1).clamped(to: block)
      guard !columns.isEmpty else { continue }
      let part = row.dropping(columns.lowerBound - (2 * chroma.lowerBound - 1))
      if isPlain {
        let cells = target.cells(0, x: columns.lowerBound, y: y, count: columns.count)
        unsafe cells.over(
          part.c0, part.alpha, isChroma: false, count: columns.count, scratch: taps.bytes.0)
      } else {
        mixer.mixLuma(part, columns, y)
      }
    }
    let cb = target.cells(1, x: chroma.lowerBound, y: chromaRow, count: chroma.count)
    let cr = target.cells(2, x: chroma.lowerBound, y: chromaRow, count: chroma.count)
    if isPlain {
      unsafe cb.overChroma(
        cr, taps.chroma.c1, taps.chroma.c2, taps.chroma.alpha, count: chroma.count,
        scratch: taps.bytes.0)
    } else {
      for i in 0..<chroma.count {
        unsafe cb[i] = taps.bytes.0[i]
        unsafe cr[i] = taps.bytes.1[i]
      }
    }
  }

  /// Taps whose chroma means are needed: luma's only where the blend mixes colours.
  private var components: Range<Int> { blend == .over ? 1..<4 : 0..<4 }

  private func averageColumns(_ row: SpriteTaps.Row, _ taps: SpriteTaps, _ count: Int) {
    for component in components {
      unsafe SpriteKernels.averageColumns(
        row[component], into: taps.chroma[component],
        cosited: target.site.isCositedHorizontally, count: count)
    }
  }

  /// Chroma columns that pixels in `columns` bear on, clipped to the picture.
  private func chromaColumns(_ columns: Range<Int>) -> Range<Int> {
    (columns.lowerBound >> 1..<columns.upperBound >> 1 + 1)
      .clamped(to: 0..<PixelLayout.subsampled(target.width, by: 1))
  }

  /// Whether the picture has no alpha, or is opaque over these pixels.
  private func isOpaque(_ rows: Range<Int>, _ columns: Range<Int>) -> Bool {
    guard target.layout.hasAlpha else { return true }
    return rows.allSatisfy { y in
      target.cells(3, x: columns.lowerBound, y: y, count: columns.count)
        .isOpaque(count: columns.count)
    }
  }

  private func fill(
    _ row: SpriteTaps.Row, from first: Int, count: Int, _ run: SpriteScan.Run,
    _ taps: SpriteTaps
  ) {
    scan.fill(row, from: first, count: count, run: run, clear: clear, taps.samples)
    guard let fade else { return }
    for component in 0..<4 {
      let centre = UInt16(clear >> (8 * UInt32(component)) & 255) << 8
      unsafe SpriteKernels.fade(row[component], by: fade, centre: centre, count: count)
    }
  }
}
