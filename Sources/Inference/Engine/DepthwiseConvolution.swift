/// The weights of windows that see one channel each.
struct DepthwiseConvolution: Prologue {
  let input: MapLayout
  let output: MapLayout
  let window: SlidingWindow
  /// All of a channel's together.
  let factors: FloatBuffer
  let bias: FloatBuffer
  let activation: Activation
  /// What is added to what is seen and bent, where that goes right to the output.
  private(set) var added: MapLayout?
  /// For each column of a window, 1 where it lies in the row of its place: nil where zeros do.
  private let masks: FloatBuffer?

  /// Whether windows may read beyond a row's ends and mask what lies there.
  static func canMask(_ window: SlidingWindow) -> Bool {
    (window.height == 3 || window.height == 5) && window.height == window.width
      && window.strideHeight * window.strideWidth == 1
  }

  init(
    _ filter: ConvolutionParameters, _ activation: Activation, _ input: MapLayout,
    _ output: MapLayout, added: MapLayout? = nil
  ) {
    self.added = added
    (self.input, self.output, window, bias) = (input, output, filter.window, filter.bias.buffer)
    self.activation = activation
    let columns = max(window.left, window.right)
    if input.isFlat, input.reach.gap < columns, Self.canMask(window), input.isSameSize(output) {
      let (numbers, masks) = (
        input.count * Vector.lanes, FloatBuffer(count: window.width * input.count * Vector.lanes)
      )
      for x in 0..<window.width {
        for number in 0..<numbers {
          let column = number % input.pitch + x - window.left
          FloatView(masks)[x * numbers + number] = column >= 0 && column < input.width ? 1 : 0
        }
      }
      self.masks = masks
    } else {
      masks = nil
    }
    factors = FloatBuffer(count: filter.weights.buffer.count)
    let (from, cells) = (FloatView(filter.weights.buffer), window.height * window.width)
    for cell in 0..<cells {
      for channel in 0..<bias.count {
        FloatView(factors)[channel * cells + cell] = from[cell * bias.count + channel]
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
  var floor: Float { activation.code == .relu ? 0 : -.infinity }

  func stage(_ vectors: Int) -> ScratchLayout {
    ScratchLayout(output, vectors: vectors, runs: planes)
  }

  func fill(_ stage: ScratchLayout, _ scratch: FloatView, _ band: Range<Int>, _ maps: FloatView)
    -> Int
  {
    let target = stage.target(scratch, maps)
    let apart = added.map { ($0.origin - output.origin) * 4 }
    guard window.strideHeight * window.strideWidth == 1, input.isSameSize(output) else {
      var scan = Traversal(input, window, output, band, stage)
      scan.apart = apart
      see(scan, maps, target)
      finish(stage, band, target)
      return stage.first
    }
    var scan = Traversal(input, band, stage)
    scan.from.index -= window.top * input.pitch + window.left
    scan.reach = 0..<((window.height - 1) * input.pitch + window.width - 1) * 4 + 1
    scan.apart = apart
    if let masks {
      let (lines, row) = (Kernels.lines(scan, maps, target), input.pitch * 4)
      let own = FloatView(masks, band.lowerBound * Vector.lanes..<masks.count)
      let apart = input.count * Vector.lanes
      if window.width == 3 {
        DepthwiseKernel<3, 9, 1, 0>.see(
          FloatView(factors), FloatView(bias), floor, lines, row, own, apart)
      } else {
        DepthwiseKernel<5, 25, 1, 0>.see(
          FloatView(factors), FloatView(bias), floor, lines, row, own, apart)
      }
      finish(stage, band, target)
      return stage.first
    }
    // Rows that are no whole vectors can be seen together all the same: what a vector has beyond its
    // row is right for the next one.
    let (across, numbers) = (Vector.count(input.pitch), band.count * Vector.lanes)
    let lines = numbers / input.pitch / Kernels.rows * Kernels.rows
    if Kernels.rows > 1, input.isFlat, band.count >= 24,
      5 * across * Vector.lanes <= 7 * input.pitch
    {
      var block = scan
      (block.lines, block.across) = (lines, across)
      (block.from.line, block.to.line) = (input.pitch, input.pitch)
      see(block, maps, target)
      scan.from.index += lines * input.pitch
      scan.to.index += lines * input.pitch
      scan.across = Vector.count(numbers - lines * input.pitch)
    }
    see(scan, maps, target)
    finish(stage, band, target)
    return stage.first
  }

  /// Sums windows.
  private func see(_ scan: Traversal, _ maps: FloatView, _ target: FloatView) {
    let (lines, row) = (Kernels.lines(scan, maps, target), input.pitch * 4)
    let (factors, bias) = (FloatView(factors), FloatView(bias))
    let isDouble = window.strideWidth == 2
    switch (window.height, window.width, isDouble, scan.apart == nil) {
    case (3, 3, false, true): DepthwiseKernel<3, 9, 1, 0>.see(factors, bias, floor, lines, row)
    case (3, 3, false, false): DepthwiseKernel<3, 9, 1, 1>.see(factors, bias, floor, lines, row)
    case (3, 3, true, true): DepthwiseKernel<3, 9, 2, 0>.see(factors, bias, floor, lines, row)
    case (5, 5, false, true): DepthwiseKernel<5, 25, 1, 0>.see(factors, bias, floor, lines, row)
    case (5, 5, true, true): DepthwiseKernel<5, 25, 2, 0>.see(factors, bias, floor, lines, row)
    default:
      let cells = window.height * window.width
      Kernels.channels(scan, maps, target) { channel, lines in
        lines.each { cell, _ in
          var sum = Vector(bias[channel])
          for tap in 0..<cells {
            let offset = tap / window.width &* row &+ tap % window.width &* 4
            let numbers = isDouble ? cell.every(offset) : cell[offset]
            sum.add(numbers, times: Vector(factors[channel &* cells &+ tap]))
          }
          cell.put(sum.atLeast(Vector(floor)))
        }
      }
    }
  }

  /// Bends what was laid, where that is more than a least value.
  ///
  /// Vector by vector of the band: those that rows were seen by may overlap, and none may be bent
  /// twice.
  private func finish(_ stage: ScratchLayout, _ band: Range<Int>, _ target: FloatView) {
    guard !activation.isIdentityOrReLU else { return }
    var own = Traversal(output, band, stage)
    (own.channels, own.from) = (input.channels, own.to)
    Kernels.activate(Kernels.lines(own, target, target), by: activation)
  }
}

extension Kernels {
  /// Rows of windows that are summed together, so that what was read serves several.
  #if x86_64_v4
    static let rows = 4
  #else
    static let rows = 1
  #endif
}

/// Windows of `K` x `K` = `N` cells that move by `S`; where `A` is 1, something is added to them.
private enum DepthwiseKernel<let K: Int, let N: Int, let S: Int, let A: Int> {
  @inline(never)
  static func see(
    _ factors: FloatView, _ biases: FloatView, _ floor: Float, _ lines: Kernels.ChannelRows,
    _ row: Int
  ) {
    let floor = Vector(floor)
    for channel in 0..<lines.channels {
      let k = InlineArray<N, Vector> { tap in Vector(factors[channel &* N &+ tap]) }
      let (bias, lines) = (Vector(biases[channel]), lines.channel(channel))
      var line = 0
      if Kernels.rows > 1, lines.next == S &* row {
        if S == 1 {
          together(InlineArray<4, Vector>(repeating: bias), k, floor, lines, row, &line)
        } else {
          together(InlineArray<2, Vector>(repeating: bias), k, floor, lines, row, &line)
        }
      }
      together(InlineArray<1, Vector>(repeating: bias), k, floor, lines, row, &line)
    }
  }

  /// The same, for a line of vectors that runs through rows; a mask for each column of the windows
  /// lies `apart` numbers after the one before.
  @inline(never)
  static func see(
    _ factors: FloatView, _ biases: FloatView, _ floor: Float, _ lines: Kernels.ChannelRows,
    _ row: Int,
    _ masks: FloatView, _ apart: Int
  ) {
    let floor = Vector(floor)
    for channel in 0..<lines.channels {
      let k = InlineArray<N, Vector> { tap in Vector(factors[channel &* N &+ tap]) }
      let (bias, line) = (Vector(biases[channel]), lines.channel(channel))
      var number = 0
      while number < line.across {
        let cell = line[0, number]
        var (sum, x) = (bias, 0)
        while x < K {
          var (part, y) = (Vector(0), 0)
          while y < K {
            part.add(cell[y &* row &+ x &* 4], times: k[y &* K &+ x])
            y &+= 1
          }
          sum += part.masked(masks.vector(x &* apart &+ number &* Vector.lanes))
          x &+= 1
        }
        cell.store(sum.atLeast(floor))
        number &+= 1
      }
    }
  }

  /// Sums `R` rows of windows at a time, as long as there are as many.
  @inline(__always)
  private static func together<let R: Int>(
    _ bias: InlineArray<R, Vector>, _ k: borrowing InlineArray<N, Vector>, _ floor: Vector,
    _ lines: Kernels.ChannelRows, _ row: Int, _ line: inout Int
  ) {
    while line &+ R <= lines.count {
      // From the end, for what the last vector of a row writes beyond it belongs to the next row.
      var number = lines.across &- 1
      while number >= 0 {
        var sums = bias
        let cell = lines[line, number]
        // In a loop the sums would not stay in registers.
        add(0, cell, row, k, &sums)
        add(1, cell, row, k, &sums)
        add(2, cell, row, k, &sums)
        add(3, cell, row, k, &sums)
        add(4, cell, row, k, &sums)
        add(5, cell, row, k, &sums)
        add(6, cell, row, k, &sums)
        add(7, cell, row, k, &sums)
        var own = 0
        while own < R {
          let (cell, x) = (lines[line &+ own, number], sums[own].atLeast(floor))
          if A == 1 { cell.put(x) } else { cell.store(x) }
          own &+= 1
        }
        number &-= 1
      }
      line &+= R
    }
  }

  /// Adds a row of cells to the sums that have begun and not ended there.
  @inline(__always)
  private static func add<let R: Int>(
    _ y: Int, _ cell: Kernels.VectorPosition, _ row: Int, _ k: borrowing InlineArray<N, Vector>,
    _ sums: inout InlineArray<R, Vector>
  ) {
    guard y < (R &- 1) &* S &+ K else { return }
    var x = 0
    while x < K {
      let place = y &* row &+ x &* 4
      let a = cell[place]
      if S == 1 {
        add(a, y, x, k, &sums)
        x &+= 1
      } else {
        let b = cell[place &+ Kernels.size]
        add(Vector(lowHalf: a.evenHalf, highHalf: b.evenHalf), y, x, k, &sums)
        if x &+ 1 < K {
          add(Vector(lowHalf: a.oddHalf, highHalf: b.oddHalf), y, x &+ 1, k, &sums)
        }
        x &+= 2
      }
    }
  }

  @inline(__always)
  private static func add<let R: Int>(
    _ numbers: Vector, _ y: Int, _ x: Int, _ k: borrowing InlineArray<N, Vector>,
    _ sums: inout InlineArray<R, Vector>
  ) {
    var own = 0
    while own < R {
      let tap = y &- own &* S
      if tap >= 0, tap < K { sums[own].add(numbers, times: k[tap &* K &+ x]) }
      own &+= 1
    }
  }
}
