/// The weights of windows that see one channel each.
struct Windows: Preparation {
  let input: Planes
  let output: Planes
  let window: LaidWindow
  /// All of a channel's together.
  let factors: FloatBuffer
  let bias: FloatBuffer
  let curve: Curve

  init(_ filter: LaidFilter, _ curve: Curve, _ input: Planes, _ output: Planes) {
    (self.input, self.output, window, bias) = (input, output, filter.window, filter.bias.buffer)
    self.curve = curve
    factors = FloatBuffer(count: filter.weights.buffer.count)
    let (from, cells) = (Numbers(filter.weights.buffer), window.height * window.width)
    for cell in 0..<cells {
      for channel in 0..<bias.count {
        Numbers(factors)[channel * cells + cell] = from[cell * bias.count + channel]
      }
    }
  }

  var planes: Int { input.channels }
  /// What is read serves four rows, where there are as many.
  func cost(_ rows: Int) -> Double {
    let cells = Double(window.height * window.width * planes)
    guard window.strideHeight == 1, !output.isFlat else { return cells }
    return cells * (rows % 4 == 0 ? 0.5 : 0.9)
  }

  /// What results are made at least.
  var floor: Float { curve.code == .positive ? 0 : -.infinity }

  /// Behind the runs, rows of one channel, their even and odd columns apart.
  func stage(_ vectors: Int) -> Stage {
    let rows = output.rows(in: vectors)
    let part = (Vector.count(output.width) + 1) * Vector.lanes
    return Stage(
      output, vectors: vectors, runs: planes,
      more: ((rows - 1) * window.strideHeight + window.height) * 2 * part)
  }

  func fill(_ stage: Stage, _ scratch: Numbers, _ band: Range<Int>, _ maps: Numbers) -> Int {
    var scan: Scan
    if window.strideHeight * window.strideWidth == 1, input.isSameSize(output) {
      scan = Scan(input, band, stage)
      scan.from.index -= window.top * input.pitch + window.left
      scan.reach = 0..<((window.height - 1) * input.pitch + window.width - 1) * 4 + 1
    } else {
      scan = Scan(input, window, output, band, stage)
    }
    let (isDouble, row) = (window.strideWidth == 2, input.pitch * 4)
    guard isDouble else {
      Kernels.channels(scan, maps, scratch) { channel, lines in see(channel, lines, row, 0) }
      finish(scan, scratch)
      return stage.first
    }
    // Even and odd columns apart first, so that windows see numbers that lie side by side.
    let part = (scan.across + 1) * Vector.lanes
    var (apart, seen) = (scan, scan)
    apart.lines = (scan.lines - 1) * window.strideHeight + window.height
    apart.across += 1
    apart.from.line = input.pitch
    apart.to = Scan.Side(index: stage.pitch * planes, plane: 0, line: 2 * part)
    apart.reach = 0..<Kernels.size + 1
    apart.room = part * 4
    seen.from = Scan.Side(
      index: apart.to.index, plane: 0, line: window.strideHeight * apart.to.line)
    seen.step = Kernels.size
    seen.reach = 0..<((window.height - 1) * 2 * part + part + window.width / 2) * 4 + 1
    let (split, summed) = (
      Kernels.lines(apart, maps, scratch), Kernels.lines(seen, scratch, scratch)
    )
    for channel in 0..<planes {
      split.channel(channel).each { cell, _ in
        let (a, b) = (cell[0], cell[Kernels.size])
        cell.store(Vector(lowHalf: a.evenHalf, highHalf: b.evenHalf))
        cell.store(Vector(lowHalf: a.oddHalf, highHalf: b.oddHalf), part &* 4)
      }
      see(channel, summed.channel(channel), 2 * part * 4, part * 4)
    }
    finish(scan, scratch)
    return stage.first
  }

  /// Sums a channel's windows, whose rows lie `row` bytes apart and whose odd columns, where these
  /// are apart, `part`.
  private func see(_ channel: Int, _ lines: Kernels.Lines, _ row: Int, _ part: Int) {
    let cells = window.height * window.width
    let (bias, own) = (
      Numbers(bias)[channel], Numbers(factors, channel * cells..<(channel + 1) * cells)
    )
    switch (window.height, window.width) {
    case (3, 3): Square<3, 9>.see(own, bias, floor, lines, row, part)
    case (5, 5): Square<5, 25>.see(own, bias, floor, lines, row, part)
    default:
      lines.each { cell, _ in
        var sum = Vector(bias)
        for tap in 0..<cells {
          let (y, x) = (tap / window.width, tap % window.width)
          let offset = part > 0 ? x % 2 &* part &+ x / 2 &* 4 : x &* 4
          sum.add(cell[y &* row &+ offset], times: Vector(own[tap]))
        }
        cell.store(sum.atLeast(Vector(floor)))
      }
    }
  }

  /// Bends what was laid, where that is more than a least value.
  private func finish(_ scan: Scan, _ scratch: Numbers) {
    guard curve.isSlow || curve.code == .slopes else { return }
    var own = scan
    (own.from, own.step, own.reach) = (scan.to, Kernels.size, 0..<1)
    Kernels.channels(own, scratch, scratch) { channel, lines in
      let slope = Vector(curve.slope(channel))
      lines.each { cell, _ in cell.store(curve.bend(cell[0], slope: slope)) }
    }
  }
}

/// Windows of `K` x `K` = `N` cells.
private enum Square<let K: Int, let N: Int> {
  /// Sums of a channel, whose odd columns may lie `part` bytes behind even ones.
  @inline(never)
  static func see(
    _ factors: Numbers, _ bias: Float, _ floor: Float, _ lines: Kernels.Lines, _ row: Int,
    _ part: Int
  ) {
    let k = InlineArray<N, Vector> { tap in Vector(factors[tap]) }
    let (bias, floor, across) = (Vector(bias), Vector(floor), lines.across)
    var line = 0
    #if x86_64_v4
      // What was read serves several rows.
      while part == 0, line &+ 4 <= lines.count, lines.next == row {
        var number = 0
        while number < across {
          var sums = InlineArray<4, Vector>(repeating: bias)
          let cell = lines[line, number]
          add(0, cell, row, k, &sums)
          add(1, cell, row, k, &sums)
          add(2, cell, row, k, &sums)
          add(3, cell, row, k, &sums)
          add(4, cell, row, k, &sums)
          add(5, cell, row, k, &sums)
          if K > 3 {
            add(6, cell, row, k, &sums)
            add(7, cell, row, k, &sums)
          }
          var own = 0
          while own < 4 {
            lines[line &+ own, number].store(sums[own].atLeast(floor))
            own &+= 1
          }
          number &+= 1
        }
        line &+= 4
      }
    #endif
    while line < lines.count {
      var number = 0
      while number < across {
        let cell = lines[line, number]
        var (sum, y) = (bias, 0)
        while y < K {
          var x = 0
          while x < K {
            let offset = part == 0 ? x &* 4 : x % 2 &* part &+ x / 2 &* 4
            sum.add(cell[y &* row &+ offset], times: k[y &* K &+ x])
            x &+= 1
          }
          y &+= 1
        }
        cell.store(sum.atLeast(floor))
        number &+= 1
      }
      line &+= 1
    }
  }

  /// Adds a row of cells to the sums that have begun and not ended there.
  @inline(__always)
  private static func add(
    _ y: Int, _ cell: Kernels.Cell, _ row: Int, _ k: borrowing InlineArray<N, Vector>,
    _ sums: inout InlineArray<4, Vector>
  ) {
    var x = 0
    while x < K {
      let number = cell[y &* row &+ x &* 4]
      var own = 0
      while own < 4 {
        if y >= own, y &- own < K { sums[own].add(number, times: k[(y &- own) &* K &+ x]) }
        own &+= 1
      }
      x &+= 1
    }
  }
}
