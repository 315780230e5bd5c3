/// Convolutions of each channel by itself and, where it alone reads their results, the convolution
/// of 1 x 1 that follows: band by band, so that what is between them never leaves the first cache.
struct DepthwiseStep: EngineStep {
  let input: Rows
  let output: Rows
  let window: LaidWindow
  let bands: Bands
  private let curve: Curve
  private let sums: Sums
  private let finish: Finish
  private let tilings: [Tiling]
  private let phases: Phases?
  /// Where the results go: to scratch, where there is a convolution to follow.
  private let stage: Rows
  private let tail: Tail?
  let cost: Int

  /// The convolution that follows.
  private struct Tail {
    let sums: Sums
    let finish: Finish
    let tilings: [Tiling]
    let added: Rows?
  }

  var units: Int { bands.count }
  private var stageCount: Int { tail == nil ? 0 : stage.channels * stage.pitch }
  var scratch: Int {
    guard let phases else { return stageCount }
    let rows = (bands.rows - 1) * window.strideHeight + window.height
    return stageCount + (2 * rows + 1) * phases.pitch
  }

  init(_ filter: Filter, _ curve: Curve, _ input: Rows, _ output: Rows) {
    self.init(filter, curve, input, output, nil)
  }

  init(
    _ filter: Filter, _ curve: Curve, _ input: Rows, _ output: Rows, then next: Filter,
    _ nextCurve: Curve, added: Rows?, last: Bool
  ) {
    self.init(filter, curve, input, output, (next, nextCurve, added, last))
  }

  private init(
    _ filter: Filter, _ curve: Curve, _ input: Rows, _ output: Rows,
    _ next: (filter: Filter, curve: Curve, added: Rows?, last: Bool)?
  ) {
    let (window, vectors, channels) = (filter.window, output.vectors, input.channels)
    (self.input, self.output, self.window, self.curve) = (input, output, window, curve)
    let phases = window.strideWidth == 2 ? Phases(vectors: vectors, width: window.width) : nil
    self.phases = phases
    let row = phases.map { 2 * $0.pitch } ?? input.stride
    var taps: [Int] = []
    for y in 0..<window.height {
      for x in 0..<window.width {
        let (phase, column) = phases?.offset(x) ?? (0, x)
        taps.append((y * row + phase * (phases?.pitch ?? 0) + column) * 4)
      }
    }
    sums = Sums(depthwise: Numbers(filter.weights.buffer), taps: taps, bias: filter.bias.buffer)
    let weights = next.map { Numbers($0.filter.weights.buffer) }
    let line = vectors * Vector.lanes
    func bands(_ width: Int) -> Bands {
      Bands(height: output.height, bytes: channels * line * 4) { rows in
        // Four rows are best done at once, for what is read serves three.
        let own = Double(vectors * channels * ([0, 8, 10, 18][rows % 4] + rows / 4 * 16))
        guard next != nil else { return own }
        let tiling = Tiling(flat: rows * vectors, width: width)
        return own + Double(channels) * tiling.cost(width: width, channels: output.channels)
      }
    }
    let isSparse = weights.map { Sums.isSparse($0) } ?? true
    let width = isSparse ? 1 : [2, 3, 4].min { bands($0).cost < bands($1).cost } ?? 2
    let bands = bands(width)
    self.bands = bands
    tilings = (0...bands.rows).map {
      Tiling(rows: $0, vectors: vectors, segment: window.strideHeight * row * 4, width: 1)
    }
    stage =
      next == nil
      ? output
      : Rows(
        height: bands.rows, width: line, channels: channels, pitch: bands.rows * line, stride: line)
    finish = Finish(stage, rows: bands.rows, curve)
    tail = next.map { next in
      var finish = Finish(output, rows: bands.rows, next.curve)
      if let added = next.added { finish.add(added, rows: bands.rows, last: next.last) }
      let taps = (0..<channels).map { $0 * bands.rows * line * 4 }
      return Tail(
        sums: Sums(
          Numbers(next.filter.weights.buffer), taps: taps, bias: next.filter.bias.buffer,
          width: width),
        finish: finish, tilings: (0...bands.rows).map { Tiling(flat: $0 * vectors, width: width) },
        added: next.added)
    }
    cost =
      output.height * output.width * channels
      * (taps.count + (next == nil ? 0 : output.channels))
  }

  func run(_ units: Range<Int>, _ memory: Memory) {
    for band in units {
      let (first, rows) = (band * bands.rows, bands.rows(band))
      guard let tail else {
        depthwise(first, rows, memory, memory.maps, row: first)
        continue
      }
      depthwise(first, rows, memory, memory.scratch, row: 0)
      Kernels.run(
        tail.sums, groups: tail.sums.all, tail.tilings[rows], tail.finish,
        input: (memory.scratch, 0), output: (memory.maps, output.index(row: first)),
        added: (memory.maps, tail.added?.index(row: first) ?? 0))
      tail.finish.complete(output, memory.maps, row: first, rows: rows, tail.added)
    }
  }

  private func depthwise(
    _ first: Int, _ rows: Int, _ memory: Memory, _ target: Numbers, row: Int
  ) {
    let top = first * window.strideHeight - window.top
    let place = input.index(row: top) - window.left
    if phases == nil, window.strideHeight == 1, window.height == 3, window.width == 3 {
      for channel in 0..<input.channels {
        Kernels.depthwise(
          sums, channel, vectors: output.vectors, rows: rows,
          input: (memory.maps, place + channel * input.pitch, input.stride),
          output: (target, stage.index(row: row, channel: channel), stage.stride))
      }
      if !curve.isNone || stage.lastLanes < Vector.lanes {
        stage.complete(target, row: row, rows: rows, curve)
      }
      return
    }
    for channel in 0..<input.channels {
      var source = (numbers: memory.maps, index: place + channel * input.pitch)
      if let phases {
        for row in 0..<(rows - 1) * window.strideHeight + window.height {
          phases.split(
            memory.maps, source.index + row * input.stride, memory.scratch,
            stageCount + 2 * row * phases.pitch, apart: phases.pitch)
        }
        source = (memory.scratch, stageCount)
      }
      let to = (target, stage.index(row: row))
      Kernels.run(
        sums, groups: Groups(single: channel..<channel + 1), tilings[rows], finish, input: source,
        output: to, added: to)
    }
    finish.complete(stage, target, row: row, rows: rows, nil)
  }
}
