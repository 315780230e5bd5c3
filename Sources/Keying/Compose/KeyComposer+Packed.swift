import Pixels

/// Runs of layouts that keep whole pixels in units of four bytes.
extension KeyComposer {
  /// Writes colour and alpha of a run of a picture whose chroma is at full size.
  func write(_ run: Run, packed units: KeyUnits, _ scratch: KeyLines) {
    let destination = frame.destination[0]
    for line in run.lines {
      let out = unsafe destination.at(run.pixel, line) - destination.offset
      switch run.kind {
      case .screen: unsafe writeScreen(run, line, out, units, scratch)
      case .subject: unsafe writeSubject(run, line, out, units, scratch)
      case .mixed: unsafe writeMixed(run, line, out, units, scratch)
      }
    }
  }

  @unsafe private func writeScreen(
    _ run: Run, _ line: Int, _ out: Bytes, _ units: KeyUnits, _ scratch: KeyLines
  ) {
    let n = run.pixels
    let mask = units.hasAlpha ? UInt32.max : ~units.fourth
    guard let background = frame.background else {
      let grid = frame.grid
      let unit = units.unit(grid.neutral(0), grid.neutral(1), grid.neutral(2), 0)
      unsafe units.fill(out, unit, mask: mask, n)
      return
    }
    let x = run.pixel
    unsafe units.join(
      out, background.row(0, line) + x, background.row(1, line) + x, background.row(2, line) + x, n)
    if units.hasAlpha { unsafe units.fill(out, units.fourth, mask: units.fourth, n) }
  }

  @unsafe private func writeSubject(
    _ run: Run, _ line: Int, _ out: Bytes, _ units: KeyUnits, _ scratch: KeyLines
  ) {
    let n = run.pixels
    if !frame.isInPlace {
      let rows = unsafe samples(run, line, scratch)
      unsafe units.join(out, rows.0, rows.1, rows.2, n)
    }
    guard units.hasAlpha else { return }
    // A source's own alpha stays, but for a background behind it.
    guard let own = frame.source.alpha, frame.background == nil else {
      unsafe units.fill(out, units.fourth, mask: units.fourth, n)
      return
    }
    guard let alpha = frame.destination.alpha, !own.isSame(alpha) else { return }
    unsafe KeyRows.gather(
      scratch.input, own.at(run.pixel, line), step: own.step, offset: own.offset, n)
    unsafe KeyRows.scatter(
      alpha.at(run.pixel, line), scratch.input, step: alpha.step, offset: alpha.offset, n)
  }

  @unsafe private func writeMixed(
    _ run: Run, _ line: Int, _ out: Bytes, _ units: KeyUnits, _ scratch: KeyLines
  ) {
    let n = run.pixels
    let rows = unsafe samples(run, line, scratch)
    let shares = unsafe scratch.shares.0
    let edge = unsafe scratch.edges.0
    if isUnmixing {
      unsafe KeyKernels.weights(scratch.weights, b: shares, n)
      let taint = unsafe spill.row(run.y) + run.x
      for component in 0..<3 {
        unsafe unmix(
          component == 0 ? rows.0 : component == 1 ? rows.1 : rows.2, component, shares: shares,
          screen: component == 0
            ? scratch.screens.0 : component == 1 ? scratch.screens.1 : scratch.screens.2,
          taint: taint, scratch, n)
      }
    }
    guard let background = frame.background else {
      guard units.hasAlpha else {
        unsafe units.join(out, rows.0, rows.1, rows.2, n)
        return
      }
      unsafe KeyKernels.complement(scratch.input, edge, n)
      unsafe units.join(out, rows.0, rows.1, rows.2, scratch.input, n)
      return
    }
    let x = run.pixel
    unsafe KeyKernels.blend(rows.0, background.row(0, line) + x, b: edge, n)
    unsafe KeyKernels.blend(rows.1, background.row(1, line) + x, b: edge, n)
    unsafe KeyKernels.blend(rows.2, background.row(2, line) + x, b: edge, n)
    unsafe units.join(out, rows.0, rows.1, rows.2, n)
    if units.hasAlpha { unsafe units.fill(out, units.fourth, mask: units.fourth, n) }
  }

  /// A run's three components in rows of their own.
  @unsafe private func samples(
    _ run: Run, _ line: Int, _ scratch: KeyLines
  ) -> (Bytes, Bytes, Bytes) {
    let n = run.pixels
    let rows = unsafe (scratch.output, scratch.wide.0, scratch.wide.1)
    let first = frame.source[0]
    if let units = frame.sourceUnits {
      unsafe units.split(
        rows.0, rows.1, rows.2, first.at(run.pixel, line) - first.offset, n)
      return unsafe rows
    }
    for component in 0..<3 {
      let from = frame.source[component]
      unsafe KeyRows.gather(
        component == 0 ? rows.0 : component == 1 ? rows.1 : rows.2, from.at(run.pixel, line),
        step: from.step, offset: from.offset, n)
    }
    return unsafe rows
  }
}
