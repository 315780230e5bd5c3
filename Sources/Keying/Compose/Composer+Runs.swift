import Filters
import Pixels

/// Runs of layouts that are written component by component.
extension Composer {
  /// Whether a component has fewer samples than the picture has pixels.
  private func isSubsampled(_ component: Int) -> Bool { component > 0 && frame.grid.hShift > 0 }

  /// Writes the colour of a run.
  func write(_ run: Run, _ scratch: KeyRows) {
    if run.kind == .subject, frame.isInPlace { return }
    let isMixed = run.kind == .mixed
    for (index, line) in run.lines.enumerated() {
      if isMixed { weigh(pick(index, scratch.shares)[..<run.pixels], scratch) }
      write(0, run, y: line, scratch)
    }
    if isMixed, isSubsampled(1), hasLight, let light {
      weigh(light.shares.row(run.y, from: run.x, count: run.count), scratch)
    }
    write(1, run, y: run.y, scratch)
    write(2, run, y: run.y, scratch)
  }

  /// Makes the weights of samples of which the screen has these shares.
  func weigh(_ shares: Row<UInt8>, _ scratch: KeyRows) {
    if hasLight { ComposeKernels.weights(scratch.weights[..<shares.count], b: shares) }
  }

  /// Writes a run's samples of one component in its row `y`.
  @inline(__always)
  private func write(_ component: Int, _ run: Run, y: Int, _ scratch: KeyRows) {
    let (x, n) = isSubsampled(component) ? (run.x, run.count) : (run.pixel, run.pixels)
    let (source, destination) = (frame.source[component], frame.destination[component])
    let widens = frame.widensChroma
    if run.kind == .subject, !(widens && component > 0), source.isSame(as: destination) { return }
    let lent = widens ? nil : destination.row(y, from: x, count: n)
    let room =
      !widens
      ? scratch.output[..<n]
      : component == 0
        ? scratch.wholeLuma[from: x, count: n]
        : widened(component, scratch)[from: x + 1, count: n]
    let out = lent ?? room
    if run.kind != .screen {
      if let row = source.row(y, from: x, count: n) {
        out.copy(row)
      } else {
        source.gather(row: y, from: x, into: out)
      }
      if run.kind == .mixed { mix(out, component, run, y: y, scratch) }
    } else if hasBackground, let background = frame.background {
      out.copy(background.row(component, y, from: x, count: n, scratch))
    } else {
      out.fill(frame.grid.neutral(component))
    }
    if lent == nil, !widens { destination.scatter(row: y, from: x, out) }
  }

  /// Takes the screen's light out of a mixed run's samples of one component in its row `y`, and
  /// puts the background behind; in place.
  @inline(__always)
  func mix(_ samples: Row<UInt8>, _ component: Int, _ run: Run, y: Int, _ scratch: KeyRows) {
    let grid = frame.grid
    let n = samples.count
    let isSubsampled = isSubsampled(component)
    let index = isSubsampled ? 0 : y - run.lines.lowerBound
    if hasLight, let light {
      let isDoubled = component == 0 && grid.hShift > 0
      let shares =
        isSubsampled ? light.shares.row(run.y, from: run.x, count: n) : pick(index, scratch.shares)
      let screen =
        isDoubled
        ? scratch.lineScreen
        : pick(component, scratch.screens)[(run.x + ScreenField.origin)...]
      let spill = isDoubled ? scratch.lineSpill : light.spill.row(run.y, from: run.x, count: n)
      unmix(
        samples, component, light, b: shares, screen: screen, spill: spill,
        weights: scratch.weights)
    }
    if hasColors, let colors {
      let isDoubled = component == 0 && grid.hShift > 0
      CellKernels.unmix(
        samples, isDoubled ? scratch.doubled(0) : scratch.fused(component),
        isDoubled ? scratch.doubled(1) : scratch.fused(3 + component),
        b: isSubsampled ? scratch.chromaEdge : pick(index, scratch.edges), share: colors.weight)
    }
    if hasBackground, let background = frame.background {
      let x = isSubsampled ? run.x : run.pixel
      ComposeKernels.blend(
        samples, background.row(component, y, from: x, count: n, scratch),
        b: isSubsampled ? scratch.chromaEdge : pick(index, scratch.edges))
    }
    if hasWrap {
      CellKernels.addLightWrap(
        samples,
        component == 0 && grid.hShift > 0 ? scratch.doubledLight : scratch.wrapped(component),
        b: isSubsampled ? scratch.chromaEdge : pick(index, scratch.edges),
        zero: component > 0 && !grid.isRGB ? 128 : 0)
    }
  }

  /// Takes a screen's light out of samples of one component; in place.
  @inline(__always)
  func unmix(
    _ samples: Row<UInt8>, _ component: Int, _ light: ScreenLight, b: Row<UInt8>,
    screen: Row<UInt8>, spill: Row<UInt8>, weights: Row<UInt16>
  ) {
    let grid = frame.grid
    let factor = pick(component, light.spillFactors)
    if component == 0 || grid.isRGB {
      ComposeKernels.unmixLuma(
        samples, b: b, screen: screen, spill: spill, spillFactor: factor,
        neutral: grid.neutral(component), weights: weights)
    } else {
      ComposeKernels.unmixChroma(
        samples, b: b, screen: screen, spill: spill, spillFactor: factor, weights: weights)
    }
  }

  /// Writes the alpha of a run where the destination has one.
  func writeAlpha(_ run: Run, _ scratch: KeyRows) {
    guard let alpha = frame.destination.alpha else { return }
    let (x, n) = (run.pixel, run.pixels)
    let own = frame.source.alpha
    if run.kind == .subject, !hasBackground, own?.isSame(as: alpha) == true { return }
    for (index, line) in run.lines.enumerated() {
      let lent = alpha.row(line, from: x, count: n)
      let out =
        lent ?? (frame.widensChroma ? scratch.wholeAlpha[from: x, count: n] : scratch.output[..<n])
      switch run.kind {
      case _ where hasBackground: out.fill(255)
      case .screen: out.fill(0)
      case .mixed: MatteKernels.complement(out, pick(index, scratch.edges))
      case .subject:
        if let own { own.gather(row: line, from: x, into: out) } else { out.fill(255) }
      }
      if lent == nil, !frame.widensChroma { alpha.scatter(row: line, from: x, out) }
    }
  }

  /// A row of 4:2:2 chroma to be widened, with one more sample at either end.
  private func widened(_ component: Int, _ scratch: KeyRows) -> Row<UInt8> {
    pick(component - 1, scratch.chroma)[..<(frame.grid.gridWidth + 2)]
  }

  /// Brings a row of 4:2:2 chroma to full width, and writes the whole row.
  func widenChroma(_ y: Int, _ scratch: KeyRows) {
    guard let pixels = frame.destination.packed else { return }
    let grid = frame.grid
    let n = grid.gridWidth
    let chroma = (scratch.input, scratch.output)
    for component in 1...2 {
      let row = widened(component, scratch)
      row[0] = row[1]
      row[n + 1] = row[n]
      let mixed = scratch.mixed[..<row.count]
      BilinearRows.blend(mixed, row, row, 4, of: 4)
      MatteKernels.upsample2x(
        component == 1 ? chroma.0 : chroma.1, mixed,
        isCosited: grid.chromaSite.isCositedHorizontally)
    }
    let rows = (scratch.wholeLuma[..<grid.width], chroma.0[..<grid.width], chroma.1[..<grid.width])
    pixels.interleave(row: y, rows, alpha: scratch.wholeAlpha[..<grid.width])
  }
}
