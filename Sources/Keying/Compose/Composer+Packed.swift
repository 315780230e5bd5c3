import Pixels

/// Runs of layouts that keep pixels whole, in three or four bytes.
extension Composer {
  /// Writes colour and alpha of a run of a picture whose chroma is at full size.
  func write(_ run: Run, to pixels: PackedPixels, _ scratch: KeyRows) {
    let (x, n) = (run.pixel, run.pixels)
    for line in run.lines {
      switch run.kind {
      case .screen:
        if hasBackground, let background = frame.background {
          pixels.interleave(
            row: line, from: x, background.all(line, from: x, count: n, scratch), alpha: 255)
        } else {
          let grid = frame.grid
          let nothing = (grid.neutral(0), grid.neutral(1), grid.neutral(2))
          pixels.fill(row: line, from: x, count: n, nothing, alpha: 0)
        }
      case .subject:
        writeSubject(run, line, to: pixels, scratch)
      case .mixed:
        let rows = room(run, scratch)
        frame.source.split(row: line, from: x, into: rows)
        weigh(scratch.shares.0[..<n], scratch)
        mix(rows.0, 0, run, y: line, scratch)
        mix(rows.1, 1, run, y: line, scratch)
        mix(rows.2, 2, run, y: line, scratch)
        guard !hasBackground, pixels.hasAlpha else {
          pixels.interleave(row: line, from: x, rows, alpha: 255)
          continue
        }
        let alpha = scratch.input[..<n]
        MatteKernels.complement(alpha, scratch.edges.0)
        pixels.interleave(row: line, from: x, rows, alpha: alpha)
      }
    }
  }

  /// Writes a run of the subject: its own colours and its own alpha, which is all there is of what
  /// has none, or stands before a background.
  private func writeSubject(
    _ run: Run, _ line: Int, to pixels: PackedPixels, _ scratch: KeyRows
  ) {
    let x = run.pixel
    let own = hasBackground ? nil : frame.source.alpha
    if frame.isInPlace {
      if own == nil { pixels.fillAlpha(row: line, from: x, count: run.pixels, 255) }
      return
    }
    let rows = frame.source.samples(row: line, from: x, room: room(run, scratch))
    guard let own else {
      pixels.interleave(row: line, from: x, rows, alpha: 255)
      return
    }
    let alpha = scratch.input[..<run.pixels]
    own.gather(row: line, from: x, into: alpha)
    pixels.interleave(row: line, from: x, rows, alpha: alpha)
  }

  /// Room for a run's components.
  private func room(_ run: Run, _ scratch: KeyRows) -> PackedPixels.Rows {
    let n = run.pixels
    return (scratch.output[..<n], scratch.chroma.0[..<n], scratch.chroma.1[..<n])
  }
}
