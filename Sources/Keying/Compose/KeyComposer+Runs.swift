import Pixels

/// The arithmetic on runs.
extension KeyComposer {
  typealias Bytes = UnsafeMutablePointer<UInt8>

  /// Screen shares of each line, the screen's own colour and the spill, for a mixed run.
  func prepare(_ run: Run, _ scratch: KeyLines) {
    let grid = frame.grid
    let count = run.count
    let x = run.x
    for (index, line) in run.lines.enumerated() {
      let shares = unsafe index == 0 ? scratch.shares.0 : scratch.shares.1
      if isUnmixing || !isShaped { unsafe upsample(keyMatte, run, line, shares, scratch) }
      let edge = unsafe index == 0 ? scratch.edges.0 : scratch.edges.1
      if isShaped {
        unsafe upsample(edgeMatte, run, line, edge, scratch)
      } else {
        unsafe edge.update(from: shares, count: run.pixels)
      }
      unsafe crop(edge, run, line)
      unsafe veil(edge, run, line, scratch)
    }
    if frame.background != nil, grid.hShift > 0 { prepareChromaEdge(run, scratch) }
    guard isUnmixing else { return }
    for component in 0..<3 {
      unsafe field.expand(
        scratch.expanded, channel: 2 + component, y: run.y, range: run.x..<run.x + run.count)
      unsafe KeyKernels.bytes(
        component == 0 ? scratch.screens.0 : component == 1 ? scratch.screens.1 : scratch.screens.2,
        scratch.expanded + x + ScreenMap.block / 2, count)
    }
    guard grid.hShift > 0 else { return }
    unsafe KeyKernels.double(scratch.screen, scratch.screens.0, count)
    unsafe KeyKernels.double(scratch.spill, spill.row(run.y) + x, count)
  }

  /// Chroma's own screen shares for compositing.
  private func prepareChromaEdge(_ run: Run, _ scratch: KeyLines) {
    let x = run.x
    let count = run.count
    let shares = unsafe scratch.chromaEdge
    unsafe shares.update(from: edgeMatte.row(run.y) + x, count: count)
    for index in 0..<count {
      let left = (x + index) << 1
      if left >= columns.upperBound || left + 2 <= columns.lowerBound { unsafe shares[index] = 255 }
    }
    guard let alpha = frame.source.alpha else { return }
    let own = unsafe scratch.input
    let start = unsafe alpha.at(run.pixel, run.lines.lowerBound)
    for index in 0..<count { unsafe own[index] = start[2 * index * alpha.step] }
    unsafe KeyKernels.veil(shares, alpha: own, count)
  }

  /// A run of one line of the matte at the picture's size.
  @unsafe func upsample(
    _ matte: MatteRows, _ run: Run, _ line: Int, _ out: Bytes, _ scratch: KeyLines
  ) {
    let grid = frame.grid
    let center = unsafe matte.row(run.y) + run.x
    guard grid.hShift > 0 else {
      unsafe out.update(from: center, count: run.pixels)
      return
    }
    var other = unsafe center
    var weight: UInt16 = 4
    if grid.vShift > 0 {
      let isSecond = line & 1 == 1
      if grid.chromaSite.isCositedVertically {
        weight = isSecond ? 2 : 4
        unsafe other = matte.row(run.y + 1) + run.x
      } else {
        weight = 3
        unsafe other = matte.row(isSecond ? run.y + 1 : run.y - 1) + run.x
      }
    }
    let count = run.count
    let rows = unsafe scratch.mixed
    unsafe KeyKernels.mixRows(rows, center - 1, other - 1, weight: weight, count + 2)
    unsafe KeyKernels.widen(
      out, rows + 1, isCosited: grid.chromaSite.isCositedHorizontally, count)
  }

  @unsafe private func crop(_ shares: Bytes, _ run: Run, _ line: Int) {
    guard lines.contains(line) else {
      unsafe shares.update(repeating: 255, count: run.pixels)
      return
    }
    let left = min(max(columns.lowerBound - run.pixel, 0), run.pixels)
    let right = min(max(columns.upperBound - run.pixel, 0), run.pixels)
    unsafe shares.update(repeating: 255, count: left)
    unsafe (shares + right).update(repeating: 255, count: run.pixels - right)
  }

  /// Lets the source's own alpha through.
  @unsafe private func veil(_ shares: Bytes, _ run: Run, _ line: Int, _ scratch: KeyLines) {
    guard let alpha = frame.source.alpha else { return }
    let own = unsafe scratch.input
    unsafe KeyRows.gather(
      own, alpha.at(run.pixel, line), step: alpha.step, offset: alpha.offset, run.pixels)
    unsafe KeyKernels.veil(shares, alpha: own, run.pixels)
  }

  /// Writes the colour of a run.
  func write(_ run: Run, _ scratch: KeyLines) {
    if run.kind == .subject, frame.isInPlace { return }
    let grid = frame.grid
    let isSubsampled = grid.hShift > 0
    for (index, line) in run.lines.enumerated() {
      let shares = unsafe index == 0 ? scratch.shares.0 : scratch.shares.1
      let edge = unsafe index == 0 ? scratch.edges.0 : scratch.edges.1
      let taint = unsafe spill.row(run.y) + run.x
      if run.kind == .mixed, isUnmixing {
        unsafe KeyKernels.weights(scratch.weights, b: shares, run.pixels)
      }
      unsafe write(
        0, x: run.pixel, y: line, count: run.pixels, run.kind, shares: shares,
        screen: isSubsampled ? scratch.screen : scratch.screens.0,
        taint: isSubsampled ? scratch.spill : taint, edge: edge, scratch)
    }
    let x = run.x
    let shares = unsafe keyMatte.row(run.y) + x
    if isSubsampled, run.kind == .mixed, isUnmixing {
      unsafe KeyKernels.weights(scratch.weights, b: shares, run.count)
    }
    for component in 1...2 {
      unsafe write(
        component, x: x, y: run.y, count: run.count, run.kind, shares: shares,
        screen: component == 0
          ? scratch.screens.0 : component == 1 ? scratch.screens.1 : scratch.screens.2,
        taint: spill.row(run.y) + x,
        edge: isSubsampled ? scratch.chromaEdge : scratch.edges.0, scratch)
    }
  }

  /// Writes samples of one component.
  @unsafe private func write(
    _ component: Int, x: Int, y: Int, count: Int, _ kind: Kind, shares: Bytes, screen: Bytes,
    taint: Bytes, edge: Bytes, _ scratch: KeyLines
  ) {
    let source = frame.source[component]
    let destination = frame.destination[component]
    let isWidened = component > 0 && frame.widensChroma
    if kind == .subject, !isWidened, source.isSame(destination) { return }
    let neutral = frame.grid.neutral(component)
    let out: Bytes
    if frame.widensChroma, component == 0 {
      unsafe out = scratch.whole.0 + x
    } else if isWidened {
      // One sample before column 0 for the filter's reach.
      unsafe out = (component == 1 ? scratch.wide.0 : scratch.wide.1) + 16 + x
    } else if destination.step == 1 {
      unsafe out = destination.at(x, y)
    } else {
      unsafe out = scratch.output
    }
    if kind == .screen {
      if let background = frame.background {
        unsafe out.update(from: background.row(component, y) + x, count: count)
      } else {
        unsafe out.update(repeating: neutral, count: count)
      }
    } else {
      let row = unsafe frame.row(component, x: x, y: y, count: count, room: scratch.input)
      if unsafe out != row { unsafe out.update(from: row, count: count) }
      if kind == .mixed, isUnmixing {
        unsafe unmix(
          out, component, shares: shares, screen: screen, taint: taint, scratch, count)
      }
      if kind == .mixed, let background = frame.background {
        unsafe KeyKernels.blend(out, background.row(component, y) + x, b: edge, count)
      }
    }
    if !frame.widensChroma, destination.step != 1 {
      unsafe KeyRows.scatter(
        destination.at(x, y), out, step: destination.step, offset: destination.offset, count)
    }
  }

  /// Takes the screen's share and the spill out of samples of one component, in place.
  @unsafe func unmix(
    _ samples: Bytes, _ component: Int, shares: Bytes, screen: Bytes, taint: Bytes,
    _ scratch: KeyLines, _ count: Int
  ) {
    let factor =
      component == 0 ? spillFactors.0 : component == 1 ? spillFactors.1 : spillFactors.2
    if component == 0 || frame.grid.isRGB {
      unsafe KeyKernels.unmixLuma(
        samples, b: shares, screen: screen, spill: taint, spillFactor: factor,
        neutral: frame.grid.neutral(component), weights: scratch.weights, count)
    } else {
      unsafe KeyKernels.unmixChroma(
        samples, b: shares, screen: screen, spill: taint, spillFactor: factor,
        weights: scratch.weights, count)
    }
  }

  /// Writes the alpha of a run where the destination has one.
  func writeAlpha(_ run: Run, _ scratch: KeyLines) {
    guard let alpha = frame.destination.alpha else { return }
    for (index, line) in run.lines.enumerated() {
      let isPlane = alpha.step == 1
      let room = unsafe frame.widensChroma ? scratch.whole.1 + run.pixel : scratch.output
      let out = unsafe isPlane ? alpha.at(run.pixel, line) : room
      if frame.background != nil {
        unsafe out.update(repeating: 255, count: run.pixels)
      } else {
        switch run.kind {
        case .screen: unsafe out.update(repeating: 0, count: run.pixels)
        case .mixed:
          unsafe KeyKernels.complement(
            out, index == 0 ? scratch.edges.0 : scratch.edges.1, run.pixels)
        case .subject:
          if let own = frame.source.alpha {
            if own.isSame(alpha) { continue }
            unsafe KeyRows.gather(
              out, own.at(run.pixel, line), step: own.step, offset: own.offset, run.pixels)
          } else {
            unsafe out.update(repeating: 255, count: run.pixels)
          }
        }
      }
      guard !isPlane, !frame.widensChroma else { continue }
      unsafe KeyRows.scatter(
        alpha.at(run.pixel, line), out, step: alpha.step, offset: alpha.offset, run.pixels)
    }
  }

  /// Brings a row of 4:2:2 chroma to full width, and writes the whole row.
  func widenChroma(_ y: Int, _ scratch: KeyLines) {
    guard let units = frame.destinationUnits else { return }
    let grid = frame.grid
    let n = grid.gridWidth
    for component in 1...2 {
      let row = unsafe (component == 1 ? scratch.wide.0 : scratch.wide.1) + 16
      unsafe row[-1] = row[0]
      unsafe row[n] = row[n - 1]
      unsafe KeyKernels.mixRows(scratch.mixed, row - 1, row - 1, weight: 4, n + 2)
      unsafe KeyKernels.widen(
        component == 1 ? scratch.input : scratch.output, scratch.mixed + 1,
        isCosited: grid.chromaSite.isCositedHorizontally, n)
    }
    let first = frame.destination[0]
    unsafe units.join(
      first.at(0, y) - first.offset, scratch.whole.0, scratch.input, scratch.output,
      scratch.whole.1, grid.width)
  }

  /// Writes a grid row of the matte as a grey picture.
  func show(_ y: Int, _ scratch: KeyLines) {
    let grid = frame.grid
    let run = Run(0..<grid.gridWidth, y: y, kind: .mixed, grid: grid)
    for (index, line) in run.lines.enumerated() {
      let edge = unsafe index == 0 ? scratch.edges.0 : scratch.edges.1
      unsafe upsample(edgeMatte, run, line, edge, scratch)
      unsafe crop(edge, run, line)
      unsafe veil(edge, run, line, scratch)
      let offset = grid.isRGB ? 0 : grid.colorimetry.lumaOffset
      let scale = grid.isRGB ? 255 : grid.colorimetry.lumaScale
      unsafe KeyKernels.grey(edge, offset: UInt16(offset), scale: UInt16(scale), run.pixels)
      unsafe put(edge, 0, line)
      if grid.isRGB {
        unsafe put(edge, 1, line)
        unsafe put(edge, 2, line)
      }
      if let alpha = frame.destination.alpha {
        for x in 0..<run.pixels { unsafe alpha.at(x, line)[0] = 255 }
      }
    }
    guard !grid.isRGB else { return }
    let grey = unsafe scratch.output
    let row = frame.widensChroma ? run.lines.lowerBound : y
    unsafe grey.update(repeating: 128, count: frame.destination[1].width)
    unsafe put(grey, 1, row)
    unsafe put(grey, 2, row)
  }

  @unsafe private func put(_ samples: Bytes, _ component: Int, _ y: Int) {
    let to = frame.destination[component]
    unsafe KeyRows.scatter(to.at(0, y), samples, step: to.step, offset: to.offset, to.width)
  }
}

extension KeyKernels {
  /// Screen shares to luma codes, white where there is no screen.
  @inline(never)
  @unsafe static func grey(_ samples: Bytes, offset: UInt16, scale: UInt16, _ n: Int) {
    for i in 0..<n {
      let alpha = unsafe UInt16(~samples[i])
      unsafe samples[i] = UInt8(truncatingIfNeeded: dividedBy255(alpha &* scale) &+ offset)
    }
  }
}
