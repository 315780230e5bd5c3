/// Two maps put together number by number, or one alone, and bent.
struct PointwiseStep: EngineStep {
  enum Operand {
    case none
    /// As large, or with fewer channels, which count as 0.
    case map(Rows)
    /// A vector that was computed: one number a channel.
    case vector(Rows)
    /// One number a channel.
    case constant([Float])
  }

  let input: Rows
  let operand: Operand
  let isProduct: Bool
  let output: Rows
  let curve: Curve

  var units: Int { output.height }
  var cost: Int { output.height * output.channels * output.width * 2 }
  let scratch = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let maps = memory.maps
    let (count, lanes, mask) = (output.vectors, Vector.lanes, Kernels.mask(output.lastLanes))
    for row in units {
      for channel in 0..<output.channels {
        let slope = Vector(curve.slope(channel))
        let from = input.index(row: row, channel: channel)
        let to = output.index(row: row, channel: channel)
        var (other, factor) = (from, Vector(0))
        var isMap = false
        switch operand {
        case .none: break
        case .map(let map):
          isMap = channel < map.channels
          if isMap { other = map.index(row: row, channel: channel) }
        case .vector(let vector): factor = Vector(maps[vector.origin + channel])
        case .constant(let numbers): factor = Vector(numbers[channel])
        }
        for v in 0..<count {
          var x = maps.vector(from + v * lanes)
          let y = isMap ? maps.vector(other + v * lanes) : factor
          x = curve.bend(isProduct ? x * y : x + y, slope: slope)
          if v == count - 1 { x = Kernels.masked(x, mask) }
          maps.put(x, to + v * lanes)
        }
      }
    }
  }
}

/// The average of each channel.
struct AverageStep: EngineStep {
  let input: Rows
  let output: Rows
  let curve: Curve

  var units: Int { input.channels }
  var cost: Int { input.height * input.width * input.channels }
  let scratch = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let share = 1 / Float(input.height * input.width)
    for channel in units {
      var sum = Vector(0)
      for row in 0..<input.height {
        let from = input.index(row: row, channel: channel)
        // Row by row, so that no sum grows much larger than what is added to it. What lies after a
        // row are zeros.
        var own = Vector(0)
        for v in 0..<input.vectors { own += memory.maps.vector(from + v * Vector.lanes) }
        sum += own
      }
      var total: Float = 0
      for lane in 0..<Vector.lanes { total += sum[lane] }
      let value = curve.bend(Vector(total * share), slope: Vector(0))
      memory.maps[output.origin + channel] = value[0]
    }
  }
}

/// The largest number of each window; windows stay inside the map.
struct MaxPoolStep: EngineStep {
  let input: Rows
  let output: Rows
  let window: LaidWindow
  private let phases: Phases?
  /// Where the numbers of a window lie.
  private let cells: [Int]

  init(_ input: Rows, _ output: Rows, _ window: LaidWindow) {
    (self.input, self.output, self.window) = (input, output, window)
    let phases =
      window.strideWidth == 2 ? Phases(vectors: output.vectors, width: window.width) : nil
    self.phases = phases
    cells = (0..<window.height).flatMap { y in
      (0..<window.width).map { x in
        guard let phases else { return y * input.stride + x }
        let (phase, column) = phases.offset(x)
        return (2 * y + phase) * phases.pitch + column
      }
    }
  }

  var units: Int { output.height }
  var cost: Int { output.height * output.width * output.channels * window.height * window.width }
  var scratch: Int { phases.map { (2 * window.height + 1) * $0.pitch } ?? 0 }

  func run(_ units: Range<Int>, _ memory: Memory) {
    let (phases, mask) = (phases, Kernels.mask(output.lastLanes))
    let curve = Curve(window.activation)
    for row in units {
      for channel in 0..<output.channels {
        var (source, from) = (
          memory.maps, input.index(row: row * window.strideHeight, channel: channel)
        )
        if let phases {
          for y in 0..<window.height {
            phases.split(
              memory.maps, from + y * input.stride, memory.scratch, 2 * y * phases.pitch,
              apart: phases.pitch)
          }
          (source, from) = (memory.scratch, 0)
        }
        for v in 0..<output.vectors {
          var largest = Vector(-.infinity)
          for cell in cells {
            largest = largest.atLeast(source.vector(from + cell + v * Vector.lanes))
          }
          largest = curve.bend(largest, slope: largest)
          if v == output.vectors - 1 { largest = Kernels.masked(largest, mask) }
          memory.maps.put(largest, output.index(row: row, channel: channel) + v * Vector.lanes)
        }
      }
    }
  }
}
