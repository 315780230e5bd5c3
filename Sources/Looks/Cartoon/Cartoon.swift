import Pixels
import Threads

/// Draws pictures like a cartoon: soft steps of lightness, and dark lines on the dark side of edges.
///
/// Lightness is measured on a grid of cells, held in time where it changes no more than noise does,
/// smoothed up to edges, and cut into steps; lines are where it is darker than its surroundings
/// (after Winnemoeller and others, ACM TOG 25(3), 2006). As what lines are drawn from is held, they
/// do not boil.
final class Cartoon {
  private let video: VideoFormat
  /// Pixels along a cell's side.
  private let step: Int
  private let isRGB: Bool
  private let held, smooth, narrow, wide, target: Grid<Float>
  private var hasPast = false
  private let sampler: CellSampler
  private let smoothing = EdgeSmoothing(reach: 9, contrast: 0.16)

  /// Steps of lightness between black and white.
  private static let levels: Float = 7
  /// Darkness against the surroundings that begins a line, and that is all line.
  private static let line: (from: Float, to: Float) = (0.012, 0.045)
  /// How dark a line is.
  private static let ink: Float = 0.85

  init(_ video: VideoFormat) {
    self.video = video
    let side = min(video.width, video.height)
    step = side <= 540 ? 1 : side <= 1200 ? 2 : 4
    isRGB = video.format.family == .rgb
    let columns = (video.width + step - 1) / step
    let rows = (video.height + step - 1) / step
    func grid() -> Grid<Float> { Grid(width: columns, height: rows, of: 0) }
    (held, smooth, narrow, wide, target) = (grid(), grid(), grid(), grid(), grid())
    sampler = CellSampler(
      across: .init(start: 0, length: Double(columns * step), cells: columns),
      down: .init(start: 0, length: Double(rows * step), cells: rows))
  }

  var cellWidth: Int { held.width }

  /// Forgets the frames so far.
  func reset() { hasPast = false }

  // MARK: Measuring

  /// Looks at a picture, all of it, before any of it is changed.
  func measure(
    _ picture: borrowing Picture, _ lines: PictureLines, _ scratch: [LookScratch],
    runner: any SliceRunner
  ) {
    let colors = video.colorimetry
    let (offset, scale) = isRGB ? (0, 1 / 255) : (colors.lumaOffset, 1 / colors.lumaScale)
    runner.runPieces(smooth.height) { piece, rows in
      for y in rows { measure(picture, lines, row: y, scratch[piece], offset, scale) }
    }
    hasPast = true
    smoothing.apply(smooth, guide: held, runner: runner)
    runner.runPieces(smooth.height) { piece, rows in
      for y in rows {
        let room = scratch[piece].cells(cellWidth)
        Self.blur(narrow.row(y), smooth, y, 1, room)
        Self.blur(wide.row(y), smooth, y, 3, room)
      }
    }
    runner.runPieces(smooth.height) { _, rows in
      for y in rows { Self.draw(target.row(y), smooth.row(y), narrow.row(y), wide.row(y)) }
    }
  }

  /// Means of a row of cells, held where they do not move.
  private func measure(
    _ picture: borrowing Picture, _ lines: PictureLines, row: Int, _ scratch: LookScratch,
    _ offset: Float, _ scale: Float
  ) {
    let cells = smooth.row(row)
    cells.fill(0)
    let rows = (row * step)..<min((row + 1) * step, picture.height)
    let height = lines.groupHeight
    let groups = (rows.lowerBound / height)...((rows.upperBound - 1) / height)
    let weights: (Float, Float, Float) = isRGB ? (0.2126, 0.7152, 0.0722) : (1, 0, 0)
    for group in groups {
      LookScratch.forEachPart(of: picture.width) { start, count in
        lines.forEach(
          picture, group: group, start: start, count: count, scratch, writes: false
        ) { line, _ in
          guard line.component == 0 || isRGB, rows.contains(line.y) else { return }
          let weight =
            line.component == 0 ? weights.0 : line.component == 1 ? weights.1 : weights.2
          Self.add(cells, line.samples, first: line.x / step, step: step, weight)
        }
      }
    }
    let rowScale = scale / Float(rows.count)
    let past = held.row(row)
    for x in 0..<cells.count {
      let columns = min(step, picture.width - x * step)
      let value = (cells[x] / Float(columns) - offset * Float(rows.count)) * rowScale
      cells[x] = value
    }
    if hasPast {
      Self.hold(past, cells)
    } else {
      past.copy(cells)
    }
    cells.copy(past)
  }

  /// Adds samples to the cells that they lie in; parts begin where a cell does.
  @inline(never)
  private static func add(
    _ cells: Row<Float>, _ samples: Row<UInt8>, first: Int, step: Int, _ weight: Float
  ) {
    let whole = samples.count / step
    let out = cells[from: first, count: (samples.count + step - 1) / step]
    switch step {
    case 1: for x in 0..<whole { out[x] += Float(samples[x]) * weight }
    case 2:
      for x in 0..<whole {
        let sum = UInt16(samples[2 &* x]) &+ UInt16(samples[2 &* x &+ 1])
        out[x] += Float(sum) * weight
      }
    default:
      for x in 0..<whole {
        var sum: UInt16 = 0
        for part in 0..<4 { sum &+= UInt16(samples[4 &* x &+ part]) }
        out[x] += Float(sum) * weight
      }
    }
    for x in (whole * step)..<samples.count { out[whole] += Float(samples[x]) * weight }
  }

  /// Moves what is held towards what is seen: slowly where they differ as noise does, at once
  /// where they differ more.
  @inline(never)
  private static func hold(_ held: Row<Float>, _ seen: Row<Float>) {
    let n = held.count
    let seen = seen[..<n]
    for x in 0..<n {
      let change = seen[x] - held[x]
      let t = min(max((abs(change) - 0.02) * 16, 0), 1)
      held[x] += change * (0.12 + 0.88 * t)
    }
  }

  // MARK: Changing

  /// Gives the pixels of a part of a group the lightness that was drawn, `intensity` of it.
  func apply(
    _ picture: borrowing Picture, _ lines: PictureLines, group: Int, start: Int, count: Int,
    intensity: Float, _ scratch: LookScratch
  ) {
    let wanted = scratch.values(0, count)
    let scale = isRGB ? 255 : video.colorimetry.lumaScale
    let offset = isRGB ? 0 : video.colorimetry.lumaOffset
    if isRGB {
      let sums = scratch.values(1, count)
      sums.fill(0)
      lines.forEach(
        picture, group: group, start: start, count: count, scratch, writes: false
      ) { line, _ in
        let weight: Float = line.component == 0 ? 0.2126 : line.component == 1 ? 0.7152 : 0.0722
        Self.addWeighted(sums, line.samples, weight)
      }
      var isFirst = true
      lines.forEach(picture, group: group, start: start, count: count, scratch) { line, _ in
        if isFirst {
          sampler.sample(target, line, into: wanted, room: scratch.cells(cellWidth))
          Self.difference(wanted, sums, scale, intensity)
          isFirst = false
        }
        Self.shift(line.samples, wanted)
      }
    } else {
      lines.forEach(picture, group: group, start: start, count: count, scratch) { line, _ in
        guard line.component == 0 else { return }
        sampler.sample(target, line, into: wanted, room: scratch.cells(cellWidth))
        Self.replace(line.samples, wanted, scale, offset, intensity)
      }
    }
  }

  @inline(never)
  private static func addWeighted(_ sums: Row<Float>, _ samples: Row<UInt8>, _ weight: Float) {
    let n = min(sums.count, samples.count)
    for x in 0..<n { sums[x] += Float(samples[x]) * weight }
  }

  @inline(never)
  private static func difference(
    _ wanted: Row<Float>, _ luma: Row<Float>, _ scale: Float, _ intensity: Float
  ) {
    let n = min(wanted.count, luma.count)
    for x in 0..<n { wanted[x] = (wanted[x] * scale - luma[x]) * intensity }
  }

  @inline(never)
  private static func shift(_ samples: Row<UInt8>, _ shift: Row<Float>) {
    let n = min(samples.count, shift.count)
    for x in 0..<n {
      let code = nearest(Float(samples[x]) + shift[x])
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }

  @inline(never)
  private static func replace(
    _ samples: Row<UInt8>, _ wanted: Row<Float>, _ scale: Float, _ offset: Float,
    _ intensity: Float
  ) {
    let n = min(samples.count, wanted.count)
    for x in 0..<n {
      let own = Float(samples[x])
      let code = nearest(own + (wanted[x] * scale + offset - own) * intensity)
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }

  // MARK: Drawing

  /// A mean of cells about each, `radius` to all sides, nearer ones counting more; `room` is a row.
  private static func blur(
    _ out: Row<Float>, _ cells: Grid<Float>, _ y: Int, _ radius: Int, _ room: Row<Float>
  ) {
    let n = out.count
    room.fill(0)
    out.fill(0)
    let scale = 1 / Float((radius + 1) * (radius + 1))
    for step in -radius...radius {
      let row = cells.row(min(max(y + step, 0), cells.height - 1))
      add(room, row, Float(radius + 1 - abs(step)) * scale)
    }
    for step in -radius...radius {
      let weight = Float(radius + 1 - abs(step)) * scale
      let (from, to) = (min(max(0, -step), n), max(0, min(n, n - step)))
      if from < to { add(out[from..<to], room[(from + step)..<(to + step)], weight) }
      for x in 0..<from { out[x] += room[0] * weight }
      for x in max(to, from)..<n { out[x] += room[n - 1] * weight }
    }
  }

  @inline(never)
  private static func add(_ out: Row<Float>, _ row: Row<Float>, _ weight: Float) {
    let n = min(out.count, row.count)
    for x in 0..<n { out[x] += row[x] * weight }
  }

  @inline(never)
  private static func draw(
    _ out: Row<Float>, _ smooth: Row<Float>, _ narrow: Row<Float>, _ wide: Row<Float>
  ) {
    let n = out.count
    let (smooth, narrow, wide) = (smooth[..<n], narrow[..<n], wide[..<n])
    let (from, scale) = (line.from, 1 / (line.to - line.from))
    for x in 0..<n {
      let place = min(max(smooth[x], 0), 1) * levels
      let level = Float(nearest(place))
      // Level in the middle of a step, three times as steep from one to the next.
      let rest = place - level
      let steps = (level + 4 * rest * rest * rest) / levels
      let t = min(max((wide[x] - narrow[x] - from) * scale, 0), 1)
      out[x] = steps * (1 - ink * t * t * (3 - 2 * t))
    }
  }
}
