/// A map made larger or smaller by weighing the four nearest pixels, whose centres lie at halves.
struct ResizeStep: EngineStep {
  let input: Rows
  let output: Rows
  private let columns: [Place]
  private let rows: [Place]
  /// Twice as wide is done by vectors.
  private let isDouble: Bool

  /// Two neighbours, and the weight of the second.
  private struct Place {
    var first, second: Int
    var weight: Float
  }

  init(_ input: Rows, _ output: Rows) {
    (self.input, self.output) = (input, output)
    func places(_ from: Int, _ to: Int) -> [Place] {
      (0..<to).map { number in
        let place = max(0, (Float(number) + 0.5) * (Float(from) / Float(to)) - 0.5)
        let first = min(Int(place), from - 1)
        return Place(
          first: first, second: min(first + 1, from - 1), weight: place - Float(first))
      }
    }
    (rows, columns) = (places(input.height, output.height), places(input.width, output.width))
    isDouble = output.width == 2 * input.width
  }

  var units: Int { output.height }
  var cost: Int { output.height * output.width * output.channels * 4 }
  /// A row between two rows, with the edges repeated round it.
  var scratch: Int { (input.vectors + 3) * Vector.lanes }

  func run(_ units: Range<Int>, _ memory: Memory) {
    let (maps, scratch, lanes) = (memory.maps, memory.scratch, Vector.lanes)
    let mask = Kernels.mask(output.lastLanes)
    for row in units {
      let place = rows[row]
      for channel in 0..<output.channels {
        let above = input.index(row: place.first, channel: channel)
        let below = input.index(row: place.second, channel: channel)
        let weight = Vector(place.weight)
        for v in 0..<input.vectors {
          var x = maps.vector(above + v * lanes)
          x.add(maps.vector(below + v * lanes) - x, times: weight)
          scratch.put(x, (v + 1) * lanes)
        }
        let to = output.index(row: row, channel: channel)
        if isDouble { double(scratch, maps, to, mask) } else { spread(scratch, maps, to) }
      }
    }
  }

  private func spread(_ from: Numbers, _ maps: Numbers, _ to: Int) {
    let first = Vector.lanes
    for (x, place) in columns.enumerated() {
      let left = from[first + place.first]
      maps[to + x] = left + (from[first + place.second] - left) * place.weight
    }
  }

  private func double(_ from: Numbers, _ maps: Numbers, _ to: Int, _ mask: Vector) {
    let (first, lanes, half) = (Vector.lanes, Vector.lanes, Vector.lanes / 2)
    from[first - 1] = from[first]
    from[first + input.width] = from[first + input.width - 1]
    for v in 0..<output.vectors {
      let place = first + v * half
      let middle = from.vector(place) * Vector(0.75)
      var (even, odd) = (middle, middle)
      even.add(from.vector(place - 1), times: Vector(0.25))
      odd.add(from.vector(place + 1), times: Vector(0.25))
      var x = Vector(0)
      x.evenHalf = even.lowHalf
      x.oddHalf = odd.lowHalf
      if v == output.vectors - 1 { x = Kernels.masked(x, mask) }
      maps.put(x, to + v * lanes)
    }
  }
}

/// A map, or a vector, laid out as the network's outputs are: all channels of a pixel together.
struct OutputStep: EngineStep {
  let input: Rows
  /// How many pixels each channel's pixel becomes, with fewer channels.
  let block: (height: Int, width: Int)
  /// The first number of the output.
  let place: Int

  var units: Int { input.height }
  var cost: Int { input.height * input.width * input.channels * 4 }
  let scratch = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let maps = memory.maps
    guard !input.isVector else {
      for x in 0..<input.width { maps[place + x] = maps[input.origin + x] }
      return
    }
    let depth = input.channels / (block.height * block.width)
    let line = input.width * block.width * depth
    for row in units {
      for channel in 0..<input.channels {
        let (cell, own) = (channel / depth, channel % depth)
        let (y, x) = (cell / block.width, cell % block.width)
        let from = input.index(row: row, channel: channel)
        var to = place + (row * block.height + y) * line + x * depth + own
        for column in 0..<input.width {
          maps[to] = maps[from + column]
          to += block.width * depth
        }
      }
    }
  }
}
