/// A map, or a vector, laid out as the network's outputs are: all channels of a pixel together.
struct OutputStep: EngineStep {
  let input: MapLayout
  /// How many pixels each channel's pixel becomes, with fewer channels.
  let block: (height: Int, width: Int)
  /// The first number of the output.
  let place: Int

  var units: Int { input.height }
  var cost: Int { input.height * input.width * input.channels }
  let scratch = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let depth = input.channels / (block.height * block.width)
    let step = block.width * depth
    for row in units {
      if depth == 1, block.width == 2 {
        for y in 0..<block.height {
          let even = input.origin + row * input.pitch + 2 * y * input.plane
          weave(
            memory.maps, even, even + input.plane,
            into: place + (row * block.height + y) * input.width * 2)
        }
        continue
      }
      for cell in 0..<block.height * block.width {
        let (y, x) = (cell / block.width, cell % block.width)
        let to = place + (row * block.height + y) * input.width * step + x * depth
        let from = input.origin + row * input.pitch + cell * depth * input.plane
        Kernels.join(memory.maps, from, input, to, channels: depth, step: step)
      }
    }
  }

  /// Two rows of planes, number by number in turn.
  private func weave(_ maps: FloatView, _ even: Int, _ odd: Int, into to: Int) {
    var x = 0
    while x &+ Vector.lanes <= input.width {
      let (one, two) = (maps.vector(even &+ x), maps.vector(odd &+ x))
      var (low, high) = (Vector(0), Vector(0))
      (low.evenHalf, low.oddHalf) = (one.lowHalf, two.lowHalf)
      (high.evenHalf, high.oddHalf) = (one.highHalf, two.highHalf)
      maps.set(low, at: to &+ 2 &* x)
      maps.set(high, at: to &+ 2 &* x &+ Vector.lanes)
      x &+= Vector.lanes
    }
    while x < input.width {
      (maps[to &+ 2 &* x], maps[to &+ 2 &* x &+ 1]) = (maps[even &+ x], maps[odd &+ x])
      x &+= 1
    }
  }
}
