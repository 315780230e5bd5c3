/// Stores a map as an output of the network: interleaved, all channels of a pixel together.
struct OutputStep: EngineStep {
  let input: MapLayout
  /// The pixels that each pixel's channels are spread over.
  let block: (height: Int, width: Int)
  /// The index of the output's first number.
  let start: Int
  /// The channels that are stored; all of them where pixels become blocks.
  let channels: Range<Int>

  var units: Int { input.height }
  var cost: Int { input.height * input.width * channels.count }
  let scratchFloats = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let depth = channels.count / (block.height * block.width)
    let pixelStride = block.width * depth
    for row in units {
      let from = input.origin + row * input.rowStride + channels.lowerBound * input.channelStride
      for y in 0..<block.height {
        let to = start + (row * block.height + y) * input.width * pixelStride
        if depth == 1, block.width == 2 {
          interleavePair(memory.maps, from: from + 2 * y * input.channelStride, to: to)
          continue
        }
        for x in 0..<block.width {
          let channel = (y * block.width + x) * depth
          Kernels.interleave(
            memory.maps, from: from + channel * input.channelStride, input, to: to + x * depth,
            channels: depth, pixelStride: pixelStride)
        }
      }
    }
  }

  /// Interleaves a row of two channels, a vector at a time.
  private func interleavePair(_ maps: FloatView, from even: Int, to start: Int) {
    let odd = even + input.channelStride
    var x = 0
    while x &+ Vector.lanes <= input.width {
      let (one, two) = (maps.vector(at: even &+ x), maps.vector(at: odd &+ x))
      var (low, high) = (Vector(0), Vector(0))
      (low.evenHalf, low.oddHalf) = (one.lowHalf, two.lowHalf)
      (high.evenHalf, high.oddHalf) = (one.highHalf, two.highHalf)
      maps.store(low, at: start &+ 2 &* x)
      maps.store(high, at: start &+ 2 &* x &+ Vector.lanes)
      x &+= Vector.lanes
    }
    while x < input.width {
      (maps[start &+ 2 &* x], maps[start &+ 2 &* x &+ 1]) = (maps[even &+ x], maps[odd &+ x])
      x &+= 1
    }
  }
}
