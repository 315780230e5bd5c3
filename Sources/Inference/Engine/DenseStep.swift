/// A convolution whose result is one pixel: a matrix times a vector.
///
/// The kernels' operands are exchanged: their vectors are the weights, and their weights the
/// window's numbers.
struct DenseStep: EngineStep {
  /// The outputs of one tile, with weights in the order of reading.
  private struct OutputTile {
    let band: Range<Int>
    let packed: PackedWeights
    let weights: FloatBuffer
  }

  let input: MapLayout
  let window: SlidingWindow
  private let tiles: [OutputTile]
  private let epilogue: Epilogue
  let cost, scratchFloats: Int

  init(
    _ filter: ConvolutionParameters, _ input: MapLayout, _ output: MapLayout,
    _ activation: Activation
  ) {
    (self.input, window) = (input, filter.window)
    let (from, bias) = (FloatView(filter.weights.buffer), FloatView(filter.bias.buffer))
    let outputs = output.width
    let count = filter.weights.buffer.count / outputs
    (scratchFloats, cost) = (count + 1, count * outputs)
    epilogue = Epilogue(output, vectors: output.vectorCount, activation)
    var tiles: [OutputTile] = []
    forEachTile(output.vectorCount, maximum: Kernels.maximumTile(groupSize: 1)) { first, size in
      let (stride, start) = (size * Vector.lanes, first * Vector.lanes)
      // The last column is the bias; the number that it is multiplied by is 1.
      let weights = FloatBuffer(count: stride * (count + 1))
      let to = FloatView(weights)
      for index in 0..<max(0, min(stride, outputs - start)) {
        for tap in 0..<count { to[tap * stride + index] = from[(start + index) * count + tap] }
        to[count * stride + index] = bias[start + index]
      }
      tiles.append(
        OutputTile(
          band: first..<first + size, packed: PackedWeights(columns: count + 1, stride: stride),
          weights: weights))
    }
    self.tiles = tiles
  }

  var units: Int { tiles.count }

  func run(_ units: Range<Int>, _ memory: Memory) {
    guard !units.isEmpty else { return }
    copyWindow(memory)
    for tile in tiles[units] {
      let source = BandInput(memory: FloatView(tile.weights), start: 0, weights: memory.scratch)
      BandKernel(tile.packed, epilogue, tile.band, source, memory.maps).compute(0..<1, groupSize: 1)
      epilogue.runSeparatePass(tile.band, memory.maps)
    }
  }

  /// Copies the window's numbers to scratch, in the order of the weights, and a 1 for the bias.
  private func copyWindow(_ memory: Memory) {
    let (maps, scratch) = (memory.maps, memory.scratch)
    scratch[scratchFloats - 1] = 1
    guard !input.isVector else {
      for index in 0..<scratchFloats - 1 { scratch[index] = maps[input.origin + index] }
      return
    }
    var place = 0
    for y in -window.top..<window.height - window.top {
      for x in -window.left..<window.width - window.left {
        let isInside = y >= 0 && y < input.height && x >= 0 && x < input.width
        let index = input.origin + y * input.rowStride + x
        for channel in 0..<input.channels {
          scratch[place] = isInside ? maps[index + channel * input.channelStride] : 0
          place += 1
        }
      }
    }
  }
}
