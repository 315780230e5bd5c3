import Pixels

/// Runs of layouts that keep pixels whole, in three or four bytes.
extension Composer {
  /// Writes colour and alpha of a run of a picture whose chroma is at full size.
  func write(_ run: Run, to pixels: PackedPixels, _ scratch: KeyRows) {
    let (x, n) = (run.pixel, run.pixels)
    let rows = (scratch.output[..<n], scratch.chroma.0[..<n], scratch.chroma.1[..<n])
    for line in run.lines {
      switch run.kind {
      case .screen:
        if hasBackground, let background = frame.background {
          pixels.join(row: line, from: x, background.all(line, from: x, count: n, scratch))
        } else {
          let grid = frame.grid
          let nothing = (grid.neutral(0), grid.neutral(1), grid.neutral(2))
          pixels.fill(row: line, from: x, count: n, nothing, alpha: 0)
        }
      case .subject:
        if !frame.isInPlace {
          frame.source.split(row: line, from: x, into: rows)
          pixels.join(row: line, from: x, rows)
        }
        if !hasBackground { keepAlpha(run, line, pixels, scratch) }
      case .mixed:
        frame.source.split(row: line, from: x, into: rows)
        weigh(scratch.shares.0[..<n], scratch)
        mix(rows.0, 0, run, y: line, scratch)
        mix(rows.1, 1, run, y: line, scratch)
        mix(rows.2, 2, run, y: line, scratch)
        var alpha: Row<UInt8>?
        if !hasBackground, pixels.hasAlpha {
          alpha = scratch.input[..<n]
          MatteKernels.complement(scratch.input[..<n], scratch.edges.0)
        }
        pixels.join(row: line, from: x, rows, alpha: alpha)
      }
      if hasBackground { pixels.fillAlpha(row: line, from: x, count: n, 255) }
    }
  }

  /// Gives a run of the subject the source's own alpha, or none of it where it has none.
  private func keepAlpha(_ run: Run, _ line: Int, _ pixels: PackedPixels, _ scratch: KeyRows) {
    guard let alpha = frame.destination.alpha else { return }
    guard let own = frame.source.alpha else {
      pixels.fillAlpha(row: line, from: run.pixel, count: run.pixels, 255)
      return
    }
    guard !own.isSame(as: alpha) else { return }
    let room = scratch.input[..<run.pixels]
    own.gather(row: line, from: run.pixel, into: room)
    alpha.scatter(row: line, from: run.pixel, room)
  }
}
