/// Columns of rows laid apart by their place in a stride of 2, so that windows that move by 2 read
/// numbers that lie side by side.
struct Phases {
  /// Numbers of one phase of a row.
  let pitch: Int
  private let halves: Int

  init(vectors: Int, width: Int) {
    pitch = (vectors + 1) * Vector.lanes
    let half = Vector.lanes / 2
    halves = (vectors * Vector.lanes + (width - 1) / 2 + half - 1) / half
  }

  /// Numbers of a window's column `x` after the first.
  func offset(_ x: Int) -> (phase: Int, column: Int) { (x % 2, x / 2) }

  func split(_ from: Numbers, _ index: Int, _ to: Numbers, _ place: Int, apart: Int) {
    Kernels.split(from, index, to, place, apart: apart, halves: halves)
  }
}

/// Convolutions that see all channels, read from the map itself or, moving by 2, from its phases.
struct ConvolutionStep: EngineStep {
  let input: Rows
  let output: Rows
  let added: Rows?
  let window: LaidWindow
  let bands: Bands
  let sums: Sums
  let finish: Finish
  let tilings: [Tiling]
  let phases: Phases?
  let cost: Int

  var units: Int { bands.count }
  var scratch: Int {
    guard let phases else { return 0 }
    let rows = (bands.rows - 1) * window.strideHeight + window.height
    return (rows * 2 * input.channels + 1) * phases.pitch
  }

  init(
    _ filter: Filter, _ input: Rows, _ output: Rows, _ curve: Curve, added: Rows?, last: Bool
  ) {
    let window = filter.window
    (self.input, self.output, self.added, self.window) = (input, output, added, window)
    let phases =
      window.strideWidth == 2 ? Phases(vectors: output.vectors, width: window.width) : nil
    self.phases = phases
    // A row of input, and a channel's row in it.
    let (row, pitch) =
      phases.map { (2 * input.channels * $0.pitch, $0.pitch) } ?? (input.stride, input.pitch)
    var taps: [Int] = []
    for y in 0..<window.height {
      for x in 0..<window.width {
        for channel in 0..<input.channels {
          let (phase, column) = phases?.offset(x) ?? (0, x)
          taps.append((y * row + (phase * input.channels + channel) * pitch + column) * 4)
        }
      }
    }
    let weights = Numbers(filter.weights.buffer)
    let vectors = output.vectors
    let segment = window.strideHeight * row * 4
    func bands(_ width: Int) -> Bands {
      Bands(height: output.height, bytes: row * 4 * window.strideHeight) {
        let tiling = Tiling(rows: $0, vectors: vectors, segment: segment, width: width)
        return tiling.cost(width: width, channels: output.channels)
      }
    }
    let width = Sums.isSparse(weights) ? 1 : [2, 3, 4].min { bands($0).cost < bands($1).cost } ?? 2
    sums = Sums(weights, taps: taps, bias: filter.bias.buffer, width: width)
    let bands = bands(width)
    self.bands = bands
    tilings = (0...bands.rows).map {
      Tiling(rows: $0, vectors: vectors, segment: segment, width: width)
    }
    var finish = Finish(output, rows: bands.rows, curve)
    if let added { finish.add(added, rows: bands.rows, last: last) }
    self.finish = finish
    cost = output.height * output.width * taps.count * output.channels
  }

  func run(_ units: Range<Int>, _ memory: Memory) {
    for band in units {
      let (first, rows) = (band * bands.rows, bands.rows(band))
      let top = first * window.strideHeight - window.top
      var source = (numbers: memory.maps, index: input.index(row: top) - window.left)
      if let phases {
        let apart = input.channels * phases.pitch
        for row in 0..<(rows - 1) * window.strideHeight + window.height {
          for channel in 0..<input.channels {
            phases.split(
              memory.maps, input.index(row: top + row, channel: channel) - window.left,
              memory.scratch, (row * 2 * input.channels + channel) * phases.pitch, apart: apart)
          }
        }
        source = (memory.scratch, 0)
      }
      Kernels.run(
        sums, groups: sums.all, tilings[rows], finish, input: source,
        output: (memory.maps, output.index(row: first)),
        added: (memory.maps, added?.index(row: first) ?? 0))
      finish.complete(output, memory.maps, row: first, rows: rows, added)
    }
  }
}
